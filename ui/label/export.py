"""The labelled questions as a file, in every format that there is."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePath

import streamlit as st

from core.errors import EvalSetError
from core.evaluate.labelling.comments import written_back
from core.evaluate.sets import exchange
from core.evaluate.sets.gold import Gold, resolved
from core.evaluate.sets.lint import check
from core.evaluate.sets.sample import EvalSet, Sample
from core.evaluate.sets.sets import dump
from core.exposed.said import without_paths
from core.text.safe import markdown
from ui.label.queue import Desk
from ui.locale.locale import amount, counted

FORMATS = {"YAML": ".yaml", "JSON": ".json", "JSONL": ".jsonl", "CSV": ".csv"}


def export(on: Desk) -> None:
    """A button for each format."""
    eval_set = on.set.eval_set(on.labels)
    left = len(on.set.labelled) - len(eval_set.samples)
    rest = f"; {amount(left)} to label or in conflict are not" if left else ""
    st.caption(f"{counted(len(eval_set.samples), 'question')} in the files{rest}.")
    if not eval_set.samples:
        return
    _written_back(on, eval_set)
    with st.container(horizontal=True):
        for name, suffix in FORMATS.items():
            _download(name, dump(eval_set, suffix), f"{_file(on)}{suffix}")
        try:
            check(eval_set, on.labels)
        except EvalSetError as error:
            said = markdown(without_paths(error))
            st.warning(
                f"BEIR, TREC and ragas need every label in the store. {said}",
                icon=":material/warning:",
            )
            return
        _others(on, eval_set)


def _written_back(on: Desk, eval_set: EvalSet) -> None:
    """The uploaded file itself with the new labels, for its comments."""
    if PurePath(on.set.file).suffix.lower() not in (".yaml", ".yml"):
        return
    text = written_back(on.set.data, on.set.file, eval_set.samples)
    if text is None:
        st.info(
            f"{markdown(on.set.file)} cannot be written back with its comments: only its "
            "labels may change, and something else would. The formats below have the same labels.",
            icon=":material/info:",
        )
        return
    _download(f"{on.set.file} with its comments", text, on.set.file)
    st.caption("Its questions that are to label or in conflict keep the labels that it had.")


def _others(on: Desk, eval_set: EvalSet) -> None:
    def gold(sample: Sample) -> Gold:
        return resolved(sample, on.labels)

    _download("TREC", exchange.to_qrels(eval_set, gold), f"{_file(on)}.qrels.txt")
    _download("ragas", exchange.to_ragas(eval_set, gold), f"{_file(on)}.ragas.jsonl")
    st.download_button(
        "BEIR",
        lambda: _beir(on, eval_set),
        f"{_file(on)}.beir.zip",
        "application/zip",
        icon=":material/download:",
        on_click="ignore",
        help="With the elements of the store as the corpus",
    )


def _beir(on: Desk, eval_set: EvalSet) -> bytes:
    queries, qrels = exchange.to_beir(eval_set, lambda sample: resolved(sample, on.labels))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("queries.jsonl", queries)
        archive.writestr("qrels/test.tsv", qrels)
        with archive.open("corpus.jsonl", "w") as corpus:
            for line in exchange.to_corpus(on.workbench.chunks()):
                corpus.write(line.encode())
    return out.getvalue()


def _download(name: str, text: str, file: str) -> None:
    st.download_button(
        markdown(name), text, file, icon=":material/download:", on_click="ignore", key=f"as {name}"
    )


def _file(on: Desk) -> str:
    """The name of the set as a file may be called."""
    return "".join(c if c.isalnum() or c in "-_ " else "_" for c in on.set.name).strip() or "set"
