"""Search over a store: filters, history, the graph, two indices, similar ones and impact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.larkfield import ADR, ARCH, CALL, CODE, DES, LIMITS, OLD, REQ, made

from core import Workbench
from core.functions import (
    RetrievalQuery,
    RetrievalResult,
    find_similar_documents,
    get_impact_context,
    multi_vector_search,
    retrieve_documents,
    use,
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with made(tmp_path_factory.mktemp("documents")) as workbench:
        use(workbench)
        yield workbench
        use(None)


@pytest.fixture(autouse=True)
def shared(store: Workbench) -> None:
    """The store of the environment is this one."""


def asked(text: str = "refunds", **options: object) -> dict[str, RetrievalResult]:
    query = RetrievalQuery(text, **{"min_score": 0.0, **options})  # type: ignore[arg-type]
    return {each.node_id: each for each in retrieve_documents(query)}


def test_the_fields_of_a_result() -> None:
    found = asked("limits of refunds", max_graph_distance=0)[LIMITS]
    assert (found.node_type, found.title, found.path) == (
        "design",
        "Refund design > Limits",
        "docs/design/refunds.md",
    )
    assert (found.version, found.status) == ("2.0", "approved")
    assert (found.distance, found.relationship_type) == (0, None)
    assert "never exceeds" in found.content
    assert found.to_dict()["node_id"] == found.chunk_id == LIMITS


def test_an_operation_is_a_result_too() -> None:
    call = asked("read users of Shop", max_graph_distance=0)[CALL]
    assert (call.node_type, call.title, call.path) == ("operation", "GET /users", "/users")
    assert (call.version, call.status) == ("1", "")


@pytest.mark.parametrize("query_type", ["semantic", "exact", "hybrid"])
def test_each_type_of_query(query_type: str) -> None:
    assert DES in asked("refund design", query_type=query_type, max_graph_distance=0)


def test_what_is_superseded_is_found_when_history_is_asked_for() -> None:
    assert OLD not in asked("old payments")
    assert asked("old payments", include_history=True)[OLD].status == "superseded"
    assert OLD in asked("old payments", filters={"status": "superseded"})


def test_code_can_be_left_out() -> None:
    assert CODE in asked("ledger code")
    assert CODE not in asked("ledger code", include_code=False)


def test_filters_hold_for_direct_results() -> None:
    found = asked("refunds", filters={"type": "requirement"}, max_graph_distance=0)
    assert {*found} == {REQ}


def test_the_graph_leads_on_in_both_directions() -> None:
    found = asked("refunds", filters={"type": "requirement"}, include_history=True)
    by_graph = {
        id: (each.distance, each.relationship_type, round(each.score, 3))
        for id, each in found.items()
        if each.relationship_type
    }
    assert by_graph[DES] == (1, "← IMPLEMENTS", 0.5)
    assert by_graph[ARCH] == (1, "← SATISFIES", 0.45)
    assert by_graph[OLD] == (2, "SUPERSEDES", 0.167)
    assert by_graph[CODE] == (2, "← REFERENCES", 0.233)
    near = asked("refunds", filters={"type": "requirement"}, max_graph_distance=1)
    assert max(each.distance for each in near.values()) == 1


def test_weights_move_results_and_change_no_score(store: Workbench) -> None:
    plain = {"doc_architecture_weight": 1.0, "doc_approved_boost": 1.0, "doc_recent_boost": 1.0}
    query = RetrievalQuery("payments refunds", min_score=0.0, max_graph_distance=0)
    with Workbench(store._newest.store(), store.settings.replace(**plain)) as flat:
        before = {each.node_id: each.score for each in retrieve_documents(query, flat)}
    after = {each.node_id: each for each in retrieve_documents(query, store)}
    shared = before.keys() & after.keys()
    assert {id: after[id].score for id in shared} == {id: before[id] for id in shared}
    assert after[ARCH].parts["type"] == 2.0
    assert after[ARCH].parts["authority"] == 1.5
    assert list(after).index(ARCH) <= list(before).index(ARCH)


def test_min_score_reads_the_score_before_weights() -> None:
    best = max(asked("payments refunds", max_graph_distance=0).values(), key=lambda e: e.score)
    assert {*asked("payments refunds", min_score=best.score, max_graph_distance=0)} == {
        best.node_id
    }


def test_the_limit_counts_what_the_graph_leads_to() -> None:
    assert len(asked("refunds", limit=3)) == 3


def test_a_wrong_filter_is_a_value_error_with_the_sentence() -> None:
    with pytest.raises(ValueError, match="'owner' is not one of"):
        asked(filters={"owner": "me"})


def test_two_indices_and_the_best_score_of_each() -> None:
    both = multi_vector_search("refund design ledger", limit=50)
    chunks = multi_vector_search("refund design ledger", ["chunk_embedding"], limit=50)
    whole = multi_vector_search("refund design ledger", ["doc_embedding"], limit=50)
    one, other = ({e.node_id: e.score for e in each} for each in (chunks, whole))
    assert all(id.endswith(":document") for id in other)
    assert len(other) == 7
    for each in both:
        assert each.score == max(one.get(each.node_id, 0.0), other.get(each.node_id, 0.0))
    assert [e.score for e in both] == sorted((e.score for e in both), reverse=True)


def test_an_unknown_index_is_refused() -> None:
    with pytest.raises(ValueError, match="Unknown index: vectors"):
        multi_vector_search("x", ["vectors"])


def test_similar_documents_by_any_name() -> None:
    by_id, by_path = (
        find_similar_documents(name, min_score=0.0) for name in ("DES-1", "docs/design/refunds.md")
    )
    assert by_id == by_path
    assert DES not in {each.node_id for each in by_id}
    with pytest.raises(ValueError, match="There is no chunk 'DES-9'"):
        find_similar_documents("DES-9")
    with pytest.raises(ValueError, match="limit must be"):
        find_similar_documents("DES-1", limit=0)


def test_the_impact_of_a_requirement() -> None:
    found = get_impact_context("REQ-1")
    assert found["direct_impact"] == [
        {"id": ARCH, "title": "Payments", "type": "architecture", "path": [REQ, ARCH]},
        {"id": DES, "title": "Refund design", "type": "design", "path": [REQ, DES]},
    ]
    assert found["indirect_impact"] == [
        {"id": ADR, "title": "Polling", "type": "decision", "path": [REQ, DES, ADR]},
        {"id": CODE, "title": "Ledger code", "type": "code", "path": [REQ, DES, CODE]},
    ]
    assert found["total_affected"] == 4
    assert get_impact_context("REQ-1", max_distance=1)["indirect_impact"] == []
    assert get_impact_context("REQ-1", relations=("SATISFIES",))["total_affected"] == 1


def test_the_impact_of_a_schema_is_that_of_the_command() -> None:
    schema = "shop.json:components/schemas/User"
    found = get_impact_context(schema)
    post = "shop.json:paths/users/post"
    assert [e["id"] for e in found["direct_impact"]] == [CALL, post]  # type: ignore[attr-defined]
    assert found["indirect_impact"] == [
        {
            "id": LIMITS,
            "title": "Refund design > Limits",
            "type": "design",
            "path": [schema, CALL, LIMITS],
        }
    ]
    assert found["total_affected"] == 3


@pytest.mark.parametrize("wrong", [None, 7, b"REQ-1", ["REQ-1"]])
def test_what_is_no_id_is_a_value_error(wrong: Any) -> None:
    for ask in (find_similar_documents, get_impact_context):
        with pytest.raises(ValueError, match="must be text"):
            ask(wrong)


@pytest.mark.parametrize("wrong", [["IMPLIES"], "IMPLEMENTS", ["implements"], [None]])
def test_an_unknown_relation_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="relations must be a list of IMPLEMENTS, SATISFIES"):
        get_impact_context("REQ-1", relations=wrong)
