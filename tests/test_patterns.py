"""No text makes a regular expression of the core slow: each is linear in what it reads.

Every pattern is fed strings made for it: those that stand compiled in a module, and those that a
function hands to `re`. What is handed over has to be told from the source: a text, the name of one,
or a text around escaped pieces.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

import pytest

import core
from tests.support.redos import attacks

SHORT, LONG = 8_000, 100_000  # characters
SHORT_S, LONG_S = 0.1, 1.0  # of CPU; a linear pattern takes a hundredth of it
_SLOWEST = 3  # of the short strings: those are tried at full length
_DEPTH = 3  # of values that hold patterns
_HANDED = frozenset(
    ("compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")
)
_PIECE = "Aa0"  # stands for an escaped piece of a pattern
MADE: Mapping[str, str] = MappingProxyType(
    {  # module and pattern as its source has it → why no text of a user's or a file's is in it
        r"core.retrieve.understand.cues: f'(?<!\\w)(?:{pattern})(?!\\w)'": (
            "made at import, and tried as CUES"
        ),
        "core.exposed.said: BEGINS + store + ENDS": "the store's own path, which is escaped",
        "core.exposed.said: f'{whole}|{BEGINS}(?:{known}){ENDS}{BELOW}?'": (
            "folders of this machine, escaped; behind one it runs to the next blank or quote alone"
        ),
        "core.text.markup: f'({wanted})'": "escaped words side by side, which is linear",
    }
)


def _modules() -> Iterator[str]:
    for found in pkgutil.walk_packages(core.__path__, "core."):
        if not found.ispkg:
            yield found.name


def _inside(value: object, depth: int = _DEPTH) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for each in value.values():
            yield from _inside(each, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _inside(each, depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _inside(getattr(value, field.name, None), depth - 1)


def _patterns() -> dict[str, re.Pattern[Any]]:
    found: dict[tuple[Any, int], str] = {}
    for name in _modules():
        for variable, value in vars(importlib.import_module(name)).items():
            for pattern in _inside(value):
                found.setdefault((pattern.pattern, pattern.flags), f"{name}.{variable}")
    named = sorted(found.items(), key=lambda each: each[1])
    return {f"{where}-{at}": re.compile(*key) for at, (key, where) in enumerate(named)}


@dataclass(frozen=True, slots=True)
class Call:
    """A function's call of `re`, and where it is."""

    module: str
    line: int
    argument: ast.expr

    @property
    def source(self) -> str:
        return f"{self.module}: {ast.unparse(self.argument)}"


def _calls(module: str) -> Iterator[Call]:
    """Those inside functions; what a module calls for itself stands in its variables."""
    file = importlib.import_module(module).__file__
    assert file
    text = Path(file).read_text("utf-8")
    if re.search(r"\bre\.", text):  # most modules call none, and a tree takes long to walk
        yield from calls_in(ast.parse(text), module)


def calls_in(tree: ast.AST, module: str) -> Iterator[Call]:
    for function in _outermost(tree):
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and (argument := _pattern_of(node)):
                yield Call(module, node.lineno, argument)


