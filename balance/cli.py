"""The command `balance`: each command parses its words, calls one function and prints.

Nothing heavy is imported at the top: what a command needs, it imports when it runs.
"""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

import balance
from balance.errors import BalanceError, ScenarioError, Stopped

DONE, NO, WRONG, STOPPED = 0, 1, 2, 130

app = typer.Typer(
    name="balance",
    help="Balance board games by simulation: fast bots, honest intervals, readable reports.",
    epilog="Start with: balance games, then balance new GAME --out my.toml",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameId = Annotated[str, typer.Argument(metavar="GAME", help="A game's id, as `balance games` lists it.")]
ScenarioFile = Annotated[Path, typer.Argument(metavar="SCENARIO", help="A scenario file (TOML).")]
DatasetFolder = Annotated[
    str, typer.Argument(metavar="DIR", help="A dataset, as `balance sweep` wrote it: a folder, or s3://...")
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change the scenario: rules.x=5.")
]
Band = Annotated[
    float | None,
    typer.Option(
        metavar="B", help="Half-width of the band, as a part of the fair share: 0.1.", min=0.001, max=0.999
    ),
]
Jobs = Annotated[int | None, typer.Option(metavar="N", help="Cores to use; all if left out.", min=1)]
Counts = Annotated[
    list[int] | None,
    typer.Option(metavar="N", help="Seats; every number there is if left out. May be given twice.", min=1),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status; an error of the user's is one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without a dash still gets its story
    try:
        status = app(
            args=list(argv) if argv is not None else None, prog_name="balance", standalone_mode=False
        )
    except Stopped as error:
        return _wrong(str(error), STOPPED)
    except BalanceError as error:
        return _wrong(str(error))
    except typer.TyperException as error:
        return _wrong_words(error)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on: say nothing more
        return NO
    if status == STOPPED:
        return _wrong("stopped; run the same command again, and a sweep goes on", STOPPED)
    return status if isinstance(status, int) else DONE


def _wrong(line: str, status: int = WRONG) -> int:
    print(f"balance: {' '.join(line.split())}", file=sys.stderr)
    return status


def _wrong_words(error: typer.TyperException) -> int:
    """Report words on the command line that no command takes; bare `balance` is a cry for help."""
    said = error.format_message() if hasattr(error, "format_message") else str(error)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(said)
        return WRONG
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "balance"
    return _wrong(f"{said.rstrip('.')}; see {command} --help")


def _version(asked: bool) -> None:
    if asked:
        print(f"balance {balance.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command(epilog="Example: balance games")
def games(json: AsJson = False) -> None:
    """List the games: player counts, variants, bots."""
    from balance import terminal
    from balance.games import known

    found = list(known().values())
    if json:
        return terminal.json([terminal.game(one) for one in found])
    terminal.games(found)


@app.command(epilog="Example: balance new tiny-epic-kingdoms --out my.toml")
def new(
    game: GameId,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it.")],
    like: Annotated[
        str | None, typer.Option(metavar="SCENARIO", help="Start from this scenario: a file, or one's name.")
    ] = None,
) -> None:
    """Write a commented scenario to start from."""
    from balance import starter, terminal
    from balance.games import get

    text = starter.text(get(game)) if like is None else starter.like(get(game), like)
    starter.write(text, out)
    print(f"Wrote {out}. Next: {terminal.called()} check {shlex.quote(str(out))}")


@app.command(epilog="Example: balance rules tiny-epic-kingdoms")
def rules(game: GameId, json: AsJson = False) -> None:
    """List every house rule, the weights and bars of bots, and the words for own content."""
    from balance import terminal
    from balance.games import get

    found = get(game)
    if json:
        return terminal.json(terminal.ruling(found))
    terminal.rules(found)


@app.command(epilog="Example: balance check scenarios/tiny_epic_kingdoms/nations_4p.toml")
def check(scenario: ScenarioFile, set: Settings = None, json: AsJson = False) -> None:
    """Validate a scenario; print its cells, how balanced it is, what it can tell, and how long it takes."""
    from balance import pacing, plan, terminal

    asked = pacing.settle(balance.load(scenario, set or ()), tell=terminal.aside)
    found = plan.plan(asked, terminal.aside)
    if json:
        return terminal.json(found)
    terminal.plan(found)


@app.command(epilog="Example: balance sweep my.toml --out out/my --set rules.cap=7")
def sweep(
    scenario: ScenarioFile,
    out: Annotated[
        str, typer.Option(metavar="DIR", help="The dataset's folder, or s3://...; a stopped sweep goes on.")
    ],
    games: Annotated[int | None, typer.Option(metavar="N", help="Games per cell.", min=1)] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            metavar="P", help="Play until shares are known this well, such as 0.01.", min=0.0001, max=0.5
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="verdicts", help="Play until each verdict stands, with intervals made for it."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Another seed gives other games.", min=0)
    ] = None,
    jobs: Jobs = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Play on a Dask cluster: tcp://HOST:8786, or local:2 for a trial."
        ),
    ] = None,
    set: Settings = None,
    json: AsJson = False,
) -> None:
    """Simulate a scenario's games into a dataset; goes on where a stopped sweep stopped.

    With --json, how far it is comes as lines of JSON on standard error.
    """
    from balance import terminal

    if games is not None and precision is not None:
        raise ScenarioError("--games and --precision exclude each other", remedy="give one of them")
    if until is not None and (precision is not None or until != "verdicts"):
        said = "--until and --precision exclude each other" if precision else f"--until {until} is unknown"
        raise ScenarioError(said, remedy="write --until verdicts, with --games N for the most")
    asked = balance.load(scenario, set or ())
    dataset = _swept(
        asked,
        out,
        games=games,
        precision=precision,
        until=until,
        seed=seed,
        jobs=jobs,
        cluster=cluster,
        lines=json,
    )
    if json:
        return terminal.json(terminal.swept(dataset))
    terminal.dataset(dataset)


