"""Filters over chunk metadata: Chroma's language, parsed once into a tree that all folds read.

A person, a link or a stage writes a filter as a mapping (`core.model.Where`). `parse` checks it and
gives a `Filter`; whether a chunk passes (`matches`), which rows do (`core.index.snapshot.columns`)
and how Chroma is asked (`core.index.chroma.filters`) are folds of that tree, so they agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeVar

from core.errors import CallError
from core.model import TAGS, WHERE_KEYS, Chunk, ChunkType, Where

KEYS = (*WHERE_KEYS, TAGS)
_OTHER = {"kind": "component_kind"}  # what else a key may be called

Value: TypeAlias = str | bool
T = TypeVar("T")


class Op(StrEnum):
    """How a test compares; the names are Chroma's."""

    EQ = "$eq"
    NE = "$ne"
    IN = "$in"
    NIN = "$nin"

    @property
    def takes_list(self) -> bool:
        return self in (Op.IN, Op.NIN)

    @property
    def is_negated(self) -> bool:
        return self in (Op.NE, Op.NIN)


@dataclass(frozen=True, slots=True)
class Test:
    """One comparison: `values` holds one value, or as many as a list operator was given."""

    __test__ = False  # pytest collects what is called Test

    key: str
    op: Op
    values: tuple[Value, ...]

    def passes(self, value: Value | tuple[str, ...]) -> bool:
        """Whether a chunk with this value passes; of several, as `tags` has, one is enough."""
        return self.passing([value])[0]

    def passing(self, values: Iterable[Value | tuple[str, ...]]) -> list[bool]:
        """The same of many: a home may be thousands of files."""
        wanted, is_negated = frozenset(self.values), self.op.is_negated
        each = (value if isinstance(value, tuple) else (value,) for value in values)
        return [wanted.isdisjoint(has) is is_negated for has in each]


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Filter, ...]


Filter: TypeAlias = And | Or | Test
Given: TypeAlias = Where | Filter  # what a reader takes: as it was written, or parsed already
_JOINS: Mapping[str, type[And | Or]] = {"$and": And, "$or": Or}


def fold(
    where: Filter,
    test: Callable[[Test], T],
    *,
    all_of: Callable[[Iterable[T]], T],
    any_of: Callable[[Iterable[T]], T],
) -> T:
    """The tree's value, from that of each test; `all_of` joins under And, `any_of` under Or."""
    if isinstance(where, Test):
        return test(where)
    parts = (fold(part, test, all_of=all_of, any_of=any_of) for part in where.parts)
    return all_of(parts) if isinstance(where, And) else any_of(parts)


def parse(where: Given) -> Filter:
    """The filter as a tree, with methods in upper case; a tree is given back as it is.

    Keys side by side must all hold, as under `$and`. Raises CallError when a key or operator is
    unknown or an operand is of a wrong kind.
    """
    if isinstance(where, And | Or | Test):
        return where
    if not isinstance(where, Mapping) or not where:
        raise CallError(f"The filter {where!r} is empty or not a mapping of keys to values.")
    return _joined(And, [each for key, wanted in where.items() for each in _parsed(key, wanted)])


def _parsed(key: str, wanted: object) -> list[Filter]:
    if key in _JOINS:
        return [_join(key, wanted)]
    key = _OTHER.get(key, key)
    if key not in KEYS:
        raise CallError(f"The filter's key {key!r} is not one of {', '.join(KEYS)}.")
    operands = wanted if isinstance(wanted, Mapping) else {Op.EQ: wanted}
    if not operands:
        raise CallError(f"The filter says nothing about {key!r}.")
    return [_test(key, name, operand) for name, operand in operands.items()]


def _join(key: str, parts: object) -> Filter:
    if not isinstance(parts, list | tuple) or not parts:
        raise CallError(f"The filter's {key} needs a list of at least one filter.")
    return _joined(_JOINS[key], [parse(part) for part in parts])


