"""A deck as one HTML file that works anywhere, offline: arrow keys turn, printing makes a PDF."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from core.story.slide import Deck, Slide
from core.text.markup import Markup, join, tag
from core.text.safe import one_line

LONGEST = 300  # characters of a sentence
STYLE = """
:root { color-scheme: light dark; --ink: #1c2733; --soft: #56606d; --paper: #fff; --line: #d5d3c8;
  --box: #f5f4ee; --bar: #0f766e; --best: #c2410c }
@media (prefers-color-scheme: dark) { :root { --ink: #e5e9ee; --soft: #a2adba; --paper: #111923;
  --line: #334050; --box: #192330; --bar: #3ec9b4; --best: #fb923c } }
html { scroll-snap-type: y mandatory; }
body { margin: 0; font: 22px/1.4 system-ui, sans-serif; color: var(--ink);
  background: var(--paper) }
section { box-sizing: border-box; min-height: 100vh; padding: 5vh 7vw; scroll-snap-align: start;
  display: flex; flex-direction: column; justify-content: center; gap: 3vh }
.step { margin: 0; color: var(--soft); font-size: 20px }
h1, h2 { margin: 0; font-size: clamp(26px, 3.4vw, 46px); line-height: 1.25; text-wrap: balance;
  overflow-wrap: anywhere }
.note { margin: 0; color: var(--soft); font-size: 18px }
.large { font-size: clamp(32px, 5vw, 64px); overflow-wrap: anywhere }
mark { background: none; color: var(--bar); text-decoration: underline;
  text-underline-offset: .15em }
svg { max-width: 100%; height: auto; max-height: 58vh }
svg text { font: 17px system-ui, sans-serif; fill: var(--ink) }
svg .head { font-weight: 600 }
.box { fill: var(--box); stroke: var(--line) }
.edge, .axis { fill: none; stroke: var(--line); stroke-width: 2 }
.bar, .dot { fill: var(--bar) } .best { fill: var(--best) }
table { border-collapse: collapse; font-size: 19px } td { padding: .3em 1em .3em 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
@media print { @page { size: A4 landscape; margin: 0 }
  section { height: 100vh; break-after: page } }
"""
SCRIPT = """
const slides = [...document.querySelectorAll("section")];
const at = () => slides.findIndex((one) => one.getBoundingClientRect().bottom > 2);
const turn = (by) => scrollTo({
  top: slides[Math.min(slides.length - 1, Math.max(0, at() + by))].offsetTop });
const keys = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1,
  ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };
addEventListener("keydown", (event) => {
  if (event.key in keys) { event.preventDefault(); turn(keys[event.key]); }
  if (event.key === "Home") turn(-slides.length);
  if (event.key === "End") turn(slides.length);
});
window.focus();
"""
_SUM = b64encode(sha256(SCRIPT.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_SUM}'"


def to_html(deck: Deck) -> str:
    """The whole file: it can load nothing, and run nothing but what turns the slides."""
    title = one_line(deck.title, LONGEST)
    slides = join(_slide(deck, at) for at in range(len(deck.slides)))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{tag('title', title)}<style>{STYLE}</style></head><body>{slides}"
        f"<script>{SCRIPT}</script></body></html>\n"
    )


def _slide(deck: Deck, at: int) -> Markup:
    slide: Slide = deck.slides[at]
    step = f"{slide.step} · {at + 1} of {len(deck.slides)}"
    note = tag("p", one_line(slide.note, LONGEST), class_="note") if slide.note else Markup()
    sentence = one_line(slide.sentence, LONGEST)
    return tag("section", tag("p", step, class_="step"), tag("h2", sentence), slide.picture, note)
