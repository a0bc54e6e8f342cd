"""The short text of a chunk: what is embedded, searched and shown in lists."""

from __future__ import annotations

from collections.abc import Iterator

from core.ids import called
from core.model import JSON, ChunkType
from core.sources.openapi.render.prose import clip, first_sentence, opening
from core.sources.openapi.shapes import mapping, sequence, string, strings
from core.sources.openapi.split import PARTS
from core.sources.openapi.walk import Element

_ABOUT = 400  # characters of a description
_LISTED = 600  # characters of a list of names
_EACH = 120  # characters of an error's description


def text_of(element: Element, part: str, body: JSON) -> str:
    """Name and place, then what people wrote about it; no vendor extensions, no JSON."""
    lines = _parted(element, part, mapping(body)) if part else _whole(element, mapping(body))
    return "\n".join(dict.fromkeys(filter(None, lines)))


def _whole(element: Element, body: dict[str, JSON]) -> Iterator[str]:
    if element.type is ChunkType.INFO:
        yield from _info(body)
    elif element.type is ChunkType.COMPONENT:
        yield heading(element)
        yield from _component(element, body)
    else:
        yield from _operation(element, body)


_KINDS = {
    "schemas": "schema",
    "parameters": "parameter",
    "responses": "response",
    "requestBodies": "request body",
    "headers": "header",
    "securitySchemes": "security scheme",
    "examples": "example",
    "links": "link",
    "callbacks": "callback",
    "pathItems": "path item",
}


def heading(element: Element) -> str:
    """`POST /users`, `schema User`: the first line, and what a part belongs to."""
    if element.type is ChunkType.COMPONENT:
        return f"{_KINDS.get(element.kind, element.kind)} {element.name}"
    if element.type is ChunkType.INFO:
        return "info"
    kind = "webhook " if element.type is ChunkType.WEBHOOK else ""
    return kind + called(element.method, element.name)


def _operation(element: Element, body: dict[str, JSON]) -> Iterator[str]:
    item = mapping(body.get("pathItem"))
    yield heading(element)
    yield string(body.get("operationId"))
    yield opening(string(body.get("summary")) or string(item.get("summary")), _ABOUT)
    yield opening(string(body.get("description")) or string(item.get("description")), _ABOUT)
    if tags := strings(body.get("tags")):
        yield f"tags: {', '.join(tags)}"


def _component(element: Element, body: dict[str, JSON]) -> Iterator[str]:
    for key in ("title", "summary"):
        yield opening(string(body.get(key)), _ABOUT)
    if element.kind in ("parameters", "headers", "securitySchemes"):
        yield " ".join(string(body.get(key)) for key in ("type", "in", "name")).strip()
    yield opening(string(body.get("description")), _ABOUT)
    if names := _names(body):
        yield f"properties: {clip(', '.join(names), _LISTED)}"
    if values := strings(body.get("enum")):
        yield f"values: {clip(', '.join(values), _LISTED)}"


def _names(schema: JSON, depth: int = 0) -> list[str]:
    """The properties, also those of inline members of `allOf` and of list items."""
    value = mapping(schema)
    names = sorted(mapping(value.get("properties")))
    names += [name for group in mapping(value.get(PARTS)).values() for name in strings(group)]
    if depth < 3:
        for member in (*sequence(value.get("allOf")), value.get("items")):
            names += _names(member, depth + 1)
    return names


def _info(body: dict[str, JSON]) -> Iterator[str]:
    info = mapping(body.get("info"))
    yield string(info.get("title"))
    yield opening(string(info.get("summary")), _ABOUT)
    yield opening(string(info.get("description")), _ABOUT)
    tags = [string(mapping(tag).get("name")) for tag in sequence(body.get("tags"))]
    if tags:
        yield f"tags: {clip(', '.join(filter(None, tags)), _LISTED)}"


def _parted(element: Element, part: str, body: dict[str, JSON]) -> Iterator[str]:
    head = heading(element)
    if part == "errors":
        yield f"{head} errors"
        yield from _errors(body)
    elif part == "examples":
        yield f"{head} examples"
        yield clip(", ".join(_example_names(body)), _LISTED)
    else:
        yield f"{head} ({part.replace('-', ' ')})"
        yield f"properties: {clip(', '.join(_deep_names(body)), _LISTED)}"


def _errors(body: dict[str, JSON]) -> Iterator[str]:
    for code, response in sorted(mapping(body.get("responses")).items()):
        about = string(mapping(response).get("description"))
        ref = string(mapping(response).get("$ref")).rpartition("/")[2]
        yield f"{code} {first_sentence(about, _EACH) or ref}".strip()


def _example_names(body: JSON) -> list[str]:
    """What examples are called, and what they show at their top."""
    found: dict[str, None] = {}
    stack = [body]
    while stack:
        node = stack.pop()
        for key, child in sorted(mapping(node).items(), reverse=True):
            if key == "example":
                found.update(dict.fromkeys(mapping(child)))
            elif key == "examples":
                for name, example in mapping(child).items():
                    found[string(mapping(example).get("summary")) or name] = None
            else:
                stack.append(child)
        if isinstance(node, list):
            stack += reversed(node)
    return sorted(found)


def _deep_names(body: JSON) -> Iterator[str]:
    """The properties of the group, and before them those that it is inside of."""
    level = [body]
    while level:
        for node in level:
            yield from sorted(mapping(mapping(node).get("properties")))
        level = [child for node in level for child in _children(node)]


def _children(node: JSON) -> list[JSON]:
    children = node if isinstance(node, list) else mapping(node).values()
    return [child for child in children if isinstance(child, dict | list)]
