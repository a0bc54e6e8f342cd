"""The verb that leads a text, and which HTTP methods it suggests."""

from __future__ import annotations

import re

from core.text.verbs import METHODS

_WORD = re.compile(r"[a-z]+")


def suggested_methods(text: str) -> tuple[str, ...]:
    """Those of the first verb in lower-case text that suggests any."""
    return METHODS.get(leading_verb(text), ())


def leading_verb(text: str) -> str:
    """The first word of lower-case text that says what is to be done; "" when none does."""
    return next((word for word in _WORD.findall(text) if word in METHODS), "")


def is_verb(word: str) -> bool:
    """Whether a word, in any of its forms, says what is to be done."""
    return word.lower() in METHODS
