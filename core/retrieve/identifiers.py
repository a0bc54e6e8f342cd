"""What a question names exactly: a path, an operationId, a schema or a chunk id, however typed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from core.index.snapshot.words import terms
from core.retrieve.evidence import ArrayReader
from core.specs.names import decode

MOST = 20  # rows of one name; what more of them have is no identifier

_NEAR = 88.0  # per cent of the letters that a mistyped identifier shares with the right one
_ID = re.compile(r"\S+:(?:paths|webhooks|components|tags|info)\b\S*")
_PLACE = re.compile(r"(?:\{[^{}]*\}?|<[^<>/]*>|:[A-Za-z_]\w*|\d+)$")
_ENDS = " .,;:!?)(\"'`“”"


class Identifiers:
    """The paths and names of a snapshot, without case and parameter names."""

    def __init__(self, reader: ArrayReader) -> None:
        self._reader = reader

    def find(self, query: str, entities: Mapping[str, Sequence[str]]) -> tuple[int, ...]:
        """The rows that the question names, ascending; none for what too many have."""
        rows: set[int] = set()
        for word in _ID.findall(query):
            rows.update(self._by_id.get(word.strip(_ENDS).casefold(), ()))
        methods = [method.lower() for method in entities.get("methods", ())]
        for path in entities.get("paths", ()):
            rows.update(self._of_path(path, methods))
        names = (*entities.get("operation_ids", ()), *entities.get("schemas", ()))
        for name in (*names, *entities.get("quoted", ()), *_dotted(query)):
            rows.update(self._of_name(name.strip(_ENDS)))
        return tuple(sorted(rows))

    def _of_path(self, path: str, methods: Sequence[str]) -> Sequence[int]:
        if path.count("/") < 2 and len(path) < 4:
            return ()
        wanted = _plain(path)
        found = self._by_path.get(wanted) or self._by_path.get(self._near(wanted), [])
        fitting = [row for row in found if self._method(row) in methods]
        return _few(fitting or found)

    def _near(self, path: str) -> str:
        """The path with one slip in it, or with a base path before it or without one."""
        from rapidfuzz import fuzz, process

        longer = [known for known in self._by_path if known.endswith(path) or path.endswith(known)]
        if longer and len(path) > 3:
            return min(longer, key=lambda known: (abs(len(known) - len(path)), known))
        near = process.extractOne(path, list(self._by_path), scorer=fuzz.ratio, score_cutoff=_NEAR)
        return near[0] if near else ""

    def _of_name(self, name: str) -> Sequence[int]:
        if not _is_compound(name):
            return ()
        components = self._by_name.get(name.casefold(), [])
        found = [*components, *self._operations(name)]
        return _few(found or self._by_name.get(self._near_name(name), []))

    def _near_name(self, name: str) -> str:
        from rapidfuzz import fuzz, process

        near = process.extractOne(
            name.casefold(), list(self._by_name), scorer=fuzz.ratio, score_cutoff=_NEAR
        )
        return near[0] if near else ""

    def _operations(self, name: str) -> Iterator[int]:
        """Rows whose operationId this is, among those that hold it as a word."""
        joined = terms(re.sub(r"\W", "_", name))
        posted = self._reader.lexicon.postings(joined[-1]) if joined else None
        for row in () if posted is None else posted.rows[: 10 * MOST].tolist():
            chunk = self._reader.chunk(row)
            if not chunk.part and chunk.operation_id.casefold() == name.casefold():
                yield row

    def _method(self, row: int) -> str:
        return str(self._reader.ids[row]).rpartition("/")[2].partition(":")[0]

    @cached_property
    def _by_id(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for row, id in enumerate(self._reader.ids):
            found[id.casefold()].append(row)
        return found

    @cached_property
    def _by_path(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for row, kind, rest in self._elements():
            if kind == "paths":
                found[_plain(rest.rpartition("/")[0])].append(row)
        return found

    @cached_property
    def _by_name(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for row, kind, rest in self._elements():
            if kind == "components":
                found[decode(rest.partition("/")[2]).casefold()].append(row)
        return found

    def _elements(self) -> Iterator[tuple[int, str, str]]:
        for row, id in enumerate(self._reader.ids):
            kind, _, rest = id.partition(":")[2].partition("/")
            if ":" not in rest:
                yield row, kind, rest


def _plain(path: str) -> str:
    """`/Users/{userId}/` → `users/{}`."""
    segments = (decode(segment) for segment in path.casefold().split("?")[0].split("/") if segment)
    return "/".join("{}" if _PLACE.match(segment) else segment for segment in segments)


def _is_compound(name: str) -> bool:
    """Whether it is written as no word of a sentence is."""
    return len(name) > 5 and bool(re.search(r"[a-z][A-Z]|[_.]|\d|[A-Z]{2,}[a-z]", name))


def _dotted(query: str) -> Iterator[str]:
    """`io.k8s.api.core.v1.Probe`."""
    return (word for word in re.findall(r"(?<![\w/])\w+(?:\.\w+){2,}", query))


def _few(rows: Sequence[int]) -> Sequence[int]:
    return rows if len(rows) <= MOST else ()
