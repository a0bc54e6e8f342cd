from dataclasses import replace

import pytest
from support import context_example as example

from core.model import Chunk, ChunkType
from core.reasons import Part
from core.retrieve.score import likelihood
from core.retrieve.search import row_order
from ui.shared.cards import SHOWN, card, chain, identity, query_words


def test_a_result_says_its_rank_and_what_its_score_is_made_of() -> None:
    shown = card(example.primary(example.CREATE, 1, 0.86, 412), body="text")
    for part in (
        "POST /users",
        "createUser",
        "result 1",
        "score 0.86",
        "vector 0.77",
        "412 tokens",
    ):
        assert part in shown


def test_every_part_of_a_score_says_what_it_is() -> None:
    known = {*likelihood.PARTS.values(), Part.EXACT, Part.LEXICAL, Part.START}
    known |= {Part.GRAPH, Part.TYPE, Part.AUTHORITY, Part.RECENCY, Part.KIND}
    known |= {Part.FUSED, row_order.INTENT, row_order.API, row_order.METHOD, row_order.TURN}
    known |= {Part.WRITTEN, row_order.NEAR_WRITTEN}
    assert known | {row_order.PRODUCER, row_order.LOOKED, row_order.NAMED} == {*Part}
    item = replace(example.primary(example.CREATE, 1, 0.86, 412), parts={"second": 0.5})
    assert f'title="{Part.SECOND.sentence}"' in card(item, body="")


def test_parts_that_are_written_inside_are_named_and_sound_like_no_fault() -> None:
    item = replace(example.primary(example.CREATE, 1, 0.86, 412), included=("a.json:x:errors",))
    assert "includes its errors" in card(item, body="")


def test_a_reference_says_through_what_and_for_what() -> None:
    shown = card(example.reference(example.ADDRESS, 170, example.CREATE, example.NEW_USER), body="")
    assert "2 steps" in shown
    assert "as properties.address" in shown
    assert shown.index("POST /users") < shown.index("NewUser") < shown.rindex("Address")


def test_words_of_the_question_are_highlighted() -> None:
    words = query_words("How do I create a user?")
    assert words == ("create", "user")
    item = example.primary(example.CREATE, 1, 0.8, 10)
    assert "<mark>Create</mark> a <mark>user</mark>" in card(
        item, body="Create a user", words=words
    )


def test_a_huge_body_is_cut_and_says_so() -> None:
    item = example.primary(example.CREATE, 1, 0.8, 10)
    assert "1,234 more characters" in card(item, body="x" * (SHOWN + 1234))


def test_hostile_names_stay_text() -> None:
    attack = '<img src=x onerror="alert(1)">'
    item = example.primary(example.CREATE, 1, 0.8, 10)
    hostile = replace(
        item, chunk=replace(item.chunk, id=f"a.json:{attack}", operation_id=attack, tags=(attack,))
    )
    assert "<img" not in card(hostile, body=attack)
    assert "<img" not in chain([f"a.json:components/schemas/{attack}"])


def test_parts_of_a_score_that_add_nothing_are_not_shown() -> None:
    item = replace(example.primary(example.CREATE, 1, 0.86, 412), parts={"name": 0.0, "api": 0.1})
    shown = card(item, body="")
    assert "api 0.10" in shown
    assert "name 0.00" not in shown


def test_a_version_that_is_a_whole_date_is_shortened() -> None:
    item = example.primary(example.CREATE, 1, 0.86, 412)
    dated = replace(item.chunk, api_version="Wed Oct 15 2025 13:53:19 GMT+0000 (Coordinated)")
    assert "Wed Oct 15 2025 13:…<" in card(replace(item, chunk=dated), body="")


@pytest.mark.parametrize("written", ["2.1", "v2.1"])
def test_the_version_of_a_document_has_one_v(written: str) -> None:
    id = "a.md:document"
    said = {"api_title": "A", "api_version": written, "status": "approved"}
    shown = identity(Chunk(id, id, ChunkType.DOCUMENT, "a", **said))
    assert ">v2.1<" in shown
    assert "approved" in shown


def test_each_text_says_whose_it_is_to_a_screen_reader() -> None:
    shown = card(example.primary(example.CREATE, 1, 0.86, 412), body="text")
    assert 'aria-label="Text of POST /users"' in shown


def test_code_says_where_it_is_and_its_signature() -> None:
    facts = {"lines": "4-9", "signature": "def add(self, item: List<Item>)"}
    chunk = Chunk(
        "a.py:method/Cart.add",
        "a.py:method/Cart.add",
        ChunkType.CODE,
        "a",
        api_title="a.py",
        language="python",
        facts=facts,
    )
    shown = identity(chunk)
    for part in ("python", "lines 4-9", "def add(self, item: List&lt;Item&gt;)"):
        assert part in shown
