"""Named settings, kept in one JSON file of a store, so that a team turns the same knobs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from filelock import FileLock

from core.errors import CallError, SettingsError, StoreDamaged, StoreError, UnknownId
from core.settings import Settings

LONGEST = 60  # characters of a name
WAIT_S = 10  # for another process that is saving


class Profiles:
    """The profiles of one store. Every call reads the file again, so threads may share this."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def all(self) -> Mapping[str, Settings]:
        """By name, in order. What this version does not know in one is left at its default."""
        return {name: _settings(values) for name, values in sorted(self._read().items())}

    def get(self, name: str) -> Settings:
        """Raises UnknownId."""
        values = self._read().get(name)
        if values is None:
            raise UnknownId("profile", name)
        return _settings(values)

    def save(self, name: str, settings: Settings) -> str:
        """Keep these settings, in place of those that had the name; gives the name as it is kept.

        Raises CallError for a name that cannot be read.
        """
        kept = name.strip()
        if not kept or len(kept) > LONGEST or not kept.isprintable():
            raise CallError(f"A profile's name has 1 to {LONGEST} visible characters.")
        with self._changing() as profiles:
            profiles[kept] = settings.to_dict()
        return kept

    def remove(self, name: str) -> None:
        """What is gone already is fine."""
        with self._changing() as profiles:
            profiles.pop(name, None)

    def _read(self) -> dict[str, Any]:
        try:
            values = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:  # the last: nested without end
            raise StoreDamaged(
                f"{self.path} cannot be read: move it away to begin a new one."
            ) from error
        if not isinstance(values, dict) or not all(isinstance(v, dict) for v in values.values()):
            raise StoreDamaged(f"{self.path} holds no profiles: move it away to begin a new one.")
        return values

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Any]]:
        """The profiles, to be changed, and written as a whole afterwards."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{self.path}.lock", timeout=WAIT_S):
                profiles = self._read()
                yield profiles
                self._write(profiles)
        except OSError as error:  # a lock that is never free is one too
            raise StoreError(f"{self.path} cannot be written: {error}.") from error

    def _write(self, profiles: Mapping[str, Any]) -> None:
        fresh = self.path.with_name(f"{self.path.name}.{uuid4().hex}")
        text = json.dumps(dict(sorted(profiles.items())), indent=2, ensure_ascii=False)
        fresh.write_text(text + "\n", encoding="utf-8")
        os.replace(fresh, self.path)


def _settings(values: Mapping[str, Any]) -> Settings:
    known = {name: value for name, value in values.items() if hasattr(Settings, name)}
    try:
        return Settings.from_values(known, "profile")
    except SettingsError:  # a value that a newer version does not allow any more
        return Settings.from_values({n: v for n, v in known.items() if _is_valid(n, v)}, "profile")


def _is_valid(name: str, value: object) -> bool:
    try:
        Settings.from_values({name: value})
    except SettingsError:
        return False
    return True
