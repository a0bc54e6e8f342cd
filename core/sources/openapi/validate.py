"""Check a document against the schema of its OpenAPI version; this informs and never refuses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson

from core.read.document import Document, Finding
from core.read.limits import Limits
from core.read.places import pointer

RULE = "oas-schema"
_META = Path(__file__).parent / "meta"
_VERSIONS = ("2.0", "3.0", "3.1", "3.2")
_COUNTED = 10_000  # errors; a document with more is as wrong as can be
_MESSAGE = 200  # characters
_NO_REF = '"$ref" is a required property'  # each object could also be a reference


def findings(document: Document, *, limits: Limits | None = None) -> tuple[Finding, ...]:
    """Where the document breaks the schema of its version, in document order.

    The first `max_findings` are listed, and a last one counts the rest. A file that is no API
    description has none.
    """
    if not document.is_api:
        return ()
    version = re.match(r"\d{1,9}\.\d{1,9}", document.version)
    if not version or version[0] not in _VERSIONS:
        known = ", ".join(_VERSIONS)
        message = f"Version {document.version[:20]!r} is not one of {known}; it was not checked."
        return (Finding("oas-version", message),)
    errors = islice(_validator(version[0]).iter_errors(document.value), _COUNTED)
    return tuple(_listed(document, _told(errors), (limits or Limits()).max_findings))


@cache
def _validator(version: str) -> jsonschema_rs.Validator:
    schema = orjson.loads((_META / f"{version}.json").read_bytes())
    return jsonschema_rs.validator_for(schema, mask="the value")


@dataclass(frozen=True, slots=True)
class _Fault:
    path: tuple[str, ...]
    message: str
    follows: bool  # properties count as unevaluated wherever something else is wrong with them


def _told(errors: Iterable[jsonschema_rs.ValidationError]) -> Sequence[_Fault]:
    """The faults behind the errors, without those that only follow from another."""
    faults = [_fault(error) for error in errors]
    within = {f.path[:end] for f in faults if not f.follows for end in range(len(f.path) + 1)}
    return [fault for fault in faults if not (fault.follows and fault.path in within)]


def _fault(error: jsonschema_rs.ValidationError) -> _Fault:
    """The deepest error behind an error, for it says the most."""
    while inner := [e for branch in _branches(error) for e in branch if e.message != _NO_REF]:
        error = max(inner, key=lambda e: len(e.instance_path))
    path = tuple(str(step) for step in error.instance_path)
    return _Fault(path, error.message[:_MESSAGE], error.kind.name == "unevaluatedProperties")


def _branches(error: jsonschema_rs.ValidationError) -> Sequence[Sequence[Any]]:
    """The errors of each alternative, where none of them fits."""
    return getattr(error.kind, "context", None) or ()


def _listed(document: Document, told: Sequence[_Fault], most: int) -> Iterator[Finding]:
    for fault in told[:most]:
        where = pointer(fault.path)
        yield Finding(RULE, fault.message, where, document.line_of(where))
    if len(told) > most:
        more = "at least " if len(told) >= _COUNTED else ""
        yield Finding(RULE, f"There are {more}{len(told) - most:,} more of these.")
