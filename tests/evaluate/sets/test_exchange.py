"""Labelled sets to and from BEIR, TREC and ragas."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.retrieved import A, B, C, D, chunk, labels

from core.errors import EvalSetError
from core.evaluate.sets import exchange, sets
from core.evaluate.sets.gold import Gold, gold_of
from core.evaluate.sets.sample import EvalSet, Sample

SET = EvalSet(
    "set",
    (
        Sample("one two", "first %20", relevant=(A, B), grades={A: 3}, reference="an answer"),
        Sample("2", "second", alternatives=((C, D),)),
        Sample("3", "third"),
    ),
)


def resolved(sample: Sample) -> Gold:
    return gold_of(sample, labels().resolve)


def test_qrels_out_and_in() -> None:
    qrels = exchange.to_qrels(SET, resolved)
    assert qrels.splitlines()[0] == f"one%20two 0 {A} 3"
    queries = {sample.id: sample.query for sample in SET.samples}
    back = exchange.from_qrels(queries, qrels, name="set")
    assert back.samples[0] == replace(SET.samples[0], reference="")
    assert back.samples[1] == Sample("2", "second", relevant=(C, D))
    assert exchange.from_qrels(queries, qrels, name="set", any_of=True).samples[1] == SET.samples[1]
    assert len(back.samples) == 2  # "third" is not judged
    with_zero = exchange.from_qrels(queries, f"{qrels}3 0 {A} 0", name="set")
    assert with_zero.samples[2] == SET.samples[2]


def test_beir_out_and_in() -> None:
    queries, qrels = exchange.to_beir(SET, resolved)
    back = exchange.from_qrels(exchange.read_queries(queries, "queries.jsonl"), qrels, name="set")
    assert [(s.id, s.query) for s in back.samples] == [("one two", "first %20"), ("2", "second")]
    assert back.samples[0].relevant == (A, B)


def test_queries_in_two_columns() -> None:
    assert exchange.read_queries("1\thow?\n\n2\twhy?\n", "q.tsv") == {"1": "how?", "2": "why?"}


def test_ragas_out_and_in() -> None:
    text = exchange.to_ragas(SET, resolved)
    back = sets.parse(text.encode(), "set.jsonl")
    assert [s.query for s in back.samples] == [s.query for s in SET.samples]
    assert [s.relevant for s in back.samples] == [(A, B), (C,), ()]
    assert back.samples[0].reference == "an answer"
    as_list = json.dumps([json.loads(line) for line in text.splitlines()])
    assert sets.parse(as_list.encode(), "set.json").samples == back.samples


def test_a_ragas_dataset_of_the_first_versions_is_read() -> None:
    row = {"question": "how?", "ground_truth": "so", "reference_context_ids": [A], "answer": "no"}
    found = sets.parse(json.dumps(row).encode(), "set.jsonl")
    assert found.samples == (Sample("q001", "how?", relevant=(A,), reference="so"),)
    assert found.ignored == ("answer",)


def test_a_ragas_dataset_with_texts_alone_is_no_set_without_answers() -> None:
    row = {"user_input": "how?", "reference_contexts": ["a text"]}
    with pytest.raises(EvalSetError, match=r"set.jsonl:1: reference_contexts: this is text"):
        sets.parse(json.dumps(row).encode(), "set.jsonl")


def test_an_empty_column_of_a_ragas_dataset_hides_no_other() -> None:
    row = {
        "user_input": "how?",
        "question": None,
        "reference": "so",
        "ground_truth": None,
        "reference_context_ids": None,
    }
    (sample,) = sets.parse(json.dumps(row).encode(), "set.jsonl").samples
    assert (sample.query, sample.reference, sample.relevant) == ("how?", "so", ())


def test_texts_may_stand_beside_alternatives() -> None:
    row = {"query": "how?", "alternatives": [[A, B]], "reference_contexts": ["a text"]}
    (sample,) = sets.parse(json.dumps(row).encode(), "set.jsonl").samples
    assert sample.alternatives == ((A, B),)


def test_a_folder_in_the_layout_of_beir_is_a_set(tmp_path: Path) -> None:
    with pytest.raises(EvalSetError, match="must contain BEIR's"):
        exchange.read(tmp_path)
    queries, qrels = exchange.to_beir(SET, resolved)
    (tmp_path / "queries.jsonl").write_text(queries)
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "dev.tsv").write_text("broken")
    (tmp_path / "qrels" / "test.tsv").write_text(qrels)
    assert exchange.read(tmp_path).name == tmp_path.name
    assert [s.id for s in exchange.read(tmp_path).samples] == ["one two", "2"]
    assert exchange.read(tmp_path, any_of=True).samples[0].alternatives == ((A, B),)


def test_the_corpus_holds_every_element_once_with_all_its_text() -> None:
    parts = {"": "one", "part-2": "two", "part-10": "ten"}
    split = [replace(chunk(f"{A}:{part}" if part else A), text=parts[part]) for part in parts]
    between = chunk(f"{A}1")
    by_id = sorted((*split, between), key=lambda each: each.id)
    assert by_id[1] == between
    documents = [json.loads(line) for line in exchange.to_corpus((*by_id, chunk(B)))]
    assert [document["_id"] for document in documents] == [A, between.element, B]
    assert documents[0]["text"] == "one\ntwo\nten"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: exchange.from_qrels({}, "1 0 doc 1", name="q"), "q:1: there is no question '1'"),
        (
            lambda: exchange.from_qrels({"1": "q"}, "1 0 doc x", name="q"),
            "q:1: this is not a judgement",
        ),
        (lambda: exchange.from_qrels({"1": "q"}, "just", name="q"), "q:1: this is not a judgement"),
        (lambda: exchange.read_queries("no tabulator", "q.tsv"), "q.tsv:1: write a question after"),
        (lambda: exchange.read_queries("{oops", "q.jsonl"), "q.jsonl:1: this is not JSON"),
        (
            lambda: exchange.read_queries('{"_id": 1, "text": null}', "q.jsonl"),
            "q.jsonl:1: a question of BEIR has an `_id` and a `text`",
        ),
        (lambda: exchange.read_queries('{"text": "why?"}', "q.jsonl"), "has an `_id`"),
        (
            lambda: exchange.read_queries("1\ta\n1\tb", "q.tsv"),
            "q.tsv:2: the question '1' occurs twice",
        ),
        (
            lambda: exchange.from_qrels({"1": "q"}, "1 0 doc --5", name="q"),
            "q:1: this is not a judgement",
        ),
    ],
)
def test_broken_files_are_refused_with_their_place(call: Any, message: str) -> None:
    with pytest.raises(EvalSetError, match=re.escape(message)):
        call()


@given(st.text(max_size=20))
def test_names_survive_the_columns_of_trec(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    name = exchange.trec_name(text)
    assert len(name.split()) == 1
    assert exchange.trec_decoded(name) == text or not text


def test_judgements_and_questions_of_others_are_read_as_they_are() -> None:
    assert exchange.read_queries('{"_id": "1", "text": "a\u2028b"}\n', "q") == {"1": "a\u2028b"}
    (sample,) = exchange.from_qrels({"%ff": "q"}, "%ff 0 100%\u00e9 1", name="q").samples
    assert (sample.id, sample.relevant) == ("%ff", ("100%\u00e9",))


@pytest.mark.parametrize(
    "qrels",
    ["1 0 a 2\n1 0 b 1\n1 0 a 0\n", "1\ta\t2\n1\tb\t1\n1\ta\t0\n", "1 0 %61 2\n\n1 0 a 1"],
    ids=["trec", "beir", "encoded"],
)
def test_a_pair_that_is_judged_twice_is_refused_with_both_lines(qrels: str) -> None:
    message = r"q:3: 'a' is judged [01] for the question '1', and 2 in line 1"
    with pytest.raises(EvalSetError, match=message):
        exchange.from_qrels({"1": "why?"}, qrels, name="q")


def test_a_pair_that_is_judged_alike_twice_is_judged_once() -> None:
    found = exchange.from_qrels({"1": "why?"}, "1 0 a 2\n1 0 a 2\n", name="q")
    assert found.samples == (Sample("1", "why?", relevant=("a",), grades={"a": 2}),)


@pytest.mark.parametrize(
    "qrels",
    [
        "query-id\tcorpus-id\tscore\nq 1\tquay.json GET /anchors\t1\n",
        "q 1\tQ0\tquay.json GET /anchors\t1",
        "q 1\tquay.json GET /anchors\t1\r\n",
    ],
)
def test_columns_that_tabs_divide_hold_blanks(qrels: str) -> None:
    found = exchange.from_qrels({"q 1": "why?"}, qrels, name="q")
    assert found.samples == (Sample("q 1", "why?", relevant=("quay.json GET /anchors",)),)


@pytest.mark.parametrize("row", ["q1 \t0\t d1 1", "q1  0 d1   1", "q1\t0 d1 1", "q1\td1\t1"])
def test_columns_of_trec_may_mix_tabs_and_blanks(row: str) -> None:
    found = exchange.from_qrels({"q1": "why?"}, row, name="q")
    assert found.samples[0].relevant == ("d1",)


def test_an_id_may_hold_what_breaks_a_line_elsewhere() -> None:
    found = exchange.from_qrels({"1": "why?"}, "1\ta\u2028b\t1\n1\tc\t1", name="q")
    assert found.samples[0].relevant == ("a\u2028b", "c")
