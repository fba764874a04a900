"""What a nation and a territory side look like in TOML: their keys, and of what kind each is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Certainty = Literal["seed", "public", "reconstructed", "generated", "unknown", "own"]
Terrain = Literal["forest", "mountain", "plains", "capital", "ruins", "water"]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]


class Entry(BaseModel):
    """What every entry may say of itself: where it is from and how sure that is."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    certainty: Certainty = "own"
    source: str = ""
    note: str = ""


class Nation(Entry):
    """A nation; its `levels` are a table by number, or a list, whose entries are each a `Level`."""

    levels: Any
    name: str = Field(default="", min_length=1)
    name_cs: str = ""
    theme: str = ""


class Level(Entry):
    """One level of a nation's magic; its `effects` are written in the vocabulary of `powers`."""

    effects: list[dict[str, Any]]
    text: str = ""


class Token(Entry):
    """A kind of exploration token; its `effects` are written in the vocabulary of `tokens`."""

    count: int = Field(ge=0, le=16)
    effects: list[dict[str, Any]]
    name: str = Field(default="", min_length=1)
    name_cs: str = ""
    text: str = ""


class Side(Entry):
    """One side of a territory card; a side that names no `card` has one of its own.

    If some sides are named as the `lost_kingdom`, only those are drawn as it. Where the first seat
    has a side that names another as `lost_beside`, that one is it.
    """

    regions: dict[str, dict[str, Any]]
    adjacent: list[Pair]
    name: str = Field(default="", min_length=1)
    card: int | None = Field(default=None, ge=1, le=9_999)
    side: Literal["A", "B"] | None = None
    river_between: list[Pair] = []
    water_touches: list[str] = []
    crags_touch: list[str] = []
    lost_kingdom: bool = False
    lost_beside: str = ""


class Region(BaseModel):
    """One region of a side; unless it says otherwise it lies on the edge."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    terrain: Terrain
    edge: bool = True
