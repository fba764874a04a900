"""Positions and acts in words: what is laid is read again, every act has a name, mistakes are told."""

from __future__ import annotations

import pytest

from balance import cases, games, records, replay
from balance import cell as cells
from balance.errors import CaseError
from balance.games.kingdom_builder import names, words

GAME = games.get("kingdom-builder")


def laid(position, players=2, rules=None):
    cell = cells.prepare(GAME, players, rules=rules)
    table = replay.Table(cell, records.make(GAME.lineup_type, players), 0, 0, 0)
    words.lay(table.state, position, cell)
    return table.state, cell


def test_an_empty_position_is_the_first_game_before_the_first_settlement():
    state, cell = laid({})
    assert words.read(state, "sections", cell) == ["tavern", "paddock", "oasis", "farm"]
    assert words.read(state, "decision", cell) == "before"
    assert words.read(state, "seats.1.supply", cell) == 40
    assert words.read(state, "seats.2.hand", cell) == ["grass"]
    free = sum(int(row).bit_count() for row in state.free[6])
    beside = [
        sum(int(a & b).bit_count() for a, b in zip(rows, state.free[6], strict=True))
        for rows in (state.beside_water, state.beside_mountain, state.beside_special)
    ]
    assert (free, *beside) == (284, 89, 47, 65)  # as counted by hand from the board


@pytest.mark.parametrize(
    ("position", "path", "value"),
    [
        ({"sections": ["oracle turned", "farm", "barn", "harbor turned"]}, "sections", None),
        ({"locations": ["barn", "barn", "oracle", "farm"]}, "locations", None),
        ({"cards": ["miners", "lords"]}, "cards", None),
        ({"round": 7}, "round", None),
        ({"final": True}, "final", None),
        ({"card": "forest"}, "card", None),
        ({"to_build": 2}, "to_build", None),
        ({"to_build": 2}, "decision", "building"),
        ({"to_build": 0}, "decision", "after"),
        ({"to_build": 3, "decision": "building"}, "decision", "building"),
        ({"deck": ["desert", "grass", "desert"]}, "deck", None),
        ({"discards": ["forest", "canyon"]}, "discards", None),
        ({"removed": ["forest"]}, "removed", None),
        ({"tiles_left": {"G8": 1}}, "tiles_left.G8", 1),
        ({"seats": {"2": {"settlements": ["D7", "E5"]}}}, "seats.2.settlements", ["D7", "E5"]),
        ({"seats": {"2": {"settlements": ["D7"]}}}, "seats.2.supply", 39),
        ({"seats": {"2": {"supply": 3}}}, "seats.2.supply", 3),
        ({"seats": {"2": {"settlements": ["G7"]}}}, "seats.2.tiles", ["tavern"]),
        ({"seats": {"2": {"settlements": ["G7"], "tiles": []}}}, "seats.2.tiles", []),
        ({"seats": {"2": {"settlements": ["G7"]}}}, "seats.2.visited", ["G8"]),
        ({"seats": [{}, {"used": ["barn"], "fresh": ["farm", "oasis"]}]}, "seats.2.fresh", ["farm", "oasis"]),
        ({"seats": [{}, {"hand": ["desert", "grass"]}]}, "seats.2.hand", ["grass", "desert"]),
    ],
)
def test_what_is_laid_is_read_again(position, path, value):
    state, cell = laid(position)
    wanted = position.get(path) if value is None else value
    found = words.read(state, path, cell)
    assert (sorted(found) if path in ("discards", "cards") else found) == (
        sorted(wanted) if path in ("discards", "cards") else wanted
    )


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ({"section": []}, "sections"),
        ({"sections": ["oracle"]}, "four sections"),
        ({"sections": ["orakle", "farm", "barn", "tower"]}, "oracle"),
        ({"sections": ["oracle sideways", "farm", "barn", "tower"]}, "oracle turned"),
        ({"sections": "oracle"}, "list"),
        ({"cards": ["kings"]}, "knights"),
        ({"card": "water"}, "grass"),
        ({"to_build": 4}, "0 to 3"),
        ({"decision": "set down"}, "before"),
        ({"deck": ["grass"] * 46}, "at most 45"),
        ({"tiles_left": {"D7": 1}}, "locations: "),
        ({"tiles_left": {"G8": "two"}}, "whole number"),
        ({"castle_tokens": ["D4"]}, "no location"),
        ({"seat": 3}, "1 to 2"),
        ({"seats": {"3": {}}}, "1 to 2"),
        ({"seats": {"one": {}}}, "no seat"),
        ({"seats": {"1": 5}}, "no table"),
        ({"seats": {"1": {"settlement": []}}}, "settlements"),
        ({"seats": {"1": {"settlements": ["U1"]}}}, "A to T"),
        ({"seats": {"1": {"settlements": ["D4"]}}}, "can stand"),
        ({"seats": {"1": {"settlements": ["E5", "E5"]}}}, "already"),
        ({"seats": {"1": {"tiles": ["castle"]}}}, "no 'castle'"),
        ({"seats": {"1": {"hand": ["sand"]}}}, "no 'sand'"),
    ],
)
def test_a_slip_of_the_pen_is_told(position, told):
    with pytest.raises(CaseError) as found:
        laid(position)
    assert told in str(found.value)


