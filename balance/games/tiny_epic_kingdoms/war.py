"""War and alliance (rulebook p. 6-7)."""

import numpy as np

from balance.dice import below
from balance.games.tiny_epic_kingdoms.acts import (
    GOODS,
    KEEP,
    PAY,
    RAISE,
    REMOVE,
    RESCUE,
    RETREAT,
    SHOW,
    SHOW_FLAG,
    STAND_FIRM,
    number_shown,
)
from balance.games.tiny_epic_kingdoms.board import (
    arrive,
    bit,
    depart,
    full,
    ground,
    holder,
    nearest_free,
    others,
    shared,
)
from balance.games.tiny_epic_kingdoms.exploration import (
    ask_of_lair,
    explore,
    fort_discount,
    hand_over,
    legal_rescues,
    rescue,
)
from balance.games.tiny_epic_kingdoms.powers import (
    ALLY_GAINS,
    ALLY_MAY_NOT_BREAK,
    FLAG_REFUSED_LOSS,
    FOOD_WAR_VALUE,
    FREE_RETREAT,
    GAIN_AFTER_WIN,
    GAIN_ON_ALLIANCE,
    MANA_PAYS,
    RAISE_AFTER_REVEAL,
    RETREAT_PRICE_MOST,
    RIVAL_MANA_LOSS,
    RIVAL_MAY_NOT_RETREAT,
    TAKE_AFTER_WIN,
    TAKE_AFTER_WIN_IN,
    WAR_DISCOUNT,
    WAR_DISCOUNT_ATTACKING,
    WAR_DISCOUNT_DEFENDING,
    WAR_DISCOUNT_IN,
    WAR_DISCOUNT_LOSING,
    WAR_DISCOUNT_MANA_ONLY,
    WAR_DISCOUNT_NEAR_WATER,
    WAR_DISCOUNT_ONE_KIND,
    WINS_TIES,
    power,
)
from balance.games.tiny_epic_kingdoms.spoils import ask_to_raise_meeple, ask_to_take, remember_fallen
from balance.games.tiny_epic_kingdoms.state import (
    AGAINST_NEUTRAL,
    ATTACKER_BIDS,
    ATTACKER_PAYS,
    BID_WAR,
    DEFENDER_BIDS,
    DEFENDER_PAYS,
    FLAG,
    FOOD,
    LEAVE_REGION,
    LEAVING,
    MANA,
    MANA_RETREATS,
    NEUTRAL,
    NO_WAR,
    ORE,
    PAY_WAR,
    PLACES,
    RAISE_NUMBER,
    RAISING,
    RUINS,
)


def begin_war(state, attacker, region, origin):
    """The attacker has moved into a region where another player has a meeple (p. 6)."""
    war = state.war
    war.attacker = attacker
    war.defender = holder(state, attacker, region)
    war.region = region
    war.origin = origin
    war.asked_to_raise = 0
    war.booty = 0
    war.fallen = 0
    war.asked_of_lair = 0
    war.burnt = 0
    war.stage = ATTACKER_BIDS
    state.wars += 1
    state.players[attacker].attacks += 1


def ask_of_war(state, rules):
    """Go on with the war; return whether a decision is asked of someone (`seat` and `phase` say whose)."""
    war = state.war
    if war.stage == ATTACKER_BIDS:
        state.seat, state.phase = war.attacker, BID_WAR
        return True
    if war.stage == AGAINST_NEUTRAL:
        state.seat, state.phase = war.attacker, PAY_WAR
        return True
    if war.stage == DEFENDER_BIDS:
        state.seat, state.phase = war.defender, BID_WAR
        return True
    if war.stage == RAISING:
        return ask_to_raise(state, rules)
    if war.stage == ATTACKER_PAYS:
        return ask_to_pay(state, rules, war.attacker, war.attacker_number, DEFENDER_PAYS)
    if war.stage == DEFENDER_PAYS:
        return ask_to_pay(state, rules, war.defender, war.defender_number, LEAVING)
    if rules.exploration and ask_of_lair(state, rules):
        return True
    if war.booty > 0 and ask_to_take(state):
        return True
    if war.fallen != 0 and ask_to_raise_meeple(state, rules):
        return True
    return ask_to_leave(state)


