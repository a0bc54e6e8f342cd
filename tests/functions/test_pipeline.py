"""The three stages by their own names, with a store and without one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.stores import ingested, opened, version

from core import Workbench
from core.functions import (
    expand_query_for,
    extract_keywords,
    fallback_api_selection,
    generate_api_catalog,
    generate_detailed_index,
    match_apis_by_keywords,
    resolve_all_refs,
    select_apis,
    use,
)

QUERY = "write users of Shop"
USER = "shop.json:components/schemas/User"


@pytest.fixture(scope="module")
def apis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return version(tmp_path_factory.mktemp("pipeline") / "apis", 1)


@pytest.fixture(scope="module")
def shared(apis: Path) -> Iterator[Workbench]:
    with opened(apis.parent / "store") as workbench:
        ingested(workbench, apis)
        use(workbench)
        yield workbench
        use(None)


def test_apis_are_selected_with_a_reason(shared: Workbench) -> None:
    found = select_apis(QUERY)
    assert (found.selected_apis[0], found.by) == ("shop", "rules")
    assert found.reasoning.endswith("named in the question.")
    assert found.scores["shop"] == max(found.scores.values())
    assert shared.select_apis(QUERY, api_selection="off").selected_apis == ()


def test_the_fallback_goes_by_keywords(shared: Workbench) -> None:
    assert fallback_api_selection("write users of the shop")[0] == "shop"
    assert fallback_api_selection("zzyzx") == []
    words = extract_keywords(QUERY)
    assert match_apis_by_keywords(words, shared.catalog())[0] == "shop"


def test_a_question_is_expanded_for_apis_whatever_the_weight(shared: Workbench) -> None:
    assert shared.settings.expansion == 0
    found = expand_query_for(QUERY, ["shop"])
    assert found.by == "rules"
    assert found.expanded_query.startswith(QUERY)
    assert "user" in found.original_terms
    with pytest.raises(ValueError, match="nowhere"):
        expand_query_for(QUERY, ["nowhere"])


def test_references_are_resolved_from_the_start_on(shared: Workbench) -> None:
    found = [chunk.id for chunk in resolve_all_refs(USER)]
    assert found == [USER, "shop.json:components/schemas/Card"]
    assert [chunk.id for chunk in resolve_all_refs(USER, max_depth=0)] == [USER]
    with pytest.raises(ValueError, match="Ghost"):
        resolve_all_refs("shop.json:components/schemas/Ghost")


def test_without_a_store_the_catalogue_and_the_index_are_the_same(
    shared: Workbench, apis: Path
) -> None:
    catalogue = generate_api_catalog(apis)
    assert [*catalogue[0]] == ["file_id", "name", "description", "domains"]
    assert [entry["file_id"] for entry in catalogue] == ["bank", "cinema", "shop"]
    index = generate_detailed_index(apis / "shop.json")
    assert index == shared.detailed_index("shop")
    assert [*index] == ["file_id", "endpoints", "schemas", "domains"]


def test_a_schema_is_told_with_the_operations_that_use_it(tmp_path: Path) -> None:
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/User"}}}}
    paths = {
        "/users": {
            "post": {"operationId": "createUser", "requestBody": body, "responses": {}},
            "get": {"responses": {"200": {"description": "all", **body}}},
        }
    }
    value = {
        "openapi": "3.0.0",
        "info": {"title": "Shop", "version": "1"},
        "paths": paths,
        "components": {"schemas": {"User": {"type": "object"}}},
    }
    (tmp_path / "shop.json").write_text(json.dumps(value))
    (schema,) = generate_detailed_index(tmp_path / "shop.json")["schemas"]
    assert schema == {"name": "User", "type": "both", "used_by": ["GET /users", "createUser"]}


def test_what_is_no_api_is_left_out_of_the_catalogue_and_has_no_index(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[1, 2]")
    (tmp_path / "broken.yaml").write_text("a: [")
    assert generate_api_catalog(tmp_path) == []
    with pytest.raises(ValueError, match="no API description"):
        generate_detailed_index(tmp_path / "list.json")


def test_the_pipelines_output_is_of_four_keys(shared: Workbench) -> None:
    context = shared.retrieve(QUERY)
    said = context.to_dict(style="pipeline")
    assert [*said] == ["primary_chunks", "resolved_context", "total_chunks", "traversal_depth"]
    assert said["total_chunks"] == len(said["primary_chunks"]) + len(said["resolved_context"])
    assert said["primary_chunks"][0]["chunk"]["id"] == context.primary_chunks[0].chunk.id
