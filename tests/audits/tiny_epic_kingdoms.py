"""Plays games and checks after every act what must never change; linked and compiled like the engine."""

from balance.engine import decide, open_table
from balance.games.tiny_epic_kingdoms.board import bit, ground, size
from balance.games.tiny_epic_kingdoms.exploration import found_of, is_blank
from balance.games.tiny_epic_kingdoms.scoring import (
    capital_points,
    castle_points,
    lost_points,
    magic_points,
    meeple_points,
    nation_points,
    neutral_points,
    token_points,
)
from balance.games.tiny_epic_kingdoms.state import (
    AGAINST_NEUTRAL,
    CASTLE_LEVELS,
    CHOOSE_ACTION,
    MAGIC_LEVELS,
    MEEPLES,
    PLACE_TOKEN,
    USE_LAIR,
)
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
    TOKENS_LOST_OR_MADE,
    TOKENS_IN_ONE_PLACE,
    TOKEN_NOT_TURNED_OVER,
    CROWN_LOST_OR_MADE,
) = range(19)


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
        found[CASTLE_FELL] += player.castle < was.castle and before.phase != USE_LAIR
        found[CASTLE_FELL] += player.castle > was.castle + 1
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
        if rules.exploration:
            sources += token_points(state, rules, seat)
        found[SCORE_IS_NOT_ITS_SOURCES] += sources != score(state, rules, seat)
        found[PLAYER_LEFT_THE_GAME] += was.meeples > 0 and player.meeples == 0
    check_neutrals(state, before, found)
    if rules.exploration and state.phase != PLACE_TOKEN and state.phase >= CHOOSE_ACTION:
        check_tokens(state, rules, here, found)
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


def check_tokens(state, rules, here, found):
    """All tokens are unseen or were found; one lies in a region, face down only where no player stands."""
    lying, together, sites, crowns, kept, out = 0, 0, 0, 0, 0, rules.blanks_out
    for kind in range(rules.token_kinds):
        token = rules.tokens[kind]
        seen = 0
        for seat in range(state.seats):
            seen += found_of(state.players[seat], kind)
        there = token.count
        if is_blank(token):
            there -= min(out, token.count)
            out -= min(out, token.count)
        found[TOKENS_LOST_OR_MADE] += state.unseen[kind] + seen != there
        together += size(lying & state.tokens[kind])
        lying |= state.tokens[kind]
        open_ = state.tokens[kind] & ~state.covered
        sites |= open_
        found[TOKENS_LOST_OR_MADE] += size(open_) > seen
        found[TOKENS_LOST_OR_MADE] += open_ != 0 and token.stays == 0
        if token.keep > 0:
            crowns += seen
    for seat in range(state.seats):
        kept += state.players[seat].kept
    found[CROWN_LOST_OR_MADE] += kept != crowns
    found[TOKENS_IN_ONE_PLACE] += together
    found[TOKENS_IN_ONE_PLACE] += state.covered & ~lying != 0
    found[TOKENS_IN_ONE_PLACE] += sites != state.sites
    unturned = state.covered & here
    if state.war.stage == AGAINST_NEUTRAL:
        unturned &= ~bit(state.war.region)
    found[TOKEN_NOT_TURNED_OVER] += unturned != 0


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
