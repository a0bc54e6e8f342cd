"""What a person did by hand, kept in the store at once: thumbs, golden questions, uploaded sets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from core.errors import StoreDamaged
from core.evaluate.sets import sets
from core.evaluate.sets.sample import EvalSet, Sample
from core.index.disk.items import Items
from core.model import JSON

GOLDEN = "golden"  # the name of the set that golden questions are


class Kept:
    """Of one store, for everybody who uses it. It may be written while an ingestion runs.

    Every call may raise StoreError; what is damaged is left as it is.
    """

    def __init__(self, items: Items) -> None:
        self._items = items

    def thumbs(self, query: str) -> dict[str, int]:
        """What was said of elements for this question: 1 is up, 0 is down."""
        found: dict[str, int] = {}
        for key, value in self._items.all("thumb").items():
            asked, element = _strings(key, 2)
            if asked == query:
                found[element] = int(_is_up(value))
        return found

    def thumbed_up(self) -> Mapping[str, tuple[str, ...]]:
        """By question, the elements that got a thumb up."""
        found: dict[str, list[str]] = {}
        for key, value in sorted(self._items.all("thumb").items()):
            query, element = _strings(key, 2)
            if _is_up(value):
                found.setdefault(query, []).append(element)
        return {query: tuple(elements) for query, elements in found.items()}

    def thumb_depths(self, query: str) -> dict[str, int]:
        """How deep the elements with a thumb stood for this question, where that was kept."""
        found = {}
        for key, value in self._items.all("thumb").items():
            asked, element = _strings(key, 2)
            _, _, depth = value.decode("ascii", "replace").partition(" ")
            if asked == query and depth.isdigit():
                found[element] = int(depth)
        return found

    def thumbed_down(self) -> tuple[str, ...]:
        """The questions for which an element got a thumb down."""
        down = (key for key, value in self._items.all("thumb").items() if not _is_up(value))
        return tuple(sorted({_strings(key, 2)[0] for key in down}))

    def give_thumb(
        self, query: str, element: str, thumb: int | None, *, depth: int | None = None
    ) -> None:
        """1 is up, 0 is down, None takes it away; `depth` is how many steps from a result it
        stood, 0 for a result itself."""
        key = json.dumps([query, element])
        if thumb is None:
            self._items.delete("thumb", key)
        else:
            said = f"{int(bool(thumb))}{'' if depth is None else f' {depth}'}"
            self._items.put("thumb", key, said.encode())

    def golden(self) -> EvalSet | None:
        """The golden questions in the order in which they were first kept; None where none is."""
        found = self._items.all("golden")
        rows = sorted((_golden(query, value) for query, value in found.items()), key=_since)
        if not rows:
            return None
        return replace(sets.of_values(GOLDEN, [row["sample"] for row in rows]), file="")

    def keep_golden(self, sample: Sample) -> Sample:
        """Keep the sample, in place of the one with its question; gives it with its id.

        Raises EvalSetError for a question or labels that no set can hold.
        """
        kept = replace(sample, id=f"golden-{sha256(sample.query.encode()).hexdigest()[:8]}")
        sets.of_values(GOLDEN, [kept.to_dict()])
        before = self._items.get("golden", sample.query)
        since = _golden(sample.query, before)["since"] if before else _now()
        value: JSON = {"since": since, "sample": kept.to_dict()}
        self._items.put("golden", sample.query, json.dumps(value).encode())
        return kept

    def forget_golden(self, query: str) -> None:
        self._items.delete("golden", query)

    def sets(self) -> Mapping[str, str]:
        """The names of the uploaded files, each with what changes when it is uploaded again."""
        return self._items.stamps("set")

    def read_set(self, name: str) -> EvalSet | None:
        """An uploaded set; None where it is gone. Raises EvalSetError."""
        data = self._items.get("set", name)
        return None if data is None else sets.parse(data, name)

    def set_file(self, name: str) -> bytes | None:
        """An uploaded file as it came; None where it is gone."""
        return self._items.get("set", name)

    def keep_set(self, name: str, data: bytes) -> EvalSet:
        """Keep an uploaded file, in place of the one with its name; raises EvalSetError."""
        parsed = sets.parse(data, name)
        self._items.put("set", name, data)
        return parsed

    def forget_set(self, name: str) -> None:
        self._items.delete("set", name)


def _is_up(value: bytes) -> bool:
    """What is kept of a thumb: 1 or 0, and how deep it stood where that is known."""
    return value[:1] == b"1"


def _golden(query: str, value: bytes) -> dict[str, Any]:
    try:
        row = json.loads(value)
        return {"since": str(row["since"]), "sample": dict(row["sample"])}
    except (ValueError, TypeError, KeyError) as error:
        raise StoreDamaged(
            f"The golden question {query[:100]!r} in the store is damaged ({error!r:.100})."
        ) from error


def _since(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["since"], str(row["sample"].get("id"))


def _now() -> str:
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="microseconds")


def _strings(key: str, count: int) -> list[str]:
    try:
        values = json.loads(key)
        if len(values) == count:
            return [str(value) for value in values]
    except (ValueError, TypeError):
        pass
    raise StoreDamaged(f"The store has a thumb under a damaged name: {key[:100]!r}.")
