"""What a change affects, in a sentence."""

from __future__ import annotations

import pytest

from core.model import ChunkType
from core.retrieve.follow.impact import Affected, Impact
from ui.graph.reach import sentence


def affected(id: str, *via: str) -> Affected:
    return Affected(id, ChunkType.OPERATION, via, ())


DIRECT, INDIRECT = affected("a", "x"), affected("b", "x", "y")


@pytest.mark.parametrize(
    ("operations", "not_listed", "said"),
    [
        ((), 0, "no operations."),
        ((DIRECT,), 0, "1 operation directly."),
        ((INDIRECT,), 0, "1 operation through other elements."),
        ((DIRECT, INDIRECT), 0, "2 operations: 1 directly, 1 through other elements."),
        ((DIRECT, INDIRECT), 1200, "1,202 operations: 1 directly, 1,201 through other elements."),
    ],
)
def test_each_operation_is_counted_once(
    operations: tuple[Affected, ...], not_listed: int, said: str
) -> None:
    assert sentence(Impact("x", operations, (), not_listed)) == f"Changing it affects {said}"


@pytest.mark.parametrize(
    ("types", "said"),
    [
        ([ChunkType.CODE, ChunkType.CODE], "2 functions directly."),
        ([ChunkType.CODE, ChunkType.OPERATION], "1 function and 1 operation directly."),
        ([ChunkType.OPERATION, ChunkType.WEBHOOK], "2 operations directly."),
    ],
)
def test_they_are_called_what_they_are(types: list[ChunkType], said: str) -> None:
    found = tuple(Affected(str(at), type, ("x",), ()) for at, type in enumerate(types))
    assert sentence(Impact("x", found, ())) == f"Changing it affects {said}"
