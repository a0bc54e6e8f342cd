"""What came of the last sync of each source, in one small file of a store."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import orjson

from core.convert import structure
from core.errors import StoreDamaged


@dataclass(frozen=True, slots=True)
class Synced:
    """The last sync of a source, and what the next one needs to know."""

    source: str
    at: float = 0.0  # of the last complete one, in seconds since 1970; 0: none yet
    next_run: float = 0.0  # when the next one is due; 0: when somebody asks
    counts: Mapping[str, int] = field(default_factory=dict)  # added, changed, unchanged, …
    seconds: float = 0.0
    refused: tuple[tuple[str, str], ...] = ()  # article, reason
    validators: Mapping[str, str] = field(default_factory=dict)
    stored: str = ""  # digest of what the store had of it then
    failed: str = ""  # why the last attempt failed; "" when it did not
    failed_at: float = 0.0


def read_synced(path: Path) -> Mapping[str, Synced]:
    """By source; raises StoreDamaged."""
    try:
        values = orjson.loads(path.read_bytes())
        return {each["source"]: structure(Synced, each) for each in values}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise StoreDamaged(
            f"{path} cannot be read: move it away, and the next sync writes it again."
        ) from error


def keep_synced(path: Path, synced: Synced) -> None:
    """In place of what was known of the source; written as a whole."""
    known = {**read_synced(path), synced.source: synced}
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{uuid4().hex}")
    data = [known[source] for source in sorted(known)]
    fresh.write_bytes(orjson.dumps(data, option=orjson.OPT_INDENT_2))
    os.replace(fresh, path)
