"""What cards and buildings cost, the ways of paying, and trade.

A purchase is paid as is usual, or otherwise: then the seat may trade, and says what it pays. What is
usual: for a card the cheapest resources; where points follow from what is paid, as many as there are.
"""

from balance.games.stone_age.acts import (
    DIGITS,
    HANDFULS,
    PAY_JEWELS,
    PAYMENT,
    SWAP,
    in_hand,
)
from balance.games.stone_age.state import (
    BUILDING,
    CARD,
    FOOD,
    GOLD,
    GOODS,
    JEWELLERY,
    NONE,
    RESOURCES,
    TILES,
    WOOD,
)


def top_tile(state, rules, stack):
    """Return the open building of a stack that has one."""
    return state.tiles[stack * rules.stack_height + state.height[stack] - 1]


def bill_of(state, rules, place):
    """Return where the rules record says what a card's place or a building costs."""
    if place < BUILDING:
        return TILES + place - CARD
    return top_tile(state, rules, place - BUILDING)


def have(state, player, good):
    """Return how much of a good the player can pay with, that of a trade included."""
    return player.goods[good] + state.bill.got[good]


def resources_of(state, player):
    """Count the resources the player can pay with."""
    count = 0
    for resource in range(RESOURCES):
        count += have(state, player, resource)
    return count


def affordable(state, entry, player):
    """Say whether the player can pay without a trade."""
    for good in range(GOODS):
        if entry.cost[good] > have(state, player, good):
            return False
    if entry.most > 0:
        if entry.kinds > 0:
            return kinds_suffice(state, player, entry.least, entry.kinds)
        return resources_of(state, player) >= entry.least
    return entry.jewels == 0 or have(state, player, JEWELLERY) > 0


def kinds_suffice(state, player, number, kinds):
    """Say whether there are `number` resources of exactly so many kinds: the most plentiful ones will do."""
    held = 0
    for resource in range(RESOURCES):
        held += have(state, player, resource) > 0
    if held < kinds:
        return False
    for mask in range(1 << RESOURCES):
        if bits(mask) == kinds and pays_in_kinds(state, player, number, mask):
            return True
    return False


def pays_in_kinds(state, player, number, mask):
    """Say whether `number` resources can be paid with all kinds of `mask`, no other, and all of a trade."""
    there, least = 0, 0
    for resource in range(RESOURCES):
        got = state.bill.got[resource]
        if mask >> resource & 1:
            if have(state, player, resource) == 0:
                return False
            there += have(state, player, resource)
            least += max(1, got)
        elif got > 0:
            return False
    return least <= number <= there


