"""What speaks for each API of a read index, clause by clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.retrieve.lookups.api_names import NAMED_FROM, ApiNames
from core.retrieve.lookups.derived import derived
from core.retrieve.lookups.elements import Elements
from core.retrieve.lookups.homes import Homes
from core.retrieve.lookups.words_used import WordsUsed
from core.retrieve.reader import ArrayReader, FileScores, Mask
from core.retrieve.score.evidence import ClauseEvidence, scaled
from core.retrieve.understand.question import Question

BEST, NAME, WORDS, ABOUT = 0.2, 0.6, 0.3, 0.1  # weights: best chunk, name, words, description
_MANY = 300  # APIs; where there are few, which one is meant hardly matters


@dataclass(frozen=True, slots=True)
class ApiEvidence:
    """By clause and file: what speaks for it; and by file how clearly the question names it."""

    totals: tuple[FileScores, ...]
    named: FileScores
    home: FileScores  # how much it is about the words of a clause, by the best clause
    about: (
        FileScores | None
    )  # what vectors say of its description, 0 to 1, by the best clause; None: words alone rank


def api_evidence(
    reader: ArrayReader,
    question: Question,
    found: Sequence[ClauseEvidence],
    allowed: Mask | None,
    words: WordsUsed,
) -> ApiEvidence:
    named = _named(reader, question)
    weight = np.float32(breadth(reader) ** 2 / max(1, len(found) - 1) ** 0.5)
    homes = [words.by_file(evidence.terms) for evidence in found]
    descriptions = derived(Elements, reader).descriptions
    of_home = derived(Homes, reader)
    abouts = [
        None if e.meaning is None else of_home.most(e.meaning.of(descriptions)) for e in found
    ]
    asked = [at for at, clause in enumerate(question.clauses) if not clause.is_ours]
    each = [
        weight
        * (
            BEST * _share(_best(reader, e, allowed))
            + NAME * name
            + WORDS * _share(home)
            + (0 if about is None else ABOUT * scaled(about, None))
        )
        for e, name, home, about in zip(found, named, homes, abouts, strict=True)
    ]
    near = [about for at in asked if (about := abouts[at]) is not None]
    most: FileScores = np.max([each[at] for at in asked], axis=0)
    # the words of “search by name” are ours and say nothing of an API
    totals = [
        most if clause.is_ours else total
        for clause, total in zip(question.clauses, each, strict=True)
    ]
    return ApiEvidence(
        tuple(totals),
        np.max(named, axis=0),
        np.max([homes[at] for at in asked], axis=0),
        np.max(near, axis=0) if near else None,
    )


def breadth(reader: ArrayReader) -> float:
    """How much depends on the right API: 0 where there is one, 1 where there are hundreds."""
    return breadth_of(len(derived(Homes, reader)))


def breadth_of(homes: int) -> float:
    """The same for so many APIs, or bases, or roots."""
    return float(min(1.0, np.log(max(1, homes)) / np.log(_MANY)))


def _best(reader: ArrayReader, evidence: ClauseEvidence, allowed: Mask | None) -> FileScores:
    fused = evidence.fused if allowed is None else np.where(allowed, evidence.fused, 0)
    best: FileScores = np.maximum.reduceat(fused, reader.bounds[:-1])
    return derived(Homes, reader).most(best)


def _named(reader: ArrayReader, question: Question) -> list[FileScores]:
    """Whom each clause names. One API that a single clause names is meant in all of them."""
    names = derived(ApiNames, reader)
    each = [names.scores(c.text, t) for c, t in zip(question.clauses, question.terms, strict=True)]
    if len(each) < 3:
        return each
    different = {int(scores.argmax()) for scores in each[1:] if scores.max() > NAMED_FROM}
    if len(different) <= 1:
        return [np.max(each, axis=0)] * len(each)
    return [np.zeros_like(each[0]), *each[1:]]


def _share(scores: FileScores) -> FileScores:
    most = scores.max(initial=0)
    return scores / most if most > 0 else scores
