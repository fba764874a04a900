"""Positions in words: drawn for a reader, laid out from a case's table, and read for what it expects.

A region is named by the seat whose home it is and its letter, "2c"; a star, "2c*", says of a meeple
that it lies there to search ruins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from balance.cell import Cell
from balance.errors import CaseError
from balance.games.tiny_epic_kingdoms.board import (
    arrive,
    bit,
    count_down,
    count_here,
    holder,
    shared,
    stand_up,
)
from balance.games.tiny_epic_kingdoms.content import LEVELS
from balance.games.tiny_epic_kingdoms.maps import described
from balance.games.tiny_epic_kingdoms.names import (
    LOST_KINGDOM,
    actions,
    copies,
    number_in_words,
    place,
    region_ids,
    regions,
    stock,
    territory,
    token,
    token_in,
    who,
)
from balance.games.tiny_epic_kingdoms.powers import ACTION_NAMES, RESOURCE_NAMES, copy_nation
from balance.games.tiny_epic_kingdoms.scoring import CASTLE_TRIGGER, MAGIC_TRIGGER, MEEPLES_TRIGGER
from balance.games.tiny_epic_kingdoms.state import (
    AGAINST_NEUTRAL,
    CASTLE_LEVELS,
    DEFENDER_BIDS,
    FLAG,
    MAGIC_LEVELS,
    MEEPLES,
    NEUTRAL,
    NO_WAR,
    PATROL,
    PERFORM,
    PLACE_TOKEN,
    RAISING,
    REGIONS,
    RUINS,
    TOKENS,
)
from balance.games.tiny_epic_kingdoms.war import alliances
from balance.words import counted, listed, titled, unknown

TITLE = "Tiny Epic Kingdoms"
DECISIONS = (  # by phase
    "choose a side",
    "spread goods",
    "settle",
    "choose an action",
    "perform",
    "set the die",
    "raise the number",
    "pay for the number",
    "leave a region",
    "lose a resource",
    "gain a resource",
    "patrol again",
    "take from the loser",
    "raise a meeple",
    "place a token",
    "meet bandits",
    "use the dragon's lair",
)
LOST = "L"  # the Lost Kingdom, where a region's name has a seat for others
FINAL = {"meeples": MEEPLES_TRIGGER, "castle": CASTLE_TRIGGER, "magic": MAGIC_TRIGGER}
WORDS = (
    "active",
    "seat",
    "turn",
    "shields",
    "chosen",
    "final",
    "seats",
    "war",
    "lost_kingdom",
    "neutral",
    "tokens",
    "covered",
)
OF_SEAT = (
    "mana",
    "ore",
    "food",
    "castle",
    "magic",
    "copies",
    "wars_won",
    "meeples",
    "owed",
    "due",
    "neutrals",
    "crowns",
)
OF_WAR = ("attacker", "region", "from", "dice")
MOST_OWED = 27


# Drawn


def show(state: np.record, cell: Cell) -> str:
    """Draw the position: a line for the turn, one for a war, one for each seat."""
    turn = [f"turn {state.turn + 1}", f"{who(state, state.active, cell)} is active"]
    turn.append(f"shields on {listed(actions(state.shields), 'no action')}")
    if state.phase >= PERFORM and state.phase != PLACE_TOKEN and not state.over:
        turn.append(f"chosen: {ACTION_NAMES[state.chosen]}")
    if state.final:
        turn.append("final round")
    turn.append("game over" if state.over else f"seat {state.seat + 1} has to {DECISIONS[state.phase]}")
    lines = ["; ".join(turn)]
    if state.war.stage != NO_WAR:
        lines.append(_show_war(state, cell))
    if state.lost_side >= 0:
        lines.append(_show_lost_kingdom(state, cell))
    if cell.rules[0].exploration:
        lines.append(_show_tokens(state, cell))
    lines.extend(_show_seat(state, seat, cell) for seat in range(state.seats))
    lines.extend(
        f"territory of seat {seat + 1}, {described(*territory(state, seat, cell))}"
        for seat in range(state.seats)
    )
    if state.lost_side >= 0:
        lines.append(f"{LOST_KINGDOM}, {described(*territory(state, state.seats, cell))}")
    return "\n".join(lines)


def _show_war(state: np.record, cell: Cell) -> str:
    war = state.war
    if war.stage == AGAINST_NEUTRAL:
        return f"war: {who(state, war.attacker, cell)} has to pay for {place(state, war.region, cell)}"
    sides = f"{who(state, war.attacker, cell)} against {who(state, war.defender, cell)}"
    line = f"war: {sides}, in {place(state, war.region, cell)}"
    if war.stage == DEFENDER_BIDS:
        return f"{line}; the attacker's die is set and covered"
    if war.stage > DEFENDER_BIDS:
        line += f"; dice: {number_in_words(war.attacker_number)}, {number_in_words(war.defender_number)}"
    if war.leaving:
        left = [place(state, region, cell) for region in regions(war.leaving)]
        line += f"; {who(state, war.loser, cell)} has to leave {listed(left)}"
    return line


def _show_lost_kingdom(state: np.record, cell: Cell) -> str:
    key, entry = territory(state, state.seats, cell)
    guarded = [
        place(state, region, cell).removeprefix(f"{LOST_KINGDOM} ") for region in regions(state.neutral)
    ]
    return (
        f"{LOST_KINGDOM} ({entry.get('name', titled(key))}): neutral meeples: {', '.join(guarded) or 'none'}"
    )


def _show_tokens(state: np.record, cell: Cell) -> str:
    down = [place(state, region, cell) for region in regions(state.covered)]
    open_ = [
        f"{place(state, region, cell)} {token(kind, cell)}"
        for kind in range(len(cell.components["tokens"]))
        for region in regions(int(state.tokens[kind]) & ~int(state.covered))
    ]
    return f"tokens: {', '.join(open_) or 'none'}; face down: {', '.join(down) or 'none'}"


def _show_seat(state: np.record, seat: int, cell: Cell) -> str:
    player = state.players[seat]
    stood = []
    for region in regions(player.here):
        name, here, down = place(state, region, cell), count_here(player, region), count_down(player, region)
        stood.append(f"{name}{' x2' if here == 2 else ''}{'*' * down}")
    magic = f"magic {player.magic}"
    if copied := copies(player, cell):
        magic += f" ({', '.join(f'{level} of the {nation}' for level, nation in copied.items())})"
    return (
        f"{who(state, seat, cell)}: {stock(player)}; castle {player.castle}, {magic};"
        f" meeples: {', '.join(stood) or 'none'}"
        + (f"; {counted(int(player.neutrals), 'neutral meeple')} defeated" if player.neutrals else "")
        + (f"; keeps {counted(int(player.kept), 'token')} for {player.kept_vp} VP" if player.kept else "")
    )


# Laid out


def lay(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Lay out `position` on `state`, in place.

    What is not named: the active seat is the first, which has to choose an action; no shields; each
    seat has the beginners' goods, neither castle nor magic, and its starting meeples in the first
    region of its home.

    Raises
    ------
    CaseError
        For a word that is not known, or a position that cannot be.
    """
    for word in position:
        if word not in WORDS:
            raise unknown(word, WORDS, word, TITLE)
    _choose_lost_kingdom(state, position, cell)
    _clear(state, cell)
    _lay_neutrals(state, position, cell)
    _lay_turn(state, position, cell)
    _lay_tokens(state, position, cell)
    seats = _by_seat(position.get("seats", {}), state)
    for seat in range(state.seats):
        _lay_seat(state, seat, seats.get(seat, {}), cell)
    _ask(state, position, cell)