def bits(mask):
    """Count the kinds in a set."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


# Trade (p. 5-6)


def trade_gives(rules, player):
    """Return how many goods a trade takes: two for one at first, then one; 0 for no trade."""
    if not rules.expansion or player.trades >= rules.trades_a_round or player.trade < rules.trade_levels[0]:
        return 0
    return 2 if player.trade < rules.trade_levels[1] else 1


def trade_gets(rules, player):
    """Return how many goods a trade brings at most."""
    return 2 if player.trade >= rules.trade_levels[2] else 1


def goods_of(player):
    """Count all goods of the player, jewellery too."""
    count = 0
    for good in range(GOODS):
        count += player.goods[good]
    return count


def trade_helps(state, rules, entry, player):
    """Say whether one trade, and what is there, would pay."""
    gives = trade_gives(rules, player)
    if gives == 0 or goods_of(player) < gives:
        return False
    gets = trade_gets(rules, player)
    if entry.kinds > 0 or entry.jewels > 0:
        return any_swap_works(state, rules, entry, player)
    lack, price = 0, 0
    for good in range(GOODS):
        price += entry.cost[good]
        lack += max(0, entry.cost[good] - player.goods[good])
    if entry.most > 0:
        price = entry.least
        lack = max(0, price - resources_of(state, player))
    if lack > gets or price == 0:
        return False
    if goods_of(player) < price - min(gets, price) + gives:
        return False
    return any_swap_works(state, rules, entry, player)


def any_swap_works(state, rules, entry, player):
    """Try every trade until one would pay."""
    for given in range(HANDFULS):
        if can_give(rules, player, given):
            for got in range(HANDFULS):
                if swap_works(state, rules, entry, player, given, got):
                    return True
    return False


def legal_swaps(state, rules, entry, player, acts, count):
    """Trade once: give what the ratio asks for, get what the purchase needs."""
    for given in range(HANDFULS):
        if can_give(rules, player, given):
            for got in range(HANDFULS):
                if swap_works(state, rules, entry, player, given, got):
                    acts[count] = SWAP + given * HANDFULS + got
                    count += 1
    return count


def can_give(rules, player, given):
    """Say whether a handful is what the ratio asks for, and there."""
    if not in_order(given) or pieces(given) != trade_gives(rules, player):
        return False
    for good in range(GOODS):
        if in_hand(given, good) > player.goods[good]:
            return False
    return True


def swap_works(state, rules, entry, player, given, got):
    """Say whether a trade brings what is needed and not what is given, and leaves enough to pay."""
    if not in_order(got) or pieces(got) > trade_gets(rules, player) or not needed(entry, got):
        return False
    for good in range(GOODS):
        if in_hand(given, good) > 0 and in_hand(got, good) > 0:
            return False
    swap(state, player, given, got, 1)
    pays = affordable(state, entry, player)
    swap(state, player, given, got, -1)
    return pays


def in_order(code):
    """Say whether a handful is coded in its one way: the lower good first."""
    return code // (GOODS + 1) <= code % (GOODS + 1)


def pieces(code):
    """Count the goods of a handful."""
    return 1 if code % (GOODS + 1) == GOODS else 2


def needed(entry, got):
    """Say whether all that a trade brings can be used in the payment; for a card, wood stands for any resource."""
    for good in range(GOODS):
        number = in_hand(got, good)
        if number == 0:
            continue
        if entry.most > 0:
            if good == JEWELLERY or number > entry.most:
                return False
            if entry.points_follow == 0 and good != WOOD:
                return False
        elif entry.jewels > 0:
            if good != JEWELLERY or number > entry.jewels:
                return False
        elif number > entry.cost[good]:
            return False
    return pieces(got) <= entry.most or entry.most == 0


def swap(state, player, given, got, sign):
    """Give and get the goods of a trade; -1 undoes it."""
    for good in range(GOODS):
        player.goods[good] -= sign * in_hand(given, good)
        state.bill.got[good] += sign * in_hand(got, good)


def trade(state, player, code):
    """Make a trade for the purchase at hand."""
    swap(state, player, code // HANDFULS, code % HANDFULS, 1)
    state.bill.traded = 1
    player.trades += 1
    player.trades_made += 1


def usual_trade(state, rules, entry, player):
    """Return the trade that, with the usual payment after it, costs least by the worth of the goods."""
    best, least = -1, 0
    for given in range(HANDFULS):
        if not can_give(rules, player, given):
            continue
        for got in range(HANDFULS):
            if not swap_works(state, rules, entry, player, given, got):
                continue
            swap(state, player, given, got, 1)
            write_usual(state, rules, entry, player)
            loss = loss_of_payment(state, rules, entry)
            swap(state, player, given, got, -1)
            for good in range(GOODS):
                loss += worth(rules, good) * in_hand(given, good)
            if best < 0 or loss < least:
                best, least = given * HANDFULS + got, loss
    return best


def worth(rules, good):
    """Return what a good is worth in choosing the usual trade: jewellery, which scores nothing, as food."""
    return rules.worth[good] if good < JEWELLERY else rules.pips[FOOD]


def loss_of_payment(state, rules, entry):
    """Return the worth of what the payment takes from the stock, less the points that follow from it."""
    loss = 0
    for good in range(GOODS):
        paid = state.bill.paid[good]
        loss += worth(rules, good) * max(0, paid - state.bill.got[good])
        if entry.points_follow and good < JEWELLERY:
            loss -= rules.worth[good] * paid
    return loss


# The usual payment


def write_usual(state, rules, entry, player):
    """Write into the bill what is paid as is usual."""
    paid = state.bill.paid
    for good in range(GOODS):
        paid[good] = entry.cost[good]
    if entry.jewels > 0:
        paid[JEWELLERY] = min(entry.jewels, have(state, player, JEWELLERY))
    elif entry.kinds > 0:
        write_kinds(state, rules, entry, player)
    elif entry.points_follow:
        write_dearest(state, player, entry.most)
    elif entry.most > 0:
        write_cheapest(state, player, entry.least)


def write_cheapest(state, player, number):
    """Pay what a trade brought, then wood first and gold last."""
    paid, got = state.bill.paid, state.bill.got
    for resource in range(RESOURCES):
        paid[resource] = min(number, got[resource])
        number -= paid[resource]
    for resource in range(RESOURCES):
        more = min(number, player.goods[resource])
        paid[resource] += more
        number -= more


def write_dearest(state, player, number):
    """Pay what a trade brought, then gold first and wood last."""
    paid, got = state.bill.paid, state.bill.got
    for resource in range(RESOURCES):
        paid[resource] = min(number, got[resource])
        number -= paid[resource]
    for resource in range(GOLD, WOOD - 1, -1):
        more = min(number, player.goods[resource])
        paid[resource] += more
        number -= more


def write_kinds(state, rules, entry, player):
    """Pay what brings most points: one of each of the kinds, and the dearest of them for the rest."""
    best, most = 0, -1
    for mask in range(1 << RESOURCES):
        if bits(mask) == entry.kinds and pays_in_kinds(state, player, entry.least, mask):
            fill_kinds(state, player, entry.least, mask)
            points = 0
            for resource in range(RESOURCES):
                points += rules.worth[resource] * state.bill.paid[resource]
            if points > most:
                best, most = mask, points
    fill_kinds(state, player, entry.least, best)


def fill_kinds(state, player, number, mask):
    """Write a payment of all kinds of `mask`, what a trade brought, and the dearest as often as can be."""
    paid, got = state.bill.paid, state.bill.got
    for resource in range(RESOURCES):
        paid[resource] = max(1, got[resource]) if mask >> resource & 1 else 0
        number -= paid[resource]
    for resource in range(GOLD, WOOD - 1, -1):
        if paid[resource] > 0:
            more = min(number, have(state, player, resource) - paid[resource])
            paid[resource] += more
            number -= more


# Payments chosen freely


def several_ways(state, entry, player):
    """Say whether there is more than one payment without a trade."""
    if entry.jewels > 0:
        return have(state, player, JEWELLERY) > 1
    if entry.most == 0:
        return False
    held = 0
    for resource in range(RESOURCES):
        held += player.goods[resource] > 0
    number = resources_of(state, player)
    return number > entry.least and (held > 1 or entry.most > entry.least)


def legal_payments(state, entry, player, acts, count):
    """Say what is paid: all payments that will do, and use what a trade has brought."""
    if entry.jewels > 0:
        for jewels in range(1, min(entry.jewels, have(state, player, JEWELLERY)) + 1):
            acts[count] = PAY_JEWELS + jewels
            count += 1
        return count
    if entry.most == 0:
        acts[count] = PAYMENT + payment(entry.cost[0], entry.cost[1], entry.cost[2], entry.cost[3])
        return count + 1
    return free_payments(state, player, entry.least, entry.most, entry.kinds, acts, count)


def payment(wood, brick, stone, gold):
    """Code how much of each resource is paid."""
    return ((wood * DIGITS + brick) * DIGITS + stone) * DIGITS + gold


def free_payments(state, player, least, most, kinds, acts, count):
    """Add every payment of `least` to `most` resources of any kinds, or of exactly so many."""
    for wood in range(min(most, have(state, player, 0)) + 1):
        for brick in range(min(most - wood, have(state, player, 1)) + 1):
            for stone in range(min(most - wood - brick, have(state, player, 2)) + 1):
                before = wood + brick + stone
                top = min(most - before, have(state, player, 3))
                for gold in range(max(0, least - before), top + 1):
                    if kinds > 0 and different(wood, brick, stone, gold) != kinds:
                        continue
                    if before + gold == 0 or not uses_trade(state, wood, brick, stone, gold):
                        continue
                    acts[count] = PAYMENT + payment(wood, brick, stone, gold)
                    count += 1
    return count


def different(wood, brick, stone, gold):
    """Count the kinds of resources in a payment."""
    count = 0
    for number in (wood, brick, stone, gold):
        if number > 0:
            count += 1
    return count


def uses_trade(state, wood, brick, stone, gold):
    """Say whether a payment uses all that a trade has brought: what is not used would be lost."""
    got = state.bill.got
    return wood >= got[0] and brick >= got[1] and stone >= got[2] and gold >= got[3]


def write_payment(state, entry, act):
    """Write into the bill what an act says is paid."""
    paid = state.bill.paid
    paid[JEWELLERY] = entry.cost[JEWELLERY]
    code = act - PAYMENT
    if act >= PAY_JEWELS:
        paid[JEWELLERY] = act - PAY_JEWELS
        code = 0
    for resource in range(GOLD, WOOD - 1, -1):
        paid[resource] = code % DIGITS
        code //= DIGITS


def settle(state, player):
    """Pay the bill, first with what a trade has brought; the surplus of that is lost (p. 6)."""
    bill = state.bill
    for good in range(GOODS):
        player.goods[good] -= max(0, bill.paid[good] - bill.got[good])
    close_bill(state)


def close_bill(state):
    """Forget the bill, once it is paid."""
    bill = state.bill
    bill.place = NONE
    bill.traded = 0
    for good in range(GOODS):
        bill.got[good] = 0
        bill.paid[good] = 0
