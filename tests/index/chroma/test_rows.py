"""A chunk as a row: nothing is lost on the way there and back."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from support.apis import Letters

from core.index.chroma.rows import DATA, chunk_of, metadata_of, rows_of
from core.model import WHERE_KEYS, Chunk, ChunkType, Level
from core.sources.openapi.chunk import chunk_specs
from core.sources.openapi.read import parse

names = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters=":%#"))
starts = st.sampled_from(["components/schemas/", "components/", "components//", "paths/", ""])
files = st.sampled_from(["a.json", "a.json.yaml", "b/c.yaml", "#x.json"])
ids = st.builds("{}:{}{}".format, files, starts, names)
short = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
chunks = st.builds(
    Chunk,
    id=ids,
    element=ids,
    type=st.sampled_from(ChunkType),
    source_file=st.just("a"),
    part=st.sampled_from(["", "errors", "part-2"]),
    component_kind=st.sampled_from(["", "schemas", "x-own"]),
    api_title=st.sampled_from(["Shop", "Other"]),
    api_version=st.sampled_from(["1", "2"]),
    method=st.sampled_from(["", "GET", "POST"]),
    path=short,
    operation_id=short,
    name=short,
    tags=st.lists(short, max_size=3).map(tuple),
    deprecated=st.booleans(),
    status=st.sampled_from(["", "approved", "superseded"]),
    language=st.sampled_from(["", "python"]),
    facts=st.dictionaries(short, short, max_size=2),
    text=short,
    token_count=st.dictionaries(st.sampled_from(Level), st.integers(0, 10**6)),
    content_hash=short,
    origin=st.builds("{}#/{}".format, st.sampled_from(["a.json", "b.json"]), names),
    ref_ids=st.dictionaries(ids, st.lists(short, min_size=1, max_size=2).map(tuple), max_size=30),
    referenced_by=st.lists(ids, max_size=30).map(tuple),
)


@given(chunks)
def test_there_and_back(chunk: Chunk) -> None:
    metadata = metadata_of(chunk, ("Shop", "1"))
    assert chunk_of(chunk.id, chunk.text, metadata, {"a": ("Shop", "1")}) == chunk


@given(chunks)
def test_few_keys_that_chroma_takes(chunk: Chunk) -> None:
    metadata = metadata_of(chunk, ("", ""))
    assert metadata.keys() <= {*WHERE_KEYS, DATA}
    assert all(type(value) in (str, bool) for value in metadata.values())


def test_real_chunks_take_little_room() -> None:
    path = Path(__file__).parents[3] / "samples" / "shop.json"
    document = parse(path.read_bytes(), "shop.json")
    (spec,) = chunk_specs({"shop.json": document}, tokens=Letters())
    rows = rows_of(spec.chunks, ("Shop API", "1"))
    assert sum(len(str(metadata[DATA])) for metadata in rows.metadata) / len(rows) < 400
    apis = {"shop": ("Shop API", "1")}
    assert rows.chunks(apis) == list(spec.chunks)
    assert [len(batch) for batch in rows.batches(100)] == [100, len(rows) - 100]
