"""Every reason has the words that people see, and every part of a score is one that is known."""

from __future__ import annotations

import pytest

from core.reasons import CAUSES, Cut, Flag, Part, cause
from core.settings import KNOB


@pytest.mark.parametrize("cut", Cut)
def test_a_cut_says_why_and_what_helps(cut: Cut) -> None:
    assert cut.sentence
    assert cut.remedy.endswith(".")
    assert Cut(cut.value) is cut  # type: ignore[call-arg]  # as saved results are read


def test_a_setting_says_more_than_the_cut() -> None:
    assert cause(Cut.DUPLICATE, "group_repeated") is CAUSES["group_repeated"]
    assert cause(Cut.DUPLICATE) is Cut.DUPLICATE.cause


def test_parts_and_flags_have_sentences() -> None:
    assert all(part.sentence for part in Part)
    assert all(flag.sentence.endswith(".") for flag in Flag)


def test_the_settings_that_leave_out_are_settings() -> None:
    beside = {"equal", "index"}  # what leaves out without a setting of its own
    assert {*CAUSES} - beside <= {*KNOB}
