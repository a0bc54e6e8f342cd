"""An audit as a story: what was asked, how much is found, what is wrong, and what would mend it."""

from __future__ import annotations

from collections.abc import Sequence

from core.evaluate.audit.findings import Finding, by_cause
from core.evaluate.audit.results import Audit
from core.ids import Id
from core.story.drawing import lengths, rows
from core.story.slide import Deck, Slide
from core.text.plural import counted

MOST = 6


def of_audit(audit: Audit, found: Sequence[Finding]) -> Deck:
    """The story of an audit and of its findings, the worst first."""
    slides = (_asked(audit), _found(audit), _kinds(audit), _wrong(found), _mend(found))
    return Deck("What can be found in our APIs", slides)


def _asked(audit: Audit) -> Slide:
    elements, asked = len(audit.elements), sum(len(e.answers) for e in audit.elements)
    sentence = (
        f"{counted(elements, 'operation and schema', 'operations and schemas')} of "
        f"{counted(len(audit.apis), 'API')} were asked {counted(asked, 'question')}."
    )
    note = "Each was asked what it should answer, in its own words and in others."
    return Slide("What was asked", sentence, note=note)


def _found(audit: Audit) -> Slide:
    shares = {api.api: share for api in audit.apis if (share := api.found(audit.limit)) is not None}
    worst = sorted(shares.items(), key=lambda item: (item[1], item[0]))[:MOST]
    bars = [(name, share, f"{share:.0%}") for name, share in worst]
    sentence = f"{audit.found or 0:.0%} of the questions find what answers them."
    note = "The APIs where least is found." if len(shares) > MOST else ""
    return Slide("What is found", sentence, lengths("Found by API", bars), note)


def _kinds(audit: Audit) -> Slide:
    kinds = sorted(audit.by_kind().items(), key=lambda item: -item[1][0])
    bars = [(name, share, f"{share:.0%} of {count:,}") for name, (share, count) in kinds]
    worst = f" Least is found by “{kinds[-1][0]}”." if kinds else ""
    sentence = f"It depends on how one asks.{worst}"
    return Slide("Which questions find it", sentence, lengths("Found by kind of question", bars))


def _wrong(found: Sequence[Finding]) -> Slide:
    if not found:
        return Slide("What is wrong", "Nothing is wrong.")
    causes = by_cause(found)
    bars = [(str(cause), float(count), f"{count:,}") for cause, count in causes.items() if count]
    elements = len({finding.id for finding in found})
    sentence = f"Something is wrong with {counted(elements, 'operation or schema', 'of them')}."
    return Slide("What is wrong", sentence, lengths("What is wrong", bars))


def _mend(found: Sequence[Finding]) -> Slide:
    if not found:
        return Slide("What would mend it", "There is nothing to mend.")
    cells = ((Id.parse(one.id).label, one.remedy) for one in found[:MOST])
    return Slide("What would mend it", "The worst come first.", rows(cells))
