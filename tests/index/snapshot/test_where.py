from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.errors import CallError
from core.index.snapshot.where import Columns

ROWS = [  # type, method, source_file, deprecated
    ("operation", "GET", "a", False),
    ("operation", "POST", "a", True),
    ("component", "", "a", False),
    ("component", "", "b", True),
]


@pytest.fixture
def columns() -> Columns:
    codes, values = {}, {}
    for i, key in enumerate(("type", "method", "source_file", "deprecated")):
        column = [row[i] for row in ROWS]
        values[key] = list(dict.fromkeys(column))
        codes[key] = np.array([values[key].index(value) for value in column], np.int32)
    empty = np.zeros(len(ROWS), np.int32)
    codes |= {"component_kind": empty, "part": empty}
    return Columns(codes, values | {"component_kind": [""], "part": [""]})


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"type": "operation"}, [0, 1]),
        ({"type": {"$eq": "component"}}, [2, 3]),
        ({"method": {"$ne": "GET"}}, [1, 2, 3]),
        ({"method": {"$in": ["GET", "POST"]}}, [0, 1]),
        ({"method": {"$nin": ["GET", ""]}}, [1]),
        ({"source_file": "c"}, []),
        ({"deprecated": True}, [1, 3]),
        ({"deprecated": "true"}, []),
        ({"deprecated": 1}, []),
        ({"part": ""}, [0, 1, 2, 3]),
        ({"$and": [{"type": "operation"}, {"deprecated": False}]}, [0]),
        ({"$or": [{"method": "GET"}, {"source_file": "b"}]}, [0, 3]),
        (
            {"$and": [{"$or": [{"method": "GET"}, {"type": "component"}]}, {"source_file": "a"}]},
            [0, 2],
        ),
        ({"$or": [{"method": "POST"}]}, [1]),
        ({"type": "operation", "deprecated": True}, [1]),
        ({"method": {"$ne": "GET", "$nin": ["POST"]}}, [2, 3]),
    ],
    ids=str,
)
def test_mask(columns: Columns, where: dict[str, Any], expected: list[int]) -> None:
    assert np.flatnonzero(columns.mask(where)).tolist() == expected


@pytest.mark.parametrize(
    ("where", "word"),
    [
        ({}, "empty"),
        ("type", "empty"),
        ({"kind": "x"}, "'kind'"),
        ({"type": {"$gt": "x"}}, "'$gt'"),
        ({"type": {}}, "'type'"),
        ({"type": {"$in": []}}, "$in"),
        ({"type": {"$in": "operation"}}, "$in"),
        ({"$and": []}, "$and"),
        ({"$or": {"type": "x"}}, "$or"),
        ({"$not": [{"type": "x"}]}, "'$not'"),
        ({"$and": [{"kind": "x"}]}, "'kind'"),
    ],
    ids=str,
)
def test_a_wrong_filter_is_refused_in_a_sentence(columns: Columns, where: Any, word: str) -> None:
    with pytest.raises(CallError) as caught:
        columns.mask(where)
    assert word in str(caught.value)
    assert str(caught.value).endswith(".")


def test_values(columns: Columns) -> None:
    assert columns.values("method", slice(0, 3)) == ["GET", "POST", ""]
