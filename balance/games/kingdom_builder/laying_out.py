"""Set-up of Kingdom Builder (p. 3): the map of four sections, their locations, the three cards."""

from balance.dice import at, below, shuffle
from balance.games.kingdom_builder.board import lay_sections
from balance.games.kingdom_builder.house_rules import DRAWN, IN_PLAY, TURNED
from balance.games.kingdom_builder.state import (
    CARDS,
    CITIZENS,
    DISCOVERERS,
    FISHERMEN,
    HERMITS,
    KNIGHTS,
    LORDS,
    MERCHANTS,
    MINERS,
    QUADRANTS,
    SPECIALS,
    WORKERS,
)

MAP, CARDS_DRAWN, DECK = range(3)  # streams of chance


def draw_sections(state, rules, rng):
    """Draw four sections and which way up they lie, as far as the rules leave it open."""
    pile = state.deck  # not yet in use
    at(rng.chance[MAP], 0)
    for section in range(rules.section_count):
        pile[section] = section
    shuffle(rng.chance[MAP], pile, rules.section_count)
    at(rng.chance[MAP], 1)
    following = 0
    for quadrant in range(QUADRANTS):
        turned = below(rng.chance[MAP], 2)
        if way_of(rules, quadrant) != DRAWN:
            turned = 1 if way_of(rules, quadrant) == TURNED else 0
        section = section_of(rules, quadrant)
        if section < 0:
            while is_named(rules, pile[following]):
                following += 1
            section = pile[following]
            following += 1
        state.section[quadrant] = 2 * section + turned


def section_of(rules, quadrant):
    """Return the section that the rules lay there; -1 if it is drawn."""
    if quadrant == 0:
        return rules.top_left
    if quadrant == 1:
        return rules.top_right
    return rules.bottom_left if quadrant == 2 else rules.bottom_right


def way_of(rules, quadrant):
    """Return which way up the rules lay it."""
    if quadrant == 0:
        return rules.top_left_lies
    if quadrant == 1:
        return rules.top_right_lies
    return rules.bottom_left_lies if quadrant == 2 else rules.bottom_right_lies


def is_named(rules, section):
    """Say whether the rules lay this section somewhere."""
    for quadrant in range(QUADRANTS):
        if section_of(rules, quadrant) == section:
            return True
    return False


def lay_out(state, rules):
    """Lay the sections drawn: their terrain, their locations and castles."""
    lay_sections(state, rules)
    for quadrant in range(QUADRANTS):
        section = rules.sections[state.section[quadrant]]
        state.location[quadrant] = section.location
        state.castles |= section.castles << (SPECIALS * quadrant)


def draw_locations(state, rules, rng):
    """Draw the locations and castle tokens of the newer edition, if the rules ask for them; lay the tiles."""
    pile = state.deck
    if rules.locations:
        at(rng.chance[MAP], 2)
        for kind in range(rules.kind_count):
            pile[kind] = kind
        shuffle(rng.chance[MAP], pile, rules.kind_count)
        for quadrant in range(QUADRANTS):
            state.location[quadrant] = pile[quadrant % rules.kind_count]
    at(rng.chance[MAP], 3)
    for quadrant in range(QUADRANTS):
        pile[quadrant] = quadrant
    shuffle(rng.chance[MAP], pile, QUADRANTS)
    for token in range(rules.castle_tokens):
        lay_castle(state, rules, pile[token], rng)
    for quadrant in range(QUADRANTS):
        for special in range(rules.sections[state.section[quadrant]].specials):
            number = SPECIALS * quadrant + special
            if state.castles >> number & 1 == 0:
                state.tiles[number] = rules.tiles


def lay_castle(state, rules, quadrant, rng):
    """Lay a castle token on one location of a quadrant: it is a castle now."""
    specials = rules.sections[state.section[quadrant]].specials
    found = 0
    for special in range(specials):
        found += state.castles >> (SPECIALS * quadrant + special) & 1 == 0
    if found == 0:
        return
    chosen = below(rng.chance[MAP], found)
    for special in range(specials):
        number = SPECIALS * quadrant + special
        if state.castles >> number & 1 == 0:
            if chosen == 0:
                state.castles |= 1 << number
                return
            chosen -= 1


def draw_cards(state, rules, rng):
    """Draw the Kingdom Builder cards, as far as the rules leave it open."""
    pile = state.deck
    at(rng.chance[CARDS_DRAWN], 0)
    for card in range(CARDS):
        pile[card] = card
    shuffle(rng.chance[CARDS_DRAWN], pile, CARDS)
    count = 0
    for card in range(CARDS):
        if card_rule(rules, card) == IN_PLAY:
            state.in_play |= 1 << card
            count += 1
    for i in range(CARDS):
        if count < rules.cards_in_play and card_rule(rules, pile[i]) == DRAWN:
            state.in_play |= 1 << pile[i]
            count += 1


def card_rule(rules, card):
    """Return whether the rules draw a card, put it in play or leave it out."""
    if card == FISHERMEN:
        return rules.card_fishermen
    if card == MINERS:
        return rules.card_miners
    if card == WORKERS:
        return rules.card_workers
    if card == MERCHANTS:
        return rules.card_merchants
    if card == DISCOVERERS:
        return rules.card_discoverers
    if card == KNIGHTS:
        return rules.card_knights
    if card == HERMITS:
        return rules.card_hermits
    if card == CITIZENS:
        return rules.card_citizens
    return rules.card_lords if card == LORDS else rules.card_farmers
