"""What an exploration token can do: the vocabulary in which the kinds of token are written."""

from __future__ import annotations

from dataclasses import dataclass

from balance.games import Word
from balance.games.tiny_epic_kingdoms.state import TOKENS
from balance.records import record

TITLE = 'Effects of an exploration token: effects = [{ effect = "NAME", ... }] under [tokens.NAME]'


@dataclass(frozen=True)
class TokenEffect:
    """One word of the vocabulary; its amount, of at most `high`, is a field of the token's record.

    `stays` says that the token lies open in its region from then on; `flag`, that it takes no amount.
    """

    note: str
    high: int = 9
    stays: bool = False
    flag: bool = False


TOKEN_EFFECTS = {
    "gain": TokenEffect("Whoever turns it over gets so many resources of choice."),
    "rob": TokenEffect("Whoever turns it over pays so many resources of any kind, or loses the meeple."),
    "keep": TokenEffect(
        "Its finder keeps it, for so many VP at the end; whoever beats its holder in a war takes it."
    ),
    "lower_castle": TokenEffect(
        "Who holds it and wins a war may lower the loser's castle by so many levels; the beaten meeple then "
        "retreats without paying.",
        high=6,
        stays=True,
    ),
    "collect": TokenEffect("Its region gives so many more of its resource when collecting.", stays=True),
    "attack_discount": TokenEffect(
        "Who holds it pays so much less for a war number as attacker.", stays=True
    ),
    "vp": TokenEffect("So many VP at the end for each player who holds it.", stays=True),
    "rescue": TokenEffect(
        "Who holds it may move a meeple here that a lost war would remove; then the token is gone.",
        stays=True,
        flag=True,
    ),
}

TOKEN = record(
    ("count", "i4"),
    ("gain", "i4"),
    ("rob", "i4"),
    ("keep", "i4"),
    ("lower_castle", "i4"),
    ("collect", "i4"),
    ("attack_discount", "i4"),
    ("vp", "i4"),
    ("rescue", "i4"),
    ("stays", "i4"),
)
TABLES = (("tokens", TOKEN, (TOKENS,)), ("token_kinds", "i4"))


def words() -> tuple[Word, ...]:
    """Return each effect with its note and an example that can be pasted into a kind of token."""
    return tuple(Word(name, _note(effect), _example(name, effect)) for name, effect in TOKEN_EFFECTS.items())


def _note(effect: TokenEffect) -> str:
    return effect.note if effect.flag else f"{effect.note} amount: 1 to {effect.high}."


def _example(name: str, effect: TokenEffect) -> str:
    amount = "" if effect.flag else ", amount = 1"
    return f'{{ effect = "{name}"{amount} }}'
