"""The embedded default: a static token-embedding model that ships with the code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.errors import EmbeddingError
from core.index.embed import NORMALISER, normalise

if TYPE_CHECKING:
    from model2vec import StaticModel

MODEL = Path(__file__).parent / "models" / "apistatic-256-int8"
_FILES = ("config.json", "model.safetensors", "tokenizer.json")
_BATCH = 1024


class StaticEmbedder:
    """A model2vec model in a local folder; it never asks the network for anything."""

    def __init__(self, folder: Path = MODEL) -> None:
        self._folder = folder

    @property
    def dimensions(self) -> int:
        return int(self._config["hidden_dim"])

    @cached_property
    def fingerprint(self) -> str:
        content = sha256(b"".join(self._read(name) for name in _FILES)).hexdigest()[:12]
        return f"static:{self._folder.name}:{content}:{NORMALISER}:{self.dimensions}"

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [normalise(text) for text in texts[start : start + _BATCH]]
            vectors[start : start + _BATCH] = self._model.encode(batch, use_multiprocessing=False)
        return vectors

    @cached_property
    def _config(self) -> dict[str, Any]:
        import json

        config: dict[str, Any] = json.loads(self._read("config.json"))
        return config

    @cached_property
    def _model(self) -> StaticModel:
        """The model from its files.

        `StaticModel.from_pretrained` would do, but it imports the hub's client (0.7 s) and, at a
        wrong path, asks the hub.
        """
        from model2vec.model import StaticModel
        from safetensors.numpy import load
        from tokenizers import Tokenizer

        tensors, tokenizer = self._read("model.safetensors"), self._read("tokenizer.json")
        try:
            return StaticModel(
                load(tensors)["embeddings"],
                Tokenizer.from_buffer(tokenizer),
                normalize=True,
                max_length=self._config["max_length"],
            )
        except Exception as error:  # each of the three libraries has its own, mostly bare ones
            raise self._broken(str(error)) from error

    def _read(self, name: str) -> bytes:
        try:
            return (self._folder / name).read_bytes()
        except OSError as error:
            raise self._broken(f"{name}: {error.strerror}") from error

    def _broken(self, reason: str) -> EmbeddingError:
        return EmbeddingError(
            f"The embedding model in {self._folder} cannot be loaded ({reason}). "
            "Install Specloupe again, or choose another embedder with EMBEDDER."
        )
