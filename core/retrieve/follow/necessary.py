"""Necessary dependencies: what it takes to make a call and to read its answer.

Of an operation: the parameters that must be given, its request, what it answers on success and
when it goes wrong, and its security schemes. Of these, and of any other chunk: all that they refer
to, however far, except for

- what a call can do without (the last of a reference's places is `OPTIONAL`): what only optional
  properties or optional parameters use, what a discriminator merely lists, a vendor's extensions;
- asides: headers, links, callbacks, examples, and the operations that these lead to; of code what
  it calls and imports: it can be read without; what a document refers to, but for the document that
  a section belongs to.

Everything that says "necessary" or "complete" means this.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from core.ids import CODE, Id, is_part_of
from core.model import OPTIONAL, Chunk


class Use(IntEnum):
    """How much the reader of a chunk needs what it refers to, most needed first."""

    NEEDED = 0  # to send the request and to read its answer
    SECURITY = 1
    ERROR = 2  # when it goes wrong
    ASIDE = 3  # headers, links, callbacks, examples


_KEPT = 1 << 14  # ids and labels: a walk meets each several times
_ASIDE = ("headers", "links", "callbacks", "examples")
_ERROR = re.compile(r"responses\.(?:[45]..|default)\b", re.IGNORECASE)
_CODE = (*CODE, "module")
INHERITS = "inherits"
_RELATIONS = ("IMPLEMENTS", "SATISFIES", "REFERENCES", "SUPERSEDES")  # of documents
_PARTS = {"errors": Use.ERROR, "examples": Use.ASIDE}


def use_of(target: str, labels: Sequence[str]) -> Use:
    """What a reference is for, by its labels (`responses.404`); of several the most needed.

    An operation that is referred to is what a link or a callback leads to.
    """
    told = _use_by_id(target)
    if told is not None:
        return told
    if _is_code(target):
        return Use.NEEDED if INHERITS in labels else Use.ASIDE
    return min((_use_at(label) for label in labels if label != OPTIONAL), default=Use.NEEDED)


@lru_cache(_KEPT)
def _use_by_id(target: str) -> Use | None:
    """What an id tells of its use; None: its labels do."""
    id = Id.parse(target)
    if id.part:
        return _PARTS.get(id.part, Use.NEEDED)
    return Use.ASIDE if id.is_call or id.component_kind in _ASIDE else None


@lru_cache(_KEPT)
def _is_code(target: str) -> bool:
    return Id.parse(target).kind in _CODE


@lru_cache(_KEPT)
def _use_at(label: str) -> Use:
    if _ERROR.match(label):
        return Use.ERROR
    if label in _RELATIONS:
        return Use.ASIDE
    first = label.partition(".")[0]
    return Use.SECURITY if first == "security" else Use.ASIDE if first in _ASIDE else Use.NEEDED


def is_necessary(target: str, labels: Sequence[str]) -> bool:
    return labels[-1:] != (OPTIONAL,) and use_of(target, labels) is not Use.ASIDE


def references(chunk: Chunk) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The targets of a chunk, with the places that use them; malformed ones are none."""
    for target in targets(chunk):
        labels = chunk.ref_ids[target]
        yield target, tuple(map(str, labels)) if isinstance(labels, tuple | list) else ()


def targets(chunk: Chunk) -> Sequence[str]:
    """The same without the places."""
    refs: object = chunk.ref_ids
    return [id for id in refs if isinstance(id, str)] if isinstance(refs, Mapping) else ()


def malformed(chunk: Chunk) -> str:
    """What `references` leaves out of a chunk, in words; "" where everything is well-formed."""
    refs: object = chunk.ref_ids
    if not isinstance(refs, Mapping):
        return f"they are a {type(refs).__name__}, not a mapping of ids to places"
    odd = [t for t, used in refs.items() if not (isinstance(t, str) and _is_labels(used))]
    return f"the id or the places of {odd!r} are not texts" if odd else ""


def _is_labels(used: object) -> bool:
    return isinstance(used, tuple | list) and all(isinstance(label, str) for label in used)