def _clear(state: np.record, cell: Cell) -> None:
    """Take all off the table but the seats, their nations and their territories."""
    blank = np.zeros((), state.dtype)
    kept = [(int(p.nation), int(p.side), int(p.muted)) for p in state.players[: state.seats]]
    for name in state.dtype.names or ():
        if name not in ("seats", "lost_side"):
            state[name] = blank[name]
    for player, (nation, side, muted) in zip(state.players, kept, strict=False):
        player.nation, player.side, player.muted = nation, side, muted
    state.war.next_region = -1
    cell.game.plain.lay_territories(state, cell.rules[0])


def _lay_turn(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    state.active = _seat(position.get("active", 1), state, "active")
    state.turn = _whole(position.get("turn", 1), 1, 10_000, "turn") - 1
    shields = position.get("shields", [])
    if not isinstance(shields, list):
        raise CaseError(f"{shields!r} is no list", where="shields", remedy='write ["build", "trade"]')
    for index, action in enumerate(shields):
        state.shields |= 1 << _action(action, f"shields.{index}")
    if "chosen" in position:
        state.chosen = _action(position["chosen"], "chosen")
        state.shields |= 1 << state.chosen
    most = int(cell.rules[0].shields)
    if len(actions(state.shields)) > most:
        raise CaseError(f"there are {most} shields", where="shields", remedy="name fewer actions")
    final = position.get("final", [])
    if not isinstance(final, (str, list)):
        raise CaseError(f"{final!r} is no list", where="final", remedy='write ["castle"]')
    for trigger in [final] if isinstance(final, str) else final:
        if not isinstance(trigger, str) or trigger not in FINAL:
            raise unknown(trigger, FINAL, "final", TITLE)
        state.final |= FINAL[trigger]
        state.final_turn = state.turn + 1


def _choose_lost_kingdom(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Have the side that the position names be the Lost Kingdom; else the one drawn stays."""
    for word in ("lost_kingdom", "neutral"):
        if word in position and state.lost_side < 0:
            raise CaseError("there is no Lost Kingdom", where=word, remedy="set rules.lost_kingdom = true")
    key = position.get("lost_kingdom")
    if key is not None:
        sides = list(cell.components["territories"])
        if key not in sides:
            raise unknown(key, sides, "lost_kingdom", TITLE)
        state.lost_side = sides.index(key)


def _lay_neutrals(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Leave neutral meeples in the regions named only, if any are named."""
    if "neutral" not in position:
        return
    spots = position["neutral"]
    if not isinstance(spots, list):
        raise CaseError(f"{spots!r} is no list", where="neutral", remedy='write ["La", "Lb"]')
    state.neutral = 0
    for index, spot in enumerate(spots):
        region, _ = _region(spot, state, f"neutral.{index}", cell)
        if not bit(region) & state.lost & state.land:
            raise CaseError(
                f"{spot} is no region of the Lost Kingdom", where=f"neutral.{index}", remedy='write "La"'
            )
        state.neutral |= bit(region)


def _lay_tokens(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Lay the tokens that are named, face up or down; all others are in the box, and unseen."""
    kinds = list(cell.components["tokens"])
    if cell.rules[0].exploration:
        cell.game.plain.shuffle_tokens(state, cell.rules[0])
    for word in ("tokens", "covered"):
        table = position.get(word, {})
        if table and not cell.rules[0].exploration:
            raise CaseError(
                "is played without exploration tokens", where=word, remedy="set rules.exploration = true"
            )
        if not isinstance(table, Mapping):
            raise CaseError(f"{table!r} is no table", where=word, remedy='write { 1c = "fort" }')
        for spot, key in table.items():
            where = f"{word}.{spot}"
            region, _ = _region(spot, state, where, cell)
            if key not in kinds:
                raise unknown(key, kinds, where, TITLE)
            if token_in(state, region, cell) >= 0:
                raise CaseError(f"{spot} has a token already", where=where, remedy="name it once")
            kind = kinds.index(key)
            state.tokens[kind] |= bit(region)
            if word == "tokens":
                state.sites |= bit(region)
                state.unseen[kind] = max(0, int(state.unseen[kind]) - 1)
            else:
                state.covered |= bit(region)
                under = len(regions(state.tokens[kind] & state.covered))
                state.unseen[kind] = max(int(state.unseen[kind]), under)


def _lay_crowns(state: np.record, seat: int, number: int, cell: Cell) -> None:
    """Lay tokens that are kept, of the first kind that is, before a seat."""
    rules, player = cell.rules[0], state.players[seat]
    kept = [kind for kind in range(int(rules.token_kinds)) if rules.tokens[kind].keep]
    where = f"seats.{seat + 1}.crowns"
    if number and not (kept and rules.exploration):
        raise CaseError("no token is kept", where=where, remedy="set rules.exploration = true")
    if number:
        player.kept, player.kept_vp = number, number * int(rules.tokens[kept[0]].keep)
        state.unseen[kept[0]] = max(0, int(state.unseen[kept[0]]) - number)


def _by_seat(seats: Any, state: np.record) -> dict[int, Mapping[str, Any]]:
    """Return what is said of each seat, given as a list in order or as a table by number."""
    if not isinstance(seats, (list, Mapping)):
        raise CaseError(f"{seats!r} is no table", where="seats", remedy="write seats.1 = { mana = 2 }")
    numbered = enumerate(seats, 1) if isinstance(seats, list) else seats.items()
    found = {}
    for number, table in numbered:
        where = f"seats.{number}"
        if not str(number).isdigit():
            raise CaseError(f"'{number}' is no seat", where=where, remedy=f"give 1 to {state.seats}")
        if not isinstance(table, Mapping):
            raise CaseError(f"{table!r} is no table", where=where, remedy="write { mana = 2 }")
        for word in table:
            if word not in OF_SEAT:
                raise unknown(word, OF_SEAT, f"{where}.{word}", TITLE)
        found[_seat(int(number), state, where)] = table
    return found


def _lay_seat(state: np.record, seat: int, table: Mapping[str, Any], cell: Cell) -> None:
    rules, player, where = cell.rules[0], state.players[seat], f"seats.{seat + 1}"
    for resource, name in enumerate(RESOURCE_NAMES):
        usual = min(int(rules.beginner_goods[resource]), int(rules.cap))
        player.goods[resource] = _whole(table.get(name, usual), 0, int(rules.cap), f"{where}.{name}")
    player.castle = _whole(table.get("castle", 0), 0, CASTLE_LEVELS, f"{where}.castle")
    player.magic = _whole(table.get("magic", 0), 0, MAGIC_LEVELS, f"{where}.magic")
    _lay_copies(player, table.get("copies", {}), f"{where}.copies", cell)
    player.wars_won = _whole(table.get("wars_won", 0), 0, MOST_OWED, f"{where}.wars_won")
    player.owed = _whole(table.get("owed", 0), 0, MOST_OWED, f"{where}.owed")
    player.due = _whole(table.get("due", 0), 0, MOST_OWED, f"{where}.due")
    player.neutrals = _whole(table.get("neutrals", 0), 0, REGIONS, f"{where}.neutrals")
    _lay_crowns(state, seat, _whole(table.get("crowns", 0), 0, TOKENS, f"{where}.crowns"), cell)
    first = f"{seat + 1}{region_ids(state, seat, cell)[0]}"
    meeples = table.get("meeples", [first] * int(rules.start_meeples))
    if not isinstance(meeples, list) or not 1 <= len(meeples) <= MEEPLES:
        remedy = f'list 1 to {MEEPLES}, as ["1a", "1a", "2c*"]'
        raise CaseError(f"{meeples!r} will not do", where=f"{where}.meeples", remedy=remedy)
    for index, spot in enumerate(meeples):
        _put(state, seat, spot, f"{where}.meeples.{index}", cell)
    if player.castle == CASTLE_LEVELS:
        player.castle_done = state.turn + 1
    if player.magic == MAGIC_LEVELS:
        player.magic_done = state.turn + 1
    if player.meeples == MEEPLES:
        player.meeples_done = state.turn + 1


def _lay_copies(player: np.record, copies: Any, where: str, cell: Cell) -> None:
    """Have some levels be those of other nations, as `{ 1 = "orcs", 3 = "elves" }` says."""
    if not isinstance(copies, Mapping):
        raise CaseError(f"{copies!r} is no table", where=where, remedy='write { 1 = "orcs" }')
    nations = list(cell.components["nations"])
    for level, nation in copies.items():
        if level not in LEVELS:
            raise unknown(level, LEVELS, where, TITLE)
        if nation not in nations:
            raise unknown(nation, nations, f"{where}.{level}", TITLE)
        copy_nation(player, int(level) - 1, nations.index(nation))


def _put(state: np.record, seat: int, spot: Any, where: str, cell: Cell) -> None:
    """Put one meeple where `spot` says, standing, or lying if it has a star."""
    player = state.players[seat]
    region, down = _region(spot, state, where, cell)
    if down and state.terrain[region] != RUINS:
        raise CaseError(f"{spot} is no ruins", where=where, remedy="take the star away: the meeple stands")
    if not cell.game.plain.ground(state, cell.rules[0], seat) & bit(region):
        raise CaseError(f"{spot} is water", where=where, remedy="name a region of land")
    if state.covered & bit(region):
        raise CaseError(f"{spot} has a token face down", where=where, remedy="lay it under 'tokens'")
    state.neutral &= ~bit(region)  # where a player stands, it has been defeated
    if sum(count_here(other, region) for other in state.players[: state.seats]) == 2:
        raise CaseError(f"{spot} has two meeples already", where=where, remedy="put it elsewhere")
    arrive(state, seat, region)
    player.meeples += 1
    if state.terrain[region] == RUINS and not down:
        stand_up(player, region)


def _ask(state: np.record, position: Mapping[str, Any], cell: Cell) -> None:
    """Find out who decides what: in a war, of resources of choice, of the action chosen, or the next."""
    lib, rules = cell.game.plain, cell.rules[0]
    seat = _seat(position.get("seat", int(state.active) + 1), state, "seat")
    state.performer = (seat + 1) % state.seats
    if "war" in position:
        _lay_war(state, position["war"], cell)
        lib.go_on(state, rules)
    elif any(player.owed or player.due for player in state.players[: state.seats]):
        lib.go_on(state, rules)
    elif "chosen" in position:
        state.performer = seat
        state.seat, state.phase = seat, PERFORM
    elif seat != state.active:
        raise CaseError(
            f"seat {seat + 1} has nothing to decide",
            where="seat",
            remedy="say what is 'chosen', or who is 'active'",
        )
    else:
        lib.begin_turn(state, rules)


def _lay_war(state: np.record, table: Any, cell: Cell) -> None:
    """Lay a war, as it is once the attacker has moved in: with no die set, one, or both."""
    if not isinstance(table, Mapping):
        raise CaseError(f"{table!r} is no table", where="war", remedy='write { attacker = 1, region = "2c" }')
    for word in table:
        if word not in OF_WAR:
            raise unknown(word, OF_WAR, f"war.{word}", TITLE)
    for word in ("attacker", "region"):
        if word not in table:
            raise CaseError(
                f"'{word}' is missing", where="war", remedy='write { attacker = 1, region = "2c" }'
            )
    attacker = _seat(table["attacker"], state, "war.attacker")
    region, _ = _region(table["region"], state, "war.region", cell)
    origin, _ = _region(table.get("from", table["region"]), state, "war.from", cell)
    if not state.players[attacker].here & bit(region) or holder(state, attacker, region) < 0:
        raise CaseError(
            "the attacker and another seat must have a meeple there",
            where="war.region",
            remedy="see 'meeples'",
        )
    if not state.shields:
        state.chosen, state.shields = PATROL, 1 << PATROL
    cell.game.plain.begin_war(state, attacker, region, origin)
    state.performer = (attacker + 1) % state.seats
    dice = table.get("dice", [])
    if not isinstance(dice, list) or len(dice) > 2:
        raise CaseError(f"{dice!r} will not do", where="war.dice", remedy='list up to two, as [5, "flag"]')
    if dice:
        state.war.attacker_number = _die(dice[0], "war.dice.0", cell)
        state.war.stage = DEFENDER_BIDS
    if len(dice) > 1:
        state.war.defender_number = _die(dice[1], "war.dice.1", cell)
        state.war.stage = RAISING


# Words of a position


def _seat(number: Any, state: np.record, where: str) -> int:
    return _whole(number, 1, int(state.seats), where) - 1


def _whole(value: Any, low: int, high: int, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise CaseError(
            f"{value!r} will not do", where=where, remedy=f"give a whole number from {low} to {high}"
        )
    return value


def _action(name: Any, where: str) -> int:
    if name not in ACTION_NAMES:
        raise unknown(name, ACTION_NAMES, where, TITLE)
    return ACTION_NAMES.index(name)


def _die(shown: Any, where: str, cell: Cell) -> int:
    if shown == "flag":
        return FLAG
    rules = cell.rules[0]
    return _whole(shown, int(rules.war_lowest), int(rules.war_highest), where)


def _region(spot: Any, state: np.record, where: str, cell: Cell) -> tuple[int, bool]:
    """Return the region that "2c" names, or "Lc" in the Lost Kingdom, and whether a star follows."""
    homes = [str(seat + 1) for seat in range(state.seats)] + [LOST] * bool(state.lost_side >= 0)
    found = re.fullmatch(r"(\d|L)([^*\s]+)(\*?)", str(spot))
    if found is None or found[1] not in homes:
        raise CaseError(
            f"{spot!r} is no region",
            where=where,
            remedy='write the seat whose home it is and the letter: "2c"',
        )
    home = homes.index(found[1])
    ids = region_ids(state, home, cell)
    if found[2] not in ids:
        raise unknown(spot, [f"{found[1]}{id}" for id in ids], where, TITLE)
    return home * REGIONS + ids.index(found[2]), bool(found[3])


def _spot(state: np.record, region: int, cell: Cell) -> str:
    """Name a region as a position does."""
    home, letter = divmod(region, REGIONS)
    return f"{LOST if home == state.seats else home + 1}{region_ids(state, home, cell)[letter]}"


# Read


def read(state: np.record, path: str, cell: Cell) -> Any:
    """Return what stands at `path`: a word of a position, or what follows from it.

    Beyond the words of `lay`: `decision`, what has to be decided; `war`, whether there is one;
    of a seat its `nation`, `territory` and `allies`, the seats it is allied with.

    Raises
    ------
    CaseError
        For an unknown path.
    """
    first, *rest = path.split(".")
    if first == "seats" and rest:
        return _read_seat(state, rest, path, cell)
    if first == "war":
        return _read_war(state, rest, path, cell)
    if first == "tokens" and rest:
        return _read_token(state, ".".join(rest), path, cell)
    plain = {
        "active": int(state.active) + 1,
        "shields": actions(state.shields),
        "chosen": ACTION_NAMES[state.chosen] if state.phase >= PERFORM else "nothing",
        "final": [name for name, mask in FINAL.items() if state.final & mask],
        "decision": "none" if state.over else DECISIONS[state.phase],
    }
    if state.lost_side >= 0:
        plain["neutral"] = [_spot(state, region, cell) for region in regions(state.neutral)]
    if path not in plain:
        raise unknown(path, [*plain, "war", "seats.1.mana"], "expect", TITLE)
    return plain[path]


def _read_seat(state: np.record, rest: list[str], path: str, cell: Cell) -> Any:
    number, *word = rest
    copied = len(word) == 2 and word[0] == "copies" and word[1] in LEVELS
    if not number.isdigit() or not 1 <= int(number) <= state.seats or (len(word) != 1 and not copied):
        raise CaseError(f"'{path}' is no path", where="expect", remedy="write seats.1.mana")
    seat = int(number) - 1
    player = state.players[seat]
    if copied:
        return copies(player, cell).get(word[1], "none")
    known: dict[str, Any] = {name: int(player.goods[index]) for index, name in enumerate(RESOURCE_NAMES)}
    numbers = ("castle", "magic", "wars_won", "owed", "due", "neutrals")
    known |= {name: int(player[name]) for name in numbers}
    known |= {
        "crowns": int(player.kept),
        "meeples": list(_spots(state, player, cell)),
        "nation": list(cell.components["nations"])[player.nation],
        "territory": territory(state, seat, cell)[0],
        "allies": _allies(state, seat),
    }
    if word[0] not in known:
        raise unknown(word[0], known, f"expect, {path}", TITLE)
    return known[word[0]]


def _read_token(state: np.record, spot: str, path: str, cell: Cell) -> str:
    """Say which token lies in a region: its kind, "face down" or "none"."""
    region, _ = _region(spot, state, f"expect, {path}", cell)
    if state.covered & bit(region):
        return "face down"
    kind = token_in(state, region, cell)
    return "none" if kind < 0 else list(cell.components["tokens"])[kind]


def _spots(state: np.record, player: np.record, cell: Cell) -> Iterator[str]:
    """Yield the region of each meeple, those that stand first."""
    for region in regions(player.here):
        here, down = count_here(player, region), count_down(player, region)
        name = _spot(state, region, cell)
        yield from [name] * (here - down) + [f"{name}*"] * down


def _allies(state: np.record, seat: int) -> list[int]:
    """Return the seats, from 1, that share a region with `seat` in peace."""
    war = state.war
    allies = []
    for other in range(state.seats):
        at_war = war.stage != NO_WAR and {seat, other} == {int(war.attacker), int(war.defender)}
        together = alliances(state, seat, other) if at_war else shared(state, seat, other)
        if other != seat and together:
            allies.append(other + 1)
    return allies


def _read_war(state: np.record, rest: list[str], path: str, cell: Cell) -> Any:
    war = state.war
    if not rest:
        return bool(war.stage != NO_WAR)
    if war.stage == NO_WAR:
        return "there is no war"
    known: dict[str, Any] = {
        "attacker": int(war.attacker) + 1,
        "defender": int(war.defender) + 1 if war.defender != NEUTRAL else "neutral",
        "region": _spot(state, int(war.region), cell),
        "from": _spot(state, int(war.origin), cell),
        "leaving": [_spot(state, region, cell) for region in regions(war.leaving)],
    }
    if DEFENDER_BIDS < war.stage < AGAINST_NEUTRAL:
        shown = (int(war.attacker_number), int(war.defender_number))
        known["dice"] = ["flag" if number == FLAG else number for number in shown]
    if ".".join(rest) not in known:
        raise unknown(".".join(rest), known, f"expect, {path}", TITLE)
    return known[".".join(rest)]