def _outermost(tree: ast.AST) -> Iterator[ast.AST]:
    """The functions that are inside no other."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield node
        else:
            yield from _outermost(node)


def _pattern_of(call: ast.Call) -> ast.expr | None:
    """What is handed to `re` as a pattern; None when something else is called."""
    called = call.func
    if not (
        isinstance(called, ast.Attribute)
        and isinstance(called.value, ast.Name)
        and called.value.id == "re"
        and called.attr in _HANDED
    ):
        return None
    named = (keyword.value for keyword in call.keywords if keyword.arg == "pattern")
    return call.args[0] if call.args else next(named)


def handed(argument: ast.expr, names: Mapping[str, object]) -> str | bytes | None:
    """The pattern that an argument is; None when the source does not tell it."""
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str | bytes):
        return argument.value
    if isinstance(argument, ast.Name) and isinstance(names.get(argument.id), str | bytes):
        return names[argument.id]  # type: ignore[return-value]  # looked at a line above
    if isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Add):
        parts = [handed(side, names) for side in (argument.left, argument.right)]
        return None if None in parts else parts[0] + parts[1]  # type: ignore[operator]
    if isinstance(argument, ast.JoinedStr):
        pieces = [handed(piece, names) for piece in argument.values]
        return None if None in pieces else "".join(pieces)  # type: ignore[arg-type]
    if isinstance(argument, ast.FormattedValue):
        return handed(argument.value, names)
    if isinstance(argument, ast.Call) and ast.unparse(argument.func) == "re.escape":
        return _PIECE
    return None


CALLS = tuple(call for module in _modules() for call in _calls(module))


def _in_functions() -> dict[str, re.Pattern[Any]]:
    found: dict[str, re.Pattern[Any]] = {}
    for call in CALLS:
        text = handed(call.argument, vars(importlib.import_module(call.module)))
        if text is not None:
            found[f"{call.module}:{call.line}"] = re.compile(text)
    return found


PATTERNS = _patterns() | _in_functions()


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.module}:{call.line}")
def test_a_pattern_in_a_function_is_told_by_the_source(call: Call) -> None:
    known = handed(call.argument, vars(importlib.import_module(call.module)))
    compiled = isinstance(call.argument, ast.Name) and call.argument.id.isupper()
    assert known is not None or compiled or call.source in MADE, (
        f"{call.source} in line {call.line}: write the pattern out, escape its pieces, or list it"
    )


def test_what_is_listed_is_there() -> None:
    assert MADE.keys() <= {call.source for call in CALLS}


@pytest.mark.thorough
def test_re_is_called_by_its_own_name() -> None:
    """So that no call of it is missed."""
    for module in _modules():
        file = importlib.import_module(module).__file__
        for node in ast.walk(ast.parse(Path(str(file)).read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.module != "re", module
            elif isinstance(node, ast.Import):
                assert not any(a.name == "re" and a.asname for a in node.names), module


@pytest.mark.parametrize(
    ("source", "pattern"),
    [
        ("re.sub(r'a+b', '', x)", "a+b"),
        ("re.split(pattern=SEEN, string=x)", "s"),
        ("re.search(rf'{re.escape(x)}-{SEEN}$', x)", f"{_PIECE}-s$"),
        ("re.compile(b'a' + b'b')", b"ab"),
        ("re.fullmatch(f'{x}+', x)", None),
        ("re.findall(x, x)", None),
        ("re.finditer('a' + x, x)", None),
    ],
    ids=str,
)
def test_what_a_function_hands_over(source: str, pattern: str | bytes | None) -> None:
    (call,) = calls_in(ast.parse(f"def f(x):\n    return lambda: {source}"), "m")
    assert handed(call.argument, {"SEEN": "s"}) == pattern


class _TooSlow(Exception):
    pass


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise when the block takes more CPU; the engine looks at signals while it backtracks."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _seconds(pattern: re.Pattern[Any], text: str, most: float) -> float:
    """What reading all of the text takes; ways to use a pattern all begin at every place."""
    value: Any = text if isinstance(pattern.pattern, str) else text.encode()
    start = time.process_time()
    try:
        with _at_most(most):
            for _ in pattern.finditer(value):
                pass
            pattern.fullmatch(value)
    except _TooSlow:
        return most * 2
    return time.process_time() - start


def _slow(pattern: re.Pattern[Any]) -> Any:
    """The first attack that takes longer than its length allows; None of a linear pattern."""
    tried: list[tuple[float, Any]] = []
    for attack in attacks(pattern):
        took = _seconds(pattern, attack.text(SHORT), SHORT_S)
        if took > SHORT_S:
            return attack
        tried.append((took, attack))
    # A fast machine reads the square of a short string in time, but not that of a long one.
    for _, attack in sorted(tried, key=lambda each: -each[0])[:_SLOWEST]:
        if _seconds(pattern, attack.text(LONG), LONG_S) > LONG_S:
            return attack
    return None


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer of CPU time")
@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_linear(name: str) -> None:
    assert _slow(PATTERNS[name]) is None, PATTERNS[name].pattern


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer of CPU time")
@pytest.mark.parametrize("pattern", [r"(a+)+b", r"\s*,", r"[\w.]+/[\w.]+", r"(?:a|a)*b"])
def test_a_pattern_that_is_slow_is_found(pattern: str) -> None:
    assert _slow(re.compile(pattern)) is not None
