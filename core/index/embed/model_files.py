"""The files of a model that ships, and what to say when one cannot be loaded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.errors import EmbeddingError


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A folder of them."""

    folder: Path

    def read(self, name: str) -> bytes:
        """One file's bytes; raises EmbeddingError."""
        try:
            return (self.folder / name).read_bytes()
        except OSError as error:
            raise self.broken(f"{name}: {error.strerror}") from error

    def broken(self, reason: str) -> EmbeddingError:
        return EmbeddingError(
            f"The embedding model in {self.folder} cannot be loaded ({reason}). "
            "Install Specloupe again, or choose another embedder with EMBEDDER."
        )