def _swept(asked: Any, out: str, *, lines: bool, **how: Any) -> Any:
    """Play a scenario into a folder and show how far it is; in `lines` of JSON for other programs."""
    from balance.progress import Progress

    with Progress(lines=lines) as progress:
        return balance.sweep(asked, out, watch=progress.watch, note=progress.note, tell=progress.tell, **how)


@app.command(epilog="Example: balance summary out/my")
def summary(dataset: DatasetFolder, band: Band = None, json: AsJson = False) -> None:
    """Print the main tables of a dataset."""
    from balance import analysis, terminal

    found = balance.open(dataset)
    tables, told = balance.summary(found, band), analysis.findings(found, band)
    if json:
        frames = {name: frame.to_dicts() for name, frame in tables.items()}
        return terminal.json({"signature": found.manifest["signature"], "findings": told, "tables": frames})
    terminal.summary(told, tables)


@app.command(epilog="Example: balance report out/my --out my.html")
def report(
    dataset: DatasetFolder,
    out: Annotated[Path, typer.Option(metavar="FILE.html|.pdf", help="Where to write it.")],
    band: Band = None,
) -> int:
    """Write a dataset's report: findings, figures, how sure, how to run it again; 1 if a control failed."""
    from balance import report

    report.ready(out)
    alarms = balance.write_report(balance.open(dataset), out, band)
    return _written(out, alarms)


def _written(out: Path, alarms: Sequence[str]) -> int:
    """Say what was written, and which controls failed."""
    from balance import terminal

    print(f"Wrote {out}")
    for line in alarms:
        terminal.aside(f"A control failed: {line}")
    return NO if alarms else DONE


@app.command(epilog="Example: balance compare out/my --out compared.html")
def compare(
    datasets: Annotated[
        list[str], typer.Argument(metavar="DIR...", help="A dataset with variants, or several datasets.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.html|.pdf", help="Also write it as a report.")
    ] = None,
    retune: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Tune bots for each rule set, play it again into DIR, show both."),
    ] = None,
    generations: Annotated[
        int | None, typer.Option(metavar="N", help="Steps of tuning for each rule set: 24.", min=1)
    ] = None,
    jobs: Jobs = None,
    band: Band = None,
    json: AsJson = False,
) -> int:
    """Hold rule sets side by side: differences block by block, with intervals."""
    from balance import comparing, report, retuning, terminal

    if out is not None:
        report.ready(out)
    if retune is None and generations is not None:
        raise ScenarioError("--generations goes with --retune", remedy="give --retune DIR too")
    opened = [balance.open(path) for path in datasets]
    found = comparing.compare(opened, band)
    adapted, both = [], None
    if retune is not None:
        adapted = _retuned(opened, retune, generations, jobs, band, json)
        both = retuning.columns(found, adapted)
    if json:
        terminal.json(comparing.table(found, adapted, both))
    else:
        terminal.comparisons(found)
        if both is not None:
            terminal.retuned(both)
    if out is None:
        return DONE
    page = comparing.document(found, adapted, both)
    report.put(page, out)
    return DONE if json and not page.alarms else _written(out, page.alarms)


