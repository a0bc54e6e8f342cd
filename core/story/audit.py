"""An audit as a story: what was asked, how much is found, what is wrong, and what would mend it."""

from __future__ import annotations

from collections.abc import Sequence

from core.evaluate.audit.findings import Finding, by_cause
from core.evaluate.audit.results import Audit
from core.ids import Id
from core.story.drawing import lengths, rows
from core.story.slide import Deck, Slide
from core.text.writing import ENGLISH, Writing

MOST = 6


def of_audit(audit: Audit, found: Sequence[Finding], writing: Writing = ENGLISH) -> Deck:
    """The story of an audit and of its findings, the worst first."""
    told = (_asked(audit, writing), _found(audit, writing), _kinds(audit, writing))
    slides = (*told, _wrong(found, writing), _mend(found))
    return Deck("What can be found in our APIs", slides)


def _asked(audit: Audit, writing: Writing) -> Slide:
    elements, asked = len(audit.elements), sum(len(e.answers) for e in audit.elements)
    what = writing.counted(elements, "operation and schema", "operations and schemas")
    of, questions = writing.counted(len(audit.apis), "API"), writing.counted(asked, "question")
    sentence = f"{what} of {of} were asked {questions}."
    note = "Each was asked what it should answer, in its own words and in others."
    return Slide("What was asked", sentence, note=note)


def _found(audit: Audit, writing: Writing) -> Slide:
    shares = {api.api: share for api in audit.apis if (share := api.found(audit.limit)) is not None}
    worst = sorted(shares.items(), key=lambda item: (item[1], item[0]))[:MOST]
    bars = [(name, share, writing.percent(share, 0)) for name, share in worst]
    sentence = f"{writing.percent(audit.found or 0, 0)} of the questions find what answers them."
    note = "The APIs where least is found." if len(shares) > MOST else ""
    return Slide("What is found", sentence, lengths("Found by API", bars), note)


def _kinds(audit: Audit, writing: Writing) -> Slide:
    kinds = sorted(audit.by_kind().items(), key=lambda item: -item[1][0])
    bars = [
        (name, share, f"{writing.percent(share, 0)} of {writing.amount(count, 0)}")
        for name, (share, count) in kinds
    ]
    worst = f" Least is found by “{kinds[-1][0]}”." if kinds else ""
    sentence = f"It depends on how one asks.{worst}"
    return Slide("Which questions find it", sentence, lengths("Found by kind of question", bars))


def _wrong(found: Sequence[Finding], writing: Writing) -> Slide:
    if not found:
        return Slide("What is wrong", "Nothing is wrong.")
    causes = by_cause(found)
    bars = [(str(cause), float(n), writing.amount(n, 0)) for cause, n in causes.items() if n]
    elements = len({finding.id for finding in found})
    sentence = (
        f"Something is wrong with {writing.counted(elements, 'operation or schema', 'of them')}."
    )
    return Slide("What is wrong", sentence, lengths("What is wrong", bars))


def _mend(found: Sequence[Finding]) -> Slide:
    if not found:
        return Slide("What would mend it", "There is nothing to mend.")
    cells = ((Id.parse(one.id).label, one.remedy) for one in found[:MOST])
    return Slide("What would mend it", "The worst come first.", rows(cells))
