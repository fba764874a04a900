"""The manifest of a dataset as a file: written whole, sealed by a digest, and refused if it was edited.

Each key and each part is a line, so that a manifest of many parts is quick to write. What the manifest
says is made in `balance.description`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from balance.errors import DatasetError
from balance.store import Store, said

SCHEMA = 2
MANIFEST = "manifest.json"
OLDER = {1: "its manifest has no digest and its parts end elsewhere, so it can neither be trusted nor go on"}
ELSEWHERE = "put back the manifest as it was written, or sweep into another folder"


def write(store: Store, manifest: dict[str, Any]) -> None:
    """Seal the manifest and replace the file in one step: a reader sees the old one or the new one."""
    head, parts = _lines(manifest)
    manifest["digest"] = seal = _digest(head, parts)
    text = ",\n".join([*(f" {line}" for line in head), ' "parts": [\n  '])
    text += ",\n  ".join(parts)
    store.write(MANIFEST, f'{{\n{text}\n ],\n "digest": "{seal}"\n}}\n'.encode())


def _lines(manifest: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the manifest's keys, and then its parts, a line of JSON each.

    Only its own keys are sorted: within the scenario, the order of bots, levels and what is varied
    decides who plays which game.
    """
    head = [
        f"{_json(key)}: {_json(manifest[key])}" for key in sorted(manifest) if key not in ("parts", "digest")
    ]
    return head, [_json(part) for part in manifest["parts"]]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _digest(head: list[str], parts: list[str]) -> str:
    return hashlib.sha256("\n".join([*head, *parts]).encode()).hexdigest()


def digest(manifest: Mapping[str, Any]) -> str:
    """Return the digest that seals a manifest: of all that it says, however it is laid out."""
    return _digest(*_lines(manifest))


def read(store: Store) -> dict[str, Any] | None:
    """Return the manifest that lies in `store`, or nothing if there is none.

    Raises
    ------
    DatasetError
        If it cannot be read, is of another schema, or was edited since it was written.
    """
    where = f"{store.where}/{MANIFEST}"
    found = parsed(store)
    if found is None:
        return None
    if found.get("digest") != digest(found):
        raise DatasetError("was edited or damaged since it was written", where=where, remedy=ELSEWHERE)
    return found


def parsed(store: Store) -> dict[str, Any] | None:
    """Return the manifest as it lies in `store`, of this schema but perhaps edited. See `read`."""
    where = f"{store.where}/{MANIFEST}"
    try:
        data = store.read(MANIFEST)
    except OSError as error:
        raise DatasetError(
            f"cannot be read ({said(error)})", where=where, remedy="check its permissions"
        ) from None
    if data is None:
        return None
    try:
        found = json.loads(data.decode())
    except (ValueError, RecursionError):
        raise DatasetError("is no manifest", where=where, remedy="sweep into another folder") from None
    schema = found.get("schema") if isinstance(found, dict) else None
    if schema != SCHEMA:
        why = OLDER.get(schema) if isinstance(schema, int) else None
        raise DatasetError(
            f"has schema {schema}, and this version reads schema {SCHEMA}" + (f": {why}" if why else ""),
            where=where,
            remedy="use the version that wrote it, or sweep into another folder",
        )
    if not isinstance(found.get("parts"), list):
        raise DatasetError("was edited or damaged since it was written", where=where, remedy=ELSEWHERE)
    return found
