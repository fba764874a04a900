"""Sequential halving with a proof: the bot's own choice stands unless another act is shown to be better.

Playouts go to fewer and fewer acts: each phase drops the worse half (Z. Karnin, T. Koren and O. Somekh,
"Almost optimal exploration in multi-armed bandits", ICML 2013). All acts of a round meet the same deal and
luck, and what counts is by how much an act beats, in the same round, the one that the bot would play
without a search (the rollout policy of G. Tesauro and G. Galperin, NIPS 1996). That one is never dropped,
and another is played only if it is ahead by `proof` standard errors: where playouts say little, the search
plays no worse than the bot.
"""

import math

from balance.bots.playout import deal, draw_fate, face_fate, judge, play_on
from balance.dice import shuffle
from balance.protocol import apply, choose


def halve(state, rules, bots, bot, acts, count, lineup, rng, desk):
    """Return the act that is shown to be best within some `bot.mind.playouts` playouts.

    `desk.values` holds by how much each act was ahead of the bot's own choice, from -1 to 1; an act that was
    dropped keeps what it had come to, and one that was never tried is worth -1.
    """
    own_first(state, rules, bot, acts, count, rng, desk)
    left = min(count, max(2, bot.mind.playouts // 4))
    phases = 1
    while 2**phases < left:
        phases += 1
    rounds = 0
    for i in range(count):
        desk.gains[i], desk.hopes[i], desk.values[i] = 0.0, 0.0, -1.0 if i >= left else 0.0
    for phase in range(phases):
        for _ in range(max(2, bot.mind.playouts // phases // left)):
            deal(state, rules, state.seat, rng, desk)
            draw_fate(rng, desk)
            own = 0.0
            for i in range(left):
                worth = tried(state, rules, bots, bot, acts[i], lineup, desk)
                own = worth if i == 0 else own
                desk.gains[i] += worth - own
                desk.hopes[i] += (worth - own) * (worth - own)
            rounds += 1
        for i in range(left):
            desk.values[i] = desk.gains[i] / rounds
        sort_by_gain(desk, acts, left)
        if phase < phases - 1:
            left = max(2, (left + 1) // 2)
    return proven(bot, acts, left, rounds, desk)


def own_first(state, rules, bot, acts, count, rng, desk):
    """Put the act first that the bot would play without a search, the others in random order."""
    for i in range(count):
        desk.thoughts[i] = acts[i]
    first = choose(state, rules, bot, desk.thoughts, count, rng, desk)
    shuffle(rng, acts, count)
    for i in range(count):
        if acts[i] == first:
            acts[i], acts[0] = acts[0], first
            return


def tried(state, rules, bots, bot, act, lineup, desk):
    """Return what one playout that begins with `act` is worth to the seat."""
    desk.scene = desk.root
    face_fate(desk, state.seats)
    apply(desk.scene, rules, act, desk.fate)
    play_on(desk.scene, rules, bots, bot, state.seat, lineup, desk)
    judge(desk.scene, rules, bot, desk)
    return desk.worth[state.seat]


def sort_by_gain(desk, acts, left):
    """Sort the acts but the first by what they gain, with all that is known of them."""
    for i in range(2, left):
        act, gain, square, mean = acts[i], desk.gains[i], desk.hopes[i], desk.values[i]
        place = i
        while place > 1 and desk.gains[place - 1] < gain:
            acts[place] = acts[place - 1]
            desk.gains[place], desk.hopes[place] = desk.gains[place - 1], desk.hopes[place - 1]
            desk.values[place] = desk.values[place - 1]
            place -= 1
        acts[place], desk.gains[place], desk.hopes[place], desk.values[place] = act, gain, square, mean


def proven(bot, acts, left, rounds, desk):
    """Return the best of the acts that are left, if it is shown to beat the bot's own choice; else that."""
    best = acts[0]
    most = 0.0
    for i in range(1, left):
        mean = desk.gains[i] / rounds
        scatter = max(0.0, desk.hopes[i] / rounds - mean * mean)
        error = math.sqrt(scatter / max(1, rounds - 1))
        if mean > most and mean >= bot.mind.proof * error:
            best, most = acts[i], mean
    return best
