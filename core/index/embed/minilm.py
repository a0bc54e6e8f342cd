"""The quality mode: a small transformer, tuned on API descriptions, that ships with the code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.index.embed.model_files import ModelFiles
from core.index.embed.normal import NORMALISER, normalise

MODEL = Path(__file__).parent / "models" / "apiminilm-6-int8"
_FILES = ("model.onnx", "tokenizer.json")
_CONTENT = "35d3e1185a2e"  # of the files that ship: reading them to say so takes 50 ms
_TOKENS = 96
_FEW = 8  # texts that are not worth waking threads for


class MiniLmEmbedder:
    """An ONNX model in a local folder; it never asks the network for anything.

    Each text is run by itself: the model is quantised as it runs, by all that is in a batch, and
    a vector must depend on its text alone.
    """

    dimensions = 384

    def __init__(self, folder: Path = MODEL) -> None:
        self._files = ModelFiles(folder)

    @cached_property
    def fingerprint(self) -> str:
        content = _CONTENT if self._files.folder == MODEL else self.content()
        return f"minilm:{self._files.folder.name}:{content}:{NORMALISER}:{self.dimensions}"

    def content(self) -> str:
        """A digest of what the model's files hold."""
        return sha256(b"".join(self._files.read(name) for name in _FILES)).hexdigest()[:12]

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        if len(texts) <= _FEW:
            vectors = [self._vector(text) for text in texts]
        else:
            with ThreadPoolExecutor(os.cpu_count()) as threads:
                vectors = list(threads.map(self._vector, texts))
        return np.array(vectors, np.float32).reshape(len(texts), self.dimensions)

    def _vector(self, text: str) -> NDArray[np.float32]:
        """The mean over the tokens, of unit length; zeros for a text without a word."""
        words = normalise(text)
        if not words:
            return np.zeros(self.dimensions, np.float32)
        ids = np.array([self._tokenizer.encode(words).ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        wanted = {each.name for each in self._session.get_inputs()}
        if "token_type_ids" in wanted:
            given["token_type_ids"] = np.zeros_like(ids)
        (states, *_) = self._session.run(None, given)
        mean: NDArray[np.float32] = states[0].mean(axis=0, dtype=np.float32)
        return mean / np.float32(max(float(np.linalg.norm(mean)), 1e-30))

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # type: ignore[import-untyped] # it ships no types

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        model = self._files.read("model.onnx")
        try:
            return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's own share no base
            raise self._files.broken(str(error)) from error

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        content = self._files.read("tokenizer.json")
        try:
            tokenizer = Tokenizer.from_buffer(content)
        except Exception as error:  # tokenizers raises bare ones
            raise self._files.broken(str(error)) from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(_TOKENS)
        return tokenizer
