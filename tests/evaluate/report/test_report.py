"""Every export of a run, with text that would like to be more than text."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.retrieved import A, B, C, D, F, result, run_of

from core.errors import CallError
from core.evaluate.compare.compare import compare
from core.evaluate.report import report
from core.evaluate.report.charts import rank_counts
from core.evaluate.report.report_html import to_html
from core.evaluate.results import Cause, CauseRemedy, Miss, Remedy, RunResult
from core.evaluate.sets import exchange, sets
from core.evaluate.sets.sample import EvalSet, Sample
from core.text import safe

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
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "h1",
        "h2",
        "p",
        "svg",
        "text",
        "rect",
        "path",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }
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
        assert row["query"].lstrip("'") == safe.terminal(text) or text.startswith("'")
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
    one = [row for row in rows if exchange.trec_decoded(row[0]) == f"{HOSTILE[5]} 5"]
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
    cell = safe.code(text)
    inner = cell.removeprefix("<code>").removesuffix("</code>")
    assert not re.search(r"[\\`*_\[\]<>|~$@\n\r]", inner)


@given(st.text(max_size=40))
def test_html_text_leaves_its_element_never(text: str) -> None:
    assert not re.search(r"[<>\"']", safe.html(text))


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
    assert re.search(r" search\.mrr +0\.500 +0\.500 – 0\.500 +12$", text, re.MULTILINE)
    assert "Not measured:  [31mred" in text
    assert "Only in the first run" in report.comparison_text(
        compare(RUN, replace(RUN, samples=RUN.samples[:3]))
    )


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(CallError, match="is not a valid format of a run"):
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


def test_a_rank_beyond_the_candidates_is_that_of_the_deeper_search() -> None:
    first = result(Sample("1", "q", relevant=(A, F)), [B, C, D, A])
    (miss,) = first.misses
    deeper = replace(first, misses=(replace(miss, rank=41),))
    counts = rank_counts([deeper])
    assert (counts["rank 21 or more"], counts["not found"]) == (1, 0)


def test_the_hostile_set_survives_every_format_of_sets() -> None:
    samples = tuple(Sample(f"{n}", text.strip(), tags=("x",)) for n, text in enumerate(HOSTILE))
    for suffix in (".yaml", ".json", ".jsonl", ".csv"):
        written = sets.dump(EvalSet("set", samples), suffix)
        assert sets.parse(written.encode(), f"set{suffix}").samples == samples


@pytest.mark.parametrize("style", ["text", "markdown", "html", "json", "jsonl"])
def test_what_would_take_a_missed_label_in_is_in_every_report(style: str) -> None:
    remedy = Remedy({"max_primary_results": 45}, 3100)
    miss = Miss((A,), Cause.RANKED_PAST_K, "rank 41", 41, remedy)
    together = CauseRemedy(miss.cause, {"max_primary_results": 12}, 9, 22, 640.0, 40)
    missed = replace(RUN.samples[0], misses=(miss,))
    text = report.write(replace(RUN, samples=(missed,), remedies=(together,)), style)
    if style in report.AS_JSON:
        assert '"max_primary_results": 45' in text
        assert ('"taken": 9' in text) == (style == "json")
    else:
        assert "45 results, +3,100 tokens" in text
        assert "9 of 22 with 12 results, +640 tokens a question" in text
