"""What a document says of itself before it begins: front matter, and what its folder tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from core.deadline import Deadline
from core.errors import SpecError
from core.model import JSON
from core.read.document import Finding
from core.read.limits import Limits
from core.read.places import pointer
from core.read.syntax import yaml
from core.read.syntax.parsed import Bounds

TYPES = ("architecture", "design", "requirement", "decision", "code", "document")
STATUSES = ("draft", "proposed", "approved", "rejected", "superseded", "deprecated")
SUPERSEDED = "superseded"
SUPERSEDES = "SUPERSEDES"
RELATIONS = {  # the key of the front matter → the label of its edges
    "implements": "IMPLEMENTS",
    "satisfies": "SATISFIES",
    "references": "REFERENCES",
    "supersedes": SUPERSEDES,
}

_OTHER_STATUS = {"accepted": "approved"}
_FOLDERS = {
    "adr": "decision",
    "decisions": "decision",
    "requirements": "requirement",
    "design": "design",
    "architecture": "architecture",
}
_FENCE = re.compile(r"---[ \t]*\Z")
_END = re.compile(r"(?:---|\.\.\.)[ \t]*\Z")
_KEY = re.compile(r"(?<![\w-])[A-Za-z][\w-]*+:(?:\s|\Z)")


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge that the front matter names."""

    label: str  # one of RELATIONS
    target: str  # an id or a path, as written
    line: int


@dataclass(frozen=True, slots=True)
class Front:
    """What a document says of itself; "" and () for what it does not say."""

    id: str = ""
    title: str = ""
    type: str = "document"  # one of TYPES
    status: str = ""  # one of STATUSES, or ""
    version: str = ""
    subsystem: str = ""
    tags: tuple[str, ...] = ()
    updated: str = ""  # ISO 8601
    relations: tuple[Relation, ...] = ()
    lines: int = 0  # that the front matter takes, its fences included
    id_line: int = 1
    values: Mapping[str, JSON] = field(default_factory=dict)  # all that was written


def front_of(lines: Sequence[str], file: str, limits: Limits) -> tuple[Front, tuple[Finding, ...]]:
    """What the front matter of a document's lines says, with what is wrong with it.

    A mistake in it is a finding, and the rest is read. Raises UnsafeSpec beyond a bound.
    """
    length, found = _length(lines)
    said = _Said(lines[1 : max(length - 1, 1)], file, limits) if length else None
    by_folder = _type_of_folder(file)
    if said is None:
        return Front(type=by_folder), found
    front = Front(
        id=said.text("id"),
        title=said.text("title"),
        type=said.one_of("type", TYPES) or by_folder,
        status=said.one_of("status", STATUSES, _OTHER_STATUS),
        version=said.text("version"),
        subsystem=said.text("subsystem"),
        tags=tuple(dict.fromkeys(text for text, _ in said.texts("tags", split=True))),
        updated=said.date("updated") or said.date("date"),
        relations=tuple(said.relations()),
        lines=length,
        id_line=said.line("id"),
        values=said.values,
    )
    return front, (*found, *said.findings)


def _length(lines: Sequence[str]) -> tuple[int, tuple[Finding, ...]]:
    """How many lines the front matter takes; 0 where there is none."""
    if not lines or not _FENCE.match(lines[0]):
        return 0, ()
    ends = (at for at, line in enumerate(lines[1:], start=2) if _END.match(line))
    if length := next(ends, 0):
        return length, ()
    if len(lines) < 2 or not _KEY.match(lines[1]):
        return 0, ()  # a rule across the page
    message = "The front matter does not end: close it with a line of three dashes."
    return 0, (Finding("front-matter", message, line=1),)


def _type_of_folder(file: str) -> str:
    """What the nearest folder with a telling name says."""
    folders = reversed(file.lower().split("/")[:-1])
    return next((_FOLDERS[each] for each in folders if each in _FOLDERS), "document")


class _Said:
    """The values of a front matter, each read as what it should be."""

    def __init__(self, lines: Sequence[str], file: str, limits: Limits) -> None:
        self.findings: list[Finding] = []
        self._data = "\n".join(lines).encode()
        self.values = self._read(file, limits)
        self._lines = yaml.yaml_lines(self._data) if self.values else None

    def _read(self, file: str, limits: Limits) -> Mapping[str, JSON]:
        bounds = Bounds(file, limits, Deadline.after(limits.parse_seconds))
        try:
            parsed = yaml.read(self._data, bounds)
        except SpecError as error:
            self._tell("front-matter", f"The front matter was not read: {_moved(error.reason)}")
            return {}
        self.findings += (_below(finding) for finding in parsed.findings)
        if isinstance(parsed.value, Mapping):
            return parsed.value
        if parsed.value is not None:
            self._tell("front-matter", "The front matter was not read: it has no keys.")
        return {}

    def line(self, *keys: str) -> int:
        """In the document, whose second line is the front matter's first."""
        return self._lines.line(keys) + 1 if self._lines else 1

    def text(self, key: str) -> str:
        value = self.values.get(key)
        if value is None or isinstance(value, list | dict):
            if value:
                self._tell_shape(key, "a text")
            return ""
        # a version 1.10 is no number, whatever YAML takes it for
        written = self._lines.written([key]) if self._lines and not isinstance(value, str) else ""
        return " ".join((written or str(value)).split())

    def one_of(self, key: str, known: Sequence[str], other: Mapping[str, str] | None = None) -> str:
        said = self.text(key).lower()
        said = (other or {}).get(said, said)
        if not said or said in known:
            return said
        self._tell(f"unknown-{key}", f"{key}: {said} is not one of {', '.join(known)}.", key)
        return ""

    def date(self, key: str) -> str:
        said = self.text(key)
        try:
            datetime.fromisoformat(said)
        except ValueError:
            if said:
                self._tell("bad-date", f"{key}: {said} is not a date such as 2026-05-31.", key)
            return ""
        return said

    def texts(self, key: str, *, split: bool = False) -> Iterator[tuple[str, int]]:
        """The texts of a list, or a single one, each with its line."""
        value = self.values.get(key)
        if isinstance(value, list):
            for at, item in enumerate(value):
                if isinstance(item, list | dict):
                    self._tell_shape(key, "a list of texts", str(at))
                elif item is not None and str(item).strip():
                    yield str(item).strip(), self.line(key, str(at))
        elif said := self.text(key):
            for part in said.split(",") if split else [said]:
                if part.strip():
                    yield part.strip(), self.line(key)

    def relations(self) -> Iterable[Relation]:
        for key, label in RELATIONS.items():
            for target, line in self.texts(key):
                yield Relation(label, target, line)

    def _tell_shape(self, key: str, wanted: str, *below: str) -> None:
        self._tell("front-matter", f"{key} was not read: it should be {wanted}.", key, *below)

    def _tell(self, rule: str, message: str, *keys: str) -> None:
        line = self.line(*keys) if keys else 1
        self.findings.append(Finding(rule, message, pointer(keys), line))


_LINE = re.compile(r"\bline (\d+)")


def _moved(reason: str) -> str:
    """A reason whose lines are those of the document."""
    return _LINE.sub(lambda found: f"line {int(found[1]) + 1}", reason)


def _below(finding: Finding) -> Finding:
    line = finding.line + 1 if finding.line else 0
    return Finding(finding.rule, finding.message, finding.pointer, line)
