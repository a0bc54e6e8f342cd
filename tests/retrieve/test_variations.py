"""A question in other words, through a whole retrieval: when it is asked, and what is taken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.apis import api, write
from support.stores import opened

from core import Workbench
from core.model import KnowledgeContext

FILES = {
    "a.md": "# Zebra constraint\n\nA zebra constraint.\n",
    "b.md": "# Guide\n\nA requirement among many other words that say little of it at all, "
    "of lions and their cages.\n",
    "zoo.json": api("Zoo", paths=["/cages"], schemas={"Structure": {"title": "of a cage"}}),
}
CONSTRAINT, GUIDE = "a.md:document", "b.md:document"
STRUCTURE = "zoo.json:components/schemas/Structure"
NOTE = "Found in other words: {!r}."


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("variations")
    write(folder / "in", FILES)
    with opened(folder / "store") as workbench:
        for _ in workbench.ingest([folder / "in"], formats=("all",)):
            pass
    return folder / "store"


def first(context: KnowledgeContext) -> str:
    return context.primary_chunks[0].chunk.id if context.primary_chunks else ""


def reworded(context: KnowledgeContext) -> list[str]:
    return [note for note in context.trace.notes if note.startswith("Found in other words")]


@pytest.fixture
def asked(store: Path) -> Iterator[Workbench]:
    with opened(store, mode="exact", min_score=0.5) as workbench:
        yield workbench


@pytest.mark.parametrize("min_score", [0.0, 0.5])
@pytest.mark.parametrize(
    ("query", "where", "found", "words"),
    [
        ("requirement", {"path": "a.md"}, CONSTRAINT, "constraint"),
        ("a Design", {"type": "component"}, STRUCTURE, "a structure"),  # an API's schema
    ],
)
def test_nothing_found_is_asked_again(
    query: str,
    where: dict[str, str],
    found: str,
    words: str,
    min_score: float,
    asked: Workbench,
) -> None:
    given = {"filter_metadata": where, "min_score": min_score}
    context = asked.retrieve(query, **given)  # type: ignore[arg-type]
    assert first(context) == found
    assert context.query == query
    assert NOTE.format(words) in context.trace.notes
    off = asked.retrieve(query, **given, variations="off")  # type: ignore[arg-type]
    assert off.primary_chunks == ()
    assert not reworded(off)


def test_what_is_found_is_not_asked_again_unless_always(asked: Workbench) -> None:
    query = "the requirement of zebras"
    once, always = (asked.retrieve(query, variations=each) for each in ("on_empty", "always"))
    assert first(once) == first(always) == CONSTRAINT
    assert not reworded(once)
    assert reworded(always) == [NOTE.format("the constraint of zebras")]
    assert always.primary_chunks[0].score > once.primary_chunks[0].score


def test_always_keeps_the_question_where_no_other_wording_finds_more(asked: Workbench) -> None:
    for variations in ("on_empty", "always"):
        context = asked.retrieve("implement lions", variations=variations, min_score=0.0)
        assert first(context) == GUIDE
        assert not reworded(context)


def test_where_no_wording_finds_enough_the_question_is_as_it_was(asked: Workbench) -> None:
    plain, other = (
        asked.retrieve("requirement walrus", min_score=0.99, variations=v)
        for v in ("off", "always")
    )
    assert plain.primary_chunks == other.primary_chunks
    assert [left.chunk_id for left in plain.trace.left_out] == [
        left.chunk_id for left in other.trace.left_out
    ]


def test_the_callers_filter_holds_in_other_words_too(asked: Workbench) -> None:
    context = asked.retrieve("requirement", filter_metadata={"path": "b.md"}, variations="always")
    assert {each.chunk.id for each in context.primary_chunks} <= {GUIDE}
