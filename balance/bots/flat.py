"""Flat Monte Carlo: try every act by as many playouts as any other, play the one that does best."""

from balance.bots.playout import deal, draw_fate, face_fate, judge, play_on
from balance.dice import shuffle
from balance.protocol import apply


def flat(state, rules, bots, bot, acts, count, lineup, rng, desk):
    """Return the act with the best mean worth over `bot.mind.playouts` playouts in all.

    The acts take turns, and all acts of a round meet the same deal and the same luck, so that they
    differ by the act alone. Where there are more acts than playouts, some, at random, go untried.
    `desk.values` holds the mean of each act; an untried one is worth less than nothing.
    """
    seat = state.seat
    shuffle(rng, acts, count)
    for i in range(count):
        desk.values[i] = 0.0
    for number in range(bot.mind.playouts):
        i = number % count
        if i == 0:
            deal(state, rules, seat, rng, desk)
            draw_fate(rng, desk)
        desk.scene = desk.root
        face_fate(desk, state.seats)
        apply(desk.scene, rules, acts[i], desk.fate)
        play_on(desk.scene, rules, bots, bot, seat, lineup, desk)
        judge(desk.scene, rules, bot, desk)
        desk.gains[i] = desk.worth[seat] if number < count else desk.gains[i] + desk.worth[seat]
    best = 0
    for i in range(count):
        tried = (bot.mind.playouts + count - 1 - i) // count
        desk.values[i] = desk.gains[i] / tried if tried > 0 else -1.0
        if desk.values[i] > desk.values[best]:
            best = i
    return acts[best]
