"""Which articles are found: by what they say, for whom they are, and what they are about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.articles import article, base
from support.stores import QUICK

from core import Workbench
from core.knowledge.asked import Asked
from core.knowledge.relevance import WEIGHTS, features, relevance
from core.knowledge.sources import CANDIDATES, Source, found, settings_of


def sources(
    workbench: Workbench, intent: str, message: str, product: str = "", least: float = 0.0
) -> list[Source]:
    opened = workbench._opened()
    return found(
        Asked(intent, message, product),
        reader=opened.reader,
        embed=opened.embed,
        settings=settings_of(opened.settings),
        least=least,
    )


def names(sources: list[Source]) -> list[str]:
    return [source.article.id.rpartition("/")[2].removesuffix(":article") for source in sources]


@pytest.mark.parametrize(
    ("message", "first"),
    [
        ("When does my parcel arrive?", "parcel"),
        ("The radio hums", "heron"),
        ("Which battery does a Kite need", "kite"),
        ("replace a fuse", "fuse"),
    ],
)
def test_the_article_that_says_it_comes_first(
    workbench: Workbench, message: str, first: str
) -> None:
    assert names(sources(workbench, "", message))[0] == first


def test_no_api_is_among_them(workbench: Workbench) -> None:
    assert {source.article.type for source in sources(workbench, "", "lamp shop")} == {"article"}


def test_each_article_once_and_never_better_than_the_one_before(workbench: Workbench) -> None:
    each = sources(workbench, "no_power", "The lamp stays dark")
    scores = [source.score for source in each]
    assert len(set(names(each))) == len(each) == 5
    assert scores == sorted(scores, reverse=True)
    assert all(round(score, 2) == score and 0 <= score <= 1 for score in scores)


def test_an_article_with_the_intent_is_raised_in_whatever_case(workbench: Workbench) -> None:
    plain = {s.article.id: s.score for s in sources(workbench, "", "The lamp stays dark")}
    meant = {s.article.id: s.score for s in sources(workbench, "no_power", "The lamp stays dark")}
    for name in ("cable", "fuse", "kite"):
        assert meant[f"kb.json/{name}:article"] > plain[f"kb.json/{name}:article"]


def test_an_article_for_another_product_is_left_out(workbench: Workbench) -> None:
    assert "kite" not in names(sources(workbench, "no_power", "The lamp stays dark", "Heron"))
    assert "kite" in names(sources(workbench, "no_power", "The lamp stays dark", "Kite Mini"))
    assert "cable" in names(sources(workbench, "no_power", "The lamp stays dark", "Heron"))


def test_where_none_is_left_the_filter_falls(workbench: Workbench) -> None:
    everything = sources(workbench, "noise", "The radio hums", "Kestrel", least=0.4)
    assert "heron" in names(everything)  # none for a Kestrel says anything of radios


def test_however_many_there_are_for_another_product(tmp_path: Path) -> None:
    """They are left out before the best are taken, not after."""
    told = "When the pump does not start, press start: the pump starts. Case"
    others = (
        article(f"o{n}", "Pump does not start", f"{told} {n}.", intent=["pump"], device=["Orion"])
        for n in range(2 * CANDIDATES)
    )
    care = article("care", "Pump care", "Clean the inlet and start the pump.", intent=["pump"])
    own = article("own", "Pump of a Zephyr", "Turn it on.", intent=["pump"], device=["Zephyr II"])
    (tmp_path / "kb.json").write_text(base(*others, care, own))
    settings = QUICK.replace(embedder="static")
    with Workbench.open(tmp_path / "store", settings=settings) as workbench:
        for _ in workbench.ingest([tmp_path / "kb.json"]):
            pass
        said = "The pump does not start"
        assert set(names(sources(workbench, "pump", said, "Zephyr"))) == {"care", "own"}
        assert names(sources(workbench, "pump", said, "Kestrel")) == ["care"]
        assert names(sources(workbench, "pump", said, "Orion"))[0].startswith("o")


def test_the_part_that_was_found_is_told(workbench: Workbench) -> None:
    assert all(
        source.part.element == source.article.id for source in sources(workbench, "", "fuse")
    )


@pytest.mark.parametrize("embedder", ["static", "minilm", "other"])
def test_more_evidence_never_lowers_a_score(embedder: str) -> None:
    low: dict[str, Any] = {"semantic": 0.2, "coverage": 0.2}
    for name in low:
        more = {**low, name: 0.6}
        for held in (0.0, 0.5, 1.0):
            assert relevance(features(more, held), embedder) >= relevance(
                features(low, held), embedder
            )
    assert relevance(features(low, 0.5), embedder) > relevance(features(low, 0.0), embedder)
    assert all(weights["held"] > 0 for weights in WEIGHTS.values())


def test_an_intent_speaks_for_a_message_only_as_far_as_its_articles_hold_it(
    workbench: Workbench,
) -> None:
    about = max(source.score for source in sources(workbench, "no_power", "The lamp stays dark"))
    beside = max(source.score for source in sources(workbench, "no_power", "Cook rice tonight"))
    alone = max(source.score for source in sources(workbench, "no_power", ""))
    assert min(about, alone) > 0.9 > 0.4 > beside
