"""The pictures of a deck, as inline SVG: no scripts, nothing loaded, all text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.text.markup import Markup, tag
from core.text.safe import one_line, shortened

WIDE, LINE = 920, 26  # of a picture, in its own units
BOX, GAP = 300, 18
LISTED = 4  # names in a box
NAME = 34  # characters of a name in a box
HIGH = 380  # of a scatter


@dataclass(frozen=True, slots=True)
class Dot:
    """One point of a scatter."""

    x: float
    y: float
    name: str = ""  # written beside it
    is_best: bool = False


def needs(first: str, groups: Mapping[str, Sequence[str]]) -> Markup:
    """A box with what was found, and lines to boxes with what it needs, by what that is for."""
    boxes: list[Markup] = []
    top = 4.0
    middles: list[float] = []
    for title, names in groups.items():
        drawn, height = _box(WIDE - BOX - 4, top, title, names)
        boxes.append(drawn)
        middles.append(top + height / 2)
        top += height + GAP
    height = max(top, 120)
    own, tall = _box(4, height / 2 - 40, "Found", [first])
    lines = [_curve(4 + BOX, height / 2 - 40 + tall / 2, WIDE - BOX - 4, y) for y in middles]
    return _svg(height, f"What “{first}” needs", [*lines, own, *boxes])


def _box(x: float, y: float, title: str, names: Sequence[str]) -> tuple[Markup, float]:
    """The box and its height."""
    rest = len(names) - LISTED
    shown = [*names[:LISTED], *([f"and {rest} more"] if rest > 0 else [])]
    height = LINE * (len(shown) + 1) + 12
    rows = [
        tag("text", one_line(shortened(name, NAME)), x=f"{x + 12}", y=f"{y + LINE * (at + 2) - 2}")
        for at, name in enumerate(shown)
    ]
    frame = tag(
        "rect", class_="box", x=f"{x}", y=f"{y}", width=f"{BOX}", height=f"{height}", rx="8"
    )
    head = tag("text", title, class_="head", x=f"{x + 12}", y=f"{y + LINE - 2}")
    return tag("g", frame, head, *rows), height


def _curve(x: float, y: float, to_x: float, to_y: float) -> Markup:
    middle = (x + to_x) / 2
    return tag("path", class_="edge", d=f"M{x} {y}C{middle} {y} {middle} {to_y} {to_x} {to_y}")


def lengths(title: str, rows: Sequence[tuple[str, float, str]]) -> Markup:
    """Bars from 0: name, value, and what is written after the bar; each with its name above."""
    top = max((value for _, value, _ in rows), default=0) or 1
    drawn: list[Markup] = []
    for at, (name, value, text) in enumerate(rows):
        y = at * (LINE * 2 + 8)
        width = max(2.0, value / top * (WIDE - 190))
        drawn += (
            tag("text", one_line(name, 80), x="0", y=f"{y + 18}"),
            tag(
                "rect",
                class_="bar",
                x="0",
                y=f"{y + LINE}",
                width=f"{width:.0f}",
                height="22",
                rx="4",
            ),
            tag(
                "text",
                one_line(text, 40),
                class_="head",
                x=f"{width + 10:.0f}",
                y=f"{y + LINE + 16}",
            ),
        )
    return _svg(len(rows) * (LINE * 2 + 8), title, drawn)


def rows(cells: Iterable[Sequence[str]]) -> Markup:
    """A table without headings; its cells are text."""
    made = (tag("tr", *(tag("td", one_line(cell, 120)) for cell in row)) for row in cells)
    return tag("table", tag("tbody", *made))


def scatter(title: str, dots: Sequence[Dot], across: str, up: str) -> Markup:
    """Points between the least and the most of both; the best is named."""
    left, bottom = 60, HIGH - 50
    scale_x = _scale([dot.x for dot in dots], left + 20, WIDE - 200)
    scale_y = _scale([dot.y for dot in dots], bottom - 20, 30)
    axes = tag("path", class_="axis", d=f"M{left} 10V{bottom}H{WIDE - 160}")
    drawn = [
        axes,
        tag("text", across, x=f"{(WIDE - 160 + left) / 2}", y=f"{HIGH - 14}", text_anchor="middle"),
        tag("text", up, x=f"{left}", y="8", text_anchor="start"),
    ]
    for dot in sorted(dots, key=lambda dot: dot.is_best):
        x, y = scale_x(dot.x), scale_y(dot.y)
        kind = "best" if dot.is_best else "dot"
        drawn.append(tag("circle", class_=kind, cx=f"{x:.0f}", cy=f"{y:.0f}", r="8"))
        if dot.name:
            drawn.append(tag("text", dot.name, class_="head", x=f"{x + 14:.0f}", y=f"{y + 5:.0f}"))
    return _svg(HIGH, title, drawn)


class _scale:
    """Values to places between two ends."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        self._low, high = min(values, default=0), max(values, default=1)
        self._start, self._by = start, (end - start) / ((high - self._low) or 1)

    def __call__(self, value: float) -> float:
        return self._start + (value - self._low) * self._by


def _svg(height: float, title: str, drawn: Sequence[Markup]) -> Markup:
    size = {"viewBox": f"-2 -4 {WIDE + 4} {height + 8:.0f}", "width": f"{WIDE}"}
    name = one_line(title)
    return tag("svg", tag("title", name), *drawn, role="img", aria_label=name, **size)
