"""Numbers and dates as the reader of a page writes them; exports and jobs write as in English."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st
from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time
from babel.numbers import NumberPattern, parse_pattern

from core.text import writing

ENGLISH = "en-US"  # where a browser says nothing, or nothing that is known
_NUMBER = re.compile(
    r"“[^“”]*”"  # a question, which stays as it was asked
    r"|(?<![^\s(+−$])((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(%?)(?=[\s),;:]|\.(?!\d)|$)"
)
_DAYS = {"date": "Ed", "week": "MMMd"}  # ticks of Vega's → the skeleton that Unicode gives them
_FIELD = re.compile(r"'([^']*)'|([A-Za-z])\2*")  # of a date, or what is between them
_D3 = {"d": "%-d", "dd": "%d", "E": "%a", "ccc": "%a", "M": "%-m", "MM": "%m", "MMM": "%b"} | {
    "MMMM": "%B"
}
KEPT = 64  # languages and places of readers at a time


def amount(value: float, digits: int = 0) -> str:
    """`1,234` or, with two digits after the point, `1,234.50`."""
    where = _locale()
    exact = Decimal(f"{value:.{digits}f}")  # rounded as in exports
    return str(_amounts(where, digits).apply(exact, where))


def short(value: float, digits: int = 3) -> str:
    """`0.35` or `1,234`: no more digits after the point than make `digits` in all."""
    return amount(value, writing.digits(value, digits))


def percent(share: float | None, digits: int = 0) -> str:
    """`12%` of a share of 0.12; a dash of none."""
    if share is None:
        return "—"
    where = _locale()
    exact = Decimal(f"{share:.{digits}%}".removesuffix("%")).scaleb(-2)
    return str(_percents(where, digits).apply(exact, where))


def said(value: object) -> str:
    """A setting's value: `on`, `4,000`, `0.35`, or its text."""
    return WRITING.said(value)


def retold(sentence: str) -> str:
    """A sentence of the core, `score 0.24 < 0.50, +1,200 tokens`, with its numbers as the reader
    writes them; what is quoted, or only like a number, such as `v0.2` or `2.4.0`, stays."""
    return _NUMBER.sub(_retold, sentence)


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1,234 chunks`; `plural` where an s is not enough."""
    return WRITING.counted(count, noun, plural)


def moment(at: str | float) -> str:
    """When something happened, of a time in ISO 8601 or in seconds since 1970: `Nov 28, 2026, 2:17
    AM` where the reader is; in UTC, which it says, where nobody knows where that is."""
    when = datetime.fromtimestamp(at, UTC) if isinstance(at, float) else datetime.fromisoformat(at)
    where, there = _locale(), zone()
    local = when.astimezone(there or UTC)
    day, time = format_date(local, locale=where), format_time(local, "short", locale=where)
    said = str(where.datetime_formats["medium"]).format(time, day)
    return said if there else f"{said} UTC"


def day(at: str) -> str:
    """Which day a text says that begins as in ISO 8601; as it stands where it says none."""
    try:
        return format_date(date.fromisoformat(at[:10]), locale=_locale())
    except ValueError:  # an article may say anything
        return at[:10]


WRITING = writing.Writing(amount, percent, moment, retold)


def zone() -> tzinfo | None:
    """Where the reader is, as far as the browser says so."""
    return _zone(st.context.timezone or "")


def draw(spec: Mapping[str, Any], alt: str) -> None:
    """Draw a chart of Vega-Lite, whose axes write as the reader does; `alt` says what it shows."""
    config = {**spec.get("config", {}), "locale": _of_charts(_locale())}
    st.vega_lite_chart({**spec, "config": config}, width="stretch", alt=alt)


def time_label() -> str:
    """Vega's expression for what stands at a moment on an axis of time: a day in the reader's
    order, an hour of 24 where they count so."""
    where = _locale()
    days = {name: _of_d3(where.datetime_skeletons[of].pattern) for name, of in _DAYS.items()}
    twelve = "a" in where.time_formats["short"].pattern
    hours = {} if twelve else dict.fromkeys(("hours", "minutes"), "%H:%M")
    return f"timeFormat(datum.value, {json.dumps({**days, **hours})})"


def _of_d3(pattern: str) -> str:
    return _FIELD.sub(lambda found: found[1] or _D3.get(found[0], ""), pattern)


def _retold(found: re.Match[str]) -> str:
    if found[0].startswith("“"):
        return found[0]
    (whole, point, last), value = found[1].partition("."), float(found[1].replace(",", ""))
    if found[2]:
        return percent(value / 100, len(last))
    return amount(value, len(last)) if point or "," in whole else whole


def _locale() -> Locale:
    return _parsed(st.context.locale or ENGLISH)


@lru_cache(KEPT)
def _parsed(name: str) -> Locale:
    try:
        return Locale.parse(name, sep="-")
    except (ValueError, UnknownLocaleError):  # a browser may say anything
        return Locale.parse(ENGLISH, sep="-")


@lru_cache(KEPT)
def _zone(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # a browser may say anything
        return None


@lru_cache(KEPT)
def _amounts(where: Locale, digits: int) -> NumberPattern:
    whole = where.decimal_formats[None].pattern.partition(".")[0]
    return parse_pattern(f"{whole}.{'0' * digits}" if digits else whole)


@lru_cache(KEPT)
def _percents(where: Locale, digits: int) -> NumberPattern:
    pattern = where.percent_formats[None].pattern
    return parse_pattern(pattern.replace("0", f"0.{'0' * digits}") if digits else pattern)


def _of_charts(where: Locale) -> Mapping[str, Any]:
    """As d3 has it, whose weeks begin on Sunday."""
    signs = where.number_symbols["latn"]
    sizes = [len(part) for part in _amounts(where, 0).pattern.split(",")[1:]]
    number = {
        **{"decimal": signs["decimal"], "thousands": signs["group"], "grouping": sizes[::-1]},
        "percent": _percents(where, 0).pattern.rpartition("0")[2] or "%",
    }
    days, months = where.days["format"], where.months["format"]
    week = [6, *range(6)]
    time = {
        "dateTime": "%c",
        "date": "%x",
        "time": "%X",
        "periods": ["AM", "PM"],
        "days": [days["wide"][day] for day in week],
        "shortDays": [days["abbreviated"][day] for day in week],
        "months": list(months["wide"].values()),
        "shortMonths": list(months["abbreviated"].values()),
    }
    return {"number": {**number, "currency": ["", ""]}, "time": time}
