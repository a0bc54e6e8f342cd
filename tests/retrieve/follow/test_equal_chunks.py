from __future__ import annotations

from support.memory import Memory, Words, make_chunk

from core.deadline import Deadline
from core.model import Chunk
from core.reasons import Cut
from core.retrieve.follow.equal_chunks import merged
from core.retrieve.follow.walk import Followed, follow

NEVER = Deadline(lambda: 0.0, 1.0)


def schema(file: str, name: str) -> str:
    return f"{file}.json:components/schemas/{name}"


def api(file: str, *, text: str = "an error", detail: str = "a detail") -> list[Chunk]:
    """An operation, its error, and what the error holds."""
    own = f"{file}.json:paths/things/get"
    return [
        make_chunk(own, f"things of {file}", refs={schema(file, "Error"): ["responses.400"]}),
        make_chunk(schema(file, "Error"), text, refs={schema(file, "Detail"): ["properties.d"]}),
        make_chunk(schema(file, "Detail"), detail),
    ]


def run(chunks: list[Chunk], *starts: str, depth: int = 3) -> Followed:
    reader = Memory(chunks, tokens=Words())
    primaries = list(reader.chunks(starts).values())
    return merged(
        follow(primaries, reader=reader, max_depth=depth, deadline=NEVER), primaries, reader
    )


A, B = "a.json:paths/things/get", "b.json:paths/things/get"


def names(followed: Followed) -> list[str]:
    return sorted(reference.chunk.id for reference in followed.references)


def test_equal_schemas_of_two_apis_are_one_reference_that_both_need() -> None:
    followed = run(api("a") + api("b"), A, B)
    assert names(followed) == [schema("a", "Detail"), schema("a", "Error")]
    for reference in followed.references:
        assert reference.needed_by == 0b11
        assert reference.shared == 2
        assert reference.equals == (schema("b", reference.chunk.name),)
    assert followed.needed == {schema("a", "Error"): 0b11, schema("a", "Detail"): 0b11}
    assert {(left.chunk_id, left.cut) for left in followed.left_out} == {
        (schema("b", "Error"), Cut.DUPLICATE),
        (schema("b", "Detail"), Cut.DUPLICATE),
    }


def test_schemas_that_say_something_else_stay_apart() -> None:
    followed = run(api("a") + api("b", text="no error"), A, B)
    assert names(followed) == [
        schema("a", "Detail"),
        schema("a", "Error"),
        schema("b", "Error"),
    ]


def test_schemas_that_refer_to_different_ones_stay_apart() -> None:
    followed = run(api("a") + api("b", detail="the detail"), A, B)
    assert len(followed.references) == 4
    assert not followed.left_out


def test_what_is_beyond_the_depth_is_compared_by_name() -> None:
    followed = run(api("a") + api("b", detail="the detail"), A, B, depth=1)
    assert names(followed) == [schema("a", "Error")]


def test_a_reference_that_equals_a_result_is_not_sent_again() -> None:
    followed = run(api("a") + api("b"), schema("a", "Error"), B)
    assert names(followed) == [schema("a", "Detail")]
    assert followed.needed == {schema("a", "Detail"): 0b11, schema("a", "Error"): 0b10}


def test_twins_in_one_file_are_two_things() -> None:
    twin = make_chunk(schema("a", "Twin"), "an error", name="Error")
    own = make_chunk(A, refs={schema("a", "Error"): [], schema("a", "Twin"): []})
    other = make_chunk(schema("a", "Error"), "an error")
    assert len(run([own, other, twin], A).references) == 2
