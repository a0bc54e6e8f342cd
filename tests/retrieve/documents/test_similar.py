"""Means of documents, and what is near to them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from support.larkfield import ADR, CALL, DES, LIMITS, made

from core import UnknownId, Workbench
from core.retrieve.documents.similar import mean


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with made(tmp_path_factory.mktemp("similar")) as workbench:
        yield workbench


def test_a_mean_is_of_unit_length_and_zeros_where_vectors_cancel_out() -> None:
    assert mean(np.array([[1, 0], [0, 1]], np.float32)).tolist() == pytest.approx([0.5**0.5] * 2)
    assert mean(np.array([[1, 0], [-1, 0]], np.float32)).tolist() == [0, 0]


def test_a_document_is_compared_by_the_mean_of_all_its_chunks(store: Workbench) -> None:
    reader = store._newest.reader()
    rows = [row for row in map(reader.row, (DES, LIMITS)) if row is not None]
    own = mean(reader.vectors[rows])
    near = {chunk.id: score for chunk, score in store.similar_documents(DES, min_score=-1)}
    adr = reader.row(ADR)
    assert adr is not None
    assert near[ADR] == pytest.approx(float(own @ reader.vectors[adr]), abs=1e-3)


def test_itself_is_out_and_any_source_is_in(store: Workbench) -> None:
    found = store.similar_documents("DES-1", limit=99, min_score=-1)
    ids = [chunk.id for chunk, _ in found]
    assert not {DES} & {*ids}
    assert {ADR, CALL} <= {*ids}
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)


def test_a_section_and_an_operation_are_compared_too(store: Workbench) -> None:
    for id in (LIMITS, CALL):
        ids = {chunk.id for chunk, _ in store.similar_documents(id, limit=99, min_score=-1)}
        assert CALL in ids or id == CALL
        assert not ids & ({id, DES} if id == LIMITS else {id})


def test_limit_and_least_score(store: Workbench) -> None:
    found = store.similar_documents(DES, limit=99, min_score=-1)
    assert store.similar_documents(DES, limit=2, min_score=-1) == found[:2]
    least = found[1][1]
    assert store.similar_documents(DES, limit=99, min_score=least) == found[:2]


def test_an_unknown_one_is_told(store: Workbench) -> None:
    with pytest.raises(UnknownId):
        store.similar_documents("DES-9")
