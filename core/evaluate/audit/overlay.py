"""Findings as an OpenAPI Overlay (1.0.0): drafts for people to read, correct and apply."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from core.evaluate.audit.findings import Cause, Finding
from core.ids import Id
from core.model import JSON, Chunk
from core.read.names import parse_origin

Show = Callable[[str], tuple[Chunk, JSON]]  # an element and its full JSON

VERSION = "1.0.0"


def overlay(findings: Iterable[Finding], file: str, show: Show) -> dict[str, JSON]:
    """What mends the findings of one document, an action an element.

    What people wrote stays: a summary is added where none is, and a description gets a sentence
    more. Findings that no text mends, and elements that stand in another document, are left out.
    """
    return {
        "overlay": VERSION,
        "info": {
            "title": f"Drafts from `specloupe audit` for {file}; read before applying",
            "version": "1",
        },
        "actions": [*_actions(findings, file, show)],
    }


def _actions(findings: Iterable[Finding], file: str, show: Show) -> Iterator[dict[str, JSON]]:
    for finding in findings:
        if not finding.adds or Id.parse(finding.id).document != file:
            continue
        chunk, body = show(finding.id)
        document, keys = parse_origin(chunk.origin)
        if document == file:
            yield {
                "target": json_path(keys),
                "description": f"{finding.cause}: {finding.said}",
                "update": _update(finding, body if isinstance(body, dict) else {}),
            }


def _update(finding: Finding, body: dict[str, JSON]) -> dict[str, JSON]:
    if finding.cause is Cause.UNDOCUMENTED and finding.kind != "schema":
        return {"summary": finding.adds.removesuffix(".")}
    written = body.get("description")
    before = f"{written.rstrip()}\n\n" if isinstance(written, str) and written.strip() else ""
    return {"description": f"{before}{finding.adds}"}


def json_path(keys: Iterable[str]) -> str:
    """`paths`, `/users`, `get` → `$['paths']['/users']['get']` (RFC 9535)."""
    return "$" + "".join(f"['{_escaped(key)}']" for key in keys)


def _escaped(key: str) -> str:
    return key.replace("\\", "\\\\").replace("'", "\\'")
