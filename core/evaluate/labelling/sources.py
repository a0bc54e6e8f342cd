"""Questions to label: pasted, missed by a run, or drafted from what a specification says itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from core.evaluate.labelling.judgement import DRAFT
from core.evaluate.results import RunResult
from core.evaluate.sets.sample import Sample
from core.ids import Id
from core.model import JSON, Chunk

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
SENTENCE = re.compile(r"(?<=[.!?])\s|\n")
MAX_DRAFT = 200  # letters of a summary that a question is made of


def of_query(query: str) -> Sample:
    """The question, called after its own text, so that it has the same id wherever it is asked."""
    return Sample(f"q-{sha256(query.encode()).hexdigest()[:8]}", query)


def pasted(text: str) -> tuple[Sample, ...]:
    """A question a line; bullets and numbers before it are none of it."""
    lines = (re.sub(r"^\s*(?:[-*•]|\d{1,4}[.)])\s+", "", line).strip() for line in text.split("\n"))
    return tuple(of_query(line) for line in dict.fromkeys(filter(None, lines)))


def missed(run: RunResult) -> tuple[Sample, ...]:
    """The questions of a run with a label that the context did not hold, with their labels."""
    return tuple(
        Sample(
            sample.id,
            sample.query,
            relevant=tuple(group[0] for group in sample.gold if len(group) == 1),
            alternatives=tuple(group for group in sample.gold if len(group) > 1),
            apis=sample.apis,
            intent=sample.intent,
            tags=sample.tags,
        )
        for sample in run.samples
        if sample.misses
    )


def spread(elements: Sequence[Chunk], count: int) -> Iterator[Chunk]:
    """Elements that can be asked about, evenly over what is given and the same every time."""
    asked = [e for e in elements if e.type.is_operation or e.component_kind == "schemas"]
    step = max(1, len(asked) // max(1, count))
    yield from asked[::step][:count]


def draft(chunk: Chunk, body: JSON) -> Sample | None:
    """A question made from the element's own summary, or its description; None without either.

    It uses the words of the specification, so it is easier than what people ask.
    """
    said = body if isinstance(body, dict) else {}
    texts = [said.get(key) for key in ("summary", "description")]
    about = next((_first(text) for text in texts if isinstance(text, str) and _first(text)), "")
    if not about:
        return None
    query = _how_to(about) if chunk.type.is_operation else _what_is(chunk, about)
    return replace(
        of_query(query), relevant=(chunk.element,), apis=(chunk.source_file,), tags=(DRAFT,)
    )


def _first(text: str) -> str:
    """The first sentence, without its full stop."""
    return " ".join(SENTENCE.split(text.strip())[0].split())[:MAX_DRAFT].rstrip(".!?: ")


def _how_to(summary: str) -> str:
    verb, _, rest = summary.partition(" ")
    if not rest:
        return f"Which operation is for: {summary}?"
    return f"How can I {_lowered(verb)} {rest}?"


def _what_is(chunk: Chunk, description: str) -> str:
    name = " ".join(word.lower() for word in WORDS.findall(Id.parse(chunk.element).short))
    return f"Which fields does the {name} have: {_lowered(description)}?"


def _lowered(text: str) -> str:
    """The text for the middle of a sentence; an abbreviation stays in capitals."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
