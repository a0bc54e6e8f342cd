from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import SettingsError
from core.tokens import counter

COUNTER = counter("cl100k_base")

# what a rendering looks like: begins with a non-blank, ends in a newline
texts = st.text(
    st.characters(codec="utf-8") | st.sampled_from(" \n\t.,:;'\"{}[]()-#`|*éß漢字"), min_size=1
).map(lambda text: "x" + text + "\n") | st.sampled_from(
    [
        "```\n",
        "## a.json:paths/x/get\n",
        "}\n",
        "it's\n",
        "...\n",
        "x \n",
        "1234567\n",
        "'s\n",
        "—\n",
    ]
)


@given(st.lists(texts, max_size=5))
def test_counts_add_up_over_texts_that_end_in_a_newline(parts: list[str]) -> None:
    assert COUNTER.count("".join(parts)) == sum(COUNTER.count_all(parts))


lines = st.text(st.sampled_from(" \n\r\tx1.,'\"}é\u2028\x1c\ud800"), max_size=8)


@given(st.lists(lines, max_size=6))
def test_counting_many_is_counting_each(parts: list[str]) -> None:
    parts += [f"{part}\n" for part in parts]
    assert COUNTER.count_all(parts) == [COUNTER.count(part) for part in parts]


def test_known_counts() -> None:
    assert COUNTER.count_all(["", "hello world\n", "POST /v1/refunds\n"]) == [0, 3, 7]


def test_special_tokens_in_a_specification_are_plain_text() -> None:
    assert COUNTER.count("<|endoftext|>") > 1


def test_a_lone_surrogate_is_counted() -> None:
    assert COUNTER.count("a\ud800") > 0


def test_an_unknown_encoding_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"'p50k'.*cl100k_base"):
        counter("p50k")


@pytest.mark.thorough
@pytest.mark.parametrize("blank", [" ", "\t", "\xa0", "\n", "\u3000", " \n"])
def test_a_million_blanks_are_counted(blank: str) -> None:
    text = "x" + blank * (1_000_000 // len(blank)) + "y\n"
    count = counter("cl100k_base").count(text)
    assert 0 < count < 600_000
    assert counter("cl100k_base").count_all([text, "a\n"]) == [count, 2]
