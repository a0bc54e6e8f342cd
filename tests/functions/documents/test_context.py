"""The filters of the caller and of the question together, and the context of an agent."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.larkfield import ADR, made

from core import Workbench
from core.functions import RetrievalOptions, get_agent_context, retrieve_context
from core.functions.documents.context import analysed


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with made(tmp_path_factory.mktemp("context")) as workbench:
        yield workbench


def options(**changes: object) -> RetrievalOptions:
    known = {"min_score": 0.0, "max_graph_distance": 0, **changes}
    return RetrievalOptions(**known)  # type: ignore[arg-type]


def test_a_filter_of_the_question_holds_where_enough_is_left(store: Workbench) -> None:
    found = analysed("approved refunds", options(), store)
    assert {each.status for each in found} == {"approved"}
    assert len(found) >= 3


def test_one_that_leaves_too_little_is_dropped_the_least_sure_first(store: Workbench) -> None:
    """Two documents are proposed: none; of approved decisions there is none."""
    found = analysed("approved decision about refunds", options(), store)
    assert {each.status for each in found} == {"approved"}
    found = analysed("proposed refunds", options(), store)
    assert {"approved", "proposed"} <= {each.status for each in found}


def test_the_filters_of_the_caller_always_hold(store: Workbench) -> None:
    found = analysed("approved refunds", options(filters={"status": "proposed"}), store)
    assert [each.node_id for each in found] == [ADR]
    both = analysed("approved refunds", options(filters={"subsystem": "payments"}), store)
    assert {each.status for each in both} == {"approved"}
    assert all("subsystem:payments" in each.metadata["tags"] for each in both)


def test_a_context_has_sections(store: Workbench) -> None:
    context = retrieve_context(
        "payments and refunds", options(include_history=True), workbench=store
    )
    assert context.sections[0].title == "Primary Context"
    assert "Historical Context" in [each.title for each in context.sections]
    assert retrieve_context("payments and refunds", options(max_length=60), store).truncated


def test_an_agent_gets_what_is_approved_and_of_its_subsystem(
    store: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, RetrievalOptions]] = []

    def noted(query: str, given: RetrievalOptions, workbench: Workbench) -> list[object]:
        asked.append((query, given))
        return []

    monkeypatch.setattr("core.functions.documents.context.analysed", noted)
    get_agent_context("implement", "refund endpoint", "x" * 200, "payments", store)
    get_agent_context("implement", "refund endpoint", workbench=store)
    (query, first), (_, second) = asked
    assert query == f"implement refund endpoint {'x' * 100}"
    assert first.filters == {"status": "approved", "subsystem": "payments"}
    assert second.filters == {"status": "approved"}
    assert (first.search_type, first.max_results, first.include_history) == ("hybrid", 15, False)


def test_what_fails_is_a_value_error(store: Workbench) -> None:
    with pytest.raises(ValueError, match="Query cannot be empty"):
        retrieve_context(" ", workbench=store)
    with pytest.raises(ValueError, match="Unknown query type: odd"):
        retrieve_context("x", RetrievalOptions(search_type="odd"), store)
