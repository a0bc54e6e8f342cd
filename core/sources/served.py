"""Which function serves an operation of an API, and which sends a request to it.

A route in a decorator, a path in a request, or a function that is called as the operation is: each
says so in the words of the code. What a function says is kept with it when it is cut; which
operation that is, is known when all the files of a store are together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.ids import Id
from core.text.requests import METHODS

SERVES, SENDS, NAMED = "serves", "sends", "named"  # labels of edges from a function to an operation
LABELS = (SERVES, SENDS, NAMED)

_ANY = "*"  # a method that is not said
_VERB = re.compile(rf"(?<![a-zA-Z])({'|'.join(METHODS)})(?![a-z])", re.I)
_MAPPING = re.compile(rf"\b(?:Http)?({'|'.join(METHODS)})(?:Mapping)?\b", re.I)  # `@GetMapping`
_DEFAULT = re.compile(r"\w\.route\(")  # Flask's: GET where no method is said
_AT = r"\(\s{0,60}+(?:(?:value|path)\s{0,60}+=\s{0,60}+)?[\"'`]([^\"'`]*)"
_BASE = re.compile(rf"\b(?:RequestMapping|Route|Path|Controller){_AT}")
_BELOW = re.compile(
    rf"\b(?:\w{{1,20}}Mapping|Path|Route|(?:Http)?(?:Get|Post|Put|Patch|Delete)){_AT}"
)
_LITERAL = re.compile(r"[\"'`]([^\"'`]*/[^\"'`]*)[\"'`]")
_ROUTER = re.compile(r"(?:^|\.)(?:\w*[aA]pp|\w*[rR]outer|mux|server|routes?|http)\.(\w+)$")
_ROUTES = frozenset(("handlefunc", "handle", "route", "all", "add_url_rule", *METHODS))
_HOST = re.compile(
    r"^(?:[a-z][a-z0-9+.-]*://[^/{]*(?:\{[^}]*\}[^/]*)?|\$?\{[^{}]*\}|#\{[^{}]*\})(?=/)", re.I
)
_HOLE = re.compile(r"\$\{[^{}]*\}|#\{[^{}]*\}|\{[^{}]*\}|<[^<>]*>|(?<=/):\w+|%[sdv]|\$\w+")
_PATH = re.compile(r"/(?:[\w.~-]|\{\}|/)*")
_SHORTEST = 2  # words of a name that can only be meant as an operation's


def own_refs(ref_ids: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    """The references of a chunk without those to operations that were found here."""
    return {id: used for id, used in ref_ids.items() if not {*used} <= {*LABELS}}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a function says of requests: `serves POST /orders/{}`."""

    label: str
    method: str  # upper case; "*" where it is not said
    path: str  # with "{}" for each of its parameters

    def __str__(self) -> str:
        return f"{self.label} {self.method} {self.path}"


def base_path(marks: str) -> str:
    """What the routes of a class begin with: `@RequestMapping("/orders")`."""
    found = _BASE.search(marks)
    return found[1].strip("/") if found else ""


def asked(
    marks: str, calls: Sequence[str], strings: Sequence[str], base: str = ""
) -> Iterator[Asked]:
    """What a function's decorators, calls and literals say; `base` is the path of its class.

    A path without a method beside it has those that the function names anywhere, or any.
    """
    methods = dict.fromkeys(method.upper() for method in _MAPPING.findall(marks))
    if base and methods:
        for below in _BELOW.findall(marks) or [""]:
            yield from _each(SERVES, methods, f"/{base}/{below.strip('/')}")
    else:
        given = methods or dict.fromkeys(["GET"] if _DEFAULT.search(marks) else [])
        for found in _LITERAL.findall(marks):
            yield from _each(SERVES, given, found)
    routed = [match[1].lower() for call in calls if (match := _ROUTER.search(call))]
    label = SERVES if _ROUTES.intersection(routed) and not marks else SENDS
    said = (
        *(call.rpartition(".")[2] for call in calls),
        *(s for s in strings if s.lower() in METHODS),
    )
    methods = dict.fromkeys(name.upper() for name in said if name.lower() in METHODS)
    for text in strings:
        if "/" in text:
            own = dict.fromkeys(method.upper() for method in _VERB.findall(text.partition("/")[0]))
            yield from _each(label, own or methods, text.rpartition(" ")[2])


def _each(label: str, methods: Iterable[str], text: str) -> Iterator[Asked]:
    if path := template(text):
        yield from (Asked(label, method, path) for method in (list(methods) or [_ANY]))


def template(text: str) -> str:
    """A path as any language writes it, with "{}" for each parameter; "" for what is none."""
    text = _HOST.sub("", text.strip()).partition("?")[0].partition("#")[0]
    path = _HOLE.sub("{}", text).rstrip("/")
    return path if _PATH.fullmatch(path) and re.search("[a-z]", path, re.I) else ""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the store, as far as it speaks of requests."""

    id: str
    requests: Sequence[str]  # as `Asked` writes them


@dataclass(slots=True)
class Operations:
    """The operations of a store, by what code calls them."""

    _by_path: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    _by_end: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    _by_name: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, id: str, operation_id: str) -> None:
        """An operation's own chunk; other ids are passed by."""
        parsed = Id.parse(id)
        if parsed.kind != "paths" or parsed.part:
            return
        path = template(parsed.path) or "/"
        if path not in self._by_path:
            self._by_end[path.rpartition("/")[2]].append(path)
        self._by_path[path].append((parsed.method.upper(), id))
        if len(_words(operation_id)) >= _SHORTEST:
            self._by_name["".join(_words(operation_id))].append(id)

    def of(self, function: Function) -> Mapping[str, tuple[str, ...]]:
        """The operations that a function speaks of, each with how."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for text in function.requests:
            label, method, path = text.split(" ", 2)
            for id in self._asked(method, path):
                found[id][label] = None
        name = "".join(_words(Id.parse(function.id).rest.rpartition(".")[2].partition("~")[0]))
        named = self._by_name.get(name, ())
        if len(named) == 1:
            found[named[0]][NAMED] = None
        return {id: tuple(found[id]) for id in sorted(found)}

    def _asked(self, method: str, path: str) -> Sequence[str]:
        """The operations of one request: none where it could be one of several APIs."""
        paths = [path] if path in self._by_path else self._longer(path)
        each = [(m, id) for known in paths for m, id in self._by_path[known]]
        ids = [id for m, id in each if method in (m, _ANY)]
        is_clear = method != _ANY or len(ids) == 1
        return ids if is_clear and len({Id.parse(id).file for id in ids}) == 1 else ()

    def _longer(self, path: str) -> Sequence[str]:
        """Paths of which one is the end of the other: a base path is on one side alone."""
        ends = self._by_end.get(path.rpartition("/")[2], ())
        found = [known for known in ends if _is_end(known, path) or _is_end(path, known)]
        return sorted(found, key=len)[-1:]


def _is_end(end: str, path: str) -> bool:
    """Whether a path ends in another that has a word of its own."""
    return path.endswith(end) and bool(re.search(r"/[a-zA-Z]", end))


def _words(name: str) -> list[str]:
    """`placeOrder`, `place_order` and `PlaceOrder` alike."""
    return [word.lower() for word in _WORD.findall(name)]


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
