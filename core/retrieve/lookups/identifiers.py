"""What a question names: a path, an operationId, a component, a webhook or an id, however typed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from core.deadline import Deadline
from core.ids import MARK, Id, pieces
from core.index.snapshot.names import folded
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.paths import ANY, Fit, Paths, Segments, best, segments
from core.retrieve.lookups.servers import Servers
from core.retrieve.reader import ArrayReader
from core.text.nearest import IDENTIFIER, PATH, letters_apart, nearest
from core.text.requests import ENDS, METHODS, Request, methods, requests

_CANDIDATES = 10  # paths that are compared so
_SHORT = 4  # letters of a segment; in a shorter one a slip makes another word
_LONG = 9  # letters of a segment in which two may be wrong
_MOST_NEAR = 10  # names of a question that are looked for with a slip: each takes milliseconds
_MOST = 400  # words of a question that may be names; a pasted log has more and asks about none
_WORDS = 8  # of an operationId with blanks in it
_LONGEST = 200  # characters of a name that may have a slip
_BRACKETS = "()[]{}"
_QUOTED = re.compile(r"`([^`\n]{1,200})`")
_COMPOUND = re.compile(r"[a-z][A-Z]|[_.]|\d|[A-Z]{2}[a-z]|-[^-]{0,80}-")
_DIVIDED = re.compile(r"\w[.:/#]{1,2}\w")  # operationIds of some: `boats.list`, `boats::list`
_SAID = re.compile(r"\boperation[ _-]?id[\s:=]{1,8}[\"'`“]?([^\s\"'`“”][^\n\"`“”]{0,199})", re.I)
_PLAIN = re.compile(r"[a-z]+(?: [a-z]+)*+")  # words that a sentence may hold by accident

Rows = Sequence[int]


@dataclass(frozen=True, slots=True)
class Named:
    """Rows that a question names, ascending."""

    exactly: tuple[int, ...] = ()
    nearly: tuple[int, ...] = ()  # with a slip, a base path, or a word where a value would be
    called: tuple[int, ...] = ()  # components, in plain words, where a schema is asked for


@dataclass(slots=True)
class _Found:
    exactly: set[int] = field(default_factory=set)
    nearly: set[int] = field(default_factory=set)
    slips: int = 0  # names that were looked for with a slip in them


class Identifiers:
    """The ids, paths and names of a snapshot, without case and parameter names."""

    def __init__(self, reader: ArrayReader) -> None:
        self._reader = reader

    def find(
        self, query: str, entities: Mapping[str, Sequence[str]], deadline: Deadline | None = None
    ) -> Named:
        """The rows that the question names; past the deadline, those that were found until then."""
        text = query.strip()
        if whole := self._whole(text):
            return Named(tuple(sorted(whole)))
        found = _Found()
        for _ in self._look(text, entities, found):
            if deadline is not None and deadline.passed:
                break
        nearly = found.nearly - found.exactly
        return Named(tuple(sorted(found.exactly)), tuple(sorted(nearly)))

    def _whole(self, text: str) -> Rows:
        """What a text is the id, the path or the name of, with a method before it or without."""
        for name in dict.fromkeys((text, text.strip(ENDS))):
            if rows := self._called_so(name):
                return rows
            method, blank, rest = name.partition(" ")
            if rows := self._of_label("", name) or self._of_label(method, rest if blank else ""):
                return rows
        return ()

    def _of_label(self, method: str, name: str) -> Rows:
        """A path as it is written, blanks included, or a webhook; of this method."""
        rows = self._ending_so(_rows(self._written(name)), name)
        rows = rows or (self._of_name(name) if method else ())
        fitting = [row for row in rows if self._method(row) == method.lower()]
        return fitting or (() if method else rows)

    def _written(self, path: str) -> list[Fit]:
        fits = self._paths.exact(path) if path.startswith("/") else []
        return [fit for fit in fits if not fit.values]

    def _look(
        self, text: str, entities: Mapping[str, Sequence[str]], found: _Found
    ) -> Iterator[None]:
        """Look for one name after the other; whoever asks may stop between two."""
        said = [method.lower() for method in methods(text)] or (["get"] if _is_url(text) else [])
        for request in islice(requests(text), _MOST):
            self._request(request, said, found)
            yield
        for quoted in _QUOTED.findall(text):
            found.exactly.update(self._whole(quoted.strip()))
            yield
        for behind in islice(_SAID.findall(text), _MOST_NEAR):
            found.exactly.update(self._beginning(behind))
            yield
        words = [word.strip(ENDS) for word in text.split()[:_MOST]]
        known: list[str] = []
        for name in self._written_so(words, entities):
            if not any(name in longer for longer in known) and (rows := self._called_so(name)):
                known.append(name)
                found.exactly.update(rows)
            yield
        found.exactly.update(self._of_several(words))
        for name in _asked(entities):
            if not any(name in longer for longer in known):
                self._nearly(name, found)
            yield

    def _written_so(
        self, words: Sequence[str], entities: Mapping[str, Sequence[str]]
    ) -> Iterable[str]:
        """What is written as no word of a sentence is."""
        single = dict.fromkeys(
            part for word in words for part in (word, word.strip(ENDS + _BRACKETS))
        )
        several = (part for word in single if "," in word for part in word.split(","))
        names = (*single, *several, *_asked(entities))
        return dict.fromkeys(name for name in names if _is_compound(name) or MARK.search(name))

    # Paths

    def _request(self, request: Request, said: Sequence[str], found: _Found) -> None:
        if request.path == "/" and not (request.before in said or request.host):
            return  # a stroke between two words
        variants = _variants(request)
        served = (self._served(request.host, path) for path in variants if request.host)
        rows: Rows
        if rows := next(filter(None, served), []):
            self._exact(rows, request, said, found)
            return
        if fits := best(fit for path in variants for fit in self._paths.exact(path)):
            rows = self._ending_so(_rows(fits), request.path.partition("?")[0])
            if fits[0].guessed:
                found.nearly.update(self._fitting(rows, request, said))
            else:
                self._exact(rows, request, said, found)
            return
        if fits := best(fit for path in variants for fit in self._paths.with_base(path)):
            found.nearly.update(self._fitting(_rows(fits), request, said))
            return
        slip = self._slip_of_path(segments(request.path), found)
        found.nearly.update(self._fitting(slip, request, said))

    def _served(self, host: str, path: str) -> list[int]:
        """The rows of a path at a server, whose base path it begins with."""
        bounds, rows = self._reader.bounds, list[int]()
        for file, base in derived(Servers, self._reader).at(host):
            own = range(int(bounds[file]), int(bounds[file + 1]))
            fits = self._paths.below(path, base)
            rows += _rows(best(fit for each in fits if (fit := each.within(own)).rows))
        return rows

    def _exact(self, rows: Rows, request: Request, said: Sequence[str], found: _Found) -> None:
        """Take in rows of just this path; with a method that it does not have, as near ones."""
        methods_of = {self._method(row) for row in rows}
        is_other = request.before in METHODS and request.before not in methods_of
        kind = found.nearly if is_other else found.exactly
        kind.update(self._fitting(rows, request, said))

    def _ending_so(self, rows: Rows, path: str) -> Rows:
        """Those whose path ends in a stroke as this one does, or not: mostly it is all the same."""
        if len(rows) < 2:
            return rows
        slash = len(path) > 1 and path.endswith("/")
        ends = [Id.parse(self._reader.ids[row]).path.endswith("/") for row in rows]
        return [row for row, end in zip(rows, ends, strict=True) if end is slash] or rows

    def _fitting(self, rows: Rows, request: Request, said: Sequence[str]) -> Rows:
        """Those of the method right before the path, or else of any that is said."""
        for wanted in ([request.before], said):
            if fitting := [row for row in rows if self._method(row) in wanted]:
                return fitting
        return rows

    # Names

    def _called_so(self, name: str) -> Rows:
        return self._of_id(name) or self._of_name(name)

    def _beginning(self, text: str) -> Rows:
        """The operations of the longest operationId that a text begins with."""
        words = text.split()[:_WORDS]
        names = (" ".join(words[:count]).strip(ENDS) for count in range(len(words), 0, -1))
        found = ([r for r in self._of_name(n) if self._reader.operation_ids[r]] for n in names)
        return next(filter(None, found), ())

    def _of_id(self, text: str) -> Rows:
        if not MARK.search(text):
            return ()
        row = self._reader.row(text)
        return self._by_id.get(folded(text), ()) if row is None else (row,)

    def _of_name(self, name: str) -> Rows:
        """Those that are called so; where some are written just so, only they."""
        rows = self._reader.names.rows(name)
        return [row for row in rows if name in self._reader.names.of(row)] or rows

    def _of_several(self, words: Sequence[str]) -> Iterator[int]:
        """Names of several words, as they are written."""
        for at, word in enumerate(words):
            for name in self._spaced.get(word, ()):
                if tuple(words[at : at + len(name)]) == name:
                    yield from self._of_name(" ".join(name))

    def _nearly(self, name: str, found: _Found) -> None:
        if _is_compound(name) and not self._reader.names.rows(name):
            found.nearly.update(self._slip(folded(name), found))

    def _slip(self, name: str, found: _Found) -> Rows:
        """What the name is with a slip in it."""
        found.slips += 1
        if found.slips > _MOST_NEAR or len(name) > _LONGEST:
            return ()
        names, lengths = self._names
        shortest, longest = IDENTIFIER.lengths(len(name))
        alike = np.flatnonzero((lengths >= shortest) & (lengths <= longest))
        near = nearest(name, [names[at] for at in alike.tolist()], IDENTIFIER)
        return self._reader.names.rows(near[0]) if near else ()

    def _slip_of_path(self, asked: Segments, found: _Found) -> Rows:
        """A path whose segments are those that are asked for, but for a slip in each at most.

        Letters alone would not do: in a long path, `cats` for `dogs` is a small part of them.
        """
        name = "/".join(asked)
        found.slips += 1
        if found.slips > _MOST_NEAR or len(name) > _LONGEST:
            return ()
        known = self._by_segments
        near = nearest(name, known, PATH, limit=_CANDIDATES)
        return next((known[each] for each in near if _is_slip(asked, each.split("/"))), ())

    def _method(self, row: int) -> str:
        return Id.parse(self._reader.ids[row]).method.lower()

    # Look-ups, each made once

    @cached_property
    def _by_id(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for row, id in enumerate(self._reader.ids):
            found[folded(id)].append(row)
        return found

    @cached_property
    def _paths(self) -> Paths:
        return Paths((path, row) for path, rows in self._by_path.items() for row in rows)

    @cached_property
    def _by_path(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for row, id in enumerate(self._reader.ids):
            _, element, part = pieces(id)
            if not part and element.startswith("paths/"):
                found[folded(element[len("paths/") :].rpartition("/")[0])].append(row)
        return found

    @cached_property
    def _by_segments(self) -> Mapping[str, list[int]]:
        """The same without the names of parameters."""
        found: dict[str, list[int]] = defaultdict(list)
        for path, rows in self._by_path.items():
            found["/".join(segments(path))] += rows
        return found

    @cached_property
    def _names(self) -> tuple[Sequence[str], NDArray[np.intp]]:
        """Of components, webhooks and operations, without case; and how long each is."""
        names = [*dict.fromkeys(self._reader.names.all())]
        return names, np.array([*map(len, names)], np.intp)

    @cached_property
    def _spaced(self) -> Mapping[str, list[tuple[str, ...]]]:
        """By its first word: names of several words that no sentence has by accident."""
        found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        names = self._reader.names
        for row in names.with_blanks():
            for name in names.of(row):
                if " " in name.strip() and not _PLAIN.fullmatch(name):
                    words = tuple(word.strip(ENDS) for word in name.split())
                    found[words[0]].append(words)
        return found


def _rows(fits: Iterable[Fit]) -> list[int]:
    return [row for fit in fits for row in fit.rows]


def _is_slip(asked: Sequence[str], known: Sequence[str]) -> bool:
    """Whether each segment is the known one, but for a letter, or two in a long one."""
    same = len(asked) == len(known)
    return same and all(map(_is_alike, asked, known))


def _is_alike(segment: str, known: str) -> bool:
    shorter = min(len(segment), len(known))
    if segment == known or shorter < _SHORT or ANY in (segment, known):
        return segment == known
    return letters_apart(segment, known) <= (1 if shorter < _LONG else 2)


def _variants(request: Request) -> Iterable[str]:
    """The path as it is, then without marks behind it, then without a query or a fragment."""
    path = request.path
    return dict.fromkeys((request.written, path, path.partition("?")[0], path.partition("#")[0]))


def _is_url(text: str) -> bool:
    """Whether it is a URL and nothing else, which a browser would get."""
    return "://" in text and len(text.split()) == 1


def _asked(entities: Mapping[str, Sequence[str]]) -> Iterable[str]:
    names = (entities.get(kind, ()) for kind in ("operation_ids", "schemas", "quoted"))
    return dict.fromkeys(name.strip(ENDS) for each in names for name in each)


def _is_compound(name: str) -> bool:
    """Whether it is written as no word of a sentence is."""
    if len(name) > 2 and _DIVIDED.search(name) and not name.startswith("/"):
        return True
    return len(name) > 5 and bool(_COMPOUND.search(name))
