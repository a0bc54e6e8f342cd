"""What is searched for is made of the message, the intent's words and the product."""

from __future__ import annotations

import pytest

from core.knowledge.asked import LONGEST, Asked, fits


@pytest.mark.parametrize(
    ("intent", "message", "metadata", "query"),
    [
        ("not_hashing", "It shows 0", None, "It shows 0 not hashing"),
        ("not-hashing", "It shows 0", {}, "It shows 0 not hashing"),
        ("setup", "How?", {"product": "Kestrel II"}, "How? setup Kestrel II"),
        ("setup", "", {"product": "Kestrel"}, "setup Kestrel"),
        ("", "How?", {"other": 1}, "How?"),
        ("", "", {"product": "Kestrel"}, ""),
        ("__", "   ", None, ""),
        (None, b"bytes", 3, ""),
        ("setup", 12, {"product": ["Kestrel"]}, "setup"),
        ("setup", "a\nb\x00c", None, "a b c setup"),
    ],
)
def test_query(intent: object, message: object, metadata: object, query: str) -> None:
    assert Asked.of(intent, message, metadata).query == query


def test_a_long_message_is_cut() -> None:
    assert len(Asked.of("", "x" * 1_000_000, None).query) == LONGEST


@pytest.mark.parametrize(
    ("product", "devices", "expected"),
    [
        ("Apollo II", (), True),
        ("", ("Apollo",), True),
        ("Apollo", ("Apollo II",), True),
        ("apollo ii", ("Apollo",), True),
        ("Apollo II", ("APOLLO-II",), True),
        ("Apollo III", ("Apollo II",), False),
        ("Apollon", ("Apollo",), False),
        ("Kite", ("Apollo", "Kite Mini"), True),
        ("Kite", ("Apollo",), False),
    ],
)
def test_products(product: str, devices: tuple[str, ...], expected: bool) -> None:
    assert fits(product, devices) is expected


def test_the_content_words_of_a_message() -> None:
    said = Asked.of("", "Hello, please help: the Restarts of my boxes", None).said
    assert said == {"Restarts": ("restart",), "boxes": ("box",)}
