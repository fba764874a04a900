"""What sections, locations and cards look like in TOML: their keys, and of what kind each is."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Certainty = Literal["seed", "public", "reconstructed", "ruling", "unknown", "own"]
Where = Literal[
    "card", "grass", "flower", "forest", "canyon", "desert", "water", "any", "edge", "line", "jump"
]
Row = Annotated[str, Field(pattern=r"^[GLFCDWMXK]{10}$")]


class Entry(BaseModel):
    """What every entry may say of itself: its name, where it is from and how sure that is."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    name: str = Field(default="", min_length=1)
    certainty: Certainty = "own"
    source: str = ""
    note: str = ""


class Section(Entry):
    """A board section: ten rows of ten hexes, by letter, and the location that its X hexes are."""

    rows: Annotated[list[Row], Field(min_length=10, max_length=10)]
    location: str


class Location(Entry):
    """What a location's tile does."""

    use: Literal["build", "move"]
    on: Where
    adjacent: bool = True


class Card(Entry):
    """What a Kingdom Builder card pays."""

    gold: int = Field(ge=0, le=99)
    second: int = Field(default=0, ge=0, le=99)
    per: int = Field(default=1, ge=1, le=40)
    text: str = ""
