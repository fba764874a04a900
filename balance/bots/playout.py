"""Playouts: games played on in a bot's mind, from a position that could be the real one.

A playout starts from a copy in which `redeal` has dealt anew what the searching seat cannot see, and
meets chance of its own (`desk.fate`), so that a search learns nothing a player could not know.
"""

from balance.dice import below, start
from balance.protocol import apply, choose, redeal, tally, value
from balance.table import options, share_win

SEATS = 64  # purposes from here on belong to the seats' policies, below them to the game's chance
PATIENCE = 100_000  # acts after which a playout is broken off and judged as it stands
GROUP = 4294967296  # 2**32


def draw_fate(rng, desk):
    """Draw the luck of one playout from the bot's own stream; `face_fate` brings it about."""
    desk.luck = below(rng, GROUP) * 65536 + below(rng, 65536)


def face_fate(desk, seats):
    """Bring the streams of `desk.fate` to the beginning of the luck that was drawn."""
    for purpose in range(len(desk.fate.chance)):
        start(desk.fate.chance[purpose], 0, desk.luck, purpose)
    for seat in range(seats):
        start(desk.fate.seats[seat], 0, desk.luck, SEATS + seat)


def deal(state, rules, seat, rng, desk):
    """Copy `state` to `desk.root`, with what `seat` cannot see dealt anew."""
    desk.root = state
    redeal(desk.root, rules, seat, rng)


def play_on(scene, rules, bots, bot, seat, lineup, desk):
    """Play `scene` on by the policies of `bot`: to the end, or for `depth` decisions if that is not 0."""
    decisions = 0
    for _ in range(PATIENCE):
        if scene.over:
            return
        mover = scene.seat
        count = options(scene, rules, bots[lineup[mover].bot], desk.thoughts)
        if count == 0:
            return
        act = desk.thoughts[0]
        if count > 1:
            if bot.mind.depth > 0 and decisions == bot.mind.depth:
                return
            decisions += 1
            policy = bots[bot.mind.policy if mover == seat else bot.mind.rivals]
            act = choose(scene, rules, policy, desk.thoughts, count, desk.fate.seats[mover], desk)
        apply(scene, rules, act, desk.fate)


def judge(scene, rules, bot, desk):
    """Write what `scene` is worth to each seat, from 0 to 1, into `desk.worth`.

    At the end of the game: the win share, mixed by `bot.mind.margin` with how far a seat is ahead of its
    best rival. Before the end: how far it is ahead by `value`, in units of the mean distance so far.
    """
    if scene.over:
        desk.end.finished = 1
        desk.end.turns = scene.turn
        tally(scene, rules, desk.end, desk.ends)
        share_win(desk.end, desk.ends, scene.seats)
        for seat in range(scene.seats):
            worth = desk.ends[seat].share
            if bot.mind.margin > 0.0:
                ahead = 1.0 * desk.ends[seat].score - best_rival(desk, scene.seats, seat)
                worth += bot.mind.margin * (squash(ahead, bot.mind.spread) - worth)
            desk.worth[seat] = worth
        return
    for seat in range(scene.seats):
        desk.worth[seat] = value(scene, rules, bot, seat)
    for seat in range(scene.seats):
        best = -1e300
        for other in range(scene.seats):
            if other != seat and desk.ends[other].side != desk.ends[seat].side:
                best = max(best, desk.worth[other])
        desk.leads[seat] = desk.worth[seat] - best
        desk.lead_sum += abs(desk.leads[seat])
        desk.lead_count += 1
    for seat in range(scene.seats):
        desk.worth[seat] = squash(desk.leads[seat], desk.lead_sum / desk.lead_count)


def best_rival(desk, seats, seat):
    """Return the highest score of another side."""
    best = -1e300
    for other in range(seats):
        if desk.ends[other].side != desk.ends[seat].side:
            best = max(best, 1.0 * desk.ends[other].score)
    return best


def squash(ahead, unit):
    """Map a lead to 0 .. 1: level is 0.5, `unit` ahead 0.75."""
    if unit <= 0.0:
        return 0.5
    return 0.5 + 0.5 * ahead / (unit + abs(ahead))
