"""The audit of one API: its elements, their questions, and where each ranks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from core.evaluate.audit.fields import Audited, audited, is_audited
from core.evaluate.audit.matched import Matched, Posed, Scores, counted_terms
from core.evaluate.audit.questions import OWN, Asked, questions
from core.evaluate.audit.results import Answer, ApiSeen, Seen, with_crowds
from core.ids import element_of
from core.index.snapshot.snapshot import Snapshot
from core.model import Chunk, Level

Embed = Callable[[Sequence[str]], NDArray[np.float32]]

_TOLD = 3  # elements before one that are named
_FAR = 200  # rows before one, from which on its rank is not told exactly
_AT_ONCE = 512  # questions to one API
_ROWS_AT_ONCE = 4_000_000  # scores of the whole store
_LEVELS = list(Level)


def audit_api(file: int, matched: Matched, embed: Embed, stop: Callable[[], bool]) -> ApiSeen:
    """Ask an API all that it should answer, and the whole store the first of each operation.

    Stops early, with what there is, once `stop` says so.
    """
    reader = matched.reader
    chunks = list(_chunks(file, reader))
    elements = [_element(row, chunk, reader) for row, chunk in chunks if is_audited(chunk)]
    asked = [
        each
        for at, element in enumerate(elements)
        for each in questions(at, element, matched.rarity)
    ]
    posed = _posed(asked, elements, matched, embed)
    answers = defaultdict[int, list[Answer]](list)
    crowds = Counter[str]()
    groups = _Groups([chunk.element for _, chunk in chunks])
    for start in range(0, len(asked), _AT_ONCE):
        if stop():
            break
        part = slice(start, start + _AT_ONCE)
        best = groups.best(matched.within(file, posed[part]))
        for each, scores in zip(asked[part], best, strict=True):
            answers[each.at].append(_answer(each, elements, groups, scores, matched, crowds))
    overall = _overall(asked, posed, matched, stop)
    seen = [
        _seen(element, answers[at], overall.get(at, 0), reader, matched.settings.max_depth)
        for at, element in enumerate(elements)
    ]
    name = reader.files[file].source_file
    return ApiSeen(name, with_crowds(seen, crowds), reader.generation)


def _chunks(file: int, reader: Snapshot) -> Iterator[tuple[int, Chunk]]:
    stored = reader.files[file]
    return zip(range(stored.start, stored.stop), reader.facts(stored.source_file), strict=True)


def _element(row: int, chunk: Chunk, reader: Snapshot) -> Audited:
    return audited(row, chunk, reader.texts[Level.COMPACT][row])


def _posed(
    asked: Sequence[Asked], elements: Sequence[Audited], matched: Matched, embed: Embed
) -> list[Posed]:
    """The questions with their vectors, and those of what they are made from without the field."""
    leans = list(dict.fromkeys((each.at, each.field) for each in asked))
    texts = [elements[at].without(field) for at, field in leans]
    known = {lean: number for number, lean in enumerate(leans)}
    vectors = embed([*(each.text for each in asked), *texts]) if matched.vector_weight else None
    none = np.zeros(0, np.float32)
    terms = [matched.terms_of(each.text) for each in asked]
    wanted = defaultdict[tuple[int, str], set[str]](set)
    for each, found in zip(asked, terms, strict=True):
        wanted[each.at, each.field].update(found)
    counts = [
        counted_terms(text, frozenset(wanted[lean]))
        for lean, text in zip(leans, texts, strict=True)
    ]
    posed = []
    for number, (each, found) in enumerate(zip(asked, terms, strict=True)):
        lean = known[each.at, each.field]
        element = elements[each.at]
        own, of_lean = (
            (none, none) if vectors is None else (vectors[number], vectors[len(asked) + lean])
        )
        has, length = counts[lean]
        posed.append(
            Posed(each.text, found, element.is_schema, element.row, own, of_lean, has, length)
        )
    return posed


class _Groups:
    """The rows of a file by their element."""

    def __init__(self, elements: Sequence[str]) -> None:
        self.ids = list(dict.fromkeys(elements))
        self.number = {id: number for number, id in enumerate(self.ids)}
        of_row = np.array([self.number[id] for id in elements], np.intp)
        self._order = np.argsort(of_row, kind="stable")
        self._starts = np.searchsorted(of_row[self._order], np.arange(len(self.ids)))

    def best(self, scores: Scores) -> Scores:
        """(questions, elements): each by the best of its rows."""
        found: Scores = np.maximum.reduceat(scores[:, self._order], self._starts, axis=1)
        return found


def _answer(
    each: Asked,
    elements: Sequence[Audited],
    groups: _Groups,
    scores: NDArray[np.float32],
    matched: Matched,
    crowds: Counter[str],
) -> Answer:
    own = scores[groups.number[elements[each.at].chunk.id]]
    above = np.flatnonzero(scores > own)
    limit = matched.settings.max_primary_results
    if not len(above):
        return Answer(each.kind, each.text, 1)
    best = above[np.argsort(-scores[above], kind="stable")[: max(limit, _TOLD)]]
    ids = [groups.ids[at] for at in best.tolist()]
    if each.kind in OWN and len(above) >= limit:
        crowds.update(ids[:limit])
    return Answer(each.kind, each.text, len(above) + 1, tuple(ids[:_TOLD]))


def _overall(
    asked: Sequence[Asked], posed: Sequence[Posed], matched: Matched, stop: Callable[[], bool]
) -> dict[int, int]:
    """Which of the operations → its rank in the whole store, for the first question of each."""
    if len(matched.reader.files) < 2:
        return {}
    first = {
        each.at: number
        for number, each in reversed(list(enumerate(asked)))
        if not posed[number].is_schema
    }
    waiting, found = iter(sorted(first.items())), dict[int, int]()
    size = max(1, _ROWS_AT_ONCE // len(matched.reader))
    while (block := list(islice(waiting, size))) and not stop():
        scores = matched.everywhere([posed[number] for _, number in block])
        for (at, number), of_rows in zip(block, scores, strict=True):
            found[at] = _rank(of_rows, posed[number].row, matched.reader)
    return found


def _rank(scores: NDArray[np.float32], row: int, reader: Snapshot) -> int:
    """Of a row's element among those of all rows; rows far below are not brought together."""
    ids, own = reader.ids, float(scores[row])
    mine = f"{ids[row]}:"
    after = row + 1
    while after < len(reader) and ids[after].startswith(mine):
        own = max(own, float(scores[after]))
        after += 1
    above = np.flatnonzero(scores > own)
    if len(above) > _FAR:
        return len(above) + 1
    return len({element_of(ids[at]) for at in above.tolist()}) + 1


def _seen(
    element: Audited, answers: Sequence[Answer], overall: int, reader: Snapshot, depth: int
) -> Seen:
    asked = [replace(a, overall=overall) if not at else a for at, a in enumerate(answers)]
    closure = 0 if element.is_schema else _closure(element.row, reader, depth)
    words = int(reader.lexicon.lengths[element.row])
    seen = Seen(element.chunk.id, element.kind, tuple(asked), element.is_documented, closure)
    return replace(seen, words=words)


def _closure(row: int, reader: Snapshot, depth: int) -> int:
    """Tokens of an operation, and of all that it refers to as short as the context writes it."""
    seen = front = {row}
    for _ in range(depth):
        reached = {to for each in front for to in reader.graph.successors(each).tolist()}
        front = {to for to in reached if to < len(reader)} - seen
        seen = seen | front
    sizes = reader.tokens[:, _LEVELS.index(Level.SIGNATURE)]
    own = int(reader.tokens[row, _LEVELS.index(Level.COMPACT)])
    return own + int(sizes[list(seen - {row})].sum())
