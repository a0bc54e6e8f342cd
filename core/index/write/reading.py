"""Parse the files of a group; one that fails is refused, and what the store has of it is taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.errors import SpecError, StoreDamaged, UnreadableSpec
from core.index.disk.journal import Staged
from core.index.store import KEPT, Store
from core.read.document import Document
from core.read.limits import Limits
from core.sources import registry
from core.sources.kind import SourceKind


class Reading:
    """The documents of some files, fewer or older with everyone that is refused."""

    def __init__(self, store: Store, group: Sequence[Staged], limits: Limits) -> None:
        """`limits` hold for what the store does not have yet."""
        self._store, self._limits = store, limits
        self.files: dict[str, Staged] = {}
        self.documents: dict[str, Document] = {}
        self.refused: dict[str, SpecError] = {}
        for staged in group:
            self._read(staged)

    def by_kind(self) -> Iterator[tuple[SourceKind, Mapping[str, Document]]]:
        """The documents of each kind, which are chunked apart."""
        for name in sorted({self.files[file].kind for file in self.documents}):
            documents = {f: d for f, d in self.documents.items() if self.files[f].kind == name}
            yield registry.named(name), documents

    def kind_of(self, file: str) -> SourceKind:
        return registry.named(self.files[file].kind)

    def refuse(self, error: SpecError) -> None:
        """Go on without a file, or with the version of it that the store has."""
        self.refused[error.file] = error
        self.documents.pop(error.file, None)
        staged, known = self.files.pop(error.file), self._store.manifest.entries.get(error.file)
        if known and known.original != staged.original:
            self._read(Staged.of(known))

    def _read(self, staged: Staged) -> None:
        known = self._store.manifest.entries.get(staged.file)
        limits = KEPT if known and known.original == staged.original else self._limits
        self.files[staged.file] = staged
        try:
            kind = registry.named(staged.kind)
            document = self._store.original(staged.file, staged.original, kind, limits)
        except SpecError as error:
            self.refuse(error)
        except StoreDamaged:
            self.refuse(
                UnreadableSpec(
                    staged.file, f"the store has lost it: ingest it again from {staged.root}."
                )
            )
        else:
            self.documents[staged.file] = document
