from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.datasets import restbench, socbench
from core.evaluate.sets import sets
from core.evaluate.sets.sample import Sample


def put(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def spec(*endpoints: str) -> dict[str, object]:
    paths: dict[str, dict[str, object]] = {}
    for endpoint in endpoints:
        method, path = endpoint.split()
        paths.setdefault(path, {})[method.lower()] = {}
    return {"openapi": "3.0.0", "paths": paths}


def test_restbench_with_an_endpoint_that_the_specification_spells_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path / "in" / "music_oas.json", spec("GET /tracks/{id}", "GET /search"))
    queries = [{"query": "q", "solution": ["GET /search", "GET /track/{id}"]}]
    put(tmp_path / "in" / "queries.json", queries)
    (made,) = restbench(tmp_path / "in", tmp_path / "out")
    labels = ("music_oas.json GET /search", "music_oas.json GET /tracks/{id}")
    assert made.samples == (Sample("q001", "q", relevant=labels),)
    assert sets.read(tmp_path / "out" / "eval.yaml").samples == made.samples
    assert (tmp_path / "out" / "specs" / "music_oas.json").exists()
    assert "no specification has GET /track/{id}" in capsys.readouterr().out


def test_socbench_by_domain_and_pooled(tmp_path: Path) -> None:
    for domain in ("01-a", "02-b"):
        put(tmp_path / "in" / domain / "one" / "openapi.json", spec("GET /x", "GET /y"))
        put(tmp_path / "in" / domain / "two" / "openapi.json", spec("GET /y"))
        queries = {"queries": [{"query": "q", "endpoints": ["GET /y", "GET /x"]}]}
        put(tmp_path / "in" / domain / "queries.json", queries)
    first, second, pooled = socbench(tmp_path / "in", tmp_path / "out")
    assert first.samples == (
        Sample(
            "01-001",
            "q",
            relevant=("one.json GET /x",),
            alternatives=(("one.json GET /y", "two.json GET /y"),),
            tags=("01-a",),
        ),
    )
    assert len(second.samples) == 1
    assert [sample.relevant for sample in pooled.samples] == [
        ("01-a/one.json GET /x",),
        ("02-b/one.json GET /x",),
    ]
    assert sorted(p.name for p in (tmp_path / "out" / "pooled" / "specs" / "01-a").iterdir()) == [
        "one.json",
        "two.json",
    ]
