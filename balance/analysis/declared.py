"""What a dataset's manifest declares: cells, families of levels, columns and their roles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from balance.analysis.estimate import BAND
from balance.analysis.reading import Reading, reading
from balance.errors import DatasetError

if TYPE_CHECKING:
    from balance.dataset import Dataset

SEAT, BOT = "seat", "bot"
AS_IT_IS = "as it is"  # the rule set of a scenario without a change
MARKS = {
    "reconstructed": "†",
    "generated": "◊",
    "public": "‡",
    "own": "§",
}  # stand beside a number that rests on such data
MEANING = {
    "reconstructed": "rests on reconstructed data: invented to make a game of it, not the printed component",
    "generated": "drawn at random under what is known: no printed component",
    "public": "from a public source, not from the rulebook",
    "own": "the scenario's own, or changed by it: not the printed component",
}


@dataclass(frozen=True)
class Family:
    """Levels that are compared with one another: nations, seats, bots.

    Attributes
    ----------
    name
        The column in the seats table.
    levels
        Key (as text in that column) -> (name for people, certainty), in order.
    """

    name: str
    label: str
    levels: Mapping[str, tuple[str, str]]

    def named(self, table: pl.DataFrame) -> pl.DataFrame:
        """Add `name`, `certainty` and `order` of each `level` to `table` (an undeclared one is last)."""
        names = pl.DataFrame(
            {
                "level": list(self.levels),
                "name": [name for name, _ in self.levels.values()],
                "certainty": [certainty for _, certainty in self.levels.values()],
                "order": list(range(len(self.levels))),
            },
            schema={"level": pl.String, "name": pl.String, "certainty": pl.String, "order": pl.Int64},
        )
        return table.join(names, on="level", how="left").with_columns(
            name=pl.coalesce("name", "level"),
            certainty=pl.col("certainty").fill_null(""),
            order=pl.col("order").fill_null(len(self.levels)),
        )


@dataclass(frozen=True)
class Declared:
    """A dataset with what it declares of itself, and its number of games by cell.

    Of a contrast, `dataset` holds the games in which no seat is treated; `cells` counts all of them.

    Attributes
    ----------
    cells
        A row a cell that holds games: `cell`, `label`, `rules` (what its rule set is called, whatever
        the number of players), `tier` ("" if the run has none), `players`, `sides`, `fair` (the fair share,
        1 / sides), `blocks`, `games`, `unfinished` (a number of games), `stalled` (their part).
    band
        Half-width of the band, as a part of the fair share.
    anytime
        Whether intervals must hold at every look: the sweep is unfinished, or was played until its
        verdicts stood.
    """

    dataset: Reading
    families: tuple[Family, ...]
    cells: pl.DataFrame
    band: float = BAND
    anytime: bool = False

    @property
    def unit(self) -> str:
        """The word for the unit of evidence: "block", or "layout" where a run has layouts."""
        return self.dataset.unit

    @property
    def manifest(self) -> Mapping[str, Any]:
        return self.dataset.manifest

    def family(self, name: str) -> Family:
        return next(family for family in self.families if family.name == name)

    @property
    def primary(self) -> Family:
        """The family that the run is about: the primary factor, or else the bots or the seats."""
        return self.family(self.manifest["primary"])

    def columns(self, table: str, *roles: str) -> Iterator[Mapping[str, Any]]:
        """Yield the declared columns of `table` ("game" or "seat") that have one of `roles`.

        Those that the deal settles are left out: they say nothing of how a game went (see `traits`).
        """
        for column in self.manifest["columns"][table]:
            if column["role"] in roles and not column.get("deal"):
                yield column


def declared(dataset: Dataset, band: float | None = None, anytime: bool | None = None) -> Declared:
    """Read what `dataset` declares; its scenario says `band` and `anytime` unless the caller does.

    Raises
    ------
    DatasetError
        If it holds no game, or shares that are no numbers.
    """
    read = reading(dataset)
    cells = _cells(read)
    manifest = dataset.manifest
    laid = (manifest.get("layouts") or {}).get("factor")
    factors = [
        Family(
            factor["name"],
            factor["label"],
            {level["key"]: (level["name"], level["certainty"]) for level in factor["levels"]},
        )
        for factor in manifest["factors"]
        if factor["name"] != laid  # its levels are parts of layouts, which have a section of their own
    ]
    players = int(cells["players"].max())  # type: ignore[arg-type]
    seats = Family(SEAT, "Seat", {str(n): (f"Seat {n}", "") for n in range(1, players + 1)})
    bots = Family(BOT, "Bot", {bot: (bot, "") for cell in manifest["cells"] for bot in cell["bots"]})
    families = sorted((*factors, seats, bots), key=lambda family: family.name != manifest["primary"])
    scenario = manifest["scenario"]
    if anytime is None:
        anytime = not dataset.complete or scenario.get("until") == "verdicts"
    if read.by_layout:
        anytime = False  # a layout is a unit that grows as the sweep goes on, not one of a sequence
    band = scenario.get("band", BAND) if band is None else band
    played = read.untreated if manifest.get("contrast") else read
    return Declared(played, tuple(families), cells, band, anytime)


def _cells(dataset: Reading) -> pl.DataFrame:
    parts = dataset.manifest["parts"]
    if not parts or not any(part["games"] for part in parts):
        raise DatasetError(
            "it holds no games yet", where=str(dataset.path), remedy="run `balance sweep` on it first"
        )
    known = pl.DataFrame(
        [
            {
                "cell": cell["index"],
                "label": cell["label"],
                "rules": cell.get("name") or AS_IT_IS,
                "tier": cell.get("tier", ""),
                "players": cell["players"],
            }
            for cell in dataset.manifest["cells"]
        ],
        schema={
            "cell": pl.Int32,
            "label": pl.String,
            "rules": pl.String,
            "tier": pl.String,
            "players": pl.Int64,
        },
    )
    played = (
        dataset.games()
        .group_by("cell")
        .agg(
            blocks=pl.col("block").n_unique().cast(pl.Int64),
            games=pl.len().cast(pl.Int64),
            unfinished=(~pl.col("finished")).sum().cast(pl.Int64),
        )
    )
    share = pl.col("share")
    sides = (
        dataset.seats()
        .group_by("cell")
        .agg(
            sides=pl.col("side").max().cast(pl.Int64),
            wrong=(~share.is_between(0.0, 1.0)).fill_null(True).sum(),
        )
    )
    found, sided = pl.collect_all([played, sides], engine="streaming")
    if wrong := int(sided["wrong"].sum()):
        raise DatasetError(
            f"{wrong:,} rows have a win share that is no number from 0 to 1",
            where=str(dataset.path),
            remedy="sweep into another folder; these files were changed or are damaged",
        )
    return (
        known.join(found, on="cell")
        .join(sided, on="cell")
        .with_columns(fair=1 / pl.col("sides"), stalled=pl.col("unfinished") / pl.col("games"))
        .select(
            "cell",
            "label",
            "rules",
            "tier",
            "players",
            "sides",
            "fair",
            "blocks",
            "games",
            "unfinished",
            "stalled",
        )
        .sort("cell")
    )
