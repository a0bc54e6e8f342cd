"""Stores that hypothesis makes: elements with parts that refer to each other anyhow."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from support.memory import make_chunk

from core.model import Chunk

WORDS = ("user", "order", "payment", "invoice", "create", "list", "refund", "address")
PLACES = ("requestBody", "parameters", "responses.200", "responses.404", "security", "callbacks.on")
PARTS = ("errors", "examples", "part-2", "part-3")


@st.composite
def stores(draw: st.DrawFn) -> list[Chunk]:
    """Operations, schemas and security schemes of one or two APIs."""
    names = [
        f"{file}.json:{element}"
        for file in draw(st.sampled_from(["a", "ab"]))
        for element in (
            *(f"paths/{word}s/post" for word in WORDS[:3]),
            *(f"components/schemas/{word.title()}" for word in WORDS),
            *(f"components/securitySchemes/Key{n}" for n in range(3)),
        )
    ]
    chunks = []
    for name in names:
        targets = draw(st.lists(st.sampled_from(names), max_size=5, unique=True))
        refs: dict[str, Sequence[str]] = {
            target: [draw(st.sampled_from(PLACES)), *draw(st.sampled_from([(), ("optional",)]))]
            for target in targets
            if target != name
        }
        parts = draw(st.lists(st.sampled_from(PARTS), max_size=3, unique=True))
        owned = {part: refs.popitem() for part in parts if refs}
        text = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12)))
        own = refs | {f"{name}:{part}": ["part"] for part in parts}
        chunks.append(make_chunk(name, text, own))
        for part in parts:
            chunks.append(
                make_chunk(f"{name}:{part}", text, dict([owned[part]] if part in owned else []))
            )
    return chunks
