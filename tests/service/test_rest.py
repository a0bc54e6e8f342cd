"""Every address, as a client sees it: what it answers, and what it says to a wrong request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from core import Settings, Workbench
from core.errors import EmbeddingError, StoreBusy, StoreDamaged
from core.model import Level
from core.service import bodies
from core.service.guard import Rules
from core.service.rest import rest
from core.settings import KNOBS

ORDER = "shop.json:components/schemas/Order"
CREATE = "shop.json:paths/users/post"
USER = "shop.json:components/schemas/User"
RULES = Rules(hosts=("testserver",))
NESTED = json.loads('{"$and": [' * 50 + '{"type": "info"}' + "]}" * 50)
PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def workbench(sample_store: Path) -> Iterator[Workbench]:
    with Workbench.open(sample_store, settings=Settings(log_stats=False)) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(workbench: Workbench) -> TestClient:
    return TestClient(rest(workbench, RULES), raise_server_exceptions=False)


def ask(client: TestClient, query: str, format: str = "", **options: Any) -> httpx.Response:
    address = f"/retrieval/context?format={format}" if format else "/retrieval/context"
    return client.post(address, json={"query": query, "options": options})


@pytest.mark.thorough
def test_a_context_has_sections_and_figures(client: TestClient) -> None:
    options = {"max_results": 1, "apis": ["shop"], "max_total_chunks": 60, "token_limit": 20_000}
    answer = ask(client, "create a user", **options).json()
    assert list(answer) == ["query", "sections", "total_results", "truncated", "retrieval_stats"]
    assert [(each["title"], each["relevance"]) for each in answer["sections"]] == [
        ("Primary Context", "high"),
        ("Supporting Documentation", "medium"),
    ]
    assert CREATE in answer["sections"][0]["content"]
    assert USER in answer["sections"][1]["content"]
    assert answer["total_results"] >= answer["retrieval_stats"]["total_chunks"] > 2
    assert answer["retrieval_stats"]["milliseconds"]["total"] > 0
    assert not answer["truncated"]
    assert ask(client, "create a user", token_limit=300).json()["truncated"]


def test_a_context_is_that_of_the_workbench(client: TestClient, workbench: Workbench) -> None:
    answer = ask(
        client, "create a user", "knowledge", max_results=2, max_depth=1, apis=["shop"]
    ).json()
    context = workbench.retrieve(
        "create a user", max_primary_results=2, max_depth=1, apis=["shop"]
    ).to_dict()
    for name in ("primary_chunks", "referenced_chunks", "total_tokens"):
        assert answer[name] == json.loads(json.dumps(context[name]))


def test_more_results_than_chunks_raise_the_limit_of_chunks(client: TestClient) -> None:
    answer = ask(client, "user", "knowledge", max_results=40, min_score=0.0)
    assert answer.status_code == 200
    assert len(answer.json()["primary_chunks"]) > 15


def test_a_context_as_markdown(client: TestClient, workbench: Workbench) -> None:
    answer = client.post("/retrieval/context?format=markdown", json={"query": "create a user"})
    assert answer.headers["content-type"].startswith("text/markdown")
    assert answer.text == workbench.retrieve("create a user").to_markdown()


def test_filters_narrow_the_search(client: TestClient) -> None:
    answer = ask(client, "user", "knowledge", filters={"type": "component"}, min_score=0.0).json()
    assert {item["chunk"]["type"] for item in answer["primary_chunks"]} == {"component"}


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        ({"tken_limit": 300}, 400, "Did you mean 'token_limit'?"),
        ({"max_depth": 99}, 400, "max_depth"),
        ({"embedder": "minilm"}, 400, "embedder"),
        ({"filters": {"typ": "component"}}, 400, "'typ'"),
        ({"mode": "exact", "search_type": "exact"}, 400, "set twice"),
        ({"apis": ["shp"]}, 404, "Did you mean shop"),
        ({"search_type": "fuzzy"}, 422, "search_type"),
        ({"max_results": 0}, 422, "max_results"),
        ({"filters": []}, 422, "filters"),
        ({"filters": NESTED}, 422, "levels"),
    ],
)
def test_a_wrong_option_is_said(
    client: TestClient, options: dict[str, Any], status: int, said: str
) -> None:
    answer = ask(client, "create a user", **options)
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)
    assert said in answer.json()["detail"]
    assert answer.json()["status"] == status


SEARCH, SIMILAR, GRAPH = {"query": "user"}, {"document_id": ORDER}, {"start_node": ORDER}


@pytest.mark.parametrize(
    ("name", "body", "status", "said"),
    [
        ("search", {}, 422, "query"),
        ("search", {"query": " "}, 400, "empty"),
        ("search", SEARCH | {"limit": 0}, 422, "limit"),
        ("search", SEARCH | {"limit": 101}, 422, "limit"),
        ("search", SEARCH | {"min_score": 1.1}, 422, "min_score"),
        ("search", SEARCH | {"query_type": "fuzzy"}, 422, "query_type"),
        ("search", SEARCH | {"filters": {"typ": "info"}}, 400, "'typ'"),
        ("search", SEARCH | {"filters": NESTED}, 422, "levels"),
        ("search", SEARCH | {"apis": "shop"}, 422, "apis"),
        ("search", SEARCH | {"top": 3}, 422, "top"),
        ("context", {"query": "user", "option": {}}, 422, "option"),
        ("similar", {}, 422, "document_id"),
        ("similar", SIMILAR | {"limit": 101}, 422, "limit"),
        ("similar", SIMILAR | {"min_score": -0.1}, 422, "min_score"),
        ("graph", {}, 422, "start_node"),
        ("graph", GRAPH | {"max_distance": 11}, 422, "max_distance"),
        ("graph", GRAPH | {"max_distance": -1}, 422, "max_distance"),
        ("graph", GRAPH | {"direction": "up"}, 422, "direction"),
        ("graph", GRAPH | {"relationship_types": "a"}, 422, "relationship_types"),
        ("impact", {}, 422, "node_id"),
        ("impact", {"node_id": ["a"]}, 422, "node_id"),
        ("knowledge", {"intent": "refund"}, 422, "message"),
        ("knowledge", {"intent": "", "message": "x", "metadata": []}, 422, "metadata"),
    ],
)
def test_a_wrong_field_is_named(
    client: TestClient, name: str, body: dict[str, Any], status: int, said: str
) -> None:
    answer = client.post(f"/retrieval/{name}", json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)
    assert said in answer.json()["detail"]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        (f"/retrieval/chunks/{ORDER}?level=all", 422),
        ("/retrieval/context?format=html", 405),
        ("/retrieval/nothing", 404),
        ("/retrieval/chunks/..%2F..%2Fetc%2Fpasswd", 404),
        ("/catalog/..%2F..", 404),
    ],
)
def test_a_wrong_address_is_a_problem(client: TestClient, address: str, status: int) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)


@pytest.mark.parametrize(
    ("name", "defaults"),
    [
        (
            "SearchBody",
            {"limit": 10, "query_type": "hybrid", "min_score": 0.7, "filters": {}, "apis": []},
        ),
        ("SimilarBody", {"limit": 10, "min_score": 0.8}),
        ("GraphBody", {"max_distance": 2, "relationship_types": [], "direction": "both"}),
        ("KnowledgeBody", {"metadata": {}}),
    ],
)
def test_what_need_not_be_given(name: str, defaults: dict[str, Any]) -> None:
    model = getattr(bodies, name)
    found = {
        field: each.get_default(call_default_factory=True)
        for field, each in model.model_fields.items()
        if not each.is_required()
    }
    assert found == defaults


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"{", 422), (b"[]", 422), (b"", 422), (b'{"query": 1}', 422), (b'{"query": " "}', 400)],
)
def test_a_body_that_is_none(client: TestClient, content: bytes, status: int) -> None:
    answer = client.post(
        "/retrieval/context", content=content, headers={"Content-Type": "application/json"}
    )
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)


@pytest.mark.parametrize("said", ["application/x-www-form-urlencoded", "text/plain", ""])
def test_a_body_that_is_not_called_json_is_told_so(client: TestClient, said: str) -> None:
    """`curl -d` calls a body a form unless it is told otherwise."""
    headers = {"Content-Type": said} if said else {}
    answer = client.post("/retrieval/search", content=b'{"query": "x"}', headers=headers)
    assert answer.status_code == 422
    assert "`Content-Type: application/json`" in answer.json()["detail"]


def test_what_references_join(client: TestClient) -> None:
    body = {"start_node": ORDER, "max_distance": 1, "direction": "out"}
    answer = client.post("/retrieval/graph", json=body).json()
    assert answer["nodes"][0] == {
        "node_id": ORDER,
        "node_type": "component",
        "title": "schemas/Order",
        "distance": 0,
        "relationship_type": None,
        "score": 1.0,
    }
    assert {"shop.json:components/schemas/Address"} < {n["node_id"] for n in answer["nodes"]}
    assert {edge["source"] for edge in answer["edges"]} >= {ORDER}
    assert not answer["truncated"]


def test_what_a_change_affects(client: TestClient, workbench: Workbench) -> None:
    answer = client.post("/retrieval/impact", json={"node_id": ORDER}).json()
    affected = [*answer["direct_impact"], *answer["indirect_impact"]]
    assert [each["id"] for each in affected] == [e.id for e in workbench.impact(ORDER).operations]
    assert answer["total_affected"] == len(affected)


def test_a_search_lists_results(client: TestClient) -> None:
    body = {"query": "create a user", "limit": 3, "min_score": 0.3, "apis": ["shop"]}
    answer = client.post("/retrieval/search", json=body).json()
    assert answer[0]["title"] == "POST /users"
    assert len(answer) <= 3
    assert answer[0]["score"] > 0.8
    assert (answer[0]["distance"], answer[0]["relationship_type"]) == (0, None)
    narrowed = client.post("/retrieval/search", json=body | {"filters": {"type": "component"}})
    assert narrowed.json()
    assert all("components/" in each["node_id"] for each in narrowed.json())


def test_what_is_like_an_element(client: TestClient) -> None:
    body = {"document_id": ORDER, "limit": 2, "min_score": 0.1}
    answer = client.post("/retrieval/similar", json=body).json()
    assert len(answer) == 2
    assert ORDER not in {each["node_id"] for each in answer}


@pytest.mark.parametrize("metadata", [{}, None, {"product": "Kite"}])
def test_a_message_is_answered_from_articles(client: TestClient, metadata: object) -> None:
    body = {"intent": "refund", "message": "Where is my money?", "metadata": metadata}
    answer = client.post("/retrieval/knowledge", json=body).json()
    assert answer["coverage"] == "none", "there are no articles in this store"


@pytest.mark.parametrize("level", ["signature", "compact", "json"])
def test_a_chunk_at_a_level(client: TestClient, workbench: Workbench, level: str) -> None:
    answer = client.get(f"/retrieval/chunks/{CREATE}?level={level}").json()
    assert answer["text"] == workbench.look(CREATE, Level(level))[1]
    assert answer["body"] == workbench.show(CREATE)[1]
    assert answer["chunk"]["ref_ids"]


def test_the_catalogue(client: TestClient) -> None:
    listed = client.get("/catalog").json()
    assert {each["file_id"] for each in listed} >= {"shop", "files/storage"}
    assert "endpoints" not in listed[0]
    assert client.get("/catalog/files/storage").json()["endpoints"]


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/retrieval/graph", {"start_node": ORDER + "s"}),
        ("/retrieval/impact", {"node_id": ORDER + "s"}),
        ("/retrieval/similar", {"document_id": ORDER + "s"}),
        (f"/retrieval/chunks/{ORDER}s", None),
        ("/catalog/shp", None),
    ],
)
def test_an_unknown_id_names_the_nearest(
    client: TestClient, address: str, body: dict[str, Any] | None
) -> None:
    answer = client.post(address, json=body) if body else client.get(address)
    assert answer.status_code == 404
    assert answer.json()["nearest"][0] in (ORDER, "shop")


@pytest.mark.parametrize(("method", "status"), [("GET", 405), ("DELETE", 405)])
def test_a_wrong_method_is_a_problem_too(client: TestClient, method: str, status: int) -> None:
    answer = client.request(method, "/retrieval/context")
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM)


@pytest.mark.parametrize(
    ("error", "status", "retry"),
    [
        (StoreBusy("Another process writes to /srv/team/store."), 503, "5"),
        (StoreDamaged("/srv/team/store/index: two arrays differ."), 503, None),
        (EmbeddingError("No key."), 503, None),
        (RuntimeError("secret of /srv/team/store"), 500, None),
    ],
)
def test_what_fails_is_said_without_places(
    client: TestClient,
    workbench: Workbench,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    retry: str | None,
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(workbench, "retrieve", failing)
    answer = ask(client, "create a user")
    assert (answer.status_code, answer.headers.get("retry-after")) == (status, retry)
    assert "/srv" not in answer.text
    assert "secret" not in answer.text


def test_metrics_count_whatever_answers(client: TestClient) -> None:
    def counted() -> dict[tuple[str, str], float]:
        families = text_string_to_metric_families(client.get("/metrics").text)
        samples = [sample for family in families for sample in family.samples]
        return {(s.name, *s.labels.values()): s.value for s in samples if len(s.labels) < 2}

    before = counted()
    assert ask(client, "delete an order").status_code == 200
    assert client.post("/retrieval/search", json={"query": "an order"}).status_code == 200
    assert ask(client, "delete an order", max_depth=99).status_code == 400
    after = counted()
    gained = {key: after[key] - before.get(key, 0) for key in after}
    assert gained["specloupe_retrievals_total", "error"] == 1
    assert gained["specloupe_errors_total", "SettingsError"] == 1
    results = [gained.get(("specloupe_retrievals_total", name), 0) for name in ("found", "empty")]
    assert sum(results) == 2


def test_it_is_ready_when_there_is_an_index(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/readyz").json()["status"] == "ready"
    with Workbench.open(tmp_path / "store") as empty:
        other = TestClient(rest(empty, RULES))
        assert other.get("/healthz").json() == {"status": "ok"}
        assert other.get("/readyz").status_code == 503


def test_its_description_is_a_specification_that_we_read(
    client: TestClient, tmp_path: Path
) -> None:
    described = client.get("/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    (tmp_path / "served.json").write_text(json.dumps(described), "utf-8")
    with Workbench.open(tmp_path / "store", settings=Settings(log_stats=False)) as reading:
        *_, report = reading.ingest([tmp_path / "served.json"])
        assert not report.refused
        found = reading.retrieve("make a context for a question").primary_chunks
        (told,) = reading.reports().values()
    assert found[0].chunk.label == "POST /retrieval/context"
    assert not told.unresolved


@pytest.fixture(scope="module")
def described(client: TestClient) -> dict[str, Any]:
    description: dict[str, Any] = client.get("/openapi.json").json()
    return description


ANSWERS: list[tuple[str, str, dict[str, Any] | None]] = [
    ("/retrieval/search", "", {"query": "create a user", "min_score": 0.2}),
    ("/retrieval/similar", "", {"document_id": ORDER, "min_score": 0.1}),
    ("/retrieval/context", "", {"query": "create a user"}),
    ("/retrieval/context", "?format=knowledge", {"query": "create a user"}),
    ("/retrieval/graph", "", {"start_node": ORDER}),
    ("/retrieval/knowledge", "", {"intent": "refund", "message": "Where is my money?"}),
    ("/retrieval/impact", "", {"node_id": ORDER}),
    ("/retrieval/chunks/{id}", ORDER, None),
    ("/catalog", "", None),
    ("/catalog/{file_id}", "files/storage", None),
    ("/healthz", "", None),
    ("/readyz", "", None),
]


@pytest.mark.parametrize(("path", "rest", "body"), ANSWERS)
def test_answers_are_as_described(
    client: TestClient, described: dict[str, Any], path: str, rest: str, body: dict[str, Any] | None
) -> None:
    address = path.partition("{")[0] + rest
    answer = client.post(address, json=body) if body else client.get(address)
    assert answer.status_code == 200
    operation = described["paths"][path]["post" if body else "get"]
    good = operation["responses"]["200"]["content"]["application/json"]
    check(good["schema"], described, answer.json())
    if "example" in good:
        check(good["schema"], described, good["example"])


@pytest.mark.parametrize(("path", "rest", "body"), ANSWERS)
def test_links_lead_on(
    client: TestClient, described: dict[str, Any], path: str, rest: str, body: dict[str, Any] | None
) -> None:
    address = path.partition("{")[0] + rest
    answer = (client.post(address, json=body) if body else client.get(address)).json()
    links = described["paths"][path]["post" if body else "get"]["responses"]["200"].get("links", {})
    for link in links.values():
        if given := link.get("requestBody"):
            (name, pointer), *_ = given.items()
            to = f"/retrieval/{link['operationId'].split('_')[-1]}"
            to = {"/retrieval/around": "/retrieval/graph"}.get(to, to)
            assert client.post(to, json={name: found_at(answer, pointer)}).status_code == 200
        else:
            id = found_at(answer, link["parameters"]["id"])
            assert client.get(f"/retrieval/chunks/{id}").status_code == 200


def found_at(answer: Any, pointer: str) -> Any:
    for step in pointer.removeprefix("$response.body#/").split("/"):
        answer = answer[int(step)] if isinstance(answer, list) else answer[step]
    return answer


def test_problems_are_as_described(client: TestClient, described: dict[str, Any]) -> None:
    schema = {"$ref": "#/components/schemas/Problem"}
    for answer in (client.get("/catalog/shp"), client.get("/nowhere"), ask(client, " ")):
        check(schema, described, answer.json())
    for operations in described["paths"].values():
        for operation in operations.values():
            problems = [each for status, each in operation["responses"].items() if status != "200"]
            assert all(each["content"][PROBLEM]["schema"] == schema for each in problems)


def test_each_setting_is_described_but_what_no_question_can_change(
    described: dict[str, Any],
) -> None:
    options = described["components"]["schemas"]["Options"]["properties"]
    assert {knob.name for knob in KNOBS} - options.keys() == {"embedder"}
    assert options["max_depth"]["maximum"] == 10


def check(schema: dict[str, Any], described: dict[str, Any], value: Any) -> None:
    whole = {**schema, "components": described["components"]}
    jsonschema_rs.validator_for(whole).validate(value)
