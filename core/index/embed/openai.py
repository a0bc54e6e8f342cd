"""Embeddings from OpenAI, or from any server that speaks its protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from core.errors import EmbeddingError, SettingsError
from core.index.embed.normal import NORMALISER, normalise, unit
from core.text.money import and_dollars
from core.text.plural import counted

if TYPE_CHECKING:
    from openai import OpenAI, OpenAIError
    from openai.types import CreateEmbeddingResponse

_DEFAULT_MODEL = "text-embedding-3-small"
_DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
_DOLLARS = {  # a million tokens, as of November 2026; OPENAI_EMBEDDING_PRICE says otherwise
    "text-embedding-3-small": 0.02,
    "text-embedding-3-large": 0.13,
    "text-embedding-ada-002": 0.10,
}
_BATCH = 256
_LONGEST = 8_000  # characters; the models read 8,191 tokens
_RETRIES = 5  # by the client, with growing pauses, on 408, 409, 429, 5xx and lost connections
_TIMEOUT_S = 60.0
_LARGEST = 200_000_000  # bytes of one answer: 256 vectors of 8,192 numbers are a third of it
# what comes of an answer of another shape, or of headers that are no dates and numbers
_ODD = (ValueError, TypeError, KeyError, AttributeError, LookupError, ArithmeticError)


class OpenAIEmbedder:
    """The key stays in this object: it is never in a message, a log line or a fingerprint.

    Environment: OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_EMBEDDING_MODEL,
    OPENAI_EMBEDDING_DIMENSIONS (shortens the vectors of models that allow it) and
    OPENAI_EMBEDDING_PRICE (dollars a million tokens).
    """

    def __init__(self, environment: Mapping[str, str], *, retries: int = _RETRIES) -> None:
        self._key = environment.get("OPENAI_API_KEY", "").strip()
        self._url = environment.get("OPENAI_BASE_URL", "").strip() or None
        self._retries = retries
        self.model = environment.get("OPENAI_EMBEDDING_MODEL", "").strip() or _DEFAULT_MODEL
        self._asked = _whole_number(environment.get("OPENAI_EMBEDDING_DIMENSIONS", "").strip())
        price = _price(environment.get("OPENAI_EMBEDDING_PRICE", "").strip())
        self._price = _DOLLARS.get(self.model, 0.0) if price is None else price

    @cached_property
    def dimensions(self) -> int:
        """Of a model that is not known by name, learned from one request."""
        known = self._asked or _DIMENSIONS.get(self.model)
        return known or self._request(["dimensions"]).shape[1]

    @property
    def fingerprint(self) -> str:
        return f"openai:{self.model}:{NORMALISER}:{self.dimensions}"

    def embed(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        words = [normalise(text)[:_LONGEST] for text in texts]
        full = [index for index, text in enumerate(words) if text]  # empty ones are refused
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for start in range(0, len(full), _BATCH):
            batch = full[start : start + _BATCH]
            vectors[batch] = self._request([words[index] for index in batch])
        return vectors

    def cost(self, texts: int, tokens: int, /) -> str:
        """What embedding so much costs, in a sentence."""
        money = and_dollars(self._price * tokens / 1e6)
        what = f"{counted(texts, 'text')}, {counted(tokens, 'token')}{money}"
        return f"{self.model} at {self._where} is to embed {what}."

    def _request(self, texts: list[str]) -> NDArray[np.float32]:
        import openai

        try:
            answer = self._client.embeddings.create(
                model=self.model,
                input=texts,
                dimensions=self._asked or openai.omit,
                encoding_format="float",
            )
            return self._checked(_rows(answer), len(texts))
        except openai.OpenAIError as error:
            said = self._sentence(error)
        except _ODD:
            said = (
                f"{self._where} does not answer like an embedding service: check OPENAI_BASE_URL."
            )
        raise EmbeddingError(said)  # without a context: the server's text may quote the key

    def _checked(self, rows: list[list[float]], wanted: int) -> NDArray[np.float32]:
        lengths = {len(row) for row in rows}
        known = self._asked or _DIMENSIONS.get(self.model) or self.__dict__.get("dimensions")
        if len(rows) != wanted or len(lengths) != 1 or (known and lengths != {known}):
            raise EmbeddingError(
                f"The embedding service returned {len(rows)} vectors of "
                f"{' and '.join(map(str, sorted(lengths))) or 'no'} dimensions instead of "
                f"{wanted} of {known or 'one number of'} dimensions: check "
                "OPENAI_EMBEDDING_MODEL, OPENAI_EMBEDDING_DIMENSIONS and OPENAI_BASE_URL."
            )
        with np.errstate(over="ignore"):
            vectors = np.array(rows, np.float64).astype(np.float32)
        if not (np.isfinite(vectors).all() and vectors.any(axis=1).all()):
            raise EmbeddingError(
                f"{self._where} returned a vector for {self.model} that is zero or not "
                "finite: try again, or check the server."
            )
        return unit(vectors / np.abs(vectors).max(axis=1, keepdims=True))

    @cached_property
    def _client(self) -> OpenAI:
        if not self._key:
            raise EmbeddingError(
                "OpenAI embeddings need a key: set OPENAI_API_KEY in the environment, "
                "or use the built-in model with EMBEDDER=static."
            )
        from openai import DefaultHttpxClient, OpenAI

        from core.index.disk.bounded import bounded

        hook = bounded(size=_LARGEST, seconds=_TIMEOUT_S)
        http = DefaultHttpxClient(timeout=_TIMEOUT_S, event_hooks={"response": [hook]})
        finalize(self, http.close)
        return OpenAI(
            api_key=self._key,
            base_url=self._url,
            max_retries=self._retries,
            timeout=_TIMEOUT_S,
            http_client=http,
        )

    @property
    def _where(self) -> str:
        return str(urlsplit(self._url).hostname) if self._url else "OpenAI"

    def _sentence(self, error: OpenAIError) -> str:
        """What happened and what to do, without the server's words: they may quote the key."""
        import openai

        where = self._where
        if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
            return f"{where} does not accept the key for {self.model}: check OPENAI_API_KEY."
        if isinstance(error, openai.NotFoundError):
            return f"{where} has no embedding model {self.model!r}: check OPENAI_EMBEDDING_MODEL."
        if isinstance(error, openai.RateLimitError):
            return f"{where} refuses further requests for now: check the quota, or try again later."
        if isinstance(error, openai.APITimeoutError):
            return f"{where} did not answer within {_TIMEOUT_S:.0f} seconds: try again later."
        if type(error.__cause__).__name__ == "TooLarge":
            return f"{where} sends a larger answer than any embedding: check OPENAI_BASE_URL."
        if isinstance(error, openai.APIConnectionError):
            return f"{where} cannot be reached: check the network and OPENAI_BASE_URL."
        status = error.status_code if isinstance(error, openai.APIStatusError) else 0
        if 400 <= status < 500:
            return (
                f"{where} refused the text for {self.model} (status {status}): "
                "check OPENAI_EMBEDDING_MODEL and OPENAI_EMBEDDING_DIMENSIONS."
            )
        return f"{where} failed to embed with {self.model} (status {status}): try again later."


def _rows(answer: CreateEmbeddingResponse) -> list[list[float]]:
    """The vectors by their index; raises one of _ODD when they are not each a list of numbers, or
    not one an index."""
    items = {item.index: item.embedding for item in answer.data}
    if len(items) != len(answer.data) or sorted(items) != list(range(len(items))):
        raise ValueError("the indices are not those of a list")
    rows = [items[index] for index in range(len(items))]
    if not all(type(number) in (int, float) for row in rows for number in row):
        raise TypeError("not every part of a vector is a number")
    return rows


def _price(text: str) -> float | None:
    try:
        price = float(text) if text else None
    except ValueError:
        price = -1.0
    if price is not None and not 0 <= price < 1e6:
        raise SettingsError(
            f"environment OPENAI_EMBEDDING_PRICE: {text!r} is not a price in dollars."
        )
    return price


def _whole_number(text: str) -> int:
    if not text:
        return 0
    if not text.isdecimal() or int(text) < 1:
        raise SettingsError(
            f"environment OPENAI_EMBEDDING_DIMENSIONS: {text!r} is not a whole number above 0."
        )
    return int(text)
