"""Path items inside an element: without the parameters that their operations override.

Of an operation's own path item `walk` sees to that. Callbacks and path items that are components
stay whole, so that it is done in their JSON: what one operation overrides and another does not is
written at the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.model import JSON
from core.sources.openapi.shapes import METHODS, mapping, sequence
from core.sources.openapi.walk import Element, Follow, resolved_key

_Key = tuple[str, str]  # a parameter's name and place


def narrowed(element: Element, value: JSON, follow: Follow, text: str) -> JSON:
    """The same value of an element, or one that says no more than holds.

    `text` is the element's JSON; it tells quickly that there is nothing to do.
    """
    if '"parameters":' not in text or not isinstance(value, dict):
        return value
    work = _Narrowing(element.place.file, follow)
    if element.kind == "pathItems":
        return work.item(value)
    if element.kind == "callbacks":
        return work.callback(value)
    return work.operation(value) if '"callbacks":' in text and not element.kind else value


class _Narrowing:
    """Each returns the very same object where nothing is overridden."""

    def __init__(self, file: str, follow: Follow) -> None:
        self._file, self._follow = file, follow

    def operation(self, value: dict[str, Any]) -> dict[str, Any]:
        callbacks = mapping(value.get("callbacks"))
        made = {name: self.callback(mapping(each)) for name, each in callbacks.items()}
        changed = {
            name: each for name, each in made.items() if each is not callbacks[name] and each
        }
        return {**value, "callbacks": {**callbacks, **changed}} if changed else value

    def callback(self, value: dict[str, Any]) -> dict[str, Any]:
        items = {key: each for key, each in value.items() if isinstance(each, dict)}
        changed = {k: made for k, each in items.items() if (made := self.item(each)) is not each}
        return {**value, **changed} if changed else value

    def item(self, value: dict[str, Any]) -> dict[str, Any]:
        operations = {keys: self.operation(each) for keys, each in _operations(value)}
        shared = [(self._key(p), p) for p in sequence(value.get("parameters"))]
        own = {keys: self._keys(each) for keys, each in operations.items()}
        overridden = set().union(*own.values()) & {key for key, _ in shared}
        if overridden:
            value = {**value, "parameters": [p for key, p in shared if key not in overridden]}
            for keys, each in operations.items():
                rest = [p for key, p in shared if key in overridden - own[keys]]
                operations[keys] = _given(each, rest)
        for keys, each in operations.items():
            value = _with(value, keys, each)
        return value

    def _keys(self, operation: dict[str, Any]) -> set[_Key]:
        return {self._key(parameter) for parameter in sequence(operation.get("parameters"))}

    def _key(self, parameter: JSON) -> _Key:
        return resolved_key(parameter, self._file, self._follow)


def _operations(item: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Each operation with the keys that lead to it."""
    for method in METHODS:
        if isinstance(item.get(method), dict):
            yield (method,), item[method]
    for method, operation in mapping(item.get("additionalOperations")).items():
        if isinstance(operation, dict):
            yield ("additionalOperations", method), operation


def _given(operation: dict[str, Any], parameters: list[JSON]) -> dict[str, Any]:
    own = operation.get("parameters", [])
    if not parameters or not isinstance(own, list):
        return operation
    return {**operation, "parameters": [*own, *parameters]}


def _with(value: dict[str, Any], keys: tuple[str, ...], new: JSON) -> dict[str, Any]:
    """The value with another one at these keys; itself where that is there already."""
    key, *inner = keys
    made = _with(value[key], tuple(inner), new) if inner else new
    return value if value[key] is made else {**value, key: made}
