"""Near cosines of all rows, and exact ones where it decides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from support.exact import Both, both_of
from support.samples import EMBED
from support.sources import MemorySource, operation

from core.index.snapshot.build import current
from core.retrieve.reader import Rows
from core.retrieve.score.clause_cosines import Cosines


@pytest.fixture(scope="module")
def both() -> Iterator[Both]:
    with both_of(300, 12) as found:
        yield found


def test_rows_become_exact_once(both: Both) -> None:
    near, exact = both.near, both.exact
    asked = EMBED(["refund a payment", "list the rooms of a hotel"])
    cosines = Cosines(list(near.cosines(asked)), asked, near)
    some: Rows = np.array([7, 299, 7])
    rows, gained = cosines.settle(some)
    assert rows.tolist() == some.tolist()
    assert len(gained) == 2
    assert any(each.any() for each in gained)
    for found, wanted in zip(cosines.each, exact.cosines(asked), strict=True):
        np.testing.assert_allclose(found[some], wanted[some], atol=1e-6)
    assert len(cosines.settle(some)[0]) == 0


def test_the_ends_are_among_what_may_be_found(both: Both) -> None:
    near, exact = both.near, both.exact
    asked, allowed = EMBED(["export a ledger"]), near.mask({"source_file": "api3"})
    wanted = np.where(allowed, exact.cosines(asked)[0], np.nan)
    ends = Cosines(list(near.cosines(asked)), asked, near).ends(allowed)
    assert allowed[ends].all()
    assert {int(np.nanargmax(wanted)), int(np.nanargmin(wanted))} <= set(ends.tolist())


def test_where_very_many_are_alike_none_is_settled() -> None:
    rows = [
        (operation("a.json", f"{at:05}"), np.eye(1, 8, dtype=np.float32)[0]) for at in range(6000)
    ]
    with TemporaryDirectory() as folder:
        reader = current(Path(folder), MemorySource(rows, dimensions=8))
        asked = np.ones((1, 8), np.float32) / np.float32(8**0.5)
        cosines = Cosines(list(reader.cosines(asked)), asked, reader)
        assert len(cosines.settle(cosines.ends(None))[0]) == 0