def _retuned(
    opened: Sequence[Any],
    out: str,
    generations: int | None,
    jobs: int | None,
    band: float | None,
    lines: bool,
) -> list[Any]:
    """Tune bots for each rule set of the one dataset, play it again into `out`, and compare that."""
    from balance import comparing, retuning, terminal

    if len(opened) > 1:
        raise ScenarioError("--retune takes one dataset", remedy="give the one that holds all variants")
    if (Path(out) / "manifest.json").exists():  # what was tuned once is not tuned again
        return comparing.compare([balance.open(out)], band)
    asked = retuning.retuned(
        opened[0], generations=generations or retuning.GENERATIONS, jobs=jobs, tell=terminal.aside
    )
    played = _swept(asked, out, jobs=jobs, lines=lines)
    return comparing.compare([played], band)


@app.command(epilog="Example: balance confirm out/my --out out/my_confirmed")
def confirm(
    dataset: DatasetFolder,
    out: Annotated[
        str, typer.Option(metavar="DIR", help="The new dataset's folder; if stopped, it goes on.")
    ],
    level: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Whom to bring into the band: a nation, a seat; else all."),
    ] = None,
    games: Annotated[int | None, typer.Option(metavar="N", help="Games per cell.", min=1)] = None,
    jobs: Jobs = None,
    band: Band = None,
    json: AsJson = False,
) -> int:
    """Play the smallest change that a sweep found on fresh seeds, beside the rules as they are.

    1 if no change is needed, or none of them will do.
    """
    from balance import confirm, terminal

    source = balance.open(dataset)
    picks, said = confirm.pick(source, level, band)
    terminal.aside(said)
    if not picks:
        return NO
    asked = confirm.fresh(source, picks, level, games)
    if band is not None:
        asked = balance.scenario.change(asked, band=band)
    played = _swept(asked, out, jobs=jobs, lines=json)
    if json:
        terminal.json(terminal.swept(played))
    else:
        terminal.dataset(played)
    return DONE


@app.command(epilog="Example: balance export out/my --format csv --out tables")
def export(
    dataset: DatasetFolder,
    format: Annotated[str, typer.Option(metavar="FORMAT", help="csv, parquet or xlsx.")],
    out: Annotated[Path, typer.Option(metavar="PATH", help="A new folder; for xlsx, a new file.")],
) -> None:
    """Write a dataset's rows and main tables for other programs."""
    from balance import terminal

    balance.export(balance.open(dataset), format, out, terminal.aside)
    print(f"Wrote {out}")


@app.command(epilog="Example: balance replay out/my 12")
def replay(
    source: Annotated[str, typer.Argument(metavar="DIR|SCENARIO", help="A dataset or a scenario file.")],
    number: Annotated[int | None, typer.Argument(metavar="NUMBER", help="The game in DIR.", min=0)] = None,
    game: Annotated[int | None, typer.Option(metavar="N", help="The game of SCENARIO.", min=0)] = None,
    cell: Annotated[int, typer.Option(metavar="N", help="The cell, if there are several.", min=0)] = 0,
) -> None:
    """Tell one game in words, move by move, with the reasons of the bots."""
    from balance import pacing, replay, store, terminal

    wanted = number if game is None else game
    if wanted is None or (number is not None and game is not None):
        raise ScenarioError("which game?", where=source, remedy="give DIR NUMBER or SCENARIO --game N")
    if store.is_address(source) or Path(source).is_dir():
        story = replay.from_dataset(balance.open(source), wanted, cell, reasons=True)
    else:
        asked = pacing.settle(balance.load(source), tell=terminal.aside)
        story = replay.from_scenario(asked, wanted, cell, reasons=True)
    terminal.story(story)


@app.command(epilog="Example: balance verify out/my")
def verify(
    dataset: DatasetFolder,
    games: Annotated[
        int | None, typer.Option(metavar="N", help="Games to play again; 1,000 if left out.", min=0)
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Play all its games again.")] = False,
    json: AsJson = False,
) -> int:
    """Check a dataset: manifest, checksums, columns, rows, and a sample of games played again."""
    from balance import terminal
    from balance import verify as verifying

    wanted = 2**62 if all else verifying.SAMPLE if games is None else games
    return terminal.verdict(verifying.verify(dataset, wanted, terminal.aside), json)


@app.command(epilog="Example: balance cases tests/cases/tiny_epic_kingdoms")
def cases(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Files of cases, or folders of them.")
    ],
    json: AsJson = False,
) -> int:
    """Run rule cases and print those that fail."""
    from balance import cases, terminal

    results = cases.run(paths)
    return terminal.cases(results, json)


