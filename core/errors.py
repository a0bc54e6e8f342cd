"""Every error that Specloupe raises for a person, as one short tree.

    SpecloupeError
    ├── CallError             the call was wrong                          exit 2
    │   ├── SettingsError     a setting, or a combination of them
    │   ├── EvalSetError      a labelled question set
    │   ├── UnknownId         no chunk, element, file or run has this name
    │   └── NotAllowed        this person may look, and change nothing
    ├── SpecError             one input was refused, the rest goes on     exit 1
    │   ├── UnreadableSpec    missing, not permitted, or not text in a format we read
    │   ├── NotAnApi          readable, but no API description
    │   ├── NotSource         named as source code, but nothing that a person wrote      exit 0
    │   ├── UnsafeSpec        beyond a bound, or outside what may be read
    │   └── ClashingId        the same id comes from two ingest roots
    ├── SyncError             a host's articles could not be brought over  exit 1
    ├── EmbeddingError        a text could not be embedded                exit 3
    ├── ModelError            a language model did not answer, or not so  exit 3
    ├── GraphError            a graph database could not be used          exit 3
    │   ├── GraphUnavailable  it does not answer, or refuses
    │   └── GraphStale        it holds another generation of the store, or none
    ├── OutputError           standard output could not be written        exit 3
    └── StoreError            the store could not be used                 exit 3
        ├── StoreBusy         another process writes to it
        ├── StoreDamaged      what is there cannot be read
        └── StoreMismatch     built by another embedder or chunker

A message is a sentence for the person in front of the app: what, where, and what to do.
`exit_status` is what the command line returns. Our own mistakes stay `ValueError` and `TypeError`.
"""

from __future__ import annotations

from typing import ClassVar

_MOST_OF_A_NAME = 500  # characters of one that does not exist, in a message


class SpecloupeError(Exception):
    """Base of every error that is shown to a person as one sentence."""

    exit_status: ClassVar[int] = 2


class CallError(SpecloupeError):
    """The call was wrong: an empty question, an unknown option, a value out of range."""


class SettingsError(CallError):
    """A setting has a value it cannot have, or two of them contradict each other."""


class EvalSetError(CallError):
    """A labelled question set cannot be used as it is."""


def _quoted(text: str) -> str:
    """In quotes; of a long one the beginning, as who called with it knows the rest."""
    return repr(text if len(text) <= _MOST_OF_A_NAME else f"{text[:_MOST_OF_A_NAME]}…")


class UnknownId(CallError):
    """Nothing in the store has this id; `nearest` holds the closest ids that exist."""

    def __init__(self, what: str, unknown: str, nearest: tuple[str, ...] = ()) -> None:
        hint = f" Did you mean {' or '.join(nearest)}?" if nearest else ""
        super().__init__(f"There is no {what} {_quoted(unknown)} in this store.{hint}")
        self.unknown, self.nearest = unknown, nearest


class NotAllowed(CallError):
    """Whoever asks for it may look at the store, and change nothing; `why` says by whose choice."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what[:1].upper()}{what[1:]}: not here. {why}")
        self.what, self.why = what, why


class SpecError(SpecloupeError):
    """One input was refused; `file` names it. The others go on."""

    exit_status = 1

    def __init__(self, file: str, message: str) -> None:
        super().__init__(f"{file}: {message}")
        self.file, self.reason = file, message


class UnreadableSpec(SpecError):
    """Missing, not permitted, or not text in a format that we read."""


class NotAnApi(SpecError):
    """Readable, but neither an API description nor a library, and no reference reaches it."""


class NotSource(SpecError):
    """Named as source code, but binary, minified or too long for a person to have written it: a run
    leaves it out, and has not failed for that."""

    exit_status = 0


class UnsafeSpec(SpecError):
    """Beyond a bound on size, depth, nodes or time, or outside what may be read."""


class ClashingId(SpecError):
    """The same id comes from two ingest roots; a prefix (`--as`) separates them."""


class SyncError(SpecloupeError):
    """A host's articles could not be brought over; what the store has of them stays as it is."""

    exit_status = 1


class EmbeddingError(SpecloupeError):
    """A text could not be embedded: no key, no network, a refused request."""

    exit_status = 3


class ModelError(SpecloupeError):
    """A language model did not answer, or not as it was asked to; `reason` says it in a word.

    One of timeout, unreachable, limited, refused, failed, nonsense, paused, budget.
    """

    exit_status = 3

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class GraphError(SpecloupeError):
    """A graph database could not be used; the store answers from memory all the same."""

    exit_status = 3


class GraphUnavailable(GraphError):
    """It does not answer, or not in time, or refuses to."""


class GraphStale(GraphError):
    """It holds another generation of the store than the one that is asked, or none of it."""


class OutputError(SpecloupeError):
    """Standard output is closed or full."""

    exit_status = 3


class StoreError(SpecloupeError):
    """The store could not be opened, read or written."""

    exit_status = 3


class StoreBusy(StoreError):
    """Another process is writing to this store."""


class StoreDamaged(StoreError):
    """Something in the store cannot be read; the message names the command that repairs it."""


class StoreMismatch(StoreError):
    """The store was built by another embedder or chunker than the one that is asked for."""
