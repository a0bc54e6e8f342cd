from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.index.snapshot.columns import Columns
from core.where import parse

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
    assert np.flatnonzero(columns.mask(parse(where))).tolist() == expected


def test_values(columns: Columns) -> None:
    assert columns.values("method", slice(0, 3)) == ["GET", "POST", ""]