@app.command(epilog="Example: balance bench tiny-epic-kingdoms --players 4")
def bench(
    game: GameId,
    players: Annotated[int | None, typer.Option(metavar="N", help="Seats.", min=1)] = None,
    json: AsJson = False,
) -> None:
    """Measure games and decisions a second, for each bot, on one core and on all."""
    from balance import bench, terminal
    from balance.games import get

    rows: list[dict[str, Any]] = bench.run(get(game), players, watch=terminal.aside)
    if json:
        return terminal.json(rows)
    terminal.bench(rows)


@app.command(epilog="Example: balance ladder kingdomino --games 1000")
def ladder(
    game: GameId,
    players: Annotated[
        list[int] | None,
        typer.Option(metavar="N", help="Seats; all numbers that there are if left out.", min=1),
    ] = None,
    games: Annotated[int | None, typer.Option(metavar="N", help="Most games of a rung.", min=1)] = None,
    styles: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT", help="Hold styles against one another instead: these, or 'all'."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Another seed gives other games.", min=0)] = 1,
    jobs: Jobs = None,
    json: AsJson = False,
) -> int:
    """Measure a game's tiers against one another: each in one seat among the tier below.

    1 if a rung does not stand.
    """
    from balance import arena, terminal, terminal_bots
    from balance import ladder as ladders
    from balance.games import get

    found = get(game)
    tables = arena.tables(found, players or (), terminal.aside)
    if styles:
        names = [] if styles == ["all"] else styles
        pairs = list(
            ladders.styles(
                found,
                tables,
                names,
                games=games or ladders.STYLES_GAMES,
                seed=seed,
                jobs=jobs,
                watch=terminal.aside,
            )
        )
        terminal.json(terminal_bots.paired(pairs)) if json else terminal_bots.pairs(found, pairs)
        return DONE
    climbed = ladders.climb(
        found, tables, games=games or ladders.GAMES, seed=seed, jobs=jobs, watch=terminal.aside
    )
    rungs = list(climbed)
    terminal.json(terminal_bots.runged(rungs)) if json else terminal_bots.ladder(found, rungs)
    return DONE if all(rung.match.better for rung in rungs) else NO


@app.command(epilog="Example: balance tune stone-age --out my_bot.toml")
def tune(
    game: GameId,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The bot file; GAME_tuned.toml if left out.")
    ] = None,
    scenario: Annotated[
        Path | None,
        typer.Option(metavar="SCENARIO", help="Tune for the rules and bots of this one, not the rulebook's."),
    ] = None,
    players: Annotated[
        list[int] | None,
        typer.Option(metavar="N", help="Seats; all numbers that there are if left out.", min=1),
    ] = None,
    start: Annotated[
        str | None, typer.Option(metavar="BOT", help="The style to begin with; the strongest if left out.")
    ] = None,
    generations: Annotated[
        int | None, typer.Option(metavar="N", help="Steps of the search: 40.", min=1, max=10_000)
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games of a candidate in a generation: 480.", min=20, max=1_000_000),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Another seed gives other games.", min=0)] = 1,
    jobs: Jobs = None,
    json: AsJson = False,
) -> None:
    """Tune the weights of a game's bots by self-play; the result is a bot file.

    Use it in a scenario: write file = "FILE" under bots.NAME.
    """
    from balance import arena, bot_files, terminal, terminal_bots, tuning
    from balance.games import get

    found = get(game)
    place = out if out is not None else Path(f"{found.id}_tuned.toml")
    bot_files.ready(place)
    if scenario is not None:
        tables, rivals = arena.of_scenario(found, balance.load(scenario), players or ())
    else:
        tables, rivals = arena.tables(found, players or (), terminal.aside), None
    tuned = tuning.tune(
        found,
        tables,
        start=start,
        rivals=rivals,
        generations=generations or tuning.GENERATIONS,
        games=games or tuning.GAMES,
        seed=seed,
        jobs=jobs,
        watch=terminal.aside,
    )
    bot_files.write(place, tuning.file(tuned))
    if json:
        return terminal.json(terminal_bots.tuned_table(tuned))
    terminal_bots.tuned(tuned)
    print(f"Wrote {place}")