def opponent(state, seat):
    """Return the other side of the war."""
    return state.war.defender if seat == state.war.attacker else state.war.attacker


def number_of(state, seat):
    """Return the number that `seat` shows in the war, or FLAG."""
    return state.war.attacker_number if seat == state.war.attacker else state.war.defender_number


# 1. Setting the war number (p. 6)


def legal_bids(state, rules, acts):
    """Any number that the seat can pay for, or the flag; an ally bound by a nation's power only the flag."""
    seat = state.seat
    acts[0] = SHOW_FLAG
    count = 1
    if bound_to_peace(state, rules, seat):
        return count
    most = highest_payable(state, rules, seat)
    for number in range(rules.war_lowest, min(rules.war_highest, most) + 1):
        if rules.war_overpay or affords(state, rules, seat, number):
            acts[count] = SHOW + number
            count += 1
    return count


def bound_to_peace(state, rules, seat):
    """Say whether the opponent is an ally whose alliance `seat` may not break."""
    other = opponent(state, seat)
    return allied_elsewhere(state, seat, other) and power(state, rules, other, ALLY_MAY_NOT_BREAK) > 0


def allied_elsewhere(state, seat, other):
    """Say whether the two are allies in a region other than the one at war."""
    return alliances(state, seat, other) != 0


def alliances(state, seat, other):
    """Return the regions that the two share in peace: not the one at war, nor one where a war waits."""
    fought = bit(state.war.region)
    if state.war.next_region >= 0:
        fought |= bit(state.war.next_region)
    return shared(state, seat, other) & ~fought


def show_number(state, rules, act):
    """Set the war die, hidden until the other has set it too."""
    war = state.war
    if war.stage == ATTACKER_BIDS:
        war.attacker_number = number_shown(act)
        war.stage = DEFENDER_BIDS
    else:
        war.defender_number = number_shown(act)
        war.stage = RAISING


def hide_number(state, rules, seat, rng):
    """Set the attacker's die anew for all who can't see it: any number it could show is as likely."""
    war = state.war
    if war.stage != DEFENDER_BIDS or seat == war.attacker:
        return
    lowest, most = rules.war_lowest, min(rules.war_highest, highest_payable(state, rules, war.attacker))
    war.attacker_number = FLAG
    if most < lowest or bound_to_peace(state, rules, war.attacker):
        return
    drawn = below(rng, most - lowest + 2)
    while drawn > 0 and war.attacker_number == FLAG:
        if affords(state, rules, war.attacker, lowest + drawn - 1):
            war.attacker_number = lowest + drawn - 1
        drawn -= 1


def sealed(state):
    """Say whether the choice at hand is a number on a die, which stays hidden until both are set (p. 6)."""
    return state.phase == BID_WAR


# 2. Revealing the dice (p. 6)


def ask_to_raise(state, rules):
    """After the reveal, a nation may have the power to raise its number; then the war is decided."""
    war = state.war
    for side in range(2):
        seat = war.attacker if side == 0 else war.defender
        if war.asked_to_raise >> side & 1:
            continue
        war.asked_to_raise |= 1 << side
        step = power(state, rules, seat, RAISE_AFTER_REVEAL)
        number = number_of(state, seat)
        if step > 0 and number != FLAG and affords(state, rules, seat, number + step):
            state.seat, state.phase = seat, RAISE_NUMBER
            return True
    decide_war(state, rules)
    return False


def legal_raises(state, rules, acts):
    """Leave the number as shown, or raise it by power."""
    acts[0] = STAND_FIRM
    if power(state, rules, state.seat, RAISE_AFTER_REVEAL) == 0:
        return 1
    acts[1] = RAISE
    return 2


