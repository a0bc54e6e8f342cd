"""Keywords choose APIs where nothing better can."""

from __future__ import annotations

from core.model import CatalogEntry
from core.retrieve.by_model.keywords import extract_keywords, match_apis_by_keywords


def entry(file_id: str, name: str, description: str = "", *domains: str) -> CatalogEntry:
    return CatalogEntry(file_id, f"{file_id}.json", name, description, "1", domains, {})


CATALOG = (
    entry("ads", "Advertising API", "Sponsored products", "campaigns", "keywords"),
    entry("bank", "Payments", "Accounts, and campaigns to save"),
    entry("shop", "Shop", "Orders", "orders", "users"),
)


def test_words_that_only_ask_are_none() -> None:
    assert extract_keywords("How do I create a campaign?") == ["creat", "campaign"]
    assert match_apis_by_keywords(extract_keywords("how do I?"), CATALOG) == []


def test_the_best_place_counts_and_ties_go_by_id() -> None:
    assert match_apis_by_keywords(["campaign"], CATALOG) == ["ads", "bank"]
    assert match_apis_by_keywords(["order", "user"], CATALOG) == ["shop"]
    assert match_apis_by_keywords(["nowher"], CATALOG) == []


def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    catalog = [entry(f"a{n}", "Orders") for n in range(5)] + [entry("z", "Refunds")]
    assert match_apis_by_keywords(["order", "refund"], catalog)[0] == "z"
