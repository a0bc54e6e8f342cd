"""Facets: filters by what files and documents say of themselves, put into the keys of chunks.

`type` and `doc_type` (architecture, design, …), `subsystem`, `version` and `path` (how the path of
a file begins) may stand wherever a filter's key may, beside those of `core.model.WHERE_KEYS`.
`source_file` may be a path, or an end of one that no other file has, as well as an id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from core.errors import CallError
from core.ids import decode
from core.model import TAGS, Chunk, ChunkType, Where
from core.retrieve.documents.names import file_id_of
from core.retrieve.lookups.derived import derived
from core.retrieve.reader import ArrayReader, Reader
from core.where import KEYS

FACETS = ("doc_type", "subsystem", "version", "path")  # beyond the keys of chunks
DOC_TYPES = ("architecture", "design", "requirement", "decision", "code", "document")
FILE = "source_file"
SUBSYSTEM = "subsystem:"  # before its name, among the tags

_JOINS = ("$and", "$or")
_LISTS = ("$in", "$nin")
_NEGATED = ("$ne", "$nin")
_NOTHING: Where = {"$and": [{"type": "document"}, {"type": {"$ne": "document"}}]}
_ALL: Where = {"$or": [{"type": "document"}, {"type": {"$ne": "document"}}]}

_KNOWN = (*KEYS, *_JOINS, "kind")  # left for `core.where.parse` to read

_Values = tuple[str, ...]


def without_facets(where: Where, reader: Reader) -> Where:
    """The same filter in the keys of chunks; what is wrong with it is left for `core.where.parse`.

    Versions and paths become the files that have them now. Raises CallError for a version where no
    index tells the versions.
    """
    if not isinstance(where, Mapping):
        return where
    plain = [_plain(key, wanted, reader) for key, wanted in where.items()]
    return plain[0] if len(plain) == 1 else {"$and": plain} if plain else where


def _plain(key: str, wanted: Any, reader: Reader) -> Where:
    if key in _JOINS and isinstance(wanted, list | tuple):
        return {key: [without_facets(part, reader) for part in wanted]}
    if key == FILE:
        return {key: _by_path(wanted, reader)}
    if key not in (*FACETS, "type"):
        return {key: wanted} if key in _KNOWN else _unknown(key)
    operands = wanted if isinstance(wanted, Mapping) else {"$eq": wanted}
    parts = [_facet(key, op, _values(key, op, value), reader) for op, value in operands.items()]
    return parts[0] if len(parts) == 1 else {"$and": parts}


def _unknown(key: str) -> Where:
    raise CallError(f"The filter's key {key!r} is not one of {', '.join((*KEYS, *FACETS))}.")


def _by_path(wanted: Any, reader: Reader) -> Any:
    """The same with ids of files where it has paths."""
    if isinstance(wanted, Mapping):
        return {op: _by_path(operand, reader) for op, operand in wanted.items()}
    if isinstance(wanted, list | tuple):
        return [_by_path(each, reader) for each in wanted]
    return file_id_of(wanted, reader) if isinstance(wanted, str) else wanted


def _values(key: str, op: str, operand: Any) -> _Values:
    if op not in ("$eq", "$ne", *_LISTS):
        raise CallError(f"The filter's operator {op!r} is not one of $eq, $ne, $in, $nin.")
    is_list = isinstance(operand, list | tuple)
    values = tuple(operand) if is_list else (operand,)
    if is_list is not (op in _LISTS) or not values or not all(isinstance(v, str) for v in values):
        what = "a list of texts" if op in _LISTS else "text"
        raise CallError(f"The filter's {op} on {key!r} needs {what}, not {operand!r}.")
    return tuple(map(str, values))


def _facet(key: str, op: str, values: _Values, reader: Reader) -> Where:
    is_negated = op in _NEGATED
    if key in ("type", "doc_type"):
        return _any_of([_of_type(key, value, is_negated) for value in values], is_negated)
    if key == "subsystem":
        return {TAGS: {"$nin" if is_negated else "$in": _of_subsystem(values, reader)}}
    files = _FILES[key](values, reader)
    if not files:
        return _ALL if is_negated else _NOTHING
    return {FILE: {"$nin" if is_negated else "$in": files}}


def _any_of(parts: Sequence[Where], is_negated: bool) -> Where:
    return parts[0] if len(parts) == 1 else {"$and" if is_negated else "$or": parts}


def _of_type(key: str, value: str, is_negated: bool) -> Where:
    """A chunk's type, or a document's; `code` is source code, and documents about code."""
    op, name = "$ne" if is_negated else "$eq", value.lower()
    by_kind: Where = {"component_kind": {op: name}}
    if name == "code":
        return _any_of([{"type": {op: name}}, by_kind], is_negated)
    if key == "type" and name not in (*ChunkType, *DOC_TYPES):
        names = ", ".join(dict.fromkeys((*ChunkType, *DOC_TYPES)))
        raise CallError(f"The filter's type {value!r} is not one of {names}.")
    is_document = name in DOC_TYPES and (key == "doc_type" or name not in tuple(ChunkType))
    return by_kind if is_document or key == "doc_type" else {"type": {op: value}}


def _of_subsystem(names: _Values, reader: Reader) -> list[str]:
    """The tags of subsystems with these names, in whatever case; as written where none has it."""
    known = derived(Subsystems, reader.arrays).tags if reader.arrays is not None else {}
    found = (known.get(name.casefold(), (SUBSYSTEM + name,)) for name in names)
    return [tag for tags in found for tag in tags]


def _under(prefixes: _Values, reader: Reader) -> list[str]:
    """The files whose paths begin so."""
    wanted = tuple(prefix.removeprefix("./") for prefix in prefixes)
    if reader.arrays is None:  # it knows paths without their endings
        return sorted(id for id in reader.file_ids if decode(id).startswith(wanted))
    files = reader.arrays.files
    return [each.source_file for each in files if decode(each.file).startswith(wanted)]


def _of_version(versions: _Values, reader: Reader) -> list[str]:
    if reader.arrays is None:
        raise CallError(
            "The filter's 'version' needs the read index: `specloupe index rebuild` builds it."
        )
    known = derived(Versions, reader.arrays).of_file
    wanted = {version.removeprefix("v") for version in versions}
    return [file for file, version in known.items() if version.removeprefix("v") in wanted]


class Versions:
    """What each file of a reader says its version is, looked up once."""

    def __init__(self, reader: ArrayReader) -> None:
        self.of_file = {chunk.source_file: chunk.version for chunk in _openings(reader)}


class Subsystems:
    """The tags that a reader's files have for their subsystems, by name, looked up once."""

    def __init__(self, reader: ArrayReader) -> None:
        found = {tag for chunk in _openings(reader) for tag in chunk.tags}
        tags = sorted(tag for tag in found if tag.startswith(SUBSYSTEM))
        self.tags: dict[str, tuple[str, ...]] = {}
        for tag in tags:
            name = tag.removeprefix(SUBSYSTEM).casefold()
            self.tags[name] = (*self.tags.get(name, ()), tag)


def _openings(reader: ArrayReader) -> Iterator[Chunk]:
    """The first chunk of each file that gave any."""
    bounds = pairwise(reader.bounds.tolist())
    return (reader.chunk(start) for start, end in bounds if start < end)


_FILES: Mapping[str, Callable[[_Values, Reader], list[str]]] = {
    "path": _under,
    "version": _of_version,
}
