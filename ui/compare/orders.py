"""Two contexts as two columns, with lines connecting the places of each chunk."""

from __future__ import annotations

from collections.abc import Sequence

from core.evaluate.compare.side_by_side import Change, Pair, Place, SideBySide
from core.reasons import cause
from core.text.markup import Markup, join, tag
from ui.locale.locale import amount, counted, retold
from ui.shared.kinds import kind_of_id, short_name

ROW = 30  # pixels; the style sheet has it too
THICK = 0.9  # pixels, half of a line
STEPS = 12  # of a curve
WHOLE, SHORTEST = 22, 6  # letters of a name shown whole, and of an end that is still telling


def orders(one: SideBySide, titles: tuple[str, str]) -> Markup:
    """Both orders side by side; what only one side has is marked there."""
    before = sorted((p for p in one.pairs if p.before), key=lambda p: _place(p.before).position)
    after = sorted((p for p in one.pairs if p.after), key=lambda p: _place(p.after).position)
    height = ROW * max(len(before), len(after), 1)
    return tag(
        "figure",
        tag("div", titles[0], class_="sl-order-title"),
        tag("div"),
        tag("div", titles[1], class_="sl-order-title"),
        tag("ol", *(_row(pair, pair.before) for pair in before), class_="sl-order"),
        _lines(before, after, height),
        tag("ol", *(_row(pair, pair.after) for pair in after), class_="sl-order"),
        class_="sl-orders",
        aria_label=f"{counted(one.kept, 'chunk')} in both, "
        f"{len(one.changed(Change.LOST))} removed, {len(one.changed(Change.FOUND))} added.",
    )


def split_name(name: str) -> tuple[str, str]:
    """The beginning of a name, which a narrow row may cut, and its end, which tells it apart."""
    if len(name) <= WHOLE:
        return "", name
    at = name.find("/", len(name) - WHOLE, len(name) - SHORTEST)
    at = at if at > 0 else len(name) - WHOLE // 2
    return name[:at], name[at:]


def reason(pair: Pair) -> str:
    """Why one side does not have this chunk."""
    if pair.cut is None:
        return "not considered: not found by the search, and no result refers to it"
    return cause(pair.cut, pair.setting).said + (f" ({retold(pair.detail)})" if pair.detail else "")


def _row(pair: Pair, place: Place | None) -> Markup:
    kind, there = kind_of_id(pair.chunk_id), _place(place)
    marks = {Change.LOST: "removed", Change.FOUND: "added"}
    mark = marks.get(pair.change, "")
    number = tag("span", f"{there.rank}" if there.rank else "", class_="sl-order-rank")
    head, tail = split_name(short_name(pair.chunk_id))
    name = tag(
        "span",
        tag("span", head, class_="sl-start"),
        tag("span", tail, class_="sl-end"),
        class_="sl-order-name",
    )
    return tag(
        "li",
        number,
        tag("span", kind.sign, class_="sl-sign"),
        name,
        tag("span", mark, class_="sl-order-mark") if mark else "",
        tag("span", amount(there.tokens), class_="sl-order-tokens"),
        class_=f"kind-{kind.key} sl-{'primary' if there.rank else 'reference'} sl-{pair.change}",
        title=f"{pair.chunk_id}\n{amount(there.tokens)} tokens, {there.level}"
        + (f"\non the other side: {reason(pair)}" if mark else ""),
    )


def _lines(before: Sequence[Pair], after: Sequence[Pair], height: int) -> Markup:
    places = {pair.chunk_id: row for row, pair in enumerate(after)}
    lines = (
        _line(row, places[pair.chunk_id], pair)
        for row, pair in enumerate(before)
        if pair.chunk_id in places
    )
    return tag("div", join(lines), class_="sl-order-lines", style=f"height:{height}px")


def _line(start: int, end: int, pair: Pair) -> Markup:
    """A curve as wide as the gap, whatever that is; `st.html` lets no SVG through."""
    moved = "moved" if start != end else "same"
    steps = [step / STEPS for step in range(STEPS + 1)]
    curve = [(100 * x, ROW * (start + 0.5 + (end - start) * x * x * (3 - 2 * x))) for x in steps]
    above = [f"{x:.0f}% {y - THICK:.1f}px" for x, y in curve]
    below = [f"{x:.0f}% {y + THICK:.1f}px" for x, y in reversed(curve)]
    return tag(
        "i",
        class_=f"kind-{kind_of_id(pair.chunk_id).key} sl-path-{moved}",
        style=f"clip-path:polygon({','.join(above + below)})",
    )


def _place(place: Place | None) -> Place:
    assert place is not None
    return place