def raise_number(state, rules, act):
    """Raise the number just shown, even past the highest of the die."""
    if act == STAND_FIRM:
        return
    step = power(state, rules, state.seat, RAISE_AFTER_REVEAL)
    if state.seat == state.war.attacker:
        state.war.attacker_number += step
    else:
        state.war.defender_number += step


def decide_war(state, rules):
    """The higher number wins, ties go to the defender; two flags make an alliance (p. 6)."""
    war = state.war
    if war.attacker_number == FLAG and war.defender_number == FLAG and rules.two_flags == 0:
        ally(state, rules)
        end_war(state)
        return
    war.winner = war.attacker if attacker_wins(state, rules) else war.defender
    war.loser = opponent(state, war.winner)
    state.players[war.winner].wars_won += 1
    state.players[war.loser].wars_lost += 1
    if rules.exploration:
        hand_over(state)
        if war.attacker_number != FLAG:
            note_fort(state, rules)
    war.leaving = bit(war.region)
    if breaks_alliance(state, rules):
        war.leaving |= alliances(state, war.attacker, war.defender)
        if war.attacker_number != FLAG:
            state.players[war.attacker].breaches += 1
        if war.defender_number != FLAG:
            state.players[war.defender].breaches += 1
    war.stage = ATTACKER_PAYS


def note_fort(state, rules):
    """Count an attack that a fort makes cheaper."""
    war = state.war
    if rules.exploration and fort_discount(state, rules, war.attacker, war.region, war.origin) > 0:
        state.players[war.attacker].fort_attacks += 1


def attacker_wins(state, rules):
    """Compare the dice; the flag is below every number."""
    war = state.war
    if war.attacker_number != war.defender_number:
        return war.attacker_number > war.defender_number
    if war.attacker_number == FLAG:
        return False
    attacker_takes = power(state, rules, war.attacker, WINS_TIES) > 0
    defender_takes = power(state, rules, war.defender, WINS_TIES) > 0
    if attacker_takes != defender_takes:
        return attacker_takes
    return rules.ties == 1


# 3. Evaluation: each pays for its number, won or lost (p. 6)


def discount(state, rules, seat):
    """Return what comes off the price of a number whatever it is paid with."""
    war = state.war
    less = discount_over(state, rules, seat, war.region, war.origin, seat == war.attacker)
    if ATTACKER_PAYS <= war.stage <= DEFENDER_PAYS and seat == war.loser:
        less += power(state, rules, seat, WAR_DISCOUNT_LOSING)
    return less


def discount_over(state, rules, seat, region, origin, attacks):
    """Return what comes off the price of a number in a war over `region`, attacked from `origin` or not."""
    less = power(state, rules, seat, WAR_DISCOUNT)
    less += power(state, rules, seat, WAR_DISCOUNT_IN + state.terrain[region])
    if state.wet & bit(region):
        less += power(state, rules, seat, WAR_DISCOUNT_NEAR_WATER)
    if attacks:
        less += power(state, rules, seat, WAR_DISCOUNT_ATTACKING)
        if rules.exploration:
            less += fort_discount(state, rules, seat, region, origin)
    else:
        less += power(state, rules, seat, WAR_DISCOUNT_DEFENDING)
    return less


def mana_value(state, rules, seat):
    """Return what a mana of `seat` is worth in this war."""
    rival = opponent(state, seat)
    if rival == NEUTRAL:
        return rules.war_mana
    return max(0, rules.war_mana - power(state, rules, rival, RIVAL_MANA_LOSS))


def food_value(state, rules, seat):
    """Return what a food of `seat` is worth in war."""
    return max(rules.war_food, power(state, rules, seat, FOOD_WAR_VALUE))


def highest_payable(state, rules, seat):
    """Return the highest number that `seat` has the means for (if paying too much by a rest is allowed)."""
    return highest_price(state, rules, seat, mana_value(state, rules, seat)) + discount(state, rules, seat)


