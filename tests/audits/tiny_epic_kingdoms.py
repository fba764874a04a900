"""Plays games and checks after every act what must never change; linked and compiled like the engine."""

from balance.engine import decide, open_table
from balance.games.tiny_epic_kingdoms.board import bit, ground, size
from balance.games.tiny_epic_kingdoms.scoring import (
    capital_points,
    castle_points,
    lost_points,
    magic_points,
    meeple_points,
    nation_points,
    neutral_points,
)
from balance.games.tiny_epic_kingdoms.state import AGAINST_NEUTRAL, CASTLE_LEVELS, MAGIC_LEVELS, MEEPLES
from balance.protocol import apply, score

(
    TOO_MANY_MEEPLES,
    LOST_TRACK_OF_MEEPLES,
    CROWDED_REGION,
    OFF_THE_LAND,
    STOCK_OUT_OF_RANGE,
    CASTLE_FELL,
    MAGIC_FELL,
    SEARCHERS_WITHOUT_MEEPLES,
    SCORE_IS_NOT_ITS_SOURCES,
    PLAYER_LEFT_THE_GAME,
    SHIELDS_ASTRAY,
    NOTHING_TO_DO,
    UNFINISHED,
    NEUTRALS_LOST_OR_MADE,
    NEUTRAL_NOT_ALONE,
) = range(15)


def audit(found, acts_played, lineups, rules, bots, desks, seed, games, seats, limit):
    """Play `games` games, game i being block i; count in `found` what broke, in `acts_played[0]` the acts."""
    desk = desks[0]
    for game in range(games):
        lineup = lineups[game * seats : (game + 1) * seats]
        desk.state = desk.blank
        state = desk.state
        state.seats = seats
        open_table(state, rules[0], bots, lineup, desk.rng, desk, 1, seed, game, game)
        for _ in range(limit):
            if state.over:
                break
            act = decide(state, rules[0], bots, lineup, desk.rng, desk)
            if act < 0:
                found[NOTHING_TO_DO] += 1
                break
            desk.copies[0] = state
            apply(state, rules[0], act, desk.rng)
            acts_played[0] += 1
            check(state, desk.copies[0], rules[0], found)
        if not state.over:
            found[UNFINISHED] += 1


def check(state, before, rules, found):
    """Compare the position with the one before it."""
    here, twice = 0, 0
    for seat in range(state.seats):
        player, was = state.players[seat], before.players[seat]
        twice |= player.twice | (here & player.here)
        found[CROWDED_REGION] += size(here & player.here & twice_so_far(state, seat))
        found[CROWDED_REGION] += size(player.twice & (here | others_after(state, seat)))
        here |= player.here
        found[TOO_MANY_MEEPLES] += player.meeples > MEEPLES
        found[LOST_TRACK_OF_MEEPLES] += player.meeples != size(player.here) + size(player.twice)
        found[LOST_TRACK_OF_MEEPLES] += player.twice & ~player.here != 0
        found[OFF_THE_LAND] += player.here & ~ground(state, rules, seat) != 0
        for resource in range(3):
            found[STOCK_OUT_OF_RANGE] += player.goods[resource] < 0 or player.goods[resource] > rules.cap
        found[CASTLE_FELL] += player.castle < was.castle or player.castle > was.castle + 1
        found[CASTLE_FELL] += player.castle > CASTLE_LEVELS
        found[MAGIC_FELL] += player.magic < was.magic or player.magic > was.magic + 1
        found[MAGIC_FELL] += player.magic > MAGIC_LEVELS
        found[SEARCHERS_WITHOUT_MEEPLES] += player.down & ~player.here != 0
        found[SEARCHERS_WITHOUT_MEEPLES] += player.twice_down & ~player.twice != 0
        found[SEARCHERS_WITHOUT_MEEPLES] += player.down & ~state.of_terrain[4] != 0
        sources = meeple_points(state, rules, seat) + castle_points(state, rules, seat)
        sources += magic_points(state, rules, seat) + capital_points(state, rules, seat)
        sources += nation_points(state, rules, seat) + rules.start_vp_by_seat[seat]
        sources += neutral_points(state, rules, seat) + lost_points(state, rules, seat)
        found[SCORE_IS_NOT_ITS_SOURCES] += sources != score(state, rules, seat)
        found[PLAYER_LEFT_THE_GAME] += was.meeples > 0 and player.meeples == 0
    check_neutrals(state, before, found)
    found[SHIELDS_ASTRAY] += size(state.shields) > rules.shields


def check_neutrals(state, before, found):
    """A neutral meeple stands alone, but for one who has still to pay, and goes to who defeats it."""
    kept, visitors = 0, 0
    for seat in range(state.seats):
        kept += state.players[seat].neutrals
        visitors |= state.players[seat].here
        found[NEUTRALS_LOST_OR_MADE] += state.players[seat].neutrals < before.players[seat].neutrals
    found[NEUTRALS_LOST_OR_MADE] += kept + size(state.neutral) != size(state.lost & state.land)
    attacked = state.neutral & visitors
    if state.war.stage == AGAINST_NEUTRAL:
        found[NEUTRAL_NOT_ALONE] += size(attacked) != 1
        attacked &= ~bit(state.war.region)
    found[NEUTRAL_NOT_ALONE] += attacked != 0
    found[NEUTRAL_NOT_ALONE] += state.neutral & ~(state.lost & state.land) != 0


def twice_so_far(state, seat):
    """Return the regions that two of the seats before `seat` share."""
    once, twice = 0, 0
    for other in range(seat):
        twice |= once & state.players[other].here
        once |= state.players[other].here
    return twice


def others_after(state, seat):
    """Return the regions where seats after `seat` have a meeple."""
    regions = 0
    for other in range(seat + 1, state.seats):
        regions |= state.players[other].here
    return regions
