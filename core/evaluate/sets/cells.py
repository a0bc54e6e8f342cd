"""How a value of a sample stands in one cell of a spreadsheet, and is no formula there."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from itertools import pairwise

from core.model import JSON
from core.text.safe import guard, unguard

LISTS = ("relevant", "apis", "tags", "facets")
PIPE = " | "


def write(value: JSON) -> str:
    """Texts as they are; lists of plain texts with ` | ` between; everything else as JSON."""
    if isinstance(value, str):
        return guard(value)
    if isinstance(value, list) and all(isinstance(v, str) and _is_plain(v) for v in value):
        return guard(PIPE.join(value))
    return guard(json.dumps(value, ensure_ascii=False))


def _is_plain(text: str) -> bool:
    return bool(text.strip()) and text == text.strip() and not re.search(r"[|\n]|^[\[{]", text)


def read(name: str, cell: str) -> JSON:
    """The value of the column `name`; raises ValueError in words that follow a place."""
    text = unguard(cell)
    if name not in (*LISTS, "alternatives", "grades"):
        return text
    if text.lstrip().startswith(("[", "{", "('", '("')):
        return _values(name, text)
    if name == "alternatives":  # a group a line, or groups between ||
        return [_split(group) for group in re.split(r"\n|\|\|", text) if group.strip()]
    if name == "grades":
        return dict(_grade(item) for item in _split(text))
    return _split(text)


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\||\n", text) if part.strip()]


def _grade(item: str) -> tuple[str, str]:
    label, equals, grade = item.rpartition("=")
    if not equals:
        raise ValueError(f"grades: {item!r} is not LABEL=GRADE")
    return label.strip(), grade.strip()


def _values(name: str, text: str) -> JSON:
    """JSON, or the same as Python writes it: pandas puts `['a', 'b']` into its cells."""
    try:
        return json.loads(text)
    except ValueError as error:
        found = _python(text.strip())
        if found is None:
            raise ValueError(
                f"{name}: this is not a list or an object, in JSON or as Python writes it: {error}"
            ) from error
        return found


def _python(text: str) -> JSON:
    """The value of a Python literal; None where it is none, or means another thing there.

    `['a' 'b']`, as numpy writes two texts, would be the one text `ab`.
    """
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        types = [token.type for token in tokens if token.type != tokenize.NL]
        if any(a == b == tokenize.STRING for a, b in pairwise(types)):
            return None
        return _plain(ast.literal_eval(text))
    except (ValueError, SyntaxError, tokenize.TokenError, MemoryError, RecursionError):
        return None


def _plain(value: object) -> JSON:
    """The value as JSON would have it; raises ValueError for what JSON has not."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise ValueError(f"{type(value).__name__} is not in JSON")
