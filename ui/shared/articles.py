"""Articles as cards: title, link, excerpt, when they were updated."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from core.knowledge.excerpt import excerpt
from core.model import Chunk
from core.text.markup import Markup, link, marked, tag
from core.text.words import query_terms
from ui.locale.locale import amount, day

LONGEST = 240  # characters of an excerpt on a card


def about(chunk: Chunk) -> Markup:
    """The link to an article and when it was updated."""
    url, updated = chunk.facts.get("url", ""), chunk.facts.get("last_updated", "")
    facts = [tag("span", day(updated), class_="sl-fact")] if updated else []
    return tag("div", link(url, url), *facts, class_="sl-ids") if url or facts else Markup()


def passage(chunk: Chunk, words: Collection[str]) -> Markup:
    """The sentence that holds most of the words, and what follows it."""
    terms = [term for word in words for term in query_terms(word)]
    shown = excerpt(chunk.text.partition("\n")[2], terms, LONGEST)
    return tag("p", marked(shown, words), class_="sl-excerpt")


def source_card(source: Mapping[str, Any]) -> Markup:
    """One of `sources_consulted`, as `retrieve_knowledge` gives it."""
    title = tag("strong", source["title"], class_="sl-name")
    score = tag("span", f"relevance {amount(source['relevance_score'], 2)}", class_="sl-costs")
    updated = [tag("span", day(source["last_updated"]), class_="sl-fact")]
    return tag(
        "article",
        tag("div", title, score, class_="sl-head"),
        tag(
            "div",
            link(source["url"], source["url"]),
            *(updated if source["last_updated"] else ()),
            class_="sl-ids",
        ),
        tag("p", source["excerpt"], class_="sl-excerpt"),
        class_="sl-card kind-article",
    )
