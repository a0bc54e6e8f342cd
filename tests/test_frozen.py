from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import orjson
import pytest
from support.memory import make_chunk

from core.frozen import Frozen
from core.model import Chunk, Level

CHANGES: dict[str, Callable[[Any], object]] = {
    "setitem": lambda held: held.__setitem__("b", 2),
    "delitem": lambda held: held.__delitem__("a"),
    "ior": lambda held: held.__ior__({"b": 2}),
    "clear": lambda held: held.clear(),
    "pop": lambda held: held.pop("a"),
    "popitem": lambda held: held.popitem(),
    "setdefault": lambda held: held.setdefault("b", 2),
    "update": lambda held: held.update(b=2),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_nothing_changes_it(change: Callable[[Any], object]) -> None:
    held = Frozen({"a": 1})
    with pytest.raises(TypeError, match="frozen"):
        change(held)
    assert held == {"a": 1}


def test_it_is_a_dict_wherever_one_is_read() -> None:
    held = Frozen({"a": 1})
    assert pickle.loads(pickle.dumps(held)) == copy.deepcopy(held) == {"a": 1}
    assert type(pickle.loads(pickle.dumps(held))) is Frozen
    assert orjson.dumps(held) == b'{"a":1}'
    assert held | {"b": 2} == {"a": 1, "b": 2}


@pytest.mark.parametrize("name", ["token_count", "ref_ids"])
def test_a_chunk_keeps_what_it_was_made_from(name: str) -> None:
    given: dict[Any, Any] = {Level.JSON: 3}
    chunk = replace(make_chunk("a.json:info"), **{name: given})
    given[Level.ID] = 0
    assert getattr(chunk, name) == {Level.JSON: 3}
    with pytest.raises(TypeError, match="frozen"):
        getattr(chunk, name)[Level.ID] = 0


def test_a_chunk_is_copied_and_sent_as_before() -> None:
    chunk = make_chunk("a.json:info", refs={"b.json:info": ["x"]}, token_count={Level.ID: 0})
    assert pickle.loads(pickle.dumps(chunk)) == chunk
    assert Chunk(**asdict(chunk)) == chunk
