"""What the page reads and keeps for all sessions: shipped sets, labels, findings, runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from core import Workbench
from core.evaluate.compare.compare import Comparison
from core.evaluate.compare.compare import compare as compare_runs
from core.evaluate.labelling.label_sets import LabelSet
from core.evaluate.results import RunResult
from core.evaluate.sets.labels import Labels
from core.evaluate.sets.lint import LintReport, lint
from core.evaluate.sets.sample import EvalSet
from core.evaluate.sets.sets import read

SHIPPED = Path(__file__).parents[2] / "eval_sets"


@st.cache_resource(show_spinner=False)
def shipped() -> dict[str, EvalSet]:
    """The sets that come with Specloupe, by file name."""
    return {path.name: read(path) for path in sorted(SHIPPED.glob("*.yaml"))}


def kept_set(workbench: Workbench, file: str, stamp: str) -> EvalSet | None:
    """A set that was uploaded; raises EvalSetError, StoreError."""
    return _kept_set(workbench, workbench.store, file, stamp)


def labels(workbench: Workbench) -> Labels:
    """What the labels of a set are resolved against."""
    return _labels(workbench, workbench.store, workbench.generation)


def label_sets(workbench: Workbench) -> Mapping[str, LabelSet]:
    """The sets that people label together, by name; raises StoreError."""
    return _label_sets(workbench, workbench.store, workbench.label_sets.stamp())


def findings(workbench: Workbench, eval_set: EvalSet) -> LintReport:
    """What is wrong, or looks wrong, in a set, against what the store holds now."""
    name = (eval_set.file, eval_set.content_hash)
    return _findings(workbench, eval_set, workbench.store, workbench.generation, name)


def run(workbench: Workbench, run_id: str) -> RunResult:
    """A saved run with its questions; raises UnknownId."""
    return _run(workbench, workbench.store, run_id)


def comparison(workbench: Workbench, before: str, after: str, metrics: Sequence[str]) -> Comparison:
    """Two saved runs, question by question; raises EvalSetError when they share none."""
    return _comparison(workbench, workbench.store, before, after, tuple(metrics))


# Frozen values are shared and not copied for each session, as `cache_data` would do.
@st.cache_resource(show_spinner="Reading the labels of the store …", max_entries=2)
def _labels(_workbench: Workbench, store: str, generation: str) -> Labels:
    return _workbench.labels()


@st.cache_resource(show_spinner=False, max_entries=4)
def _label_sets(_workbench: Workbench, store: str, stamp: str) -> Mapping[str, LabelSet]:
    return _workbench.label_sets.every()


@st.cache_resource(show_spinner="Reading the set …", max_entries=16)
def _kept_set(_workbench: Workbench, store: str, file: str, stamp: str) -> EvalSet | None:
    return _workbench.kept.read_set(file)


@st.cache_resource(show_spinner="Checking the set …", max_entries=16)
def _findings(
    _workbench: Workbench, _set: EvalSet, store: str, generation: str, name: tuple[str, str]
) -> LintReport:
    return lint(_set, _labels(_workbench, store, generation))


@st.cache_resource(show_spinner=False, max_entries=8)
def _run(_workbench: Workbench, store: str, run_id: str) -> RunResult:
    return _workbench.runs.get(run_id)


@st.cache_resource(show_spinner="Comparing …", max_entries=8)
def _comparison(
    _workbench: Workbench, store: str, before: str, after: str, metrics: tuple[str, ...]
) -> Comparison:
    first, second = run(_workbench, before), run(_workbench, after)
    return compare_runs(first, second, metrics=metrics)
