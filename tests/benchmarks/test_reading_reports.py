"""The check of what reports say: what is true passes it, and what is false does not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.specs import api, chunked

from benchmarks.reading_reports import is_so, resolves, sweep
from core.read.document import Finding

OK = {"200": {"description": "fine"}}
ID = {"name": "id", "in": "path", "required": True, "schema": {}}
Q = {"name": "q", "in": "query", "schema": {"type": 3}}


def faulty() -> dict[str, Any]:
    paths = {
        "/a/{id}": {"get": {"operationId": "x", "responses": OK}},
        "/a/{no}": {"parameters": [ID], "get": {"parameters": [Q, Q], "operationId": "x"}},
        "/b": {"description": "To do"},
    }
    schemas = {
        "A": {"items": {"$ref": "#/components/schemas/Gone"}},
        "B": {"items": {"$ref": "gone.json#/B"}, "discriminator": {"mapping": {"c": "Cat"}}},
    }
    return {**api(paths, schemas), "security": [{"gone": []}], "info": {"title": "Untold"}}


def test_a_true_report_passes(tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(json.dumps(faulty()))
    counts, wrong = sweep(tmp_path)
    assert wrong == []
    kinds = ("unresolved $ref", "unresolved mapping", "unresolved security", "no-operation")
    assert {kind: counts[f"{kind} true"] for kind in kinds} == dict(
        zip(kinds, (2, 1, 1, 1), strict=True)
    )
    assert counts["oas-names"] == counts["oas-names true"] >= 4


@pytest.mark.parametrize(
    "said",
    [
        ("oas-schema", '"title" is a required property', "/info"),
        ("oas-names", "The operationId 'y' is also used by GET /a/{id}.", "/paths/~1a~1{no}/get"),
        (
            "oas-names",
            "GET /a/{no} does not declare the parameter 'id' of its path.",
            "/paths/~1a~1{no}/get",
        ),
        (
            "no-operation",
            "'/a/{id}' has no operation, so the rest of it is never returned.",
            "/paths/~1a~1{id}",
        ),
    ],
    ids=["required", "operationId", "parameter", "path"],
)
def test_a_false_finding_is_seen(said: tuple[str, str, str]) -> None:
    assert is_so(Finding(*said), faulty()) is False


def test_a_reference_that_resolves_is_seen(tmp_path: Path) -> None:
    (spec,) = chunked({"api.json": faulty()})
    by_ref = {lost.ref: lost for lost in spec.report.unresolved}
    for ref in ("#/components/schemas/A", "lib.json#/B"):
        (tmp_path / "lib.json").write_text('{"B": {}}')
        lost = replace(by_ref["gone.json#/B"], ref=ref)
        assert resolves(lost, faulty(), tmp_path)
    assert not any(resolves(lost, faulty(), tmp_path) for lost in spec.report.unresolved)
