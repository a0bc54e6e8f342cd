"""Whether a word is plain English, told by the vocabulary of the embedded model's tokenizer."""

from __future__ import annotations

from functools import cache

import orjson

from core.index.embed.static import MODEL


def is_english(word: str) -> bool:
    """True for some 20,000 common words in their usual forms; a slip is hardly ever one."""
    return word.lower() in _words()


@cache
def _words() -> frozenset[str]:
    tokenizer = orjson.loads((MODEL / "tokenizer.json").read_bytes())
    return frozenset(word for word in tokenizer["model"]["vocab"] if word.isalpha())
