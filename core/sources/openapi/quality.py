"""How well a file is documented, from the gaps that its report counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.read.document import SpecReport

ASKED = {  # gap, as `core.sources.openapi.report` names it → what it is the lack of
    "operations without summary": "operations with a summary",
    "operations without description": "operations with a description",
    "operations without operationId": "operations with an operationId",
    "schemas without description": "schemas with a description",
}


@dataclass(frozen=True, slots=True)
class Documented:
    """Of so many elements, how many have a piece of documentation."""

    what: str
    having: int
    of: int  # at least 1

    @property
    def share(self) -> float:
        return self.having / self.of


def documentation(report: SpecReport) -> tuple[Documented, ...]:
    """Each piece that can be asked for; a file without operations is asked for none."""
    return tuple(_documented(report))


def quality(report: SpecReport) -> float | None:
    """The mean of the shares, 0 to 1; None where there is nothing to document."""
    shares = [each.share for each in documentation(report)]
    return sum(shares) / len(shares) if shares else None


def _documented(report: SpecReport) -> Iterator[Documented]:
    counts = report.counts
    operations = counts.get("operations", 0) + counts.get("webhooks", 0)
    of = {"operations": operations, "schemas": counts.get("schemas", 0)}
    for gap, what in ASKED.items():
        if total := of[gap.partition(" ")[0]]:
            yield Documented(what, total - report.gaps.get(gap, 0), total)
