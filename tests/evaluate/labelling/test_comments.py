"""A YAML file gets new labels and keeps everything else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluate.labelling.comments import written_back
from core.evaluate.sets.sample import Sample
from core.evaluate.sets.sets import parse

FILE = """\
# of the team
name: ours
samples:
# --- first
- id: a
  query: >-
    why is
    that so?
  relevant: # all of them
  - shop.json GET /users  # obvious
  - shop.json GET /orders
  tags: [plain]
- {id: b, query: how?} # short
- id: c
  alternatives:
  - [x, y] # either
  query: "where # there?"
# the end
"""


def changed(**values: Sample) -> str:
    samples = {sample.id: sample for sample in parse(FILE.encode(), "f.yaml").samples} | values
    out = written_back(FILE.encode(), "f.yaml", list(samples.values()))
    assert out is not None
    assert list(parse(out.encode(), "f.yaml").samples) == list(samples.values())
    return out


A, B, C = parse(FILE.encode(), "f.yaml").samples


def test_without_a_change_it_is_the_same_to_the_byte() -> None:
    assert changed() == FILE
    assert written_back(FILE.encode(), "f.yaml", []) == FILE


def test_a_label_more_and_a_label_less_are_lines() -> None:
    out = changed(a=replace(A, relevant=("shop.json GET /users", "z: 1"), grades={"z: 1": 2}))
    assert '  - shop.json GET /users  # obvious\n  - "z: 1"\n  tags: [plain]' in out
    assert out.count("#") == FILE.count("#")
    assert "GET /orders" not in out
    assert "  query: >-\n    why is\n    that so?\n" in out


def test_samples_in_braces_and_new_ones() -> None:
    out = changed(b=replace(B, tags=("no-answer",)), new=Sample("new", "who?", ("x",)))
    assert '- {id: b, tags: ["no-answer"], query: how?} # short' in out
    assert '- id: "new"\n  query: "who?"\n  relevant: ["x"]\n# the end' in out


def test_comments_inside_of_a_value_that_is_replaced_stay() -> None:
    out = changed(c=replace(C, alternatives=(("x", "z"),)))
    assert '  alternatives: [["x", "z"]] # either\n' in out


def test_comments_between_groups_stay_below() -> None:
    text = FILE.replace("[x, y] # either", "[x, y] # either\n  - [z] # too")
    samples = parse(text.encode(), "f.yaml").samples
    new = replace(samples[2], alternatives=(("x",),))
    out = written_back(text.encode(), "f.yaml", [new])
    assert out
    assert '  alternatives: [["x"]]\n  # either # too\n' in out


@pytest.mark.parametrize(
    "text",
    ["- &s {id: a, query: why?, tags: &t [x]}\n- {id: b, query: how?, tags: *t}\n", "[]\n"],
    ids=["shared values", "nothing to add to"],
)
def test_what_cannot_be_done_without_harm_is_not_done(text: str) -> None:
    sample = Sample("a", "why?", relevant=("x",), tags=("y",))
    assert written_back(text.encode(), "f.yaml", [sample]) is None


LABEL = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=8)
LABELS = st.lists(LABEL.map(str.strip).filter(bool), max_size=3, unique=True).map(tuple)


@given(LABELS, LABELS, LABELS)
def test_any_labels_come_back_or_are_refused(
    relevant: tuple[str, ...], group: tuple[str, ...], tags: tuple[str, ...]
) -> None:
    new = replace(A, relevant=relevant, alternatives=(group,) if group else (), tags=tags)
    out = written_back(FILE.encode(), "f.yaml", [new])
    assert out is not None
    assert parse(out.encode(), "f.yaml").samples == (new, B, C)
    assert out.count("# ---") == 1
