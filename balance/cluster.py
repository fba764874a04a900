"""The same plan on a Dask cluster, through joblib's Dask backend: workers return parts, this end keeps them.

A worker that dies loses nothing: Dask gives its part to another. If the scheduler dies, or if a part
takes several workers down with it, the sweep ends with an error, and all parts that arrived are kept.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import pickle
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any

from balance import description, design
from balance.errors import BalanceError, DatasetError, ScenarioError
from balance.parts import Part, Played, Player

LOCAL = "local:"
WINDOW = 32  # parts a core that are handed out at a time, so that what comes back does not pile up
POLL = 0.25  # seconds between two looks at the scheduler and at Ctrl-C
ANSWER = 15  # seconds for a scheduler to answer, and for its first worker to come
AGAIN = "run the same command to go on"


@contextlib.contextmanager
def connected(address: str) -> Iterator[Any]:
    """Connect to the scheduler at `address`, or start workers here: `local:2`.

    Yields the client of `distributed`.

    Raises
    ------
    ScenarioError
        If the extra is missing or the address will not do.
    DatasetError
        If no scheduler answers there.
    """
    try:
        import distributed
    except ImportError:
        raise ScenarioError(
            "needs the extra 'cluster'",
            where="--cluster",
            remedy="pip install 'boardgame-balance[cluster]', or leave it out",
        ) from None
    logging.getLogger("distributed").setLevel(
        logging.CRITICAL
    )  # a dead worker is no news: its part is played
    with contextlib.ExitStack() as stack:
        if address.startswith(LOCAL):
            count = address.removeprefix(LOCAL)
            if not (count.isascii() and count.isdecimal() and 1 <= int(count) <= 1024):
                raise ScenarioError(
                    f"'{address}' is no cluster",
                    where="--cluster",
                    remedy=f"write {LOCAL}2, or tcp://HOST:8786",
                )
            address = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=int(count),
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",
                    host="127.0.0.1",
                )
            )
        try:
            client = distributed.Client(address, timeout=ANSWER, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise DatasetError(
                f"no scheduler answers ({_brief(error)})",
                where=f"--cluster {address}",
                remedy="start it with: dask scheduler",
            ) from None
        stack.callback(_close, client)
        yield client


def _close(client: Any) -> None:
    with contextlib.suppress(Exception):  # a scheduler that is gone needs no farewell
        client.close(timeout=2)


def _brief(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def play(
    client: Any, player: Player, run: str, parts: Iterable[Part], stop: threading.Event
) -> Iterator[Played]:
    """Have `parts` played by the workers of `client`; yield each as it comes, until `stop` is set.

    Parameters
    ----------
    run
        The digest of the run: a worker with other code or other libraries is refused.

    Raises
    ------
    DatasetError
        If the scheduler is lost, there is no worker, or one cannot play.
    """
    packed = pickle.dumps((player.scenario, player.family))
    wanted = (run, tuple(sorted(description.versions().items())))
    waiting = iter(parts)
    while not stop.is_set():
        cores = _cores(client)
        window = list(itertools.islice(waiting, WINDOW * cores))
        if not window:
            return
        yield from _window(client, cores, [(packed, wanted, part) for part in window], stop)


def _cores(client: Any) -> int:
    """Count the workers' cores; wait a while for the first worker."""
    try:
        client.wait_for_workers(1, timeout=ANSWER)
        return max(1, sum(client.ncores().values()))
    except Exception as error:
        raise DatasetError(
            f"there is no worker ({_brief(error)})",
            where="--cluster",
            remedy="start some with: dask worker ADDRESS",
        ) from None


def _window(client: Any, cores: int, tasks: list[tuple[Any, ...]], stop: threading.Event) -> Iterator[Played]:
    from joblib import Parallel, delayed

    backend = _backend()(client=client, pure=False)
    done = threading.Event()
    guard = threading.Thread(target=_guard, args=(backend, client, stop, done), daemon=True)
    guard.start()
    outputs = Parallel(
        n_jobs=cores,
        backend=backend,
        batch_size=1,
        pre_dispatch="4*n_jobs",
        return_as="generator_unordered",
    )(delayed(play_far)(*task) for task in tasks)
    try:
        for played in outputs:
            yield played
            if stop.is_set():
                return
    except _Stop:
        return
    except BalanceError:
        raise
    except Exception as error:
        raise DatasetError(_lost(client, error), where="--cluster", remedy=AGAIN) from None
    finally:
        done.set()
        guard.join()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # joblib warns of results that nobody waits for any more
            outputs.close()


def _lost(client: Any, error: Exception) -> str:
    name = type(error).__name__
    if client.status != "running" or "Cancelled" in name or isinstance(error, ConnectionError):
        return "the scheduler is gone; what had arrived is kept"
    if name == "KilledWorker":
        return f"a part took several workers down with it ({_brief(error)})"
    return f"a worker cannot play ({name}: {_brief(error)})"


class _Stop(Exception):
    """The sweep is being stopped."""


@functools.cache
def _backend() -> type:
    """Return joblib's Dask backend, which hears of every part that is lost.

    joblib's own tells nobody of a task that Dask has given up: its caller would wait for ever.
    """
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):
        def effective_n_jobs(self, n_jobs: int) -> int:
            return max(
                2, super().effective_n_jobs(n_jobs)
            )  # at 1 joblib plays here, not on the one core there

        def start_call(self) -> None:
            self.pending: dict[Future, Callable[[Any], None]] = {}
            super().start_call()

        def submit(self, func: Any, callback: Any = None) -> Future:
            future = super().submit(func, callback)
            self.pending[future] = callback
            future.add_done_callback(self._came)
            return future

        def _came(self, future: Future) -> None:
            callback = self.pending.pop(future, None)
            error = future.exception()
            if error is not None and callback is not None:
                callback(error)

        def give_up(self, error: Exception) -> None:
            """End the call with `error`, whatever may still come."""
            for callback in list(self.pending.values())[:1]:
                callback(error)

        def retrieve_result_callback(self, out: Any) -> Any:
            if isinstance(out, BaseException):
                raise out
            return super().retrieve_result_callback(out)

    return Backend


def _guard(backend: Any, client: Any, stop: threading.Event, done: threading.Event) -> None:
    """End the call once it is to be stopped, or the scheduler is gone."""
    while not done.wait(POLL):
        if stop.is_set():
            backend.give_up(_Stop())
        elif client.status != "running":
            backend.give_up(ConnectionError("the scheduler is gone"))


def play_far(packed: bytes, wanted: tuple[Any, ...], part: Part) -> Played:
    """Play a part, on a worker.

    Raises
    ------
    DatasetError
        If this worker's code or libraries would give other bytes.
    """
    player, lib, here, name = _prepared(packed)
    if here != wanted:
        raise DatasetError(
            f"worker {name} has other code or libraries, or another processor",
            where="--cluster",
            remedy="install the same versions on every machine",
        )
    played = player.play(lib, part)
    assert played is not None
    return Played(part, played.files, played.rows, played.means, name)


@functools.lru_cache(maxsize=4)
def _prepared(packed: bytes) -> tuple[Player, Any, tuple[Any, ...], str]:
    import distributed

    scenario, family = pickle.loads(packed)
    cells = design.cells(scenario)
    player = Player(scenario, cells, design.designs(scenario, cells), family)
    run = description.describe(scenario, cells, player.designs)["run"]
    here = (run, tuple(sorted(description.versions().items())))
    return player, cells[0].game.fast(), here, str(distributed.get_worker().address)
