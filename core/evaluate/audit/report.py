"""An audit and its findings as JSON, for a pipeline or a download."""

from __future__ import annotations

from collections.abc import Sequence

from core.evaluate.audit.findings import Finding, by_cause
from core.evaluate.audit.results import Audit
from core.evaluate.audit.versions import Fate, Versions
from core.model import JSON
from core.present import to_dict


def as_json(audit: Audit, findings: Sequence[Finding]) -> dict[str, JSON]:
    """Shares from 0 to 1; null where nothing could be asked."""
    return {
        "found": audit.found,
        "found_among_all_apis": audit.found_overall,
        "counts_as_found": audit.limit,
        "elements": len(audit.elements),
        "generation": audit.generation,
        "reused_apis": audit.reused,
        "kinds": {
            kind: {"found": share, "questions": count}
            for kind, (share, count) in audit.by_kind().items()
        },
        "causes": {cause.value: count for cause, count in by_cause(findings).items()},
        "apis": {
            api.api: {"found": api.found(audit.limit), "elements": len(api.elements)}
            for api in audit.apis
        },
        "findings": [to_dict(finding) for finding in findings],
    }


def versions_as_json(versions: Versions) -> dict[str, JSON]:
    """Shares from 0 to 1; `labels` is null where no labelled question was asked."""
    limit, asked = versions.limit, versions.labelled
    before, after = versions.before, versions.after
    moved = {kind: versions.moved(kind) for kind in ("lost", "gained", "moved")}
    return {
        "api": versions.api,
        "counts_as_found": limit,
        "found": {"before": before.found(limit), "after": after.found(limit)},
        "elements": {
            "before": len(versions.before.elements),
            "after": len(versions.after.elements),
        },
        "fates": {fate.value: len(versions.of(fate)) for fate in Fate},
        "lost": versions.lost,
        "changes": [to_dict(change) for change in versions.changes],
        "labels": dict(moved) if asked else None,
        "questions": [to_dict(question) for question in asked.questions] if asked else [],
        "gone": [to_dict(label) for label in versions.gone],
    }