def highest_price(state, rules, seat, mana_worth):
    """Return the highest price that `seat` can pay, with the discounts for what it pays with."""
    goods = state.players[seat].goods
    mana = goods[MANA] * mana_worth
    ore = goods[ORE] * rules.war_ore
    food = goods[FOOD] * food_value(state, rules, seat)
    one_kind = power(state, rules, seat, WAR_DISCOUNT_ONE_KIND)
    mana_only = power(state, rules, seat, WAR_DISCOUNT_MANA_ONLY)
    most = max(mana + ore + food, mana + one_kind + mana_only)
    most = max(most, ore + one_kind)
    return max(most, food + one_kind)


def price_of(state, rules, seat, number):
    """Return the price of a number, before the discounts for what it is paid with."""
    return number - discount(state, rules, seat)


def surplus(state, rules, seat, price, mana_worth, mana, ore, food):
    """Return by how much these resources pay more than the price; negative: they don't pay it."""
    less = 0
    kinds = (mana > 0) + (ore > 0) + (food > 0)
    if kinds <= 1:
        less += power(state, rules, seat, WAR_DISCOUNT_ONE_KIND)
    if ore == 0 and food == 0:
        less += power(state, rules, seat, WAR_DISCOUNT_MANA_ONLY)
    worth = mana * mana_worth + ore * rules.war_ore + food * food_value(state, rules, seat)
    return worth - max(0, price - less)


def is_payment(state, rules, seat, price, mana_worth, mana, ore, food):
    """Say whether these resources pay the price with none too many: not one of them could be left out."""
    left = surplus(state, rules, seat, price, mana_worth, mana, ore, food)
    if left < 0 or (left > 0 and not rules.war_overpay):
        return False
    if mana > 0 and surplus(state, rules, seat, price, mana_worth, mana - 1, ore, food) >= 0:
        return False
    if ore > 0 and surplus(state, rules, seat, price, mana_worth, mana, ore - 1, food) >= 0:
        return False
    return not (food > 0 and surplus(state, rules, seat, price, mana_worth, mana, ore, food - 1) >= 0)


def payments(state, rules, seat, number, acts):
    """Write each way to pay for the number; return how many there are."""
    price, mana_worth = price_of(state, rules, seat, number), mana_value(state, rules, seat)
    goods = state.players[seat].goods
    count = 0
    most_food = goods[FOOD] if food_value(state, rules, seat) > 0 else 0
    for mana in range(min(goods[MANA], GOODS - 1) + 1):
        for ore in range(min(goods[ORE], GOODS - 1) + 1):
            for food in range(min(most_food, GOODS - 1) + 1):
                if is_payment(state, rules, seat, price, mana_worth, mana, ore, food):
                    acts[count] = PAY + (mana * GOODS + ore) * GOODS + food
                    count += 1
    return count


def affords(state, rules, seat, number):
    """Say whether the seat has the means for a number."""
    price = price_of(state, rules, seat, number)
    return affords_price(state, rules, seat, price, mana_value(state, rules, seat))


def affords_price(state, rules, seat, price, mana_worth):
    """Say whether the seat has the means for a price, a mana being worth `mana_worth`."""
    if highest_price(state, rules, seat, mana_worth) < price:
        return False
    return rules.war_overpay != 0 or can_pay(state, rules, seat, price, mana_worth)


def can_pay(state, rules, seat, price, mana_worth):
    """Say whether there is a way to pay the price exactly (where paying too much is not allowed)."""
    goods = state.players[seat].goods
    most_food = goods[FOOD] if food_value(state, rules, seat) > 0 else 0
    for mana in range(goods[MANA] + 1):
        for ore in range(goods[ORE] + 1):
            for food in range(most_food + 1):
                if is_payment(state, rules, seat, price, mana_worth, mana, ore, food):
                    return True
    return False


def ask_to_pay(state, rules, seat, number, then):
    """Ask for the payment of a number; the flag costs nothing. `then` is the stage after it."""
    if number == FLAG:
        finish_paying(state, rules, then)
        return False
    state.seat, state.phase = seat, PAY_WAR
    return True


