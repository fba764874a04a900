"""Golden transcripts: whole games told in words, kept in tests/golden and read in review.

`python -m tests.golden` (or `make golden`) writes them anew after a change that is meant.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = HERE / "golden"
PAGE = HERE.parent / "docs" / "tiny_epic_kingdoms.md"
BEGIN, END = "<!-- effects: written by tests/golden.py -->", "<!-- end of effects -->"


def pig() -> Iterator[str]:
    """Three bots play Pig to 40, the greedy one giving its reasons."""
    from balance import cell, games, records, replay

    game = games.get("pig")
    bots = {"holder": {"weights": {"hold": 12}}, "greedy": {}, "random": {}}
    ready = cell.prepare(game, 3, rules={"goal": 40}, components={"clans": {"gold": {"start": 4}}}, bots=bots)
    lineup = records.make(game.lineup_type, 3)
    lineup.bot, lineup.clan = [0, 1, 2], [0, 2, 3]
    return replay.tell(ready, lineup, 7, 2, 5, reasons=True)


def tiny_epic_kingdoms() -> Iterator[str]:
    """Three random bots in a game with a war, an alliance and its breach, a retreat and searched ruins."""
    from balance import cell, games, records, replay

    game = games.get("tiny-epic-kingdoms")
    ready = cell.prepare(game, 3)
    lineup = records.make(game.lineup_type, 3)
    lineup.nation = [ready.levels("nation").index(key) for key in ("dwarves", "orcs", "halflings")]
    territories = ("anarchistan", "vrtichvostan", "parohan")
    lineup.territory = [ready.levels("territory").index(key) for key in territories]
    return replay.tell(ready, lineup, 88, 0, 0)


def tiny_epic_kingdoms_for_two() -> Iterator[str]:
    """Two random bots take the Lost Kingdom from its neutral meeples, and fight over it."""
    return _kingdoms(("dwarves", "orcs"), 4, {})


def tiny_epic_kingdoms_exploration() -> Iterator[str]:
    """Three random bots among exploration tokens: a crown lost in war, a dragon, a church, bandits, camps."""
    return _kingdoms(("dwarves", "orcs", "halflings"), 45, {"exploration": True})


def _kingdoms(nations: tuple[str, ...], seed: int, rules: dict[str, bool]) -> Iterator[str]:
    from balance import cell, games, records, replay

    game = games.get("tiny-epic-kingdoms")
    ready = cell.prepare(game, len(nations), rules=rules)
    lineup = records.make(game.lineup_type, len(nations))
    lineup.nation = [ready.levels("nation").index(key) for key in nations]
    territories = ("anarchistan", "tutenstan", "parohan")[: len(nations)]
    lineup.territory = [ready.levels("territory").index(key) for key in territories]
    return replay.tell(ready, lineup, seed, 0, 0)


def kingdom_builder() -> Iterator[str]:
    """A random and a greedy bot, with tiles taken and lost, extra settlements and moves; reasons told."""
    from balance import cell, games, records, replay

    game = games.get("kingdom-builder")
    ready = cell.prepare(game, 2, bots={"random": {}, "greedy": {}})
    lineup = records.make(game.lineup_type, 2)
    lineup.bot = [0, 1]
    return replay.tell(ready, lineup, 22, 0, 0, reasons=True)


TRANSCRIPTS: dict[str, Callable[[], Iterator[str]]] = {
    "pig": pig,
    "tiny_epic_kingdoms": tiny_epic_kingdoms,
    "tiny_epic_kingdoms_for_two": tiny_epic_kingdoms_for_two,
    "tiny_epic_kingdoms_exploration": tiny_epic_kingdoms_exploration,
    "kingdom_builder": kingdom_builder,
}


def documented(page: str) -> str:
    """Return a page of documentation with the vocabulary of Tiny Epic Kingdoms as the code has it now."""
    from balance.games.tiny_epic_kingdoms import vocabulary

    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{vocabulary.table()}\n{END}{after}"


def text(name: str) -> str:
    """Tell the game called `name` in TRANSCRIPTS."""
    return "\n".join(TRANSCRIPTS[name]()) + "\n"


def main() -> None:
    """Write every transcript anew and say which ones changed."""
    FOLDER.mkdir(exist_ok=True)
    for name in TRANSCRIPTS:
        path, told = FOLDER / f"{name}.txt", text(name)
        if not path.exists() or path.read_text(encoding="utf-8") != told:
            path.write_text(told, encoding="utf-8")
            print(f"wrote {path.relative_to(HERE.parent)}")
    page = PAGE.read_text(encoding="utf-8")
    if documented(page) != page:
        PAGE.write_text(documented(page), encoding="utf-8")
        print(f"wrote {PAGE.relative_to(HERE.parent)}")


if __name__ == "__main__":
    os.environ["BALANCE_GAMES"] = "pig"
    sys.path.insert(0, str(HERE))
    main()
