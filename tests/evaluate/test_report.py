"""Every export of a run, with text that would like to be more than text."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.retrieved import A, B, C, D, F, labels, result, run_of

from core.errors import CallError, EvalSetError
from core.evaluate import convert, escape, report, sets
from core.evaluate.charts import rank_counts
from core.evaluate.compare import compare
from core.evaluate.gold import Gold, gold_of
from core.evaluate.report_html import to_html
from core.evaluate.results import RunResult
from core.evaluate.sample import EvalSet, Sample

HOSTILE = [
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    '=HYPERLINK("http://evil","x")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-2+3",
    "\t=1",
    "a | b ` c * _d_ [x](javascript:alert(1)) <b>",
    "line\nbreak\r\n| injected | row |",
    "https://evil.example www.evil.example @someone",
    "\u202e reversed",
    "&lt;b&gt; &#60;",
]


def hostile_run() -> RunResult:
    results = [
        replace(
            result(
                Sample(f"{text} {n}", text, relevant=(A, F), tags=(text,), intent="schema"),
                [B, A, C],
                references={D: (A,)},
            ),
            notes=(text,),
        )
        for n, text in enumerate(HOSTILE)
    ]
    first = results[0]
    odd = replace(first.misses[0], labels=(HOSTILE[0], HOSTILE[3]), detail=HOSTILE[7])
    results[0] = replace(first, misses=(odd,), apis=(HOSTILE[1],), ranked=((HOSTILE[8], 1.0),))
    run = run_of(*results, settings={"mode": HOSTILE[0]}, store={HOSTILE[1]: HOSTILE[2]})
    return replace(run, name=HOSTILE[0], code_version=HOSTILE[1])


RUN = hostile_run()


class Reader(HTMLParser):
    """Collects what a browser would make of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_html_report_is_one_offline_file_in_which_text_is_text() -> None:
    page = to_html(RUN)
    reader = Reader()
    reader.feed(page)
    assert reader.tags <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "svg", "text", "rect",
        "path", "table", "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip
    names = {name for name, _ in reader.attributes}
    assert not [name for name in names if name.startswith("on") or name in ("src", "href")]
    assert "default-src 'none'" in page
    for text in HOSTILE:
        assert " ".join(text.split()) in " ".join(reader.text.replace("\u202e", " ").split()) or (
            "\u202e" in text
        )


def test_cells_of_the_csv_export_are_no_formulas_and_complete() -> None:
    rows = list(csv.DictReader(io.StringIO(report.to_csv(RUN), newline="")))
    assert len(rows) == len(HOSTILE)
    for row, text in zip(rows, HOSTILE, strict=True):
        assert row["query"].lstrip("'") == text or text.startswith("'")
        assert not any(str(cell).startswith(("=", "+", "-", "@", "\t")) for cell in row.values())
    assert float(rows[1]["search.mrr"]) == 1 / 2
    assert rows[1]["missed"] == f"{F}: wrong API"


def test_the_json_exports_are_read_back() -> None:
    assert RunResult.from_dict(json.loads(report.to_json(RUN)), "test") == RUN
    lines = report.to_jsonl(RUN).split("\n")
    assert [json.loads(line)["query"] for line in lines if line] == HOSTILE


def test_the_trec_run_has_six_columns_whatever_the_names() -> None:
    lines = report.to_trec(RUN).splitlines()
    rows = [line.split() for line in lines]
    assert {len(row) for row in rows} == {6}
    one = [row for row in rows if convert.trec_decoded(row[0]) == f"{HOSTILE[5]} 5"]
    assert [row[2] for row in one] == [B, A, C]
    assert [row[3] for row in one] == ["1", "2", "3"]
    scores = [float(row[4]) for row in one]
    assert scores == sorted(set(scores), reverse=True)


def test_markdown_has_no_markup_from_outside() -> None:
    text = report.to_markdown(RUN)
    for pattern in ("<script", "<img", "](javascript", "| injected |", "https://", "www.evil"):
        assert pattern not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    tables = re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE)
    assert sum(table.count("\n") for table in tables) >= len(rows) - 1
    for table in tables:
        assert len({line.count("|") for line in table.splitlines()}) == 1


@given(st.text(max_size=40))
def test_a_markdown_cell_is_one_code_element(text: str) -> None:
    cell = escape.markdown_cell(text)
    inner = cell.removeprefix("<code>").removesuffix("</code>")
    assert not re.search(r"[\\`*_\[\]<>|~$@\n\r]", inner)


@given(st.text(max_size=40))
def test_html_text_leaves_its_element_never(text: str) -> None:
    assert not re.search(r"[<>\"']", escape.html_text(text))


def test_a_comparison_is_written_as_markdown() -> None:
    after = run_of(*(result(Sample(s.id, s.query, relevant=(A, F)), [A, F]) for s in RUN.samples))
    better = report.comparison_markdown(compare(RUN, after))
    assert "| search.mrr | 0.500 | 1.000 | +0.5 (significant) |" in better
    worse = report.comparison_markdown(compare(after, RUN))
    assert "search.mrr -0.5" in worse
    assert not re.search("<(?!/?code>)", better + worse)


