"""The same numbers and dates, for readers who write them differently."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
import streamlit as st

from core.text.plural import plainly
from ui.locale.locale import (
    amount,
    counted,
    day,
    draw,
    moment,
    percent,
    retold,
    said,
    short,
    time_label,
)

NOON = "2026-11-28T12:05:09+00:00"


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Where the reader is, and their language, as a browser says them."""
    locale, timezone = request.param
    context = SimpleNamespace(locale=locale, timezone=timezone)
    monkeypatch.setattr(st, "context", context)


def read_by(locale: str | None, timezone: str | None = None) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("reader", [(locale, timezone)], indirect=True, ids=[locale])


@read_by("en-US", "America/New_York")
def test_an_american_reads(reader: None) -> None:
    assert amount(1234567) == "1,234,567"
    assert amount(-0.5, 2) == "-0.50"
    assert percent(0.125) == "12%"
    assert percent(0.125, 1) == "12.5%"
    assert counted(1200, "chunk") == "1,200 chunks"
    assert moment(NOON) == "Nov 28, 2026, 7:05\u202fAM"


@read_by("de-DE", "Europe/Berlin")
def test_a_german_reads(reader: None) -> None:
    assert amount(1234567) == "1.234.567"
    assert amount(0.5, 2) == "0,50"
    assert percent(0.125, 1) == "12,5\xa0%"
    assert counted(1200, "query", "queries") == "1.200 queries"
    assert moment(NOON) == moment(1795867509.0) == "28.11.2026, 13:05"


@pytest.mark.parametrize(
    ("value", "words"),
    [(True, "on"), (False, "off"), (4000, "4.000"), (0.35, "0,35"), (2.0, "2"), ("off", "off")],
)
@read_by("de-DE")
def test_a_setting_is_said(reader: None, value: object, words: str) -> None:
    assert said(value) == words


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("score 0.24 < 0.50", "score 0,24 < 0,50"),
        ("12 results, +3,100 tokens (0.5).", "12 results, +3.100 tokens (0,5)."),
        ("wrote 24,738, $0.1075.", "wrote 24.738, $0,1075."),
        ("1,234 of 2,000,000 files", "1.234 of 2.000.000 files"),
        ("found 97.5% of 40 (12%), not 5%20b", "found 97,5\xa0% of 40 (12\xa0%), not 5%20b"),
        (
            "after v0.2/a.json:paths/1.5, 2.4.0 and 1,2",
            "after v0.2/a.json:paths/1.5, 2.4.0 and 1,2",
        ),
        ("Parts: “the 1,000 last, by 2.0 now”; 0.5.", "Parts: “the 1,000 last, by 2.0 now”; 0,5."),
        ("“0.5 (0.5)", "“0.5 (0,5)"),
        ("", ""),
    ],
)
@read_by("de-DE")
def test_a_sentence_is_retold(reader: None, said: str, written: str) -> None:
    assert retold(said) == written


@read_by("en-IN")
def test_an_indian_reads(reader: None) -> None:
    assert amount(1234567.4) == "12,34,567"


@pytest.mark.parametrize(
    "reader",
    [(None, None), ("", ""), ("tlh", "Mars/Olympus"), ("../../etc", "../../etc"), ("de_DE", "\0")],
    indirect=True,
)
@pytest.mark.parametrize(("value", "digits"), [(0, 0), (1234.5, 0), (2.675, 2), (-0.001, 2)])
def test_whose_language_is_unknown_reads_what_exports_say(
    reader: None, value: float, digits: int
) -> None:
    assert amount(value, digits) == plainly(value, digits)
    assert moment(NOON) == "Nov 28, 2026, 12:05\u202fPM UTC"


@read_by("fr-FR")
@pytest.mark.parametrize(
    ("value", "said"), [(0.35, "0,35"), (12, "12"), (1234.5, "1\u202f234"), (0.12345, "0,123")]
)
def test_short_numbers_have_the_digits_that_count(reader: None, value: float, said: str) -> None:
    assert short(value) == said


def test_nothing_measured_is_a_dash() -> None:
    assert percent(None) == "—"


@read_by("de-AT")
def test_charts_write_as_their_reader_does(reader: None, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[dict[str, object]] = []
    monkeypatch.setattr(st, "vega_lite_chart", lambda spec, **_: drawn.append(spec))
    draw({"mark": "bar", "config": {"bar": {}}}, "A bar")
    [spec] = drawn
    assert spec["mark"] == "bar"
    config = spec["config"]
    assert isinstance(config, dict)
    assert config["bar"] == {}
    signs = {"decimal": ",", "thousands": ".", "percent": "\xa0%"}
    assert config["locale"]["number"] == {**signs, "grouping": [3], "currency": ["", ""]}
    assert config["locale"]["time"]["shortDays"][0] == "So."
    assert config["locale"]["time"]["months"][0] == "Jänner"


@pytest.mark.parametrize(
    ("reader", "written"),
    [
        (
            ("de-DE", None),
            {"date": "%a, %-d.", "week": "%-d. %b", "hours": "%H:%M", "minutes": "%H:%M"},
        ),
        (("en-US", None), {"date": "%-d %a", "week": "%b %-d"}),
        (
            ("pt-BR", None),
            {"date": "%a, %-d", "week": "%-d de %b", "hours": "%H:%M", "minutes": "%H:%M"},
        ),
    ],
    indirect=["reader"],
)
def test_an_axis_of_time_counts_hours_as_its_reader_does(
    reader: None, written: dict[str, str]
) -> None:
    assert time_label() == f"timeFormat(datum.value, {json.dumps(written)})"


@pytest.mark.parametrize(
    ("at", "written"),
    [
        ("2026-03-01", "01.03.2026"),
        ("2026-03-01T09:30:00Z", "01.03.2026"),
        ("in spring", "in spring"),
    ],
)
@read_by("de-DE")
def test_a_day_is_written_where_there_is_one(reader: None, at: str, written: str) -> None:
    assert day(at) == written
