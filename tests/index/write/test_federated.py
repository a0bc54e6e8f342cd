"""Schemas that several specifications share, whichever folder or root they come from."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from support.apis import Letters, contents, fill, write

from core import Workbench
from core.index.embed.hashed import HashEmbedder
from core.index.store import Store
from core.index.write.ingest import remove
from core.read.files.find import from_bytes
from core.settings import resolve

MONEY = "common.json:components/schemas/Money"


def users(ref: str, title: str = "Orders") -> dict[str, Any]:
    answer = {"description": "x", "content": {"application/json": {"schema": {"$ref": ref}}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": "1"},
        "paths": {"/pay": {"get": {"responses": {"200": answer}}}},
    }


def library(kind: str = "integer", **more: Any) -> dict[str, Any]:
    info = {"title": "Common", "version": "1"}
    schemas = {"Money": {"type": kind}}
    return {
        "openapi": "3.1.0",
        "info": info,
        "paths": {},
        "components": {"schemas": schemas},
        **more,
    }


MONEY_SCHEMA = {"type": "integer", "description": "In cents"}
SHAPES: dict[str, tuple[Any, str]] = {  # a library without a version, and what leads to its schema
    "components": (
        {"components": {"schemas": {"Money": MONEY_SCHEMA}}},
        "/components/schemas/Money",
    ),
    "definitions": ({"definitions": {"Money": MONEY_SCHEMA}}, "/definitions/Money"),
    "defs": (
        {"$schema": "https://json-schema.org/x", "$defs": {"Money": MONEY_SCHEMA}},
        "/$defs/Money",
    ),
    "schemas": ({"schemas": {"Money": MONEY_SCHEMA}}, "/schemas/Money"),
    "names": ({"Money": MONEY_SCHEMA}, "/Money"),
    "one schema": (MONEY_SCHEMA, ""),
}


@pytest.fixture(params=SHAPES.values(), ids=SHAPES)
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A library without a version, and two that refer to it from folders of their own."""
    value, pointer = request.param
    for name in ("orders", "bills"):
        ref = f"../shared/money.json#{pointer}"
        write(tmp_path / name, {f"{name}.json": users(ref, name.title())})
    write(tmp_path / "shared", {"money.json": value})
    return tmp_path


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    write(
        tmp_path / "orders",
        {"orders.json": users("../shared/common.json#/components/schemas/Money")},
    )
    write(
        tmp_path / "bills",
        {"v1/bills.json": users("../../shared/common.json#/components/schemas/Money")},
    )
    write(tmp_path / "shared", {"common.json": library()})
    return tmp_path


def lost(store: Path) -> list[str]:
    opened = Store.open(store)
    entries = opened.manifest.entries.values()
    return [one.ref for entry in entries for one in opened.facts(entry).report.unresolved]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "order", list(itertools.permutations(["orders", "bills", "shared"])), ids="-".join
)
def test_the_order_of_ingestion_does_not_matter(repo: Path, order: tuple[str, ...]) -> None:
    for folder in order:
        fill(repo / "store", repo / folder)
    chunks = contents(repo / "store")
    assert chunks[MONEY].referenced_by == (
        "orders.json:paths/pay/get",
        "v1/bills.json:paths/pay/get",
    )
    assert not lost(repo / "store")
    fill(repo / "at once", *(repo / folder for folder in sorted(order)))
    assert contents(repo / "at once") == chunks


def test_impact_tells_the_users_in_all_roots(repo: Path) -> None:
    fill(repo / "store", repo / "orders", repo / "bills", repo / "shared")
    settings = resolve({"embedder": "hash", "log_stats": False}, environment={}).settings
    with Workbench.open(repo / "store", settings=settings) as workbench:
        told = workbench.impact(MONEY)
    assert {one.id for one in told.operations} == {
        "orders.json:paths/pay/get",
        "v1/bills.json:paths/pay/get",
    }


