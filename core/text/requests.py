"""Requests that a question writes out: a method and a path, a URL, a command line of curl."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.ids import MARK

ENDS = " .,;:!?\"'`“”‘’<>|"  # what a sentence puts round a name

# A path, as long as it goes: characters in pairs of braces may be blanks, others never are.
_REST = r"(?:[^\s{\"`“”<>|]|\{[^{}\n]{0,60}\}|\{|<[\w-]{1,40}>)*+"
_HOST = (
    r"[A-Za-z][A-Za-z0-9+.-]*+://[^\s/\"'`<>]*+"  # https://api.example.com
    r"|\{\{[\w. -]{1,60}\}\}|\$\{\w{1,60}\}|\$\w{1,60}"  # what a shell or a client fills in
    r"|(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?|localhost(?::\d{1,5})?"
)
_URL = re.compile(rf"(?<![\w+./:@$-])({_HOST})(/{_REST})")
_PATH = re.compile(rf"(?<![\w/.:}}>\])$-])/{_REST}")
_SEVERAL = re.compile(r"(?<=[,;])(?=/)")
_METHODS = r"get|post|put|patch|delete|head|options|trace"
METHODS = frozenset(_METHODS.split("|"))
_UPPER = re.compile(rf"\b({_METHODS.upper()})\b")
_BEFORE = re.compile(r"(?<![^\W_])([A-Za-z]{3,20})[\s:]*[\"'`“(<]?$")  # a word right before a path
_AS_CALL = re.compile(rf"\.({_METHODS})\(", re.IGNORECASE)  # requests.get("…")
_OPTION = re.compile(rf"(?<!\S)(?:-X|--request)[\s=]*[\"']?({_METHODS})\b", re.IGNORECASE)
_CURL = re.compile(r"(?<![\w./-])curl\s")
_SENDS = {
    "HEAD": re.compile(r"(?<!\S)(?:-I|--head)(?!\S)"),
    "GET": re.compile(r"(?<!\S)(?:-G|--get)(?!\S)"),
    "PUT": re.compile(r"(?<!\S)(?:-T|--upload-file)(?!\S)"),
    "POST": re.compile(r"(?<!\S)(?:-d|--data(?:-\w{1,20})?|--json|-F|--form)(?![\w-])"),
}
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_LOOK_BACK = 24  # characters before a path that may hold its method


@dataclass(frozen=True, slots=True)
class Request:
    """A path that a question names, and the word right before it."""

    path: str  # without scheme, host and what the sentence puts behind it
    written: str = ""  # the same with that
    before: str = ""  # lower case; a method, when it is one
    host: str = ""  # of a URL, lower case, without a port


def requests(text: str) -> Iterator[Request]:
    """Every path and URL, in the order of the text."""
    for start, host, written in sorted(_written(text)):
        before = _BEFORE.search(text[max(0, start - _LOOK_BACK) : start])
        word = before.group(1).lower() if before else ""
        for at, path in enumerate(() if MARK.search(written) else _SEVERAL.split(written)):
            yield Request(trimmed(path), path, "" if at else word, host)


def _written(text: str) -> Iterator[tuple[int, str, str]]:
    ends: set[int] = set()
    for found in _URL.finditer(text):
        ends.add(found.end())
        yield found.start(), _host(found.group(1)), found.group(2)
    for found in _PATH.finditer(text):
        if found.end() not in ends:
            yield found.start(), "", found.group()


def _host(written: str) -> str:
    """`https://me@api.example.com:8080` → `api.example.com`."""
    return written.rpartition("://")[2].rpartition("@")[2].partition(":")[0].lower()


def methods(text: str) -> tuple[str, ...]:
    """The methods that are said, upper case, each once; what curl sends when it is told none."""
    found = [each.upper() for each in _OPTION.findall(text) + _AS_CALL.findall(text)]
    beside = (request.before.upper() for request in requests(text))
    found += [word for word in beside if _UPPER.fullmatch(word)]
    found += _UPPER.findall(text)
    if not found and _CURL.search(text):
        found = [next((m for m, sent in _SENDS.items() if sent.search(text)), "GET")]
    return tuple(dict.fromkeys(found))


def without(text: str) -> str:
    """The words round them."""
    return _PATH.sub(" ", _URL.sub(" ", text))


def trimmed(path: str) -> str:
    """Without the marks of the sentence behind it, and brackets that it does not open itself."""
    while path:
        last = path[-1]
        opens = _PAIRS.get(last)
        if not (last in ENDS and opens is None) and not (
            opens and path.count(last) > path.count(opens)
        ):
            return path
        path = path[:-1]
    return path
