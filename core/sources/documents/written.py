"""Write a document's chunks: what is embedded, what a model reads, and one line of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.sources.documents.outline import Section
from core.sources.documents.read import Text

_FIRST = re.compile(r"\A(.+?[.!?])(?:\s|\Z)", re.DOTALL)
_ABOUT = 120  # characters of a first sentence
_HEADINGS = 2_000  # characters of the headings that a document lists
_MARKUP = re.compile(r"[*_`#>|]+")


def trail(text: Text, section: Section) -> str:
    """The way down to a section: `Payments > Refunds > Limits`."""
    return " > ".join(dict.fromkeys((text.title, *section.trail, section.title)))


def about(text: Text, status: str) -> str:
    """What the front matter says, in one line; "" for nothing."""
    front = text.front
    said = (
        ("Type", front.type if front.type != "document" else ""),
        ("Status", status),
        ("Version", front.version),
        ("Subsystem", front.subsystem),
        ("Updated", front.updated),
        ("Id", front.id),
        ("Tags", ", ".join(front.tags)),
    )
    return " · ".join(f"{name}: {value}" for name, value in said if value)


def head_text(text: Text, opening: str) -> str:
    """What is embedded of a document as a whole."""
    front = text.front
    words = (front.id, front.type, front.subsystem, *front.tags)
    marks = ", ".join(word for word in words if word and word != "document")
    return "\n".join(_filled(text.title, marks, opening, _headings(text)))


def head_full(text: Text, status: str, opening: str) -> str:
    """The same as it is read."""
    contents = _headings(text)
    listed = f"Sections: {contents}" if contents else ""
    return "\n\n".join(_filled(f"# {text.title}", about(text, status), opening, listed)) + "\n"


def section_text(text: Text, section: Section, piece: str, below: Sequence[Section]) -> str:
    """What is embedded of a section, or of a piece of one."""
    return f"{trail(text, section)}\n{piece or _titles(below)}".rstrip()


def section_full(text: Text, section: Section, piece: str, below: Sequence[Section]) -> str:
    listed = f"Sections: {_titles(below)}" if below and not piece else ""
    return "\n\n".join(_filled(f"## {trail(text, section)}", piece, listed)) + "\n"


def signature(name: str, kind: str, status: str, piece: str) -> str:
    """One line: what it is called, and its first sentence."""
    marks = ", ".join(word for word in (kind, status) if word)
    sentence = _sentence(piece)
    return f"{name} ({marks})" + (f" — {sentence}" if sentence else "") + "\n"


def _sentence(text: str) -> str:
    plain = " ".join(_MARKUP.sub(" ", text).split())
    first = _FIRST.match(plain)
    said = first[1] if first else plain
    return said if len(said) <= _ABOUT else said[: _ABOUT - 1].rsplit(" ", 1)[0] + "…"


def _headings(text: Text) -> str:
    return _titles(text.outline.sections)


def _titles(sections: Sequence[Section]) -> str:
    said = "; ".join(section.title for section in sections)
    return said if len(said) <= _HEADINGS else said[: _HEADINGS - 1].rsplit(";", 1)[0] + "; …"


def _filled(*parts: str) -> Iterator[str]:
    return (part for part in parts if part)