def test_a_change_of_the_library_refreshes_its_users(repo: Path) -> None:
    fill(repo / "store", repo / "orders", repo / "shared")
    renamed = library()
    renamed["components"]["schemas"] = {"Amount": {"type": "integer"}}
    write(repo / "shared", {"common.json": renamed})
    fill(repo / "store", repo / "shared")
    assert lost(repo / "store") == ["../shared/common.json#/components/schemas/Money"]
    write(repo / "shared", {"common.json": library()})
    fill(repo / "store", repo / "shared")
    assert not lost(repo / "store")


def test_a_library_that_goes_is_missed_and_one_that_comes_back_is_found(repo: Path) -> None:
    fill(repo / "store", repo / "orders", repo / "shared")
    chunks = contents(repo / "store")
    *_, _ = remove(
        Store.open(repo / "store"), ["common"], embedder=HashEmbedder(), tokens=Letters()
    )
    opened = Store.open(repo / "store")
    (one,) = opened.facts(opened.manifest.entries["orders.json"]).report.unresolved
    assert one.missing == "../shared/common.json"
    fill(repo / "store", repo / "shared")
    assert contents(repo / "store") == chunks


def test_a_file_that_is_no_api_is_a_library_as_well(tmp_path: Path) -> None:
    write(tmp_path / "orders", {"orders.json": users("../shared/money.json#/Money")})
    write(tmp_path / "shared", {"money.json": {"Money": {"type": "integer"}}})
    fill(tmp_path / "store", tmp_path / "orders", tmp_path / "shared")
    assert contents(tmp_path / "store")["money.json:Money"].referenced_by


@pytest.mark.thorough
@pytest.mark.parametrize("order", [("shared", "orders", "bills"), ("orders", "shared", "bills")])
def test_a_library_without_a_version_may_come_before_its_users(
    shared: Path, order: tuple[str, ...]
) -> None:
    for folder in order:
        assert not fill(shared / "store", shared / folder).refused
    assert not lost(shared / "store")
    chunks = contents(shared / "store")
    (money,) = (chunk for chunk in chunks.values() if chunk.source_file == "money")
    assert money.referenced_by == ("bills.json:paths/pay/get", "orders.json:paths/pay/get")
    fill(shared / "at once", *(shared / folder for folder in sorted(order)))
    assert contents(shared / "at once") == chunks


@pytest.mark.thorough
def test_users_of_a_library_without_a_version_are_told_by_impact(shared: Path) -> None:
    fill(shared / "store", shared / "shared")
    fill(shared / "store", shared / "orders")
    (money,) = (c for c in contents(shared / "store").values() if c.source_file == "money")
    settings = resolve({"embedder": "hash", "log_stats": False}, environment={}).settings
    with Workbench.open(shared / "store", settings=settings) as workbench:
        told = workbench.impact(money.element)
    assert [one.id for one in told.operations] == ["orders.json:paths/pay/get"]


@pytest.mark.thorough
def test_a_library_that_came_first_and_changes_refreshes_its_users(shared: Path) -> None:
    fill(shared / "store", shared / "shared")
    fill(shared / "store", shared / "orders")
    before = (shared / "shared" / "money.json").read_text()
    write(shared / "shared", {"money.json": before.replace("In cents", "In tenths of a cent")})
    fill(shared / "store", shared / "shared")
    assert not lost(shared / "store")
    (money,) = (c for c in contents(shared / "store").values() if c.source_file == "money")
    assert "tenths" in money.text
    assert money.referenced_by == ("orders.json:paths/pay/get",)


def test_what_a_library_that_came_first_has_no_more_is_missed(repo: Path) -> None:
    shared = {"components": {"schemas": {"Money": MONEY_SCHEMA, "Rate": {"type": "number"}}}}
    write(repo / "shared", {"common.json": shared})
    fill(repo / "store", repo / "shared")
    fill(repo / "store", repo / "orders")
    del shared["components"]["schemas"]["Money"]
    write(repo / "shared", {"common.json": shared})
    fill(repo / "store", repo / "shared")
    assert lost(repo / "store") == ["../shared/common.json#/components/schemas/Money"]


