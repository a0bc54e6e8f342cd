"""Parse the files of a group; one that fails is refused, and what the store has of it is taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.errors import SpecError, StoreDamaged, UnreadableSpec
from core.index.disk.journal import Staged
from core.index.store import KEPT, Store
from core.index.write.held import Held
from core.read.limits import Limits
from core.sources import registry
from core.sources.kind import SourceKind


class Reading:
    """The documents of some files, fewer or older with everyone that is refused."""

    def __init__(self, store: Store, group: Sequence[Staged], limits: Limits) -> None:
        """`limits` hold for what the store does not have yet."""
        self._store, self._limits = store, limits
        self.files: dict[str, Staged] = {}
        self.documents = Held()
        self.refused: dict[str, SpecError] = {}
        for staged in group:
            self._read(staged)

    def by_kind(self, *, in_parts: bool) -> Iterator[tuple[SourceKind, Held]]:
        """The documents of each kind that is stored in parts, or is not: they are chunked apart."""
        for name in sorted({self.files[file].kind for file in self.documents}):
            kind = registry.named(name)
            if kind.is_stored_in_parts is in_parts:
                files = [file for file in self.documents if self.files[file].kind == name]
                yield kind, self.documents.among(files)

    def kind_of(self, file: str) -> SourceKind:
        return registry.named(self.files[file].kind)

    def refuse(self, error: SpecError) -> None:
        """Go on without a file, or with the version of it that the store has."""
        self.give_up(error)
        staged, known = self.files.pop(error.file), self._store.manifest.entries.get(error.file)
        if known and known.original != staged.original:
            self._read(Staged.of(known))

    def give_up(self, error: SpecError) -> None:
        """Make nothing of a file: what the store has of it stays as it is."""
        self.refused[error.file] = error
        self.documents.drop(error.file)

    def _read(self, staged: Staged) -> None:
        known = self._store.manifest.entries.get(staged.file)
        limits = KEPT if known and known.original == staged.original else self._limits
        self.files[staged.file] = staged
        try:
            kind = registry.named(staged.kind)
            document = self._store.taken(staged.file, staged.original, kind, limits)
        except SpecError as error:
            self.refuse(error)
        except StoreDamaged:
            self.refuse(
                UnreadableSpec(
                    staged.file, f"the store has lost it: ingest it again from {staged.root}."
                )
            )
        else:
            self.documents.put(staged.file, document, packed=kind.is_stored_in_parts)
