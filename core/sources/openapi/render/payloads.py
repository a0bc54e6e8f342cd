"""Bodies and responses in the compact notation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.model import JSON
from core.read.written import written
from core.sources.openapi.render.parameters import (
    OF_MEDIA,
    about_of,
    carried,
    headers_of,
    inside,
    media_shown,
    one_header,
)
from core.sources.openapi.render.schemas import literal, plain_name, telling
from core.sources.openapi.shapes import mapping, name_of, string

_NOTHING = re.compile(  # descriptions that say no more than the response's code
    r"(?:a |the )?(?:ok|success|successful|success(?:ful)? (?:response|operation|request|result)"
    r"|default response|no response was specified|response|created|accepted|no content)[.!]?",
    re.IGNORECASE,
)


def body_of(body: JSON, indent: str) -> Iterator[str]:
    value = mapping(body)
    if not value:
        return
    about = about_of(value)
    if ref := string(value.get("$ref")):
        yield f"{indent}body: {name_of(ref)}{f' — {about}' if about else ''}"
        return
    mark = "*" if value.get("required") is True else ""
    yield from contents(f"{indent}body{mark}", value.get("content"), about, indent)


def contents(head: str, content: JSON, about: str, indent: str) -> Iterator[str]:
    """One line for all media types that hold the same."""
    alike: dict[str, tuple[dict[str, JSON], list[str]]] = {}
    for media, value in sorted(mapping(content).items()):
        said = {key: child for key, child in mapping(value).items() if key in OF_MEDIA}
        alike.setdefault(written(said), (said, []))[1].append(media)
    tail = f" — {about}" if about else ""
    if not alike:
        yield head + tail if tail else f"{head}: nothing"
    for said, types in alike.values():
        kind = carried(said)
        shown = f" ({types_shown})" if (types_shown := media_shown(types)) else ""
        told = telling(about, kind)
        yield f"{head}: {kind}{shown}{f' — {told}' if told else ''}"
        yield from inside(said, indent + " ")


def one_response(
    code: str, response: JSON, indent: str, produces: tuple[str, ...] = ()
) -> Iterator[str]:
    value = mapping(response)
    about = about_of(value)
    about = "" if _NOTHING.fullmatch(about) else about
    tail = f" — {about}" if about else ""
    if ref := string(value.get("$ref")):
        types = media_shown(produces) if produces else ""
        yield f"{indent}{code}: {name_of(ref)}{f' ({types})' if types else ''}{tail}"
        return
    if content := mapping(value.get("content")) or _swagger(value, produces):
        yield from contents(f"{indent}{code}", content, about, indent)
    else:
        yield f"{indent}{code}: {about}" if about else f"{indent}{code}"
    for name, header in headers_of(value):
        yield from one_header(name, header, indent + " ")
    for name, link in sorted(mapping(value.get("links")).items()):
        yield f"{indent} link {plain_name(name)}: {link_text(mapping(link))}"


def _swagger(response: dict[str, JSON], types: tuple[str, ...]) -> dict[str, JSON]:
    if "schema" not in response:
        return {}
    content = {"schema": response["schema"]}
    return dict.fromkeys(types or ("application/json",), content)


def link_text(link: dict[str, JSON]) -> str:
    target = string(link.get("operationId")) or string(link.get("operationRef"))
    given = sorted(mapping(link.get("parameters")).items())
    if "requestBody" in link:
        given.append(("body", link["requestBody"]))
    values = ", ".join(f"{name}={literal(value)}" for name, value in given)
    server = string(mapping(link.get("server")).get("url"))
    told = f"{f' with {values}' if values else ''}{f' at {server}' if server else ''}"
    about = about_of(link) if "$ref" in link else ""
    name = target or name_of(string(link.get("$ref")))
    return f"{name}{told}{f' — {about}' if about else ''}"