@pytest.mark.thorough
def test_a_library_that_came_first_and_goes_is_missed(shared: Path) -> None:
    fill(shared / "store", shared / "shared")
    fill(shared / "store", shared / "orders")
    store = Store.open(shared / "store")
    *_, report = remove(store, ["money"], embedder=HashEmbedder(), tokens=Letters())
    assert report.removed == ("money.json",)
    opened = Store.open(shared / "store")
    (one,) = opened.facts(opened.manifest.entries["orders.json"]).report.unresolved
    assert one.missing == "../shared/money.json"


@pytest.mark.thorough
def test_a_library_says_that_nothing_refers_to_it_until_something_does(shared: Path) -> None:
    def said() -> list[str]:
        opened = Store.open(shared / "store")
        report = opened.facts(opened.manifest.entries["money.json"]).report
        return [finding.rule for finding in report.findings]

    fill(shared / "store", shared / "shared")
    assert said() == ["unused-library"]
    fill(shared / "store", shared / "orders")
    assert said() == []
    *_, _ = remove(
        Store.open(shared / "store"), ["orders"], embedder=HashEmbedder(), tokens=Letters()
    )
    assert said() == ["unused-library"]


@pytest.mark.parametrize("mode", ["hybrid", "exact", "semantic"])
def test_a_file_without_chunks_has_no_part_in_answers(tmp_path: Path, mode: str) -> None:
    """Wherever its name stands among the others, first and last included."""

    def answers(store: Path) -> list[tuple[str, float]]:
        values = {"embedder": "hash", "log_stats": False, "mode": mode}
        with Workbench.open(
            store, settings=resolve(values, environment={}).settings, create=False
        ) as workbench:
            hits = workbench.retrieve("pay for orders").primary_chunks
        return [(hit.chunk.id, hit.score) for hit in hits]

    files = {f"{name}.json": users("#/x", name.title()) for name in ("bills", "orders")}
    fill(tmp_path / "without", write(tmp_path / "apis", files))
    libraries = {f"{name}.json": MONEY_SCHEMA for name in ("a", "c", "z")}
    fill(tmp_path / "with", tmp_path / "apis", write(tmp_path / "libraries", libraries))
    assert len(Store.open(tmp_path / "with").manifest.entries) == 5
    assert answers(tmp_path / "with") == answers(tmp_path / "without") != []


@pytest.mark.parametrize("mode", ["hybrid", "exact", "semantic"])
@pytest.mark.parametrize("files", [{}, {"money.json": MONEY_SCHEMA}], ids=["no file", "no chunk"])
def test_a_store_without_chunks_answers_nothing(
    tmp_path: Path, mode: str, files: dict[str, Any]
) -> None:
    fill(tmp_path / "store", *(write(tmp_path, files) / name for name in files))
    values = {"embedder": "hash", "log_stats": False, "mode": mode}
    settings = resolve(values, environment={}).settings
    with Workbench.open(tmp_path / "store", settings=settings) as workbench:
        assert not workbench.retrieve("pay for orders").primary_chunks


def test_by_its_id_and_rather_in_its_own_root(tmp_path: Path) -> None:
    uri = "https://h.example/money"
    for root in ("a", "b"):
        schema = {"$id": uri, "title": root, "type": "integer"}
        named = {f"{root}.json": users(uri, root), f"{root}-lib.json": library()}
        named[f"{root}-lib.json"]["components"]["schemas"]["Money"] = schema
        write(tmp_path / root, named)
    write(tmp_path / "c", {"c.json": users(uri, "c")})
    fill(tmp_path / "store", *(tmp_path / root for root in "cab"))
    chunks = contents(tmp_path / "store")
    used = {name: next(iter(chunks[f"{name}.json:paths/pay/get"].ref_ids)) for name in "abc"}
    at = "-lib.json:components/schemas/Money"
    assert used == {"a": "a" + at, "b": "b" + at, "c": "a" + at}
    assert not lost(tmp_path / "store")


