"""An audit and its findings as JSON, for a pipeline or a download."""

from __future__ import annotations

from collections.abc import Sequence

from core.evaluate.audit.findings import Finding, by_cause
from core.evaluate.audit.results import Audit
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
