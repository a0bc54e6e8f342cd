"""Findings as an OpenAPI Overlay."""

from __future__ import annotations

from core.evaluate.audit.findings import Cause, Finding
from core.evaluate.audit.overlay import json_path, overlay
from core.model import JSON, Chunk, ChunkType

ID = "a.json:paths/users/get"


def show(id: str) -> tuple[Chunk, JSON]:
    origins = {
        ID: ("a.json#/paths/~1users/get", {"description": "All users.\n"}),
        "a.json:components/schemas/X": ("a.json#/definitions/X", {}),
        "a.json:components/schemas/Y": ("other.json#/Y", {}),
    }
    origin, body = origins[id]
    return Chunk(id, id, ChunkType.OPERATION, "a", origin=origin), body


def finding(id: str, kind: str, cause: Cause, adds: str) -> Finding:
    return Finding(id, kind, cause, "Why.", "Do so.", adds=adds)


def test_each_action_adds_and_takes_nothing_away() -> None:
    found = [
        finding(ID, "operation", Cause.HIDDEN, "Unlike the other."),
        finding(ID, "operation", Cause.UNDOCUMENTED, "Get users."),
        finding("a.json:components/schemas/X", "schema", Cause.UNDOCUMENTED, "What X holds."),
        finding("a.json:components/schemas/Y", "schema", Cause.UNDOCUMENTED, "Elsewhere."),
        finding(ID, "operation", Cause.CLOSURE, ""),
        finding("b.json:paths/x/get", "operation", Cause.UNDOCUMENTED, "Another file."),
    ]
    made = overlay(found, "a.json", show)
    assert made["overlay"] == "1.0.0"
    assert set(made["info"]) == {"title", "version"}
    assert [(each["target"], each["update"]) for each in made["actions"]] == [
        ("$['paths']['/users']['get']", {"description": "All users.\n\nUnlike the other."}),
        ("$['paths']['/users']['get']", {"summary": "Get users"}),
        ("$['definitions']['X']", {"description": "What X holds."}),
    ]
    assert made["actions"][0]["description"] == "hidden behind another: Why."


def test_quotes_in_a_name_are_escaped() -> None:
    assert json_path(("paths", "/it's\\", "get")) == r"$['paths']['/it\'s\\']['get']"
