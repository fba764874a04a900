"""Where a dataset lies: a folder of this machine, or an address in object storage.

Names are relative, with `/`. What is written is there whole or not at all, and is not lost if the
power goes. `at` picks the kind: an address has `://` in it and needs the extra `cloud` (fsspec).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from balance.errors import DatasetError

LOCK = ".lock"
LEASE = 20.0  # seconds after which a lock in object storage that nobody renews is taken to be left over
BUCKETS = ("s3", "s3a", "gs", "gcs", "az", "abfs", "adl", "oci", "oss")
ELSEWHERE = "choose another folder"


class Store(Protocol):
    """A place for the files of one dataset. Failures of the place are OSErrors."""

    where: str

    def read(self, name: str) -> bytes | None:
        """Return a file's bytes, or nothing if there is none."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole, in place of one that may be there."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def names(self, folder: str = "") -> list[str]:
        """List what lies in the place, or in one folder of it, by bare names in order."""

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the files of a folder, by bare name, with their sizes in bytes."""

    def path(self, name: str, sha256: str) -> Path:
        """Return a file of this machine that holds the bytes, which have this checksum."""

    def digest(self, name: str) -> str:
        """Return a file's SHA-256, in hexadecimal."""

    def prepare(self, folders: tuple[str, ...]) -> None:
        """Make the place and its folders, and refuse what cannot be written to."""

    def held(self) -> contextlib.AbstractContextManager[None]:
        """Keep others from writing there."""


def at(place: Path | str) -> Store:
    """Return the store at a folder or an address."""
    if "\0" in str(place):
        raise DatasetError("may not be called so", where=repr(str(place)), remedy=ELSEWHERE)
    return Bucket(str(place)) if is_address(place) else Folder(Path(place))


def is_address(place: Path | str) -> bool:
    """Say whether `place` is an address rather than a folder of this machine."""
    return isinstance(place, str) and "://" in place


def _in_use(where: str) -> DatasetError:
    return DatasetError(
        "another sweep is writing there", where=where, remedy="wait for it, or choose another folder"
    )


