"""The embedded default: a static token-embedding model that ships with the code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.index.embed.model_files import ModelFiles
from core.index.embed.normal import NORMALISER, normalise, unit

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MODEL = Path(__file__).parent / "models" / "apistatic-256-int8"
_FILES = ("config.json", "model.safetensors", "tokenizer.json")
_BATCH = 1024
_FEW = 16  # texts that are cut one by one: a batch wakes a thread for each processor
_CHARACTERS = 6  # of a token at the median; texts are cut at so many times `max_length`


class StaticEmbedder:
    """A model2vec model in a local folder; it never asks the network for anything.

    It gives what `model2vec.StaticModel` would, whose import costs a new process 0.2 s of CPU.
    """

    def __init__(self, folder: Path = MODEL) -> None:
        self._files = ModelFiles(folder)
        self._last: tuple[str, NDArray[np.float32]] | None = None  # text, (1, dimensions)

    @property
    def dimensions(self) -> int:
        return int(self._config["hidden_dim"])

    @cached_property
    def fingerprint(self) -> str:
        content = sha256(b"".join(self._files.read(name) for name in _FILES)).hexdigest()[:12]
        return f"static:{self._files.folder.name}:{content}:{NORMALISER}:{self.dimensions}"

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """A question is embedded twice in a row: to be understood, and to be searched for."""
        last = self._last
        if last and texts and texts[0] == last[0]:
            return np.concatenate([last[1], self._made(texts[1:])]) if len(texts) > 1 else last[1]
        vectors = self._made(texts)
        if len(texts) == 1:
            vectors.flags.writeable = False
            self._last = texts[0], vectors
        return vectors

    def _made(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), _BATCH):
            self._embed(texts[start : start + _BATCH], vectors[start : start + _BATCH])
        return unit(vectors)

    def _embed(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Put the mean of its tokens' vectors into each text's row."""
        of_length: defaultdict[int, list[int]] = defaultdict(list)
        tokens = self._tokens(texts)
        for row, each in enumerate(tokens):
            of_length[len(each)].append(row)
        for length, rows in of_length.items():
            if length:
                vectors[rows] = self._vectors[np.array([tokens[row] for row in rows])].mean(axis=1)

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of the tokens of each text that the model knows."""
        most = self._config["max_length"] * _CHARACTERS
        cut = [normalise(text)[:most] for text in texts]
        tokenizer = self._tokenizer
        found = (
            [tokenizer.encode(text, add_special_tokens=False) for text in cut]
            if len(cut) <= _FEW
            else tokenizer.encode_batch_fast(cut, add_special_tokens=False)
        )
        return [[id for id in each.ids if id != self._unknown] for each in found]

    @cached_property
    def _config(self) -> dict[str, Any]:
        import json

        config: dict[str, Any] = json.loads(self._files.read("config.json"))
        return config

    @cached_property
    def _vectors(self) -> NDArray[np.int8]:
        from safetensors import SafetensorError
        from safetensors.numpy import load

        try:
            vectors: NDArray[np.int8] = load(self._files.read("model.safetensors"))["embeddings"]
        except (SafetensorError, KeyError) as error:
            raise self._files.broken(str(error)) from error
        return vectors

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        try:
            tokenizer: Tokenizer = Tokenizer.from_buffer(self._files.read("tokenizer.json"))
        except Exception as error:  # the library raises nothing narrower
            raise self._files.broken(str(error)) from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._config["max_length"])
        return tokenizer

    @cached_property
    def _unknown(self) -> int | None:
        token: int | None = self._tokenizer.token_to_id(self._tokenizer.model.unk_token)
        return token


@cache
def shipped() -> StaticEmbedder:
    """The one that ships, shared by a process: its tokenizer takes 0.1 s to load."""
    return StaticEmbedder()