def to_send(target: str, labels: Sequence[str]) -> bool:
    """Whether a call's body or one of its parameters uses it, or it is a piece of the call."""
    is_piece = _use_by_id(target) is Use.NEEDED
    return is_piece or any(label.partition(".")[0] in _SENT for label in labels)


_SENT = ("requestBody", "parameters")


class On(NamedTuple):
    """A reference that a chunk holds, and what it is for."""

    target: str
    labels: tuple[str, ...]
    use: Use
    steps: int  # 0 to an element's own part
    is_necessary: bool
    is_sent: bool  # as `to_send` says


_KEPT_ON = 8_192  # chunks, about as many as a read index keeps
_ON: dict[int, tuple[Chunk, tuple[On, ...]]] = {}  # by identity: a chunk that is held keeps its own


def on_from(chunk: Chunk) -> tuple[On, ...]:
    """Where the references of a chunk lead: read once for all questions."""
    known = _ON.get(id(chunk))
    if known is None:
        found = tuple(_on(chunk, *reference) for reference in references(chunk))
        if len(_ON) >= _KEPT_ON:
            _ON.clear()
        known = _ON[id(chunk)] = chunk, found
    return known[1]


def _on(chunk: Chunk, target: str, labels: tuple[str, ...]) -> On:
    said = is_necessary(target, labels), to_send(target, labels)
    return On(target, labels, use_of(target, labels), not is_part_of(target, chunk.id), *said)


Fetch = Callable[[Collection[str]], Mapping[str, Chunk]]  # the chunks of some ids that exist


class Needs(NamedTuple):
    """The ids of the necessary dependencies; each with the primaries that need it, as a bit set."""

    needed: dict[str, int]
    sent: dict[str, int]  # those whose body or parameters need it


def necessary(primaries: Sequence[Chunk], fetch: Fetch) -> dict[str, int]:
    """What the primaries need; a primary is in here when another one needs it."""
    return needs(primaries, fetch).needed


def needs(primaries: Sequence[Chunk], fetch: Fetch) -> Needs:
    """The same in one walk, with what is needed to send a call apart.

    Each primary has a second bit, above all of the first ones, for what its body and parameters
    need: of what it uses itself, that bit passes to nothing else.
    """
    count = len(primaries)
    found: dict[str, int] = {}
    chunks = {chunk.id: chunk for chunk in primaries}
    level = {chunk.id: (1 << count | 1) << number for number, chunk in enumerate(primaries)}
    own, every = level, (1 << count) - 1
    while level:
        chunks.update(fetch([id for id in level if id not in chunks]))
        following: dict[str, int] = {}
        for id, who in level.items():
            for on in on_from(chunks[id]) if id in chunks else ():
                target = on.target
                new = who & ~found.get(target, 0) if on.is_necessary else 0
                if new and level is own and not on.is_sent:
                    new &= every
                if new:
                    found[target] = found.get(target, 0) | new
                    following[target] = following.get(target, 0) | new
        level = following
    others = {id: who & ~own.get(id, 0) for id, who in found.items()}
    return Needs(
        {id: who & every for id, who in others.items() if who & every},
        {id: who >> count for id, who in others.items() if who >> count},
    )


@dataclass(frozen=True, slots=True)
class Completeness:
    """How much of what the primaries need is in the context; needs no labels."""

    necessary: int = 0  # chunks
    missing: int = 0
    top: bool = False  # the first primary has all that it needs
    share: float = 0.0  # of the primaries


def completeness(
    needed: Mapping[str, int], inside: Collection[str], *, primaries: int
) -> Completeness:
    """Of `needed`, as `necessary` gives it, with the ids `inside` the context."""
    if not primaries:
        return Completeness()
    missing = [who for id, who in needed.items() if id not in inside]
    lacking = 0
    for who in missing:
        lacking |= who
    whole = primaries - lacking.bit_count()
    return Completeness(len(needed), len(missing), not lacking & 1, whole / primaries)
