"""Terms that a specification itself pairs with the words of a question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from core import Workbench
from core.retrieve.lookups.words_used import WordsUsed
from core.retrieve.score.expansion import MOST, expand
from core.settings import Settings
from core.text.words import query_terms

QUESTION = "What do I call about a chargeback?"
PATHS = {
    "/disputes": ("List disputes", "A dispute is what a bank calls a chargeback."),
    "/disputes/{id}": ("Read a dispute", "Evidence against the chargeback."),
    "/refunds": ("List refunds", "Money that goes back."),
    "/balance": ("Read the balance", "What is there."),
}


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("expand")
    paths = {
        path: {"get": {"summary": summary, "description": text, "responses": {}}}
        for path, (summary, text) in PATHS.items()
    }
    info = {"title": "Pay", "version": "1"}
    (folder / "pay.json").write_bytes(
        orjson.dumps({"openapi": "3.1.0", "info": info, "paths": paths})
    )
    settings = Settings(log_stats=False, cache_size=0)
    with Workbench.open(folder / "store", settings=settings) as opened:
        for _ in opened.ingest([folder / "pay.json"]):
            pass
        yield opened


def test_a_term_is_added_with_what_pairs_it(workbench: Workbench) -> None:
    reader = workbench._newest.reader()
    added = expand(["chargeback"], [0], reader, WordsUsed(reader))  # type: ignore[arg-type]
    assert [(each.term, each.word) for each in added] == [("disput", "chargeback")]
    assert added[0].source.startswith("pay.json:paths/disputes")


def test_there_are_few_and_none_of_them_is_asked_already(workbench: Workbench) -> None:
    reader = workbench._newest.reader()
    asked = ["chargeback", "disput", "list", "read", "money", "bank"]
    added = expand(asked, [0], reader, WordsUsed(reader))  # type: ignore[arg-type]
    assert len(added) <= MOST
    assert not {each.term for each in added} & set(asked)


def test_it_is_told_and_can_be_switched(workbench: Workbench) -> None:
    with_terms = workbench.retrieve(QUESTION, expansion=0.3).trace
    assert any("disput" in note and "chargeback" in note for note in with_terms.notes)
    without = workbench.retrieve(QUESTION, expansion=0.0).trace
    assert not any("terms used by the chosen APIs" in note for note in without.notes)


NAMES = {
    "/api/v1/ledgerEntries": "Bookings of the month.",
    "/api/v2beta1/ledgerEntries/{id}": "One of the bookings.",
    "/rest/v3/ledger-entries": "Bookings, in bulk.",
}


def test_whole_words_are_added_and_never_api_or_a_version(tmp_path: Path) -> None:
    """What is told and searched for are words as the API writes them, not their stems."""
    paths = {
        path: {"get": {"summary": "Look", "description": text, "responses": {}}}
        for path, text in NAMES.items()
    }
    info = {"title": "Books", "version": "1"}
    document = {"openapi": "3.1.0", "info": info, "paths": paths}
    (tmp_path / "books.json").write_bytes(orjson.dumps(document))
    settings = Settings(log_stats=False, cache_size=0)
    with Workbench.open(tmp_path / "store", settings=settings) as opened:
        for _ in opened.ingest([tmp_path / "books.json"]):
            pass
        reader = opened._newest.reader()
        (term,) = query_terms("bookings")
        added = expand([term], [0], reader, WordsUsed(reader))  # type: ignore[arg-type]
        notes = opened.retrieve("Where are the bookings?", expansion=0.3).trace.notes
    assert {each.said for each in added} == {"ledger", "entries"}
    (told,) = (note for note in notes if "terms used by the chosen APIs" in note)
    assert "“ledger”" in told
    assert "“entries”" in told
