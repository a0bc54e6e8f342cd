"""The picture of a context on the page and as a standalone file, drawn offline by vis-network."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import asdict
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.counts import Counts
from core.text.markup import Markup, tag
from core.text.plural import noun_of
from ui.graph.picture import Node, Picture, Role
from ui.graph.relations import colours, in_words, relation_of
from ui.graph.relations import legend as relations_drawn
from ui.locale.locale import amount, counted
from ui.shared.kinds import KINDS, style_rules
from ui.shared.words import they_refer

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

KEY = "picture of the context"
ASSETS = Path(__file__).parents[1] / "assets"
WIDTH, LETTERS = 200, 20  # of a node's box
TOOLS = 34  # pixels of the buttons below the picture
BESIDE, ALONE, TALLEST = 680, 960, 640  # pixels of a picture beside a panel, or without one
PROJECTED, LARGER = 1500, 1.35  # the width of a presenter's page, and how much more it may take


def network(picture: Picture) -> dict[str, Any]:
    """The picture as vis-network reads it: nodes and edges from pyvis, columns and colours."""
    # Late, because it imports networkx and IPython; and it ships no types.
    from pyvis.network import Network  # type: ignore[import-untyped]

    net = Network(directed=True)  # undirected edges cost quadratic time
    for node in picture.nodes:
        title = f"{node.id}\n{node.note}"  # vis-network sets a string as text, not as HTML
        look = {"kind": node.kind, "role": node.role.value, "shape": "box", "reach": node.reach}
        net.add_node(node.id, label=_label(node), title=title, x=node.x, y=node.y, **look)
    for edge in picture.edges:
        look = {"line": edge.line.value, "relation": relation_of(edge).word}
        net.add_edge(edge.source, edge.target, title=in_words(edge.used.split(", ")), **look)
    nodes, edges, *_ = net.get_network_data()
    return {
        "nodes": nodes,
        "edges": edges,
        "columns": [asdict(column) for column in picture.columns],
        "kinds": {kind.key: {"light": kind.light, "dark": kind.dark} for kind in KINDS},
        "relations": colours(),
        "width": WIDTH,
        "reach": any(node.reach for node in picture.nodes),  # then everything else is dimmed
    }


def show(
    picture: Picture,
    *,
    selected: str,
    labels: bool,
    alt: str,
    on_click: Callable[[], None],
    on_open: Callable[[], None] = lambda: None,
    width: int = BESIDE,
) -> None:
    """Draw the picture; a click puts the chunk id into `st.session_state[KEY].clicked`, once.

    A double click puts it into `.opened`. `alt` says what it shows, for those who cannot see
    it; `width` is about the pixels that it has.
    """
    large = bool(st.session_state.get("present"))
    height = height_of(picture, large=large, width=width)
    data = {
        **network(picture),
        "height": height,
        "selected": selected,
        "labels": labels,
        "most": LARGER if large else 1,
        "alt": alt,
    }
    tools = round(TOOLS * LARGER) if large else TOOLS
    _component()(
        key=KEY,
        data=data,
        height=height + tools,
        on_clicked_change=on_click,
        on_opened_change=on_open,
    )


def height_of(picture: Picture, *, large: bool = False, width: int = BESIDE) -> int:
    """Pixels that show every row at the scale at which the columns fit a page.

    `large` is for a projector, where nothing is beside the picture.
    """
    width, most = (PROJECTED, LARGER) if large else (width, 1.0)
    ys = [node.y for node in picture.nodes] or [0]
    wide = max((column.right for column in picture.columns), default=0)
    scale = max(0.62, min(most, width / max(wide, 1)))
    return round(min(TALLEST * most, max(300, (max(ys) - min(ys) + 150) * scale + 24)))


def page(picture: Picture, *, title: str, alt: str) -> str:
    """The picture as one HTML file that loads nothing from anywhere; `alt` as for `show`."""
    data = {**network(picture), "labels": True, "selected": "", "alt": alt}
    parts = {
        "TITLE": str(tag("title", title)),
        "HEADING": str(tag("h1", title)),
        "LEGEND": str(legend(picture)),
        "STYLE": style_rules() + _asset("lines.css") + _asset("graph_page.css"),
        "DATA": json.dumps(data).replace("<", "\\u003c"),
        "SCRIPT": f"{vis_network()}\n{_asset('graph.js')}",
    }
    pieces = _asset("graph_page.html").split("@@")  # every second one is the name of a part
    return "".join(parts.get(piece, piece) for piece in pieces)


def legend(picture: Picture) -> Markup:
    """The kinds and lines that occur in this picture."""
    drawn = {node.kind for node in picture.nodes}
    kinds = (
        tag("span", tag("span", k.sign, class_="sl-sign"), k.name, class_=f"sl-badge kind-{k.key}")
        for k in KINDS
        if k.key in drawn
    )
    opened = any(node.role is Role.ADDED for node in picture.nodes)
    added = [tag("span", "dotted: opened by you", class_="sl-note")] if opened else []
    relations = relations_drawn(picture)
    lines = _lines(picture, ["followed"] if relations else [])
    return tag("div", *kinds, *relations, *lines, *added, class_="sl-legend")


def alternative(picture: Picture, made: Counts, *, cut: int) -> str:
    """The picture of a context in words, for those who cannot see it; `cut` is how many of its
    references were cut, drawn or not."""
    opened = sum(node.role is Role.ADDED for node in picture.nodes)
    more = f"{amount(opened)} more around opened chunks. " if opened else ""
    return (
        f"A graph of {counted(made.results, 'result')} and "
        f"{counted(made.references, 'chunk')} that {they_refer(made.results)} to. "
        f"{_cut(cut, cut - picture.not_drawn)}"
        f"{more}The list beside it names everything that is drawn."
    )


def _cut(cut: int, drawn: int) -> str:
    if not cut:
        return ""
    lost = f"{counted(cut, 'reference')} {noun_of(cut, 'was', 'were')} left out"
    return f"{lost}, {amount(drawn)} drawn. "


def _lines(picture: Picture, without: Collection[str]) -> list[Markup]:
    """What the lines say; where relations are told apart, a followed one has a word already."""
    words = {
        "followed": "reference",
        "also": "also refers to",
        "cycle": "cycle",
        "cut": "left out",
        "impact": "affected by a change",
    }
    drawn = {edge.line.value for edge in picture.edges}
    return [
        tag("span", tag("i", class_=f"sl-line sl-line-{line}"), word, class_="sl-note")
        for line, word in words.items()
        if line in drawn and line not in without
    ]


def _label(node: Node) -> str:
    sign = next(kind.sign for kind in KINDS if kind.key == node.kind)
    cut = f"\n✂ {node.mark}" if node.mark else ""
    name = node.label.removesuffix(" (errors)")  # the sign says so
    return f"{sign}  {shortened(name)}{cut}"


def shortened(name: str) -> str:
    """A name that fits a node: of a path the end is kept, for it tells more than its beginning."""
    if len(name) <= LETTERS:
        return name
    method, space, path = name.partition(" /")
    if not space:
        return f"{name[: LETTERS - 1]}…"
    return f"{method} …{path[len(method) + 2 - LETTERS :]}"


@st.cache_resource
def _component() -> ComponentRenderer:
    # A string of one line would be taken for a path, so each begins with a comment.
    css = f"/* the picture */\n{_asset('graph.css')}"
    js = f"// the picture\n{vis_network()}\n{_asset('graph.js')}\n{_asset('graph_component.js')}"
    html = "<div class='graph'></div>"
    return st.components.v2.component("specloupe_graph", html=html, css=css, js=js)


def _asset(name: str) -> str:
    return (ASSETS / name).read_text("utf-8")


@lru_cache(maxsize=1)
def vis_network() -> str:
    """The script that pyvis ships, without the pointer to a source map that is not there."""
    script = files("pyvis") / "templates" / "lib" / "vis-9.1.2" / "vis-network.min.js"
    return script.read_text("utf-8").replace("//# sourceMappingURL=vis-network.min.js.map", "")
