from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from support import context_example as example

from core.model import ContextChunk
from core.present import entry, frame, markdown, section, section_of, to_messages
from core.tokens import counter

TOKENS = counter("cl100k_base")
CHUNKS = example.example().chunks


def deprecated(item: ContextChunk) -> ContextChunk:
    return replace(item, chunk=replace(item.chunk, deprecated=True))


def test_sections_and_contents() -> None:
    first, second, *rest = CHUNKS
    lines = markdown((first, deprecated(second), *rest[:1])).splitlines()
    assert lines[:7] == [
        "# Contents",
        "Primary",
        f"- {first.chunk.label}",
        "Supporting",
        f"- {rest[0].chunk.label}",
        "Historical",
        f"- {second.chunk.label}",
    ]
    heads = [line for line in lines if line.startswith("#")]
    assert heads[1:] == [
        "# Primary",
        f"## {first.chunk.id}",
        "# Supporting",
        f"## {rest[0].chunk.id}",
        "# Historical",
        f"## {second.chunk.id}",
    ]


def test_a_heading_says_what_else_says_the_same() -> None:
    item = replace(CHUNKS[2], equals=("other.json:components/schemas/X",))
    assert section(item).splitlines()[1].endswith("; the same in other.json")


def test_a_title_cannot_steer_a_terminal() -> None:
    item = replace(CHUNKS[0], chunk=replace(CHUNKS[0].chunk, api_title="A\x07\x1b[2J\u202eb"))
    (about,) = section(item).splitlines()[1:2]
    assert about.startswith("A��[2J�b ")


def test_nothing_is_no_text() -> None:
    assert markdown(()) == frame(()) == ""


def test_messages() -> None:
    context = example.example()
    assert [message["role"] for message in to_messages(context)] == ["system", "user"]


odd = st.text(alphabet=st.sampled_from("ab #-`\n\t\r.é漢💥<|>"), max_size=12)


@given(st.lists(st.tuples(st.sampled_from(CHUNKS), st.booleans(), odd, odd), max_size=6))
def test_token_counts_add_up(drawn: list[tuple[ContextChunk, bool, str, str]]) -> None:
    items = [
        replace(
            item,
            chunk=replace(item.chunk, deprecated=old, api_title=title, api_version=""),
            text=f"x{text}\n",
        )
        for item, old, title, text in drawn
    ]
    sections = {section_of(item.chunk, is_primary=item.is_primary) for item in items}
    parts = sum(TOKENS.count(entry(item) + section(item)) for item in items)
    assert TOKENS.count(markdown(items)) == parts + TOKENS.count(frame(sections))
