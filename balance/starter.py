"""A commented scenario to start from, written from what the game declares."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from balance import places, scenario, terminal
from balance.cell import span
from balance.errors import ScenarioError, nearest
from balance.games import Game
from balance.records import PerPlayers, Rule

WIDTH = 100


def text(game: Game) -> str:
    """Return a scenario for `game` that runs as it is and says at each place what may be changed."""
    parts = (
        _head(game),
        _bots(game),
        _field(game),
        _rules(game),
        _vary(game),
        _blank(game),
        _contrast(game),
        _content(game),
    )
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part) + "\n"


def like(game: Game, model: str) -> str:
    """Return the text of the scenario `model`, a file or the name of one that comes with `game`.

    Raises
    ------
    ScenarioError
        If there is no such scenario, or it is one of another game.
    """
    named = {path.stem: path for path in places.scenarios(game.id)}
    path = Path(model)
    if not path.is_file():
        if path.suffix or model not in named:
            raise ScenarioError(
                f"there is no scenario '{model}'", where="--like", remedy=nearest(model, named)
            )
        path = named[model]
    loaded = scenario.load(path)
    if loaded.game != game.id:
        raise ScenarioError(
            f"is a scenario of {loaded.game}", where=str(path), remedy=f"balance new {loaded.game} --like ..."
        )
    return loaded.text


def write(content: str, out: Path) -> None:
    """Write `content` to the new file `out`.

    Raises
    ------
    ScenarioError
        If the file is there already, or cannot be written.
    """
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError:
        raise ScenarioError("is there already", where=str(out), remedy="name a new file") from None
    except OSError as error:
        raise ScenarioError(
            f"cannot be written ({error.strerror})", where=str(out), remedy="name another place"
        ) from None


def _comment(words: str) -> Iterator[str]:
    yield from textwrap.wrap(words, WIDTH, initial_indent="# ", subsequent_indent="# ")


def _head(game: Game) -> Iterator[str]:
    yield f"# A question to {game.title}, to be answered by simulated games. Check it, then run it:"
    yield "#   balance check FILE"
    yield "#   balance sweep FILE --out DIR"
    yield ""
    yield f'title = "{game.title}"'
    yield 'question = "Is any of them too strong, and how sure are we?"'
    yield f'game = "{game.id}"'
    yield f"players = {game.usual}  # {span(game)}, or a list of player counts"
    yield "seed = 1  # another seed deals other games"
    yield "games = 2000  # for each cell, that is, each rule set to compare"
    yield "# precision = 0.01  # instead: play until shares are known to within one point in a hundred"
    yield "# turns = true  # also keep the running score, turn by turn"


def _bots(game: Game) -> Iterator[str]:
    yield from _comment(
        "Who plays. Each bot starts from one of the game's styles and differs from it in what stands here."
    )
    yield f"# Styles: {', '.join(game.bots)}"
    styles = [name for name, spec in game.bots.items() if spec["kind"] != "random"] or list(game.bots)
    yield ""
    yield f"[bots.{styles[0]}]"
    yield f'like = "{styles[0]}"'
    for weight in game.weights:
        default = game.bots[styles[0]].get("weights", {}).get(weight.name, weight.default)
        yield f"# weights.{weight.name} = {float(default)}  # {weight.label}"
    if game.bars:
        yield "# Restricted play: what a bot never does."
        yield f'# bar = ["{game.bars[0][0]}"]'
    for name, label in game.bars:
        yield f"#   {name}: {label}"
    if game.gifts:
        yield "# What it is given."
        yield f'# gift = ["{game.gifts[0][0]}"]'
    for name, label in game.gifts:
        yield f"#   {name}: {label}"


def _field(game: Game) -> Iterator[str]:
    yield "# The field of play: everything there is, or a list."
    yield "[field]"
    for factor in game.factors:
        keys = list(game.components[factor.components])
        yield from _comment(f"{factor.components}: {', '.join(keys)}")
        yield f'{factor.components} = "all"'
        if factor.draw is not None:
            yield f"# {factor.components} = {{ drawn = 50, seed = 1 }}  # random maps, each for many blocks"
    yield "# repeat = true  # a mirror match: several seats may have the same"


def _rules(game: Game) -> Iterator[str]:
    yield f"# House rules: take the # off a line to change it. `balance rules {game.id}` tells more."
    yield "[rules]"
    for rule in game.rules:
        yield from _comment(f"{rule.note}: {rule.kind()}" if rule.note else rule.kind())
        yield f"# {rule.name} = {toml(rule)}"


def toml(rule: Rule) -> str:
    """Write a rule's default as TOML; by player count where it differs by that."""
    if isinstance(rule.default, PerPlayers) and rule.default.by:
        values = ", ".join(f"{seats} = {terminal.shown(v)}" for seats, v in sorted(rule.default.by.items()))
        return f"{{ {values} }}"
    default = rule.default.others if isinstance(rule.default, PerPlayers) else rule.default
    return terminal.shown(default)


def _vary(game: Game) -> Iterator[str]:
    rule = next((one for one in game.rules if not isinstance(one.sample(), (tuple, bool))), None)
    if rule is None:
        return
    usual, other = _two_values(rule)
    yield "# What to compare: each combination of these values is a cell, played on the same deals."
    yield "# The report shows them side by side, each with its intervals; their differences have none yet."
    yield "# [vary]"
    yield f'# "rules.{rule.name}" = [{usual}, {other}]'
    yield ""
    yield "# Or rule sets with names, beside the rules as they stand above."
    yield "# [[variant]]"
    yield '# name = "my house rule"'
    yield f"# rules = {{ {rule.name} = {other} }}"


def _blank(game: Game) -> Iterator[str]:
    for factor in game.factors:
        entries = game.components[factor.components]
        if any(game.parts(factor.components, entry) for entry in entries.values()):
            yield from _comment(
                f"What is each part of {factor.components} worth? Taken away in turn, on the same games."
            )
            yield "# [blank]"
            yield f'# {factor.components} = "all"  # or a list'


def _contrast(game: Game) -> Iterator[str]:
    if not (game.bars or game.gifts):
        return
    yield from _comment(
        "What is a thing worth? One seat, drawn by lot, is barred from it (or given it), and the same deal "
        "is played without: a game for each thing, and one untouched."
    )
    yield "# [contrast]"
    if game.bars:
        yield '# bar = "all"  # or a list of the names above'
    if game.gifts:
        yield f'# gift = ["{game.gifts[0][0]}"]  # or "all"'


def _two_values(rule: Rule) -> tuple[str, str]:
    """Return a rule's usual value and another one, as TOML."""
    usual = rule.default.others if isinstance(rule.default, PerPlayers) else rule.default
    if rule.choices:
        other = next((name for name in rule.choices if name != usual), usual)
    else:
        other = usual + 1 if usual + 1 <= rule.high else usual - 1
    return terminal.shown(usual), terminal.shown(other)


def _content(game: Game) -> Iterator[str]:
    for kind, entries in game.components.items():
        if entries:
            first = next(iter(entries))
            yield f"# Own {kind}: a table each, from scratch or like another; what differs stands in it."
            yield f"# [{kind}.my_own]"
            yield f'# like = "{first}"'
