"""Split large elements by meaning: error responses, examples, groups of properties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from core.model import JSON
from core.read.written import written
from core.sources.openapi.shapes import DATA, NAMED, mapping, strings
from core.sources.openapi.walk import Element

LARGE = 12_000  # characters of JSON, about 3,000 tokens, beyond which properties are split off
GROUP = 6_000  # characters of JSON in one group of properties
EXAMPLES = 500  # characters of JSON from which examples are kept apart

_VARIANTS = ("oneOf", "anyOf")
_CONTAINERS = (dict, list)

PARTS = "x-parts"  # in what remains of a split object: the names in each part

Path: TypeAlias = tuple[str | int, ...]
Trie: TypeAlias = dict[str | int, Any]  # keys → what is taken below; None takes all


def pieces(element: Element, text: str = "") -> list[tuple[str, JSON]]:
    """The element's JSON in parts; the first is "", the element itself without the others.

    `text` is its JSON as `written` gives it, where that is known already.
    Every value is in exactly one piece. A piece keeps the keys that lead to its values, and
    of a list only the items that it holds something of.
    """
    value = element.value
    text = text or written(value)
    taken: dict[str, list[Path]] = {}
    if element.type.is_operation:
        taken["errors"] = [("responses", code) for code in error_codes(value)]
    if len(text) > EXAMPLES and '"example' in text and element.kind != "examples":
        taken["examples"] = _examples(value)
    if not any(taken.values()) and len(text) <= LARGE:
        return [("", value)]
    return _divided(value, taken)


def _divided(value: JSON, taken: dict[str, list[Path]]) -> list[tuple[str, JSON]]:
    parts = []
    for part in ("examples", "errors"):  # an example in an error response is an example
        if paths := taken.get(part):
            trie = _trie(paths)
            piece, value = take(value, trie), drop(value, trie)
            parts.append((part, piece))
    groups = list(_groups(value, (), False)) if len(written(value)) > LARGE else []
    for number, paths in enumerate(groups, start=2):
        parts.append((f"part-{number}", take(value, _trie(paths))))
    value = drop(value, _trie([path for paths in groups for path in paths]))
    if groups and isinstance(value, dict):
        value = {**value, PARTS: {f"part-{n}": _names(g) for n, g in enumerate(groups, start=2)}}
    return [("", value), *sorted(parts, key=lambda part: (part[0][:5] == "part-", 0))]


def _names(paths: list[Path]) -> list[str]:
    """What a reader may call them: a property by its name, a variant by its position."""
    return [p[-1] if isinstance(p[-1], str) else f"{p[-2]} {p[-1] + 1}" for p in paths]


def error_codes(operation: JSON) -> list[str]:
    """4xx and 5xx, and `default` beside a response that is none of them."""
    codes = [code for code in mapping(mapping(operation).get("responses")) if code[:2] != "x-"]
    errors = sorted(code for code in codes if len(code) == 3 and code[0] in "45")
    is_error = "default" in codes and any(code[0:1] in ("1", "2", "3") for code in codes)
    return errors + (["default"] if is_error else [])


def _examples(value: JSON) -> list[Path]:
    """Examples that are objects or lists, if they are large together."""
    found: list[Path] = []
    size = 0
    stack: list[tuple[JSON, bool, Path]] = [(value, False, ())]
    while stack:
        node, named, path = stack.pop()
        items = enumerate(node) if isinstance(node, list) else node.items()
        for key, child in items:
            if child.__class__ not in _CONTAINERS or not child:
                continue
            if named or key not in DATA:
                inner = not named and key in NAMED and child.__class__ is dict
                stack.append((child, inner, (*path, key)))
            elif key in ("example", "examples"):
                found.append((*path, key))
                size += len(written(child))
    return found if size >= EXAMPLES else []


def _groups(node: JSON, path: Path, named: bool) -> Iterator[list[Path]]:
    """Groups of properties and of variants to split off, until what remains is small."""
    if not isinstance(node, dict | list):
        return
    items = enumerate(node) if isinstance(node, list) else sorted(node.items())
    sizes = [(key, child, len(written(child))) for key, child in items]
    divides = bool(path) and ((named and path[-1] == "properties") or path[-1] in _VARIANTS)
    if divides:
        small = [(key, size + len(str(key))) for key, _, size in sizes if size <= GROUP]
        if sum(size for _, size in small) > GROUP // 2:
            yield from ([(*path, key) for key in group] for group in _filled(small))
    for key, child, size in sizes:
        if size > GROUP and (named or key not in DATA):
            inner = list(_groups(child, (*path, key), not named and key in NAMED))
            yield from inner or ([[(*path, key)]] if divides else [])


def _filled(sizes: list[tuple[Any, int]]) -> Iterator[list[Any]]:
    group: list[Any] = []
    total = 0
    for key, size in sizes:
        if group and total + size > GROUP:
            yield group
            group, total = [], 0
        group.append(key)
        total += size
    if group:
        yield group


def _trie(paths: list[Path]) -> Trie:
    trie: Trie = {}
    for path in paths:
        node = trie
        for key in path[:-1]:
            node = node.setdefault(key, {})
        node[path[-1]] = None
    return trie


def drop(value: JSON, trie: Trie) -> JSON:
    """The value without what the trie names."""
    if isinstance(value, list):
        kept = [(i, x) for i, x in enumerate(value) if i not in trie or trie[i] is not None]
        return [drop(x, trie[i]) if i in trie else x for i, x in kept]
    return {
        key: child if key not in trie else drop(child, trie[key])
        for key, child in value.items()
        if key not in trie or trie[key] is not None
    }


def take(value: JSON, trie: Trie) -> JSON:
    """Only what the trie names, under the keys that lead to it."""
    if isinstance(value, list):
        return [_taken(child, trie[i]) for i, child in enumerate(value) if i in trie]
    piece = {key: _taken(value[key], inner) for key, inner in trie.items() if key in value}
    if "properties" in piece and trie["properties"] is not None:
        known = piece["properties"]
        if needed := [name for name in strings(value.get("required")) if name in known]:
            return {"required": needed, **piece}
    return piece


def _taken(child: JSON, trie: Trie | None) -> JSON:
    if trie is None:
        return child
    piece = take(child, trie)
    if isinstance(child, dict) and isinstance(child.get("name"), str) and "name" not in piece:
        return {"name": child["name"], **piece}  # of a parameter, so that a reader knows which
    return piece
