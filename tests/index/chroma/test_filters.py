"""A filter means the same to one chunk, to the read index and to Chroma."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.apis import contents, fill

from core.errors import CallError
from core.index.chroma.filters import to_chroma
from core.index.snapshot.columns import Columns
from core.index.store import Store
from core.model import WHERE_KEYS, Chunk
from core.where import KEYS, Op, as_mapping, matches, parse

SAMPLES = Path(__file__).parents[3] / "samples"
VALUES: dict[str, list[Any]] = {
    "type": ["operation", "webhook", "component", "info"],
    "component_kind": ["", "schemas", "responses"],
    "source_file": ["shop", "media", "elsewhere"],
    "method": ["", "GET", "POST"],
    "part": ["", "errors"],
    "deprecated": [True, False],
    "status": ["", "approved"],
    "language": ["", "python"],
}


@st.composite
def comparisons(draw: st.DrawFn) -> dict[str, Any]:
    key = draw(st.sampled_from(WHERE_KEYS))
    one = st.sampled_from(VALUES[key])
    many = st.lists(one, min_size=1, max_size=3)
    operators = st.sampled_from(["$eq", "$ne"]).flatmap(lambda o: one.map(lambda v: {o: v}))
    lists = st.sampled_from(["$in", "$nin"]).flatmap(lambda o: many.map(lambda v: {o: v}))
    return {key: draw(one | operators | lists)}


filters = st.recursive(
    comparisons(),
    lambda inner: st.sampled_from(["$and", "$or"]).flatmap(
        lambda join: st.lists(inner, min_size=1, max_size=3).map(lambda parts: {join: parts})
    ),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filters") / "store"
    fill(path, SAMPLES)
    return path


@pytest.fixture(scope="module")
def rows(path: Path) -> list[Chunk]:
    return list(contents(path).values())


@pytest.fixture(scope="module")
def columns(rows: list[Chunk]) -> Columns:
    codes, values = {}, {}
    for key in KEYS:
        column = [getattr(chunk, key) for chunk in rows]
        column = [str(value) if isinstance(value, str) else value for value in column]
        values[key] = sorted(set(column))
        codes[key] = np.array([values[key].index(value) for value in column], np.int32)
    return Columns(codes, values)


@pytest.fixture(scope="module")
def store(path: Path) -> Store:
    return Store.open(path)


@pytest.mark.thorough
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(where=filters)
def test_the_three_readings_of_a_filter_agree(
    store: Store, rows: list[Chunk], columns: Columns, where: dict[str, Any]
) -> None:
    tree = parse(where)
    passing = [chunk.id for chunk in rows if matches(tree, chunk)]
    assert [rows[at].id for at in np.flatnonzero(columns.mask(tree))] == passing
    assert sorted(store._rows._rows.get(where=to_chroma(tree), include=[])["ids"]) == passing


@pytest.mark.thorough
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(where=filters, tag=st.sampled_from(["users", "x"]), op=st.sampled_from(list(Op)))
def test_chunk_and_mask_agree_on_tags(
    rows: list[Chunk], columns: Columns, where: dict[str, Any], tag: str, op: Op
) -> None:
    tree = parse({"$or": [where, {"tags": {op.value: [tag] if op.takes_list else tag}}]})
    passing = [chunk.id for chunk in rows if matches(tree, chunk)]
    assert [rows[at].id for at in np.flatnonzero(columns.mask(tree))] == passing


@pytest.mark.thorough
@given(where=filters)
def test_a_tree_written_out_is_read_back(where: dict[str, Any]) -> None:
    tree = parse(where)
    assert parse(as_mapping(tree)) == tree


def test_tags_want_the_read_index() -> None:
    with pytest.raises(CallError, match="read index"):
        to_chroma(parse({"$or": [{"type": "info"}, {"tags": "billing"}]}))
