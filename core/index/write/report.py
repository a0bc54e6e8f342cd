"""What an ingestion says: an event whenever something happened, and one report at its end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.errors import SpecError
from core.index.write.clash import Clash, OnClash
from core.read.document import SpecReport


class Phase(StrEnum):
    """What happened to a file, or is about to happen to the store."""

    READ = "read"  # it is new, or has changed
    SKIPPED = "skipped"  # it is as it was
    PRICED = "priced"  # `reason` says what embedding will cost; `file` is empty
    CUT = "cut"  # its chunks are made and embedded
    WRITE = "write"  # so many chunks of this run are in Chroma; `file` is empty
    STORED = "stored"  # the store has it
    REFUSED = "refused"
    LEFT_OUT = "left out"  # it is no source code that a person wrote
    ASKED = "asked"  # it clashes with what is stored, and waits for a choice
    REMOVED = "removed"
    REPAIRED = "repaired"  # an interrupted run had left it half written
    INDEX = "index"  # the read index is being built; `file` is empty


@dataclass(frozen=True, slots=True)
class IngestEvent:
    """One step; `done` of `total` files are finished with."""

    file: str
    phase: Phase
    done: int
    total: int
    found: Mapping[str, int] = field(default_factory=dict)  # counts of elements, by kind
    reason: str = ""  # why it was refused or left out; what it will cost


@dataclass(frozen=True, slots=True)
class Refused:
    """One input that was not taken; what the store had of it stays."""

    file: str
    reason: str  # a sentence
    kind: str  # the error's name: NotAnApi, UnsafeSpec, …

    @classmethod
    def of(cls, error: SpecError) -> Refused:
        return cls(error.file, error.reason, type(error).__name__)


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What one run did. Files are in the order of their names."""

    specs: tuple[SpecReport, ...] = ()  # cut and stored
    skipped: tuple[str, ...] = ()  # unchanged
    refused: tuple[Refused, ...] = ()
    removed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()  # of formats that were not asked for: `--format` names them
    not_source: tuple[Refused, ...] = ()  # left out as well: binary, minified, beyond 1 MB
    vanished: tuple[str, ...] = ()  # in the store, gone from their root: `--prune` removes them
    clashes: tuple[Clash, ...] = ()  # what the store has already, in a way, and what came of it
    repaired: tuple[str, ...] = ()  # an interrupted run had left them half written
    generation: str = ""  # of the store afterwards
    chunks: int = 0  # in the store afterwards
    written: int = 0  # chunks that were added to it
    embedded: int = 0  # different texts that were embedded
    seconds: float = 0.0

    @property
    def asked(self) -> tuple[Clash, ...]:
        """What waits for a choice: nothing of it is stored."""
        return tuple(clash for clash in self.clashes if clash.taken is OnClash.ASK)

    @property
    def changed(self) -> bool:
        return bool(self.specs or self.removed or self.repaired)
