"""Which APIs a caller means, and which one a question is about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.apis import api, write
from support.articles import article, base
from support.memory import Memory, Words, make_chunk
from support.samples import evidence, question, sample_index
from support.stores import opened

from core.errors import UnknownId
from core.index.snapshot.snapshot import Snapshot
from core.model import CatalogEntry
from core.retrieve.search.choose_apis import choose, resolve
from core.retrieve.search.evidence import Choice


def entry(file_id: str, name: str) -> CatalogEntry:
    return CatalogEntry(file_id, f"{file_id}.json", name, "", "1", (), {})


ARTICLES = (article("one", "Fan", "Clean the fan."), article("two", "Port", "Open the port."))
CATALOG = [
    entry("stripe.com", "Stripe API"),
    entry("github.com/api", "GitHub v3 REST API"),
    entry("shop", "Corner Shop"),
]


STORE = Memory(
    [make_chunk("stripe.com.json:info", source_file="stripe.com")], tokens=Words(), catalog=CATALOG
)


@pytest.mark.parametrize(
    ("asked", "file_ids"),
    [
        (["stripe.com"], ("stripe.com",)),
        (["stripe.com.json"], ("stripe.com",)),
        (["Stripe.com.JSON"], ("stripe.com",)),
        (["corner shop", "shop"], ("shop",)),
        ([], ()),
    ],
    ids=["file id", "file", "any case", "title", "none"],
)
def test_names_of_an_api(asked: list[str], file_ids: tuple[str, ...]) -> None:
    assert resolve(asked, STORE) == file_ids


def test_a_name_that_two_files_share_is_none_of_them() -> None:
    chunks = [make_chunk(f"a.{x}:info", source_file=f"a.{x}") for x in ("json", "yaml")]
    reader = Memory(chunks, tokens=Words())
    assert resolve(["a.json", "a.yaml"], reader) == ("a.json", "a.yaml")
    with pytest.raises(UnknownId):
        resolve(["a"], reader)


def test_a_home_is_all_of_its_files(tmp_path: Path) -> None:
    write(tmp_path / "in", {"kb.json": base(*ARTICLES), "shop.json": api("Shop")})
    with opened(tmp_path / "store") as workbench:
        for _ in workbench.ingest([tmp_path / "in"], formats=["all"]):
            pass
        reader = workbench._newest.reader()
        assert resolve(["KB.json", "shop"], reader) == ("kb.json/one", "kb.json/two", "shop")
        assert resolve(["kb.json/two"], reader) == ("kb.json/two",)
        with pytest.raises(UnknownId, match=r"kb\.json"):
            resolve(["kb.jsn"], reader)
        context = workbench.retrieve("Shop fan", apis=["kb.json"], min_score=0.0)
        assert {hit.chunk_id.partition("/")[0] for hit in context.trace.hits} == {"kb.json"}


def test_a_root_is_a_home_by_its_name(tmp_path: Path) -> None:
    for file, text in (
        ("handbook/a.md", "# Fans"),
        ("shop/b.md", "# Fans"),
        ("shop/c.py", "x = 1"),
    ):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    with opened(tmp_path / "store") as workbench:
        for _ in workbench.ingest([tmp_path / "handbook", tmp_path / "shop"]):
            pass
        reader = workbench._newest.reader()
        assert resolve(["Handbook"], reader) == ("a",)
        assert resolve(["shop:code"], reader) == ("c",)
        assert set(resolve(["shop"], reader)) == {"b", "c"}
        assert [home.name for home in workbench.homes()] == [
            "handbook",
            "shop:code",
            "shop:document",
        ]
        (tmp_path / "shop").rename(tmp_path / "store of shops")
        for _ in workbench.ingest([tmp_path / "store of shops"]):
            pass
        assert "store of shops:code" in [home.name for home in workbench.homes()]
        assert resolve(["store of shops:code"], workbench._newest.reader()) == ("c",)


def test_an_unknown_api_is_an_error_with_the_nearest() -> None:
    with pytest.raises(UnknownId, match=r"stripe\.con.*stripe\.com") as caught:
        resolve(["stripe.con"], STORE)
    assert "stripe.com" in caught.value.nearest


@pytest.fixture(scope="module")
def samples(sample_store: Path) -> Iterator[Snapshot]:
    with sample_index(sample_store) as opened:
        yield opened


@pytest.mark.parametrize(
    ("query", "first", "named"),
    [
        ("list the open tickets in Ticketing", "ticketing", ("ticketing",)),
        ("play a song", "media", ()),
        ("pay for an order with a card", "shop", ()),
    ],
)
def test_the_api_that_is_meant_comes_first(
    query: str, first: str, named: tuple[str, ...], samples: Snapshot
) -> None:
    asked = question(query, samples, api_selection_max=2)
    choice = choose(asked, evidence(asked))
    assert choice
    assert choice.file_ids[0] == first
    assert len(choice.file_ids) == 2
    assert choice.named == named
    assert list(choice.scores.values()) == sorted(choice.scores.values(), reverse=True)


def test_a_chosen_api_that_no_store_has_is_dropped_and_told() -> None:
    choice = Choice({"shop": 1.0, "shopp": 0.5}).of(["media", "shop"])
    assert choice == Choice({"shop": 1.0}, dropped=("shopp",))
    assert choice.note() == "Chosen APIs: shop (1.00); not in the store: shopp."


@pytest.mark.parametrize(
    ("query", "level"),
    [
        ("show the status", ("media", "ticketing", "shop")),
        ("pay for an order with a card", ()),
        ("show the status in Ticketing", ()),
        ("show the status, then delete the bucket", ()),
    ],
    ids=["nothing decides", "the words decide", "a name decides", "several parts"],
)
def test_apis_are_level_where_nothing_decides(
    query: str, level: tuple[str, ...], samples: Snapshot
) -> None:
    asked = question(query, samples)
    choice = choose(asked, evidence(asked))
    assert choice
    assert choice.level == level


def test_level_apis_are_asked_about_as_long_as_two_are_left() -> None:
    choice = Choice({"shop": 1.0, "media": 0.9, "gone": 0.8}, level=("shop", "media", "gone"))
    assert choice.of(["shop", "media"]).note() == (
        "Chosen APIs: shop (1.00), media (0.90); not in the store: gone. "
        "shop or media? The question fits them about equally well."
    )
    assert choice.of(["shop"]).level == ()
