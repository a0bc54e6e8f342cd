"""What the articles are for, and where few are."""

from __future__ import annotations

from core import Workbench
from core.knowledge.overview import ANY, Gap, Overview


def test_articles_by_intent_and_product(workbench: Workbench) -> None:
    found = workbench.knowledge()
    assert (found.articles, found.without_intent) == (5, 0)
    assert found.intents == ("no_power", "noise", "shipping")  # in one spelling
    assert found.products == ("Heron", "Kite")
    assert {pair: found.counts[pair] for pair in (("no_power", ANY), ("no_power", "Heron"))} == {
        ("no_power", ANY): 3,
        ("no_power", "Heron"): 2,
    }


def test_gaps_begin_where_most_is_lacking(workbench: Workbench) -> None:
    assert workbench.knowledge().gaps == (
        Gap("noise", "Kite", 0),
        Gap("noise", ANY, 1),
        Gap("shipping", ANY, 1),
        Gap("no_power", "Heron", 2),
    )


def test_of_equal_gaps_that_of_the_greater_intent_comes_first() -> None:
    counts = {("few", ANY): 3, ("few", "K"): 1, ("many", ANY): 9, ("many", "K"): 1}
    found = Overview(12, 0, ("few", "many"), ("K",), counts)
    assert [gap.intent for gap in found.gaps] == ["many", "few"]


def test_a_store_without_articles_has_none(empty: Workbench) -> None:
    assert empty.knowledge() == Overview()
