"""The effect vocabulary as a list for people: what `balance rules` prints, made from `powers.EFFECTS`."""

from balance.games import Word
from balance.games.tiny_epic_kingdoms.powers import EFFECTS, MENUS, Effect
from balance.words import listed

TITLE = (
    'Effects of a nation\'s level: effects = [{ effect = "NAME", ... }] under [nations.NAME.levels.1] to .5'
)


def words() -> tuple[Word, ...]:
    """Return each effect with its note and an example that can be pasted into a level."""
    return tuple(Word(name, _note(effect), _example(name, effect)) for name, effect in EFFECTS.items())


def table() -> str:
    """Return the words as a table in Markdown, for the page of documentation."""
    lines = ["| effect | what it does | example |", "| --- | --- | --- |"]
    lines += [f"| `{word.name}` | {word.note} | `{word.example}` |" for word in words()]
    return "\n".join(lines) + "\n"


def _note(effect: Effect) -> str:
    menus = [f"{key}: {', '.join(MENUS[key])}." for key in effect.keys]
    amount = [] if effect.flag else [f"amount: {effect.low} to {effect.high}."]
    needs = [f"Needs {listed(effect.needs)}."] if effect.needs else []
    return " ".join([effect.note, *menus, *amount, *needs])


def _example(name: str, effect: Effect) -> str:
    parts = [f'effect = "{name}"']
    for place, key in enumerate(effect.keys):
        menu = MENUS[key]
        word = menu[-1 - place] if key == "perform" else min(menu, key=len)  # an example fits a line
        parts.append(f'{key} = "{word}"')
    if not effect.flag:
        parts.append("amount = 1")
    if effect.extra is not None:
        parts.append(f"{effect.extra[0]} = {effect.extra[2]}")
    return f"{{ {', '.join(parts)} }}"
