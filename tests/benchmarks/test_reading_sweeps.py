"""What the sweep counts as said, reported, overridden and lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.specs import api

from benchmarks.reading_sweeps import sweep
from core.sources.openapi.drafts import Draft

PARAMETER = {"name": "q", "in": "query", "description": "of all", "schema": {"type": "string"}}
OK = {"200": {"description": "fine"}}


def write(folder: Path) -> None:
    own = [{**PARAMETER, "description": "of one"}, {"$ref": "#/components/parameters/Gone"}]
    paths = {
        "/a": {"parameters": [PARAMETER], "get": {"parameters": own, "responses": OK}},
        "/b": {"description": "To do"},
    }
    schemas = {"A": {"properties": {"b": {"$ref": "#/components/schemas/B"}}}, "B": {}}
    (folder / "api.json").write_text(json.dumps(api(paths, schemas)))


def test_all_is_accounted_for(tmp_path: Path) -> None:
    write(tmp_path)
    counts, lost = sweep(tmp_path)
    assert lost == []
    assert counts == {
        "files": 1,
        "elements": 3,
        "elements accounted for": 3,
        "references": 2,
        "references accounted for": 2,
        "references reported": 1,
        "texts": 4,
        "texts accounted for": 4,
        "texts overridden": 1,
        "texts of paths reported as empty": 1,
    }


def test_an_edge_from_another_element_is_not_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    value = json.loads((tmp_path / "api.json").read_text())
    value["components"]["schemas"]["C"] = {"items": {"$ref": "#/components/schemas/B"}}
    (tmp_path / "api.json").write_text(json.dumps(value))
    refer = Draft.refer

    def deaf(self: Draft, target: str, used: str, *, optional: bool = False) -> None:
        if self.element.name != "C":
            refer(self, target, used, optional=optional)

    monkeypatch.setattr(Draft, "refer", deaf)
    assert sweep(tmp_path)[1] == [("references", "api.json#/components/schemas/C/items/$ref")]
