"""Rows that a hosted Chroma takes: nothing is lost, and nothing is too long."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.index.chroma.remote.narrow import narrowed, short_id, widened
from core.index.chroma.rows import NO_VECTORS, Rows

IDS = st.lists(st.text("ab/é", min_size=1, max_size=300), max_size=4, unique=True)
ASCII = st.characters(min_codepoint=32, max_codepoint=126)


@given(IDS, st.text(ASCII, min_size=1, max_size=100), st.sampled_from([1, 41, 82, 500]))
def test_rows_come_back(ids: list[str], data: str, times: int) -> None:
    metadata = [{"source_file": "a", "data": data * times, "deprecated": True} for _ in ids]
    rows = Rows(ids, [f"text {id}" for id in ids], metadata, NO_VECTORS)
    narrow = narrowed(rows)
    assert all(len(id.encode()) <= 128 for id in narrow.ids)
    values = [v for one in narrow.metadata for v in one.values() if isinstance(v, str)]
    assert all(len(value.encode()) <= 4_096 for value in values)
    wide = widened(narrow)
    assert (wide.ids, wide.texts, wide.metadata) == (ids, rows.texts, metadata)


def test_usual_rows_stay_as_they_are() -> None:
    rows = Rows(["a.json:info"], ["text"], [{"data": "{}"}], NO_VECTORS)
    assert narrowed(rows).ids == rows.ids
    assert narrowed(rows).metadata == rows.metadata


def test_long_ids_differ() -> None:
    assert short_id("a" * 200) != short_id("a" * 201)
    assert short_id("a" * 128) == "a" * 128
