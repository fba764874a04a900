"""What a game must be able to say: it answers each of these by a function of the same name.

The answers are plain restricted Python (the guide in docs/ says what that means) and may stand in
any module that the game lists in its `Game`. `balance.link` binds engine, bots and game to one
another. `state`, `rules`, `bot`, `desk` are named records; `rng` holds the game's chance streams.

A state begins with `records.HEADER`: `seats`, `seat` (who decides now; need not hold the turn),
`turn` (counts rounds or turns, from 0), `phase` (what kind of decision is asked) and `over`.
"""

OPTIONAL = ("sealed",)  # a game that does not answer these is served by the function here


def setup(state, rules, lineup, rng):
    """Lay the table, as far as the first decision.

    `state` arrives zeroed but for `seats`. `lineup[seat]` holds the seat's bot, its `bars` (restricted
    play, a bit for each of the game's `bars`), its `gifts` (what this seat is given, a bit for each of
    the game's `gifts`) and one field for each factor that the game declares (its nation, say), as an
    index into the scenario's components.
    """
    raise NotImplementedError


def legal(state, rules, acts):
    """Write what `state.seat` may do into `acts`, as integers; return how many there are, at least one."""
    raise NotImplementedError


def apply(state, rules, act, rng):
    """Play `act` for `state.seat`, as far as the next decision or the end of the game.

    Chance comes from the streams of `rng` that the game names, moved by `dice.at` to an event
    (round, seat, purpose), never by call count.
    """
    raise NotImplementedError


def choose(state, rules, bot, acts, count, rng, desk):
    """Return one of the first `count` of `acts`, as `bot` would play it; `count` is at least two.

    `rng` is the stream of this seat's bot, already at this decision's event. `desk` is the
    workspace: `desk.copies` for what-if play, `desk.dream` for its chance, `desk.replies` for
    its acts, `desk.values` for a number to each act.
    """
    raise NotImplementedError


def value(state, rules, bot, seat):
    """Judge `state` for `seat` by the named weights of `bot`: the larger the better, any scale."""
    raise NotImplementedError


def redeal(state, rules, seat, rng):
    """Deal anew, in place, what `seat` cannot see; `rng` is one stream.

    What comes out may depend only on what `seat` sees: bring hidden pieces into a canonical
    order before shuffling them. Empty where nothing is hidden.
    """
    raise NotImplementedError


def barred(state, rules, bot, act):
    """Say whether restricted play (`bar = [...]` in the scenario) forbids `act` to `bot` here."""
    raise NotImplementedError


def sealed(state):
    """Say whether the choice at hand stays hidden from the others until they have made theirs.

    A search then does not plan as if one saw the other's choice. No game need answer: `False` if left out.
    """
    return False


def score(state, rules, seat):
    """Return the points `seat` would have if the game ended now."""
    raise NotImplementedError


def tally(state, rules, row, seat_rows):
    """Write what to remember of a game: the game's own columns of `row` and `seat_rows[seat]`.

    For each seat also `score` and `rank` (1 is best; equal ranks share). The engine fills the rest.
    """
    raise NotImplementedError
