"""Which components a question calls by their whole names, in words: `line items` for LineItem."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np

from core.ids import COMPONENTS, pieces
from core.retrieve.reader import ArrayReader, Mask
from core.text.words import STOP_WORDS

FEW = 5  # APIs that may have such a component, for it to be meant when none of them is named
_MOST = 100  # words of a question that are read
_LONGEST = 10  # words of a name
Meant = Callable[[str], Sequence[int]]  # the rows of a name, where it may be meant
_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_ASKING = STOP_WORDS | frozenset(  # they ask for a component more often than they name one
    """all allowed any api attribute attributes body consist consists contain contains contents data
    definition definitions describe detail details exactly explain field fields format get give
    inside info information key keys know layout like list look looks made mandatory me model models
    need needed no not object objects option optional options parameter parameters payload please
    possible properties property request required resource resources response schema schemas see set
    shape show structure tell type types value values want""".split()  # noqa: SIM905
)


class CalledSo:
    """The components of a snapshot by their names, as one word in lower case."""

    def __init__(self, reader: ArrayReader) -> None:
        self._bounds = reader.bounds
        rows_of: dict[str, list[int]] = defaultdict(list)
        for row, id in enumerate(reader.ids):
            _, element, part = pieces(id)
            kind, _, rest = element.partition("/")
            if kind == COMPONENTS and not part:
                rows_of[_joined(_WORD.findall(rest.partition("/")[2]))].append(row)
        self._rows: Mapping[str, Sequence[int]] = dict(rows_of)
        self._plural: Mapping[str, str] = {
            one: name for name in sorted(self._rows) for one in _singulars(name)
        }

    def find(self, text: str, named: Collection[int], allowed: Mask | None) -> tuple[int, ...]:
        """The rows that are called so, ascending, where a name is half of what is asked about.

        A word that asks, as `field`, names none where others might.

        `named` are the files that the question names: of a name that more than a few files have,
        those alone are meant. `allowed` are the rows that may be found; None: all.
        """

        def meant(name: str) -> Sequence[int]:
            return self._meant(name, named, allowed)

        words = _WORD.findall(_POSSESSIVE.sub("", text))[:_MOST]
        others = sum(len(word) > 1 and word.lower() not in _ASKING for word in words)
        asking = _ASKING if others else STOP_WORDS
        found = self._called(words, asking, meant)  # in a story, words that nobody asks about
        return tuple(sorted({row for count, rows in found if 2 * count >= others for row in rows}))

    def _called(
        self, words: Sequence[str], asking: Collection[str], meant: Meant
    ) -> Iterator[tuple[int, Sequence[int]]]:
        """Of each name, the longest at its place: how many words it has, and its rows."""
        at = 0
        while at < len(words):
            longest = min(_LONGEST, len(words) - at)
            spans = (words[at : at + count] for count in range(longest, 0, -1))
            found = ((len(span), self._rows_of(span, asking, meant)) for span in spans)
            count, rows = next((each for each in found if each[1]), (1, ()))
            if rows:
                yield count, rows
            at += count

    def _rows_of(
        self, words: Sequence[str], asking: Collection[str], meant: Meant
    ) -> Sequence[int]:
        """Those that some words name: just so and in the singular, or else in the plural."""
        joined = _joined(words)
        if not (joined in self._rows or joined in self._plural or joined.endswith("s")):
            return ()
        names = [name for name in (joined, *_singulars(joined)) if name in self._rows]
        if not (names or joined in self._plural) or len(joined) < 2:
            return ()
        if all(word.lower() in asking for word in words):
            return ()
        rows = [row for name in names for row in meant(name)]
        return rows or meant(self._plural.get(joined, ""))

    def _meant(self, name: str, named: Collection[int], allowed: Mask | None) -> Sequence[int]:
        rows = [row for row in self._rows.get(name, ()) if allowed is None or allowed[row]]
        if not rows:
            return rows
        of = (np.searchsorted(self._bounds, rows, side="right") - 1).tolist()
        is_rare = len(set(of)) <= FEW
        return [row for row, file in zip(rows, of, strict=True) if is_rare or file in named]


def _joined(words: Sequence[str]) -> str:
    return "".join(words).lower()


def _singulars(name: str) -> Iterator[str]:
    """What a name may be the plural of: `boxes` of boxe and of box."""
    if name.endswith("s") and not name.endswith("ss") and len(name) > 3:
        yield name[:-1]
        if name.endswith("es"):
            yield name[:-2]
        if name.endswith("ies"):
            yield f"{name[:-3]}y"
