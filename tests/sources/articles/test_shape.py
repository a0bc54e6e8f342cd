"""What a host gives is read item by item, and what cannot be read is refused in a sentence."""

from __future__ import annotations

import json

import pytest

from core.errors import SpecError, UnreadableSpec
from core.model import JSON
from core.sources.articles.shape import LARGEST, Article, is_base, is_link, items, members, parse

WHOLE = {
    "id": "no-power",
    "title": "No power",
    "url": "https://help.example/no-power",
    "content": "Check the cable.",
    "metadata": {"intent": ["no_power"], "device": ["Kestrel"], "last_updated": "2026-03-01"},
}


def base(*articles: JSON) -> bytes:
    return json.dumps({"articles": articles}).encode()


def refused(*articles: JSON) -> list[str]:
    found = members(items(base(*articles), "kb.json"), "kb.json")
    return [str(one) for one in found if isinstance(one, SpecError)]


def test_an_article() -> None:
    article = Article.of(WHOLE)
    assert article.tags == ("intent:no_power", "device:Kestrel")
    assert article.facts == {"url": WHOLE["url"], "last_updated": "2026-03-01"}
    assert not list(article.findings())


def test_what_a_host_leaves_out() -> None:
    article = Article.of(
        {"id": 7, "content": "x", "metadata": {"product": "Kestrel", "intent": "a"}}
    )
    assert (article.id, article.title, article.tags) == ("7", "7", ("intent:a", "device:Kestrel"))
    assert article.facts == {}


def test_a_title_is_one_line() -> None:
    assert Article.of({**WHOLE, "title": " No\n power "}).title == "No power"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"url": "ftp://x.example"}, "bad-url"),
        ({"url": "/relative"}, "bad-url"),
        ({"metadata": {"last_updated": "yesterday"}}, "bad-date"),
        ({"metadata": "none"}, None),
        ({"url": ""}, None),
    ],
)
def test_findings_inform_and_refuse_nothing(changes: dict[str, JSON], rule: str | None) -> None:
    found = parse(base({**WHOLE, **changes}), "kb.json/no-power").findings
    assert [finding.rule for finding in found] == [rule] * (rule is not None)


def test_each_refusal_is_a_sentence_and_the_others_go_on() -> None:
    long = {**WHOLE, "id": "long", "content": "x" * LARGEST}
    bad = (
        {"title": "none"},
        {**WHOLE, "content": "<script>x</script>"},
        WHOLE,
        WHOLE,
        long,
        "text",
    )
    assert refused(*bad) == [
        "kb.json/1: article 1 has no id.",
        "kb.json/no-power: the article has no content.",
        "kb.json/no-power: article 3 has an id that another one has already.",
        "kb.json/no-power: article 4 has an id that another one has already.",
        "kb.json/long: the article is larger than 1 MB.",
        "kb.json/6: article 6 has no id.",
    ]


def test_an_id_leads_out_of_no_base() -> None:
    names = [
        one[0]
        for one in members([{**WHOLE, "id": "a/../b"}], "kb.json")
        if not isinstance(one, SpecError)
    ]
    assert names == ["kb.json/a%2F..%2Fb"]
    assert len(refused({**WHOLE, "id": ".."})) == 1


def test_no_two_articles_have_one_name() -> None:
    """What an id is written as may be another one's id."""
    twins = ({**WHOLE, "id": "a/b"}, {**WHOLE, "id": "a%2Fb"}, {**WHOLE, "id": "."})
    assert refused(*twins) == [
        "kb.json/a%2Fb: article 2 has an id that another one has already.",
        "kb.json/3: article 3 has an id that is no name.",
    ]


def test_an_article_that_is_nested_too_deep() -> None:
    deep: JSON = "x"
    for _ in range(300):
        deep = [deep]
    [one] = members([{**WHOLE, "metadata": deep}], "kb.json")
    assert str(one) == "kb.json/no-power: the article is nested too deep."


def test_a_member_says_the_same_whatever_the_order_of_its_keys() -> None:
    [one] = members([WHOLE], "kb.json")
    [other] = members([dict(reversed(WHOLE.items()))], "kb.json")
    assert one == other
    assert not isinstance(one, SpecError)
    assert parse(one[1], one[0]).value == WHOLE


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (base(WHOLE), True),
        (b'\xef\xbb\xbf {"as of": 1, "articles": [', True),
        (b'{"openapi": "3.1.0", "paths": {}, "articles": []}', False),
        (b'{"articles": {"a": 1}}', False),
        (b'{"items": {"articles": [1]}}', False),
        (b'{"x": [{"articles": [1]}]}', False),
        (b"[]", False),
        (b"articles: []", False),
    ],
)
def test_a_base_is_known_by_its_content(data: bytes, expected: bool) -> None:
    assert is_base(data) is expected


@pytest.mark.parametrize("data", [b'{"articles": [', b'{"articles": 3}', b"[]"])
def test_what_is_no_list_of_articles_is_refused_as_a_whole(data: bytes) -> None:
    with pytest.raises(UnreadableSpec):
        items(data, "kb.json")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/x?y#z", True),
        ("http://localhost:80", True),
        ("https://", False),
        ("javascript:alert(1)", False),
        ("https://a.example/\nx", False),
        ("http://[", False),
    ],
)
def test_links(url: str, expected: bool) -> None:
    assert is_link(url) is expected
