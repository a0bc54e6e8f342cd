"""How much is found: the figures, by kind of question, and a chart by API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.evaluate.audit.results import ApiSeen, Audit
from core.text.markup import figure, tag
from ui.evaluate.charts import COLOURS
from ui.locale.locale import amount, counted, draw, percent

SHOWN = 25  # APIs in the chart
ROOM = 0.27  # beyond the whole, for what stands beside the longest bar
ROW = 26  # pixels of a bar with its gap
NECESSARY = (
    "A necessary test and no sufficient one: what is not found by its own words is hardly found "
    "by other people’s, and what is found here may still be missed. For that, label questions."
)


def figures(audit: Audit) -> None:
    """The shares in a row, and what they mean."""
    wide, limit = audit.found_overall, audit.limit
    shown = [figure(percent(audit.found), f"found among the first {limit} of their API")]
    if wide is not None:
        shown.append(figure(percent(wide), f"of operations among the first {limit} of all APIs"))
    shown.append(figure(amount(len(audit.elements)), "operations and schemas"))
    st.html(tag("div", *shown, class_="sl-facts"))
    st.caption(NECESSARY)


def by_kind(audit: Audit) -> None:
    """How much each kind of question finds."""
    kinds = audit.by_kind()
    rows = [_bar(kind, share, counted(count, "question")) for kind, (share, count) in kinds.items()]
    worst = min(kinds, key=lambda kind: kinds[kind][0])
    said = f"Least is found by questions of the kind “{worst}” ({percent(kinds[worst][0])})."
    _drawn(rows, said)


def by_api(audit: Audit) -> None:
    """The APIs of which least is found."""
    asked = [(share, api) for api in audit.apis if (share := api.found(audit.limit)) is not None]
    asked.sort(key=lambda each: (each[0], each[1].api))
    rows = [_bar(api.api, share, _size(api)) for share, api in asked[:SHOWN]]
    said = f"Least is found of {asked[0][1].api} ({percent(asked[0][0])})."
    if len(asked) > SHOWN:
        said += f" The first {SHOWN} of {counted(len(asked), 'API')}."
    _drawn(rows, said)


def _size(api: ApiSeen) -> str:
    return counted(len(api.elements), "element")


def _bar(name: str, share: float, of: str) -> dict[str, Any]:
    return {"what": name, "share": share, "of": of, "shown": percent(share)}


def _drawn(rows: Sequence[dict[str, Any]], said: str) -> None:
    colours = COLOURS["dark" if st.context.theme.type == "dark" else "light"]
    axis = {"labelFontSize": 13, "labelColor": colours["ink"], "domain": False, "ticks": False}
    names = {**axis, "labelLimit": 260, "labelOverlap": False}
    spec = {
        "data": {"values": rows},
        "height": ROW * len(rows) + 30,
        "encoding": {
            "y": {"field": "what", "type": "nominal", "sort": None, "title": None, "axis": names},
            "x": {
                "field": "share",
                "type": "quantitative",
                "title": None,
                "axis": {**axis, "format": "%", "values": [0, 0.2, 0.4, 0.6, 0.8, 1]},
                "scale": {"domain": [0, 1 + ROOM]},
            },
            "tooltip": [
                {"field": "what", "title": " "},
                {"field": "shown", "title": "found"},
                {"field": "of", "title": "of"},
            ],
        },
        "layer": [
            {
                "mark": {
                    "type": "bar",
                    "size": ROW - 10,
                    "cornerRadiusEnd": 3,
                    "color": colours["good"],
                }
            },
            {
                "mark": {
                    "type": "text",
                    "align": "left",
                    "dx": 6,
                    "fontSize": 13,
                    "color": colours["ink"],
                },
                "encoding": {"text": {"field": "shown"}},
            },
        ],
    }
    draw(spec, said)
    st.caption(said)
