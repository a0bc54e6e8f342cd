"""What is asked: a message with what its sender's system knows of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.text.words import query_terms, runs

LONGEST = 8000  # characters of a message that are read

GREETINGS = frozenset(
    ("hi", "hello", "hey", "dear", "thanks", "thank", "please", "regards", "greetings", "help")
)
_APART = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A message as it is searched for."""

    intent: str  # as it was given, without blanks around it
    message: str
    product: str

    @classmethod
    def of(cls, intent: object, message: object, metadata: object) -> Asked:
        """From whatever a program hands over: what is no text says nothing."""
        about = metadata if isinstance(metadata, Mapping) else {}
        return cls(_text(intent), _text(message), _text(about.get("product")))

    @property
    def words(self) -> str:
        """The intent in words: `not_hashing` is "not hashing"."""
        return " ".join(_APART.split(self.intent)).strip()

    @property
    def query(self) -> str:
        """The message, the intent's words and the product; "" where nothing is asked."""
        if not (self.message or self.words):
            return ""
        return " ".join(part for part in (self.message, self.words, self.product) if part)

    @property
    def said(self) -> Mapping[str, Collection[str]]:
        """The content words of the message as they are written, each with its terms."""
        words = (run for run in runs(self.message) if run.casefold() not in GREETINGS)
        return {word: terms for word in words if (terms := query_terms(word))}


def _text(value: object) -> str:
    if not isinstance(value, str):
        return ""
    return "".join(c if c.isprintable() else " " for c in value[:LONGEST]).strip()


def fits(product: str, devices: tuple[str, ...]) -> bool:
    """Whether an article for these devices, or for all where there are none, is for a product.

    `Apollo` and `Apollo II` are for each other: one name begins with the other's words.
    """
    if not devices or not product:
        return True
    own = _steps(product)
    return any(_begins(own, _steps(device)) for device in devices)


def _steps(name: str) -> list[str]:
    return [step for step in _APART.split(name.casefold()) if step]


def _begins(one: list[str], other: list[str]) -> bool:
    shorter = min(len(one), len(other))
    return bool(shorter) and one[:shorter] == other[:shorter]