def test_by_the_self_of_another_document(tmp_path: Path) -> None:
    own = {**users("shared#/components/schemas/Money"), "$self": "https://h.example/api/main"}
    write(tmp_path / "a", {"main.json": {**own, "openapi": "3.2.0"}})
    shared = {**library(), "openapi": "3.2.0", "$self": "https://h.example/api/shared"}
    write(tmp_path / "b", {"common.json": shared})
    fill(tmp_path / "store", tmp_path / "a", tmp_path / "b")
    assert contents(tmp_path / "store")[MONEY].referenced_by == ("main.json:paths/pay/get",)


def test_a_path_never_reaches_what_is_not_stored(repo: Path) -> None:
    fill(repo / "store", repo / "orders")
    assert list(Store.open(repo / "store").manifest.entries) == ["orders.json"]
    assert lost(repo / "store")


def test_an_upload_does_not_see_other_roots_by_path(repo: Path) -> None:
    data = (repo / "orders" / "orders.json").read_bytes()
    fill(repo / "store", repo / "shared", from_bytes("orders.json", data))
    assert lost(repo / "store")


def test_a_path_item_in_another_root_is_read_again_from_its_chunk(tmp_path: Path) -> None:
    item = {"get": {"operationId": "far", "responses": {}}}
    api = {**library(), "paths": {"/far": {"$ref": "../b/items.json#/far"}}}
    write(tmp_path / "a", {"main.json": api})
    write(tmp_path / "b", {"items.json": {"far": item}})
    fill(tmp_path / "store", tmp_path / "a", tmp_path / "b")
    store = Store.open(tmp_path / "store")
    (chunk,) = store.chunks(["main.json:paths/far/get"]).values()
    assert store.body(chunk)["operationId"] == "far"


def test_a_single_file_brings_what_it_refers_to_along(tmp_path: Path) -> None:
    files = {
        "api.json": users("models/a.json#/A"),
        "models/a.json": {"A": {"$ref": "b.json#/B"}},
        "models/b.json": {"B": {"type": "string"}},
        "models/c.json": {"C": {}},
    }
    write(tmp_path / "apis", files)
    report = fill(tmp_path / "store", tmp_path / "apis" / "api.json")
    assert [spec.file for spec in report.specs] == ["api.json", "models/a.json", "models/b.json"]
    assert not report.refused
    assert not lost(tmp_path / "store")


def test_a_single_file_brings_nothing_from_outside_of_its_folder(tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    secret.write_text('{"A": {}}')
    write(
        tmp_path / "apis", {"api.json": users("../secret.json#/A"), "b.json": users("link.json#/A")}
    )
    (tmp_path / "apis" / "link.json").symlink_to(secret)
    assert [s.file for s in fill(tmp_path / "s", tmp_path / "apis" / "api.json").specs] == [
        "api.json"
    ]
    report = fill(tmp_path / "s", tmp_path / "apis" / "b.json")
    assert [one.kind for one in report.refused] == ["UnsafeSpec"]


def test_what_is_mentioned_is_never_called_unmentioned(tmp_path: Path) -> None:
    write(tmp_path / "a", {"api.json": users("parts.json#/gone"), "parts.json": {"Here": {}}})
    (refused,) = fill(tmp_path / "store", tmp_path / "a").refused
    assert "api.json mentions it" in refused.reason
    assert "no API description refers to it" not in refused.reason


def test_what_may_be_anything_is_refused_with_what_to_do(tmp_path: Path) -> None:
    write(tmp_path / "a", {"lib.json": {"Money": {}}})
    (refused,) = fill(tmp_path / "store", tmp_path / "a").refused
    assert refused.reason.endswith(
        "no API description refers to it. If others in the store should, ingest it together with "
        "them, or after them."
    )


def test_names_of_a_file_that_is_not_used_are_told_as_hints(tmp_path: Path) -> None:
    unused = {"components": {"schemas": {"Money": {"type": "integer"}}}}
    files = {"api.json": users("lib.json#/components/schemas/Monye"), "lib.json": unused}
    write(tmp_path / "a", files)
    fill(tmp_path / "store", tmp_path / "a")
    opened = Store.open(tmp_path / "store")
    (one,) = opened.facts(opened.manifest.entries["api.json"]).report.unresolved
    assert one.nearest[0] == "lib.json#/components/schemas/Money"