def legal_payments(state, rules, acts):
    """Write each way to pay for the number shown."""
    return payments(state, rules, state.seat, number_of(state, state.seat), acts)


def pay(state, act):
    """Pay what the act says."""
    paid = act - PAY
    goods = state.players[state.seat].goods
    goods[MANA] -= paid // (GOODS * GOODS)
    goods[ORE] -= paid // GOODS % GOODS
    goods[FOOD] -= paid % GOODS


def pay_war(state, rules, act):
    """Pay for the number."""
    pay(state, act)
    finish_paying(state, rules, DEFENDER_PAYS if state.war.stage == ATTACKER_PAYS else LEAVING)


def finish_paying(state, rules, then):
    """Go on to the stage `then`; once both have paid, what powers take and give falls due."""
    war = state.war
    war.stage = then
    if then != LEAVING:
        return
    punish_refusal(state, rules, war.attacker, war.attacker_number, war.defender, war.defender_number)
    punish_refusal(state, rules, war.defender, war.defender_number, war.attacker, war.attacker_number)
    state.players[war.winner].owed += power(state, rules, war.winner, GAIN_AFTER_WIN)
    war.booty = power(state, rules, war.winner, TAKE_AFTER_WIN)
    war.booty += power(state, rules, war.winner, TAKE_AFTER_WIN_IN + state.terrain[war.region])


def punish_refusal(state, rules, seat, number, other, other_number):
    """A flag refused can cost the opponent resources."""
    if number == FLAG and other_number != FLAG:
        state.players[other].due += power(state, rules, seat, FLAG_REFUSED_LOSS)


# Retreat (p. 6), and leaving every shared region when an alliance breaks (p. 7)


def ask_to_leave(state):
    """Ask the loser about the next region to leave; with none left, the war is over."""
    if state.war.leaving == 0:
        end_war(state)
        return False
    state.seat, state.phase = state.war.loser, LEAVE_REGION
    return True


def retreat_price(state, rules, seat):
    """Return the food a retreat costs: one for each meeple in play (p. 6)."""
    price = rules.retreat_food * state.players[seat].meeples
    most = power(state, rules, seat, RETREAT_PRICE_MOST)
    if power(state, rules, seat, FREE_RETREAT) > 0:
        return 0
    return min(price, most) if most > 0 else price


def can_afford_retreat(state, rules, seat):
    """Say whether `seat` has the food, or the mana a nation may pay in its place."""
    player = state.players[seat]
    means = player.goods[FOOD]
    if power(state, rules, seat, MANA_PAYS + MANA_RETREATS) > 0:
        means += player.goods[MANA]
    return means >= retreat_price(state, rules, seat)


def retreats_from(state, rules, seat, region):
    """Return the regions a retreat may go to: adjacent, and not into another war (p. 6)."""
    player = state.players[seat]
    free = state.near[region] & ground(state, rules, seat) & ~others(state, seat) & ~full(state)
    if not rules.retreat_joins_own:
        free &= ~player.here
    return free


def legal_leavings(state, rules, acts):
    """Retreat from, or be removed from, one of the regions; a last meeple is kept (p. 7)."""
    seat = state.seat
    player = state.players[seat]
    affordable = can_afford_retreat(state, rules, seat)
    if power(state, rules, state.war.winner, RIVAL_MAY_NOT_RETREAT) > 0:
        affordable = False
    count = 0
    for region in range(PLACES):
        if not state.war.leaving & bit(region):
            continue
        goals = retreat_goals(state, rules, seat, region, affordable)
        code = RETREAT
        if player.meeples == 1 and goals == 0:
            goals = nearest_free(state, region)
            code = KEEP
            if goals == 0:
                goals = bit(region)
        for goal in range(PLACES):
            if goals & bit(goal):
                acts[count] = code + region * PLACES + goal
                count += 1
        if player.meeples > 1 and not must_save(state, rules, seat, region, affordable):
            acts[count] = REMOVE + region
            count += 1
            if rules.exploration:
                count = legal_rescues(state, rules, region, acts, count)
    return count


