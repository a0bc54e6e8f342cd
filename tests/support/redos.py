"""Strings on which a regular expression may take more than linear time, made from its own tree.

A backtracking engine is slow where a repetition can match in several ways, or is tried from every
place of a long run. So for each repetition its body is repeated, behind what may stand before it
and before something at which the match fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any

_CHARACTERS = "aA0_- /.:{}()<>[]'\"`\n\t,;|&#~%?!*$@=\\é中\x01"
_MOST = 6  # samples of one node
_LONG = 15  # a repetition of more than so many may be slow
_PLAIN = (" ", ",", "a", "A", "0", "_", "/", "'", '"', "{", "<", "[", "\n", "a ", "Aa", "a-", "/{")
_CATEGORIES = {
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
}
Node = tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class Attack:
    """A string of any length: its middle is repeated."""

    before: str
    pump: str
    after: str

    def text(self, length: int) -> str:
        return self.before + self.pump * max(1, length // len(self.pump)) + self.after


def attacks(pattern: re.Pattern[Any]) -> tuple[Attack, ...]:
    """All of one pattern, without repetition."""
    return tuple(dict.fromkeys(_attacks(pattern)))


def _attacks(pattern: re.Pattern[Any]) -> Iterator[Attack]:
    yield from (Attack("", pump, "\x00") for pump in _PLAIN)
    text = pattern.pattern
    tree = re._parser.parse(  # type: ignore[attr-defined]
        text if isinstance(text, str) else text.decode("latin-1"), pattern.flags
    )
    for before, body, after in _repeats(list(tree), [""]):
        bodies = [sample for sample in dict.fromkeys(body) if sample]
        for first in before[:2]:
            for pump in bodies:
                yield Attack(first, pump, "\x00")
                yield Attack("", first + pump, "")
                yield Attack(first, pump, after[0])
        yield Attack(before[0], "".join(bodies[:3]) or "a", "\x00")
        if before[0]:
            yield Attack("", before[0], "\x00")


def _repeats(
    nodes: Sequence[Node], before: list[str]
) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """What may stand before each long repetition, its body, and what may stand after it."""
    for at, (kind, value) in enumerate(nodes):
        name = str(kind)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _, high, body = value
            if int(high) > _LONG:
                yield before, _sequence(list(body)), _sequence(nodes[at + 1 :])
            yield from _repeats(list(body), before)
        elif name == "BRANCH":
            for alternative in value[1]:
                yield from _repeats(list(alternative), before)
        elif name in ("SUBPATTERN", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"):
            inner = value if name == "ATOMIC_GROUP" else value[-1]
            yield from _repeats(list(inner), before)
        before = _joined([before, _samples((kind, value))])


def _sequence(nodes: Sequence[Node]) -> list[str]:
    return _joined([_samples(node) for node in nodes])


def _joined(parts: Sequence[list[str]]) -> list[str]:
    """The first samples of all parts, the second ones, …"""
    columns = zip_longest(*parts)
    firsts = [part[0] for part in parts]
    rows = ("".join(y or x for x, y in zip(firsts, c, strict=True)) for c in columns)
    return list(islice(dict.fromkeys(rows), _MOST)) or [""]


def _samples(node: Node) -> list[str]:
    """Some texts that the node matches."""
    kind, value = node
    name = str(kind)
    if name == "LITERAL":
        return [chr(value)]
    if name == "NOT_LITERAL":
        return [c for c in _CHARACTERS if c != chr(value)][:_MOST]
    if name == "ANY":
        return ["a", " ", "/"]
    if name == "IN":
        return _of_set(value)
    if name == "BRANCH":
        each = [_sequence(list(alternative)) for alternative in value[1]]
        return list(dict.fromkeys(s for row in zip_longest(*each) for s in row if s))[:_MOST] or [
            ""
        ]
    if name in ("SUBPATTERN", "ATOMIC_GROUP"):
        return _sequence(list(value if name == "ATOMIC_GROUP" else value[-1]))
    if name == "ASSERT":
        return _sequence(list(value[1])) if value[0] < 0 else [""]
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        low, _, body = value
        return [sample * max(1, int(low)) for sample in _sequence(list(body))]
    return [""]


def _of_set(items: Sequence[Node]) -> list[str]:
    text = "".join(map(_written, items))
    own = [chr(v) for k, v in items if str(k) == "LITERAL"]
    own += [chr(v[0]) for k, v in items if str(k) == "RANGE"]
    matching = re.compile(f"[{text}]")
    found = [c for c in (*own[:3], *_CHARACTERS, *own) if matching.fullmatch(c)]
    return list(dict.fromkeys(found))[:_MOST] or ["a"]


def _written(item: Node) -> str:
    kind, value = item
    name = str(kind)
    if name == "NEGATE":
        return "^"
    if name == "CATEGORY":
        return _CATEGORIES[str(value)]
    if name == "RANGE":
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    return re.escape(chr(value))
