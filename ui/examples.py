"""Questions that the stored APIs can answer, made from the names of their operations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.model import CatalogEntry

SHOWN = 4  # example questions
LOOKED_AT = 12  # of the largest APIs
LONGEST = 24  # letters of a schema's name in a question
_VERBS = """
add approve archive assign book cancel capture close complete copy create delete download edit
import invite merge move open pay publish refund remove rename replace restore send share
start stop submit update upload
"""
VERBS = frozenset(_VERBS.split())
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def examples(catalog: Sequence[CatalogEntry]) -> tuple[str, ...]:
    """Questions that the stored APIs can answer: one an API, then another round."""
    largest = sorted(catalog, key=lambda entry: -entry.counts.get("operations", 0))
    rounds = zip(*(_padded(_asked(entry)) for entry in largest[:LOOKED_AT]), strict=True)
    questions = (question for turn in rounds for question in turn if question)
    return tuple(dict.fromkeys(questions))[:SHOWN]


def _asked(entry: CatalogEntry) -> list[str]:
    uses = {schema.name.lower(): len(schema.used_by) for schema in entry.schemas}
    found = [(_rank(e.path, p, uses), p)
             for e in entry.endpoints for name in e.operations if (p := _phrase(name))]  # fmt: skip
    phrases = [phrase for _, phrase in sorted(found)]
    plain = (s for s in entry.schemas if s.role and len(s.name) <= LONGEST)
    schemas = sorted(plain, key=lambda schema: -len(schema.used_by))
    tasks = [f"How do I {phrase}?" for phrase in phrases[:2]]
    return [*tasks[:1], *(f"What is in {s.name}?" for s in schemas[:1]), *tasks[1:]]


def _rank(path: str, phrase: str, uses: Mapping[str, int]) -> tuple[bool, int, int]:
    """What makes something comes first; of that, what has a path and a schema of its own."""
    makes = phrase.startswith(("create", "add", "upload", "send"))
    return not makes, path.count("/"), -uses.get(phrase.rpartition(" ")[2], 0)


def _padded(questions: list[str]) -> list[str]:
    return [*questions[:3], "", "", ""][:3]


def _phrase(operation_id: str) -> str:
    """`createUser` as `create a user`; empty where the name is no verb with a noun."""
    words = [word.lower() for word in WORD.findall(operation_id)]
    verbs = [word in VERBS for word in words]
    if len(words) not in (2, 3) or verbs != [True, *[False] * (len(words) - 1)]:
        return ""
    noun = " ".join(words[1:])
    return f"{words[0]} {noun}" if noun.endswith("s") else f"{words[0]} {_article(noun)} {noun}"


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeio" else "a"