@pytest.mark.parametrize(
    "path", ["section", "seats.3.tiles", "seats.x.tiles", "seats.1.tile", "tiles_left.A1"]
)
def test_an_unknown_path_is_told(path):
    state, cell = laid({})
    with pytest.raises(CaseError):
        words.read(state, path, cell)


def test_every_hex_has_a_name_of_its_own():
    state, cell = laid({})
    assert names.HEX_NAMES[0] == "A1"
    assert names.HEX_NAMES[-1] == "T20"
    said = [words.say(state, act, cell) for act in range(GAME.acts)]
    known = [text for text in said if text]
    assert len(set(known)) == len(known)
    assert len(known) == GAME.acts - 4 * 400  # room for four more kinds of location
    assert said[-2:] == ["draw a new terrain card", "end the turn"]
    assert "build on D4 (castle)" in known
    assert "take up the settlement on G3 (Tavern) with the Barn" in known


def test_a_location_with_a_castle_token_is_called_a_castle():
    state, cell = laid({"castle_tokens": ["G3"], "locations": ["barn", "farm", "oasis", "tower"]})
    assert words.say(state, 6 * 20 + 2, cell) == "build on G3 (castle)"
    assert words.say(state, 6 * 20 + 7, cell) == "build on G8 (Barn)"


def test_the_map_is_drawn_with_its_settlements():
    state, cell = laid({"seats": [{"settlements": ["A1"]}, {"settlements": ["B20"]}]})
    lines = words.show(state, cell).splitlines()
    assert lines[3] == "A 1 d d m m d d c c c c c c d d w d d d d"
    assert lines[4] == "B  l l d d d m m c c c m m c d d w d d d 2"


def test_lines_of_a_replay_can_be_pasted_into_a_case(tmp_path):
    """Play the acts of a whole game, as a replay tells them, in a case of their own."""
    cell = cells.prepare(GAME, 2)
    lineup = records.make(GAME.lineup_type, 2)
    lines = [
        line.strip()
        for line in replay.tell(cell, lineup, 0, 0, 0)
        if line.startswith("  Seat ") and ": bot " not in line and " points (" not in line
    ]
    assert len(lines) > 60
    text = 'game = "kingdom-builder"\nplayers = 2\n[[case]]\nname = "x"\nsource = "x"\n'
    path = tmp_path / "case.toml"
    path.write_text(text + f"expect.over = true\nplay = {lines!r}\n", encoding="utf-8")
    (result,) = cases.run([path])
    assert result.passed, result.message