def retreat_goals(state, rules, seat, region, affordable):
    """Return where the meeple may retreat to if that is paid for, or a dragon has let it go for nothing."""
    if affordable or free_by_dragon(state, region):
        return retreats_from(state, rules, seat, region)
    return np.int64(0)


def free_by_dragon(state, region):
    """Say whether the meeple here retreats for nothing, its player's castle having fallen (p. 11)."""
    return state.war.burnt != 0 and region == state.war.region


def must_save(state, rules, seat, region, affordable):
    """Say whether the meeple here is the only one of the last two that can retreat: then it must.

    A last meeple is kept without a price only where not one could retreat (p. 7).
    """
    player = state.players[seat]
    rest = state.war.leaving & ~bit(region)
    if player.meeples != 2 or rest == 0:
        return False
    if retreat_goals(state, rules, seat, region, affordable) == 0:
        return False
    for other in range(PLACES):
        if rest & bit(other) and retreat_goals(state, rules, seat, other, affordable) != 0:
            return False
    return True


def leave_region(state, rules, act):
    """Retreat, be removed, keep the last meeple, or move to a church."""
    seat = state.seat
    player = state.players[seat]
    if act >= RESCUE:
        region = rescue(state, rules, act)
    elif act >= KEEP or act < REMOVE:
        move = act - KEEP if act >= KEEP else act - RETREAT
        region, goal = move // PLACES, move % PLACES
        if act < REMOVE:
            if not free_by_dragon(state, region):
                pay_retreat(state, rules, seat)
            player.retreats += 1
        depart(state, seat, region)
        arrive(state, seat, goal)
        if seat == state.performer and state.moved == bit(region):
            state.moved = bit(goal)
            state.moved_lies = state.terrain[goal] == RUINS
        if state.covered & bit(goal):
            explore(state, rules, seat, goal)
    else:
        region = act - REMOVE
        depart(state, seat, region)
        player.meeples -= 1
        player.meeples_lost += 1
        remember_fallen(state, rules, region)
    state.war.leaving &= ~bit(region)


def pay_retreat(state, rules, seat):
    """Pay in food; mana, where a nation allows it, only for what food does not cover."""
    goods = state.players[seat].goods
    price = retreat_price(state, rules, seat)
    food = min(price, goods[FOOD])
    goods[FOOD] -= food
    goods[MANA] -= price - food


# Alliance (p. 7)


def ally(state, rules):
    """Both stay in the region; powers may give something to either."""
    war = state.war
    for side in range(2):
        seat = war.attacker if side == 0 else war.defender
        other = opponent(state, seat)
        state.players[seat].alliances += 1
        state.players[seat].owed += power(state, rules, seat, GAIN_ON_ALLIANCE)
        state.players[seat].owed += power(state, rules, other, ALLY_GAINS)
    state.pacts += 1


def breaks_alliance(state, rules):
    """An alliance breaks in all regions when one of the two does not show the flag (p. 7)."""
    war = state.war
    if not allied_elsewhere(state, war.attacker, war.defender):
        return False
    if war.attacker_number == FLAG and war.defender_number == FLAG:
        return False  # two flags that made no alliance (a house rule) broke none either
    return war.attacker_number != FLAG or rules.breach_by_defender != 0


def end_war(state):
    """The war is over; a swap may have left a second one to be fought."""
    war = state.war
    war.stage = NO_WAR
    region = war.next_region
    war.next_region = -1
    attacker = war.attacker
    if region < 0 or not state.players[attacker].here & bit(region):
        return
    rival = holder(state, attacker, region)
    if rival < 0 or state.players[attacker].meeples == 1 or state.players[rival].meeples == 1:
        return  # a last meeple neither attacks nor is attacked (p. 5): the two stay as they stand
    begin_war(state, attacker, region, region)
