from __future__ import annotations

import pytest

from core.retrieve.understand.spelling import corrected


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("shcema", "schema"),
        ("fileds", "fields"),
        ("erors", "errors"),
        ("errrors", "errors"),
        ("retrun", "return"),
        ("endpiont", "endpoint"),
        ("filed", "filed"),
        ("mode", "mode"),
        ("creates", "creates"),
        ("unrelated words, 12 of them", "unrelated words, 12 of them"),
        ("", ""),
    ],
)
def test_slips(written: str, meant: str) -> None:
    assert corrected(written) == meant
