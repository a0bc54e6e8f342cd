"""Questions that the stored APIs can answer, made from the names of their operations."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.model import CatalogEntry, KnowledgeContext
from core.text.verbs import EXAMPLES

SHOWN = 4  # example questions
TRIED = 8  # before an unanswered one is accepted
LOOKED_AT = 12  # of the largest APIs
LONGEST = 24  # letters of a schema's name in a question
ARTICLES = frozenset(["a", "an", "the"])
SPOKEN = re.compile("[aeiouy]")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


# What shows all that a store can hold at once, over the samples of all kinds: the answer needs an
# operation, the function that sends it, the decision behind it, and what customers are told.
DEMO = (
    "How do I create a refund: the operation, the function, the decision on idempotency keys, and "
    "how many working days until it is on the card?"
)
DEMO_NEEDS = (
    "shop.json:paths/payments/{payment_id}/refunds/post",
    "code/service/larkfield/payments.py:function/create_refund",
    "design-docs/adr/0003-idempotency-keys.md:document",
    "kb/kb.json/refund-status:article",
)


@dataclass(frozen=True, slots=True)
class Example:
    """A question, and the operation or schema that has to be its first result."""

    question: str
    file_id: str
    name: str  # operationId, or name of a schema


def examples(
    catalog: Sequence[CatalogEntry], answered: Callable[[Example], bool] = lambda example: True
) -> tuple[str, ...]:
    """Questions that the stored APIs can answer: one per API, then another round.

    The first is one that is `answered`, if any of the first few is: newcomers see it first.
    """
    offered = _offered(catalog)
    best = next(filter(answered, sorted(offered, key=_is_dull)[:TRIED]), None)
    first = [best.question] if best else []
    return tuple(dict.fromkeys([*first, *(each.question for each in offered)]))[:SHOWN]


def is_answered(example: Example, context: KnowledgeContext) -> bool:
    """Whether the first result is the one meant, with everything it needs in the context."""
    if not context.primary_chunks:
        return False
    first = context.primary_chunks[0].chunk
    meant = first.source_file == example.file_id and example.name in (
        first.operation_id,
        first.name,
    )
    return meant and not any(1 in left.needed_by for left in context.trace.left_out)


def _is_dull(example: Example) -> bool:
    """A question about an operation makes a better start than one about a schema."""
    return not example.question.startswith("How do I")


def _offered(catalog: Sequence[CatalogEntry]) -> list[Example]:
    largest = sorted(catalog, key=lambda entry: -entry.counts.get("operations", 0))
    asked = [_asked(entry) for entry in largest[:LOOKED_AT]]
    return [each[turn] for turn in range(3) for each in asked if turn < len(each)]


def _asked(entry: CatalogEntry) -> list[Example]:
    uses = {schema.name.lower(): len(schema.used_by) for schema in entry.schemas}
    found = [
        (_rank(endpoint.path, phrase, uses), phrase, name)
        for endpoint in entry.endpoints
        for name in endpoint.operations
        if (phrase := _phrase(name))
    ]
    tasks = [
        Example(f"How do I {phrase}?", entry.file_id, name) for _, phrase, name in sorted(found)[:2]
    ]
    plain = (s for s in entry.schemas if s.role and len(s.name) <= LONGEST)
    schemas = sorted(plain, key=lambda schema: -len(schema.used_by))
    said = [Example(f"What is in {s.name}?", entry.file_id, s.name) for s in schemas[:1]]
    return [*tasks[:1], *said, *tasks[1:]]


def _rank(path: str, phrase: str, uses: Mapping[str, int]) -> tuple[bool, int, int]:
    """Operations that create something come first, short paths with a schema before others."""
    makes = phrase.startswith(("create", "add", "upload", "send"))
    return not makes, path.count("/"), -uses.get(phrase.rpartition(" ")[2], 0)


def _phrase(operation_id: str) -> str:
    """`createUser` as `create a user`; empty if the name is not a verb and a noun."""
    words = [w for word in WORD.findall(operation_id) if (w := word.lower()) not in ARTICLES]
    verbs = [word in EXAMPLES for word in words]
    if len(words) not in (2, 3) or verbs != [True, *[False] * (len(words) - 1)]:
        return ""
    if len({word[:4] for word in words}) < len(words) or not SPOKEN.search(words[-1]):
        return ""  # `deleteInvoicesInvoice`, `createMsp`
    noun = " ".join(words[1:])
    return f"{words[0]} {noun}" if noun.endswith("s") else f"{words[0]} {_article(noun)} {noun}"


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeio" else "a"