def test_a_terminal_gets_lines_and_nothing_it_would_act_upon() -> None:
    escape_codes = replace(RUN, name="\x1b]0;title\x07\x9b2J", problems=("\x1b[31mred",))
    text = report.to_text(escape_codes)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
    assert re.search(r"^search\.mrr +0\.500 +0\.500 – 0\.500 +12$", text, re.MULTILINE)
    assert "Not measured:  [31mred" in text
    assert "only in the first" in report.comparison_text(
        compare(RUN, replace(RUN, samples=RUN.samples[:3]))
    )


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(CallError, match="is no format of a run"):
        report.write(RUN, "docx")


def test_an_empty_run_can_be_written() -> None:
    for style in report.FORMATS:
        assert isinstance(report.write(run_of(), style), str)
    assert "<h1>" in to_html(run_of())


def test_ranks_are_counted() -> None:
    first = result(Sample("1", "q", relevant=(A, F)), [B, C, D, A])
    assert rank_counts([first]) == {
        "rank 1": 0,
        "rank 2": 0,
        "rank 3": 0,
        "rank 4 – 5": 1,
        "rank 6 – 10": 0,
        "rank 11 – 20": 0,
        "rank 21 or more": 0,
        "not found": 1,
    }


# --- exchange of labelled sets -----------------------------------------------------------------

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
    qrels = convert.to_qrels(SET, resolved)
    assert qrels.splitlines()[0] == f"one%20two 0 {A} 3"
    queries = {sample.id: sample.query for sample in SET.samples}
    back = convert.from_qrels(queries, qrels, name="set")
    assert back.samples[0] == replace(SET.samples[0], reference="")
    assert back.samples[1] == Sample("2", "second", relevant=(C, D))
    assert convert.from_qrels(queries, qrels, name="set", any_of=True).samples[1] == SET.samples[1]
    assert back.samples[2] == SET.samples[2]


def test_beir_out_and_in() -> None:
    queries, qrels = convert.to_beir(SET, resolved)
    back = convert.from_qrels(convert.read_queries(queries, "queries.jsonl"), qrels, name="set")
    assert [(s.id, s.query) for s in back.samples] == [(s.id, s.query) for s in SET.samples]
    assert back.samples[0].relevant == (A, B)


def test_queries_in_two_columns() -> None:
    assert convert.read_queries("1\thow?\n\n2\twhy?\n", "q.tsv") == {"1": "how?", "2": "why?"}


def test_ragas_out_and_in() -> None:
    text = convert.to_ragas(SET, resolved)
    back = convert.from_ragas(text, name="set")
    assert [s.query for s in back.samples] == [s.query for s in SET.samples]
    assert [s.relevant for s in back.samples] == [(A, B), (C,), ()]
    assert back.samples[0].reference == "an answer"
    as_list = json.dumps([json.loads(line) for line in text.splitlines()])
    assert convert.from_ragas(as_list, name="set").samples == back.samples


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: convert.from_qrels({}, "1 0 doc 1", name="q"), "q:1: there is no question '1'"),
        (lambda: convert.from_qrels({"1": "q"}, "1 0 doc x", name="q"), "q:1: this is no `query"),
        (lambda: convert.from_qrels({"1": "q"}, "just", name="q"), "q:1: this is no `query"),
        (lambda: convert.read_queries("no tabulator", "q.tsv"), "q.tsv:1: a question stands"),
        (lambda: convert.read_queries("{oops", "q.jsonl"), "q.jsonl:1: this is no JSON"),
        (lambda: convert.from_ragas("{}", name="r"), "r:1: a ragas sample has a text `user_input`"),
        (lambda: convert.from_ragas("[1", name="r"), "r: this is no JSON"),
        (lambda: convert.from_ragas('{"user_input": 7}', name="r"), "has a text `user_input`"),
        (lambda: convert.from_ragas('[{"user_input": "q"}, 5]', name="r"), "r: sample 2: a ragas"),
        (
            lambda: convert.from_ragas(
                '{"user_input": "q", "reference_contexts": ["a text"]}', name="r"
            ),
            "r:1: `reference_contexts` are texts",
        ),
        (
            lambda: convert.read_queries("1\ta\n1\tb", "q.tsv"),
            "q.tsv:2: the question '1' is there twice",
        ),
        (lambda: convert.from_qrels({"1": "q"}, "1 0 doc --5", name="q"), "q:1: this is no `query"),
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
    name = convert.trec_name(text)
    assert len(name.split()) == 1
    assert convert.trec_decoded(name) == text or not text


def test_the_hostile_set_survives_every_format_of_sets() -> None:
    samples = tuple(Sample(f"{n}", text.strip(), tags=("x",)) for n, text in enumerate(HOSTILE))
    for suffix in (".yaml", ".json", ".jsonl", ".csv"):
        written = sets.dump(EvalSet("set", samples), suffix)
        assert sets.parse(written.encode(), f"set{suffix}").samples == samples


def test_judgements_and_questions_of_others_are_read_as_they_are() -> None:
    assert convert.read_queries('{"_id": "1", "text": "a\u2028b"}\n', "q") == {"1": "a\u2028b"}
    (sample,) = convert.from_qrels({"%ff": "q"}, "%ff 0 100%\u00e9 1", name="q").samples
    assert (sample.id, sample.relevant) == ("%ff", ("100%\u00e9",))