class Folder:
    """A folder of this machine."""

    def __init__(self, root: Path) -> None:
        self.root, self.where = root, str(root)

    def read(self, name: str) -> bytes | None:
        try:
            return (self.root / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def write(self, name: str, data: bytes) -> None:
        place = self.root / name
        aside = place.with_name(f".{place.name}.tmp")
        try:
            with aside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(place)
        except OSError:
            with contextlib.suppress(OSError):
                aside.unlink()  # a full disk is less full without it
            raise
        _sync(place.parent)

    def remove(self, name: str) -> None:
        (self.root / name).unlink(missing_ok=True)

    def names(self, folder: str = "") -> list[str]:
        try:
            return sorted(path.name for path in (self.root / folder).iterdir())
        except FileNotFoundError:
            return []

    def sizes(self, folder: str) -> dict[str, int]:
        try:
            with os.scandir(self.root / folder) as found:
                return {entry.name: entry.stat().st_size for entry in found if entry.is_file()}
        except (FileNotFoundError, NotADirectoryError):
            return {}

    def path(self, name: str, sha256: str) -> Path:
        return self.root / name

    def digest(self, name: str) -> str:
        with (self.root / name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def prepare(self, folders: tuple[str, ...]) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        for folder in folders:
            (self.root / folder).mkdir(exist_ok=True)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        import filelock

        lock = filelock.FileLock(str(self.root / LOCK), timeout=0)
        try:
            lock.acquire()
        except filelock.Timeout:
            raise _in_use(self.where) from None
        try:
            yield
        finally:
            lock.release()


def _sync(path: Path) -> None:
    """Make sure that a folder's names are not lost if the power goes, where a folder can be synced."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class Bucket:
    """An address in object storage, such as `s3://bucket/name`, by way of fsspec.

    Its parts are read by way of the user's cache directory, where each lies under its checksum.
    """

    def __init__(self, where: str) -> None:
        self.where = where.rstrip("/")
        try:
            import fsspec
        except ImportError:
            raise DatasetError(
                "an address needs the extra 'cloud'",
                where=where,
                remedy="pip install 'boardgame-balance[cloud]', or give a folder",
            ) from None
        try:
            self.files, self.root = fsspec.core.url_to_fs(self.where, use_listings_cache=False)
        except (ImportError, ValueError) as error:
            raise DatasetError(
                f"cannot be opened ({error})", where=where, remedy="give a folder, or an address of fsspec's"
            ) from None

    def _at(self, name: str) -> str:
        return f"{self.root}/{name}" if name else self.root

    @contextlib.contextmanager
    def _asked(self) -> Iterator[None]:
        """Make an OSError of whatever the storage's library raises."""
        try:
            yield
        except (OSError, DatasetError):
            raise
        except Exception as error:
            raise OSError(f"{type(error).__name__}: {error}") from error

    def read(self, name: str) -> bytes | None:
        with self._asked():
            try:
                return bytes(self.files.cat_file(self._at(name)))
            except FileNotFoundError:
                return None

    def write(self, name: str, data: bytes) -> None:
        with self._asked():
            self.files.pipe_file(self._at(name), data)

    def remove(self, name: str) -> None:
        with self._asked(), contextlib.suppress(FileNotFoundError):
            self.files.rm_file(self._at(name))

    def names(self, folder: str = "") -> list[str]:
        return sorted(name for name, _ in self._listed(folder))

    def sizes(self, folder: str) -> dict[str, int]:
        return {name: int(entry["size"]) for name, entry in self._listed(folder) if entry["type"] == "file"}

    def _listed(self, folder: str) -> list[tuple[str, dict[str, Any]]]:
        place = self._at(folder)
        with self._asked():
            try:
                found = self.files.ls(place, detail=True)
            except FileNotFoundError:
                return []
        named = [(str(entry["name"]).rstrip("/").rsplit("/", 1)[-1], entry) for entry in found]
        return [(name, entry) for name, entry in named if name and name != place.rsplit("/", 1)[-1]]

    def path(self, name: str, sha256: str) -> Path:
        from balance import link

        folder = link.cache_root() / "parts"
        place = folder / f"{sha256}.parquet"
        if not place.is_file():
            data = self.read(name)
            if data is None:
                raise FileNotFoundError(2, "is missing", name)
            folder.mkdir(parents=True, exist_ok=True)
            Folder(folder).write(place.name, data)
        return place

    def digest(self, name: str) -> str:
        data = self.read(name)
        if data is None:
            raise FileNotFoundError(2, "is missing", name)
        return hashlib.sha256(data).hexdigest()

    def prepare(self, folders: tuple[str, ...]) -> None:
        if self.where.partition("://")[0] in BUCKETS:
            return  # there are no folders, and a bucket that is not there is not ours to make
        with self._asked():
            for folder in ("", *folders):
                self.files.makedirs(self._at(folder), exist_ok=True)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold a lock that must be renewed: one that a killed sweep left behind is taken over."""
        own = uuid.uuid4().hex
        self._take(own)
        done = threading.Event()
        keeper = threading.Thread(target=self._renew, args=(own, done), daemon=True)
        keeper.start()
        try:
            yield
        finally:
            done.set()
            keeper.join()
            with contextlib.suppress(OSError):
                self.remove(LOCK)

    def _take(self, own: str) -> None:
        try:
            with self._asked():
                self.files.pipe_file(self._at(LOCK), f"{own} 0".encode(), mode="create")
            return
        except FileExistsError:
            before = self.read(LOCK)
        until = time.monotonic() + LEASE
        while time.monotonic() < until:
            time.sleep(LEASE / 20)
            if self.read(LOCK) != before:
                raise _in_use(self.where)
        self.write(LOCK, f"{own} 0".encode())
        time.sleep(LEASE / 20)
        if (self.read(LOCK) or b"").split(b" ")[0] != own.encode():
            raise _in_use(self.where)

    def _renew(self, own: str, done: threading.Event) -> None:
        number = 0
        while not done.wait(LEASE / 4):
            number += 1
            with contextlib.suppress(OSError):
                self.write(LOCK, f"{own} {number}".encode())


def said(error: OSError) -> str:
    """Return what an OSError says, in a few words."""
    return error.strerror or " ".join(str(error).split()) or type(error).__name__
