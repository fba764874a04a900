"""What came of an act, in words: the lines that follow it in a replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from balance.cell import Cell
from balance.games.tiny_epic_kingdoms import acts
from balance.games.tiny_epic_kingdoms.acts import GOODS, number_shown
from balance.games.tiny_epic_kingdoms.board import shared, size
from balance.games.tiny_epic_kingdoms.exploration import found_of
from balance.games.tiny_epic_kingdoms.names import (
    actions,
    copies,
    number_in_words,
    place,
    regions,
    resources,
    stock,
    token,
    who,
)
from balance.games.tiny_epic_kingdoms.powers import RAISE_AFTER_REVEAL
from balance.games.tiny_epic_kingdoms.scoring import CASTLE_TRIGGER, MAGIC_TRIGGER, MEEPLES_TRIGGER
from balance.games.tiny_epic_kingdoms.state import AGAINST_NEUTRAL, ATTACKER_BIDS, NO_WAR, PLACE_TOKEN
from balance.words import counted, listed, titled

MET = {
    MEEPLES_TRIGGER: "there is a player with {trigger_meeples} meeples in play",
    CASTLE_TRIGGER: "a castle has reached level {trigger_castle}",
    MAGIC_TRIGGER: "a player's magic has reached level {trigger_magic}",
}
SAID = ((acts.SPREAD, acts.SETTLE), (acts.GAIN, acts.SHOW_FLAG), (acts.PAY, acts.MOVE))
"""Acts whose own words say already what is gained or paid."""


def tell(before: np.record, act: int, after: np.record, cell: Cell) -> list[str]:
    """Say what came of `act`: what it cost and brought, then the war, the others, the turn."""
    lines = [
        "; ".join(_of_actor(before, act, after, cell)),
        *_of_dice(before, act, cell),
        *_of_tokens(before, after, cell),
        *_of_war(before, act, after, cell),
        *_of_others(before, after, cell),
        *_of_alliances(before, after, cell),
        *_of_turn(before, after, cell),
    ]
    return [line for line in lines if line]


# Exploration tokens


def _of_tokens(before: np.record, after: np.record, cell: Cell) -> Iterator[str]:
    """Tokens turned over, handed over and used."""
    if not before.covered and after.covered and before.phase != PLACE_TOKEN:
        yield f"{counted(size(int(after.covered)), 'exploration token')} lie face down"
    for seat in range(before.seats):
        old, new = before.players[seat], after.players[seat]
        for kind, key in enumerate(cell.components["tokens"]):
            if found_of(new, kind) > found_of(old, kind):
                text = cell.components["tokens"][key].get("text", "")
                yield f"{who(after, seat, cell)} turns over {token(kind, cell)}" + (
                    f': "{text}"' if text else ""
                )
        if new.kept > old.kept and new.found == old.found:
            kinds = range(len(cell.components["tokens"]))
            kept = [token(kind, cell) for kind in kinds if cell.rules[0].tokens[kind].keep]
            taken = kept[0] if len(kept) == 1 else "all kept tokens"
            yield f"{who(after, seat, cell)} takes {taken} from the loser"
        if new.castle < old.castle:
            yield f"the castle of {who(after, seat, cell)} falls to level {new.castle}"
        if new.rescues > old.rescues:
            yield "the church is gone"


# The seat that acted


def _of_actor(before: np.record, act: int, after: np.record, cell: Cell) -> Iterator[str]:
    """What it paid and got, and where it stands now."""
    seat = int(before.seat)
    old, new = before.players[seat], after.players[seat]
    if acts.CHOOSE <= act < acts.SPREAD:
        yield f"shields lie on {listed(actions(after.shields))}"
    if acts.PAY <= act < acts.MOVE:
        yield _price_of_war(before, act, cell)
    elif not any(first <= act < end for first, end in SAID):
        yield from _change(old, new)
        yield from _card_price(before, act, cell)
    if act == acts.COLLECT and list(old.goods) == list(new.goods) and not new.owed:
        yield "gets nothing"
    if new.castle > old.castle:
        yield f"the castle is worth {cell.rules[0].castle_vp[new.castle - 1]} VP"
    if new.magic > old.magic:
        yield from _learnt(before, after, seat, cell)
    if new.meeples > old.meeples:
        yield f"{counted(int(new.meeples), 'meeple')} in play"
    if new.meeples < old.meeples:
        yield f"back to the supply, {counted(int(new.meeples), 'meeple')} left in play"
    if _lying(new) > _lying(old):
        yield "lies down to search the ruins"
    if list(old.goods) != list(new.goods):
        yield f"has {stock(new)}"
    elif acts.RETREAT <= act < acts.REMOVE:
        yield "pays nothing"
    if act == acts.COLLECT and new.owed:
        yield f"may choose {counted(int(new.owed), 'more resource')}"


def _change(old: np.record, new: np.record) -> Iterator[str]:
    """What a player paid and got, by the difference of two stocks."""
    change = [int(n) - int(o) for o, n in zip(old.goods, new.goods, strict=True)]
    if min(change) < 0:
        yield f"pays {resources([max(0, -number) for number in change])}"
    if max(change) > 0:
        yield f"gets {resources([max(0, number) for number in change])}"


def _card_price(before: np.record, act: int, cell: Cell) -> Iterator[str]:
    """The price that the card lists, where powers have changed it."""
    lib, rules, seat = cell.game.plain, cell.rules[0], int(before.seat)
    player = before.players[seat]
    if acts.RAISE_CASTLE <= act < acts.LEARN:
        card, price = rules.castle_cost[player.castle], lib.build_price(before, rules, seat)
    elif act == acts.LEARN:
        card, price = rules.magic_cost[player.magic], lib.research_price(before, rules, seat)
    elif acts.GROW <= act < acts.EXCHANGE:
        card, price = rules.expand_cost[player.meeples], lib.expand_price(before, rules, seat)
    else:
        return
    if card != price:
        yield f"the price is {card}, {_altered(price - card)}"


def _price_of_war(before: np.record, act: int, cell: Cell) -> str:
    """The number that a payment is for, and what powers take off it."""
    lib, rules, seat = cell.game.plain, cell.rules[0], int(before.seat)
    paid = act - acts.PAY
    mana, ore, food = paid // GOODS**2, paid // GOODS % GOODS, paid % GOODS
    number = int(lib.number_of(before, seat))
    price, mana_worth = lib.price_of(before, rules, seat, number), lib.mana_value(before, rules, seat)
    left = int(lib.surplus(before, rules, seat, price, mana_worth, mana, ore, food))
    worth = mana * mana_worth + ore * rules.war_ore
    price = int(worth + food * lib.food_value(before, rules, seat)) - left
    line = f"for the number {number}"
    if price != number:
        line += f", {_altered(price - number)}"
    return line + (f", {left} too much" if left else "")


def _altered(by: int) -> str:
    return f"by powers {abs(by)} {'less' if by < 0 else 'more'}"


def _learnt(before: np.record, after: np.record, seat: int, cell: Cell) -> Iterator[str]:
    """The words of the level just reached, unless a scenario has changed the level but not its words."""
    nations = cell.components["nations"]
    number = int(before.players[seat].magic) + 1
    key = copies(after.players[seat], cell).get(str(number))
    if key is not None:
        yield f"copies the {nations[key].get('name', titled(key))}"
    else:
        key = list(nations)[before.players[seat].nation]
    own = _level(cell.changed.get(f"nations.{key}", {}).get("levels", {}), number)
    text = _level(nations[key]["levels"], number).get("text", "")
    if text and ("effects" not in own or "text" in own):
        yield f'learns "{text}"'


def _level(levels: Mapping | list, number: int) -> Mapping:
    if isinstance(levels, Mapping):
        return levels.get(str(number), {})
    return next((level for level in levels if level.get("level") == number), levels[number - 1])


def _lying(player: np.record) -> int:
    return size(int(player.down)) + size(int(player.twice_down))


# War


def _of_dice(before: np.record, act: int, cell: Cell) -> Iterator[str]:
    """The dice, covered until both are set."""
    war, rules = before.war, cell.rules[0]
    if acts.SHOW_FLAG <= act < acts.STAND_FIRM:
        if war.stage == ATTACKER_BIDS:
            yield f"covered until {who(before, war.defender, cell)} has set the other die"
            return
        attacker = f"{who(before, war.attacker, cell)} {number_in_words(war.attacker_number)}"
        defender = f"{who(before, war.defender, cell)} {number_in_words(number_shown(act))}"
        yield f"both dice are shown: {attacker}, {defender}"
    elif act == acts.RAISE:
        lib, seat = cell.game.plain, int(before.seat)
        yield f"to {lib.number_of(before, seat) + lib.power(before, rules, seat, RAISE_AFTER_REVEAL)}"


def _of_war(before: np.record, act: int, after: np.record, cell: Cell) -> Iterator[str]:
    """A war decided or begun, and what falls due by it."""
    yield from _of_decision(before, after, cell)
    for seat in range(before.seats):
        old, new = before.players[seat], after.players[seat]
        if new.due > old.due:
            yield f"{who(after, seat, cell)} has to lose {counted(int(new.due), 'resource')} of choice"
        if new.owed > old.owed and act != acts.COLLECT:
            yield f"{who(after, seat, cell)} may choose {counted(int(new.owed), 'resource')}"
    yield from _of_neutrals(before, after, cell)
    if after.wars > before.wars:
        war = after.war
        allied = cell.game.plain.allied_elsewhere(after, war.attacker, war.defender)
        defender = f"{'an ally, ' if allied else ''}{who(after, war.defender, cell)}"
        yield f"{who(after, war.attacker, cell)} attacks {defender}, in {place(after, war.region, cell)}"


def _of_neutrals(before: np.record, after: np.record, cell: Cell) -> Iterator[str]:
    """A neutral meeple attacked, or defeated."""
    war = after.war
    if war.stage == AGAINST_NEUTRAL:
        attacker, region = who(after, war.attacker, cell), place(after, war.region, cell)
        number = war.attacker_number
        yield f"{attacker} attacks the neutral meeple in {region}, which the number {number} defeats"
    if not before.neutral and not before.lost and after.neutral:
        yield f"{counted(size(int(after.neutral)), 'neutral meeple')} stand in the Lost Kingdom"
    elif before.neutral != after.neutral:
        left = counted(size(int(after.neutral)), "neutral meeple")
        yield f"{who(after, war.attacker, cell)} keeps the neutral meeple; {left} left in the Lost Kingdom"


def _of_decision(before: np.record, after: np.record, cell: Cell) -> Iterator[str]:
    war = before.war
    region = place(after, war.region, cell)
    if after.pacts > before.pacts:
        pair = f"{who(after, war.attacker, cell)} and {who(after, war.defender, cell)}"
        yield f"{pair} form an alliance, in {region}"
    changed = [
        (
            after.players[seat].wars_won > before.players[seat].wars_won,
            after.players[seat].breaches > before.players[seat].breaches,
        )
        for seat in range(before.seats)
    ]
    yield from (f"{who(after, seat, cell)} wins {region}" for seat, (won, _) in enumerate(changed) if won)
    breaking = [who(after, seat, cell) for seat, (_, broke) in enumerate(changed) if broke]
    if breaking:
        left = [place(after, region, cell) for region in regions(after.war.leaving)]
        yield f"the alliance is broken by {listed(breaking)}: the loser has to leave {listed(left)}"


# All others, and the turn


def _of_others(before: np.record, after: np.record, cell: Cell) -> Iterator[str]:
    """What became of the goods and meeples of those who did not act."""
    for seat in range(before.seats):
        old, new = before.players[seat], after.players[seat]
        if seat == before.seat and old.meeples > 0:
            continue
        name = who(after, seat, cell)
        entered = [place(after, region, cell) for region in regions(new.here & ~old.here)]
        left = [place(after, region, cell) for region in regions(old.here & ~new.here)]
        if seat != before.seat:
            yield from (f"{name} {change}" for change in _change(old, new))
            if entered and old.meeples == 0:
                yield f"{name} starts in {listed(entered)}"
        if entered and left:
            yield f"{name} has a meeple moved from {listed(left)} to {listed(entered)}"


def _of_alliances(before: np.record, after: np.record, cell: Cell) -> Iterator[str]:
    """Alliances that ended because no region is shared any more."""
    for seat in range(before.seats):
        for other in range(seat + 1, before.seats):
            pair = {seat, other}
            if before.war.stage != NO_WAR and pair == {int(before.war.attacker), int(before.war.defender)}:
                continue
            if shared(before, seat, other) and not shared(after, seat, other):
                yield f"{who(after, seat, cell)} and {who(after, other, cell)} are allies no more"


def _of_turn(before: np.record, after: np.record, cell: Cell) -> Iterator[str]:
    """The end of the turn: the final round, the shields, the end of the game."""
    rules = cell.rules[0]
    if after.final and not before.final:
        numbers = {name: int(rules[name]) for name in ("trigger_meeples", "trigger_castle", "trigger_magic")}
        met = [text.format(**numbers) for mask, text in MET.items() if after.final & mask]
        yield f"the final round begins: {listed(met)}"
    if after.over:
        yield f"all {rules.shields} shields lie on the action card: the game is over"
    elif before.shields and not after.shields:
        cleared = "all shields are taken off the action card"
        if after.turn - before.turn > 1:
            skipped = (after.active - 1) % after.seats
            cleared += f"; that is all of the turn of {who(after, skipped, cell)}"
        yield cleared