def _joined(join: type[And | Or], parts: list[Filter]) -> Filter:
    return parts[0] if len(parts) == 1 else join(tuple(parts))


def _test(key: str, name: str, operand: object) -> Test:
    if name not in tuple(Op):
        raise CallError(f"The filter's operator {name!r} is not one of {', '.join(Op)}.")
    op = Op(name)
    if not op.takes_list:
        return Test(key, op, (_value(key, operand),))
    if not isinstance(operand, list | tuple) or not operand:
        raise CallError(f"The filter's {name} on {key!r} needs a list of at least one value.")
    return Test(key, op, tuple(_value(key, each) for each in operand))


def _value(key: str, value: object) -> Value:
    if key == "deprecated":
        if not isinstance(value, bool):
            raise CallError(f"The filter's 'deprecated' must be true or false, not {value!r}.")
        return value
    if not isinstance(value, str):
        raise CallError(f"The filter's {key!r} needs text, not {value!r}.")
    if key == "type" and value not in tuple(ChunkType):
        raise CallError(f"The filter's type {value!r} is not one of {', '.join(ChunkType)}.")
    return value.upper() if key == "method" else str(value)  # an enum's member as its plain text


def matches(where: Filter | None, chunk: Chunk) -> bool:
    """Whether a chunk passes a filter; no filter lets everything pass."""
    return where is None or fold(
        where, lambda test: test.passes(getattr(chunk, test.key)), all_of=all, any_of=any
    )


def as_mapping(where: Filter) -> Where:
    """The filter as plain values, one key in each mapping; `parse` reads it back."""
    if isinstance(where, Test):
        operand = list(where.values) if where.op.takes_list else where.values[0]
        return {where.key: operand if where.op is Op.EQ else {where.op.value: operand}}
    join = "$and" if isinstance(where, And) else "$or"
    return {join: [as_mapping(part) for part in where.parts]}


def asked_files(where: Filter) -> list[str]:
    """The file ids that a filter wants, in its order."""
    tests = (test for test in _tests(where) if test.key == "source_file")
    return [str(value) for test in tests if not test.op.is_negated for value in test.values]


def asks_for(where: Filter | None, key: str) -> bool:
    """Whether a filter says anything of this key."""
    return where is not None and any(test.key == key for test in _tests(where))


def _tests(where: Filter) -> Iterator[Test]:
    if isinstance(where, Test):
        yield where
    else:
        for part in where.parts:
            yield from _tests(part)


def every(*filters: Filter | None) -> Filter | None:
    """One filter that passes what all of them pass; None when none is given."""
    given = [where for where in filters if where is not None]
    return _joined(And, given) if given else None


def in_files(file_ids: tuple[str, ...]) -> Filter | None:
    """The filter for the chunks of these files; no files mean no filter."""
    if not file_ids:
        return None
    return Test("source_file", Op.EQ if len(file_ids) == 1 else Op.IN, file_ids)


SOURCES: Mapping[str, tuple[ChunkType, ...]] = {  # what each kind of source gives, by its name
    "api": (ChunkType.OPERATION, ChunkType.WEBHOOK, ChunkType.COMPONENT, ChunkType.INFO),
    "article": (ChunkType.ARTICLE,),
    "document": (ChunkType.DOCUMENT,),
    "code": (ChunkType.CODE,),
}


def of_source(name: str) -> Filter | None:
    """The filter for what one kind of source gives; None for all of them."""
    return parse({"type": {"$in": [*SOURCES[name]]}}) if name in SOURCES else None


def in_words(where: Filter) -> str:
    """A filter as words: `type: operation or webhook`."""
    return fold(where, _in_words, all_of=" and ".join, any_of=" or ".join)


def _in_words(test: Test) -> str:
    said = " or ".join(map(str, test.values))
    return f"{test.key.replace('_', ' ')}: {'not ' if test.op.is_negated else ''}{said}"
