"""Parameters, headers and media types in the compact notation, and how they are serialised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.model import JSON
from core.sources.openapi.render.prose import first_sentence
from core.sources.openapi.render.schemas import (
    SENTENCE,
    below,
    described,
    plain_name,
    telling,
    type_of,
)
from core.sources.openapi.shapes import mapping, name_of, sequence, string
from core.sources.openapi.walk import parameter_key


def about_of(value: dict[str, JSON], limit: int = SENTENCE) -> str:
    """The first sentence of a description; since 3.2 responses have a summary too."""
    return first_sentence(string(value.get("description")) or string(value.get("summary")), limit)


def media_shown(types: Sequence[str]) -> str:
    """Media types, unless it is JSON alone."""
    return "" if list(types) == ["application/json"] else ", ".join(types)


def all_parameters(value: dict[str, JSON]) -> list[JSON]:
    """An operation's own parameters, then those of its path item that it does not override.

    What is overridden by way of a `$ref` is gone already: only the document tells that.
    """
    own = sequence(value.get("parameters"))
    shared = sequence(mapping(value.get("pathItem")).get("parameters"))
    keys = {parameter_key(mapping(parameter)) for parameter in own} if shared else set()
    return own + [p for p in shared if parameter_key(mapping(p)) not in keys]


def parameters_of(
    parameters: list[JSON], indent: str, consumes: tuple[str, ...] = ()
) -> Iterator[str]:
    referred = []
    for parameter in map(mapping, parameters):
        if ref := string(parameter.get("$ref")):
            if about := about_of(parameter):
                yield f"{indent}parameter {name_of(ref)} — {about}"
            else:
                referred.append(name_of(ref))
        elif parameter:
            types = media_shown(consumes) if parameter.get("in") == "body" else ""
            yield from one_parameter(string(parameter.get("name")), parameter, indent, types)
    if referred:
        yield f"{indent}parameters: {', '.join(referred)}"


def one_parameter(
    name: str, parameter: dict[str, JSON], indent: str, types: str = ""
) -> Iterator[str]:
    media, content = _content_of(parameter)
    schema = content.get("schema")
    words = (string(parameter.get("in")), types, media, *_manner(parameter, schema))
    where = " ".join(filter(None, words))
    old = " deprecated" if parameter.get("deprecated") is True else ""
    required = parameter.get("required") is True
    about = telling(string(parameter.get("description")) or described(schema), name)
    head = f"{indent}{plain_name(name)}{'*' if required else ''}: {carried(content)}"
    yield f"{head}{f' ({where})' if where else ''}{old}{f' — {about}' if about else ''}"
    yield from inside(content, indent + " ")


def _content_of(value: dict[str, JSON]) -> tuple[str, dict[str, JSON]]:
    """The media type of a parameter or header, if it has one, and what holds its schema."""
    for media, content in sorted(mapping(value.get("content")).items()):
        return media, mapping(content)
    if "schema" in value:
        return "", {"schema": value["schema"]}
    return "", {"schema": {k: v for k, v in value.items() if k not in _NO_SCHEMA}}


_NO_SCHEMA = frozenset(("description", "required", "name", "deprecated"))


def carried(content: JSON) -> str:
    """What a Media Type Object holds, in one line."""
    value = mapping(content)
    if ref := string(value.get("$ref")):
        return name_of(ref)
    kinds = [type_of(value["schema"])] if value.get("schema") is not None else []
    if "itemSchema" in value:
        kinds.append(f"stream of {type_of(value['itemSchema'])}")
    return ", ".join(kinds) or "any"


def inside(content: dict[str, JSON], indent: str) -> Iterator[str]:
    """What a Media Type Object's schemas consist of, and how its fields are written."""
    yield from below(content.get("schema"), indent)
    if "itemSchema" in content:
        yield from below(content["itemSchema"], indent)
    if not _ENCODED.isdisjoint(content):
        yield from _encodings(content, indent)


_ENCODED = frozenset(("encoding", "prefixEncoding", "itemEncoding"))


OF_MEDIA = _ENCODED | {"$ref", "schema", "itemSchema"}


def _encodings(value: dict[str, JSON], indent: str) -> Iterator[str]:
    """How fields are written, one line for all that are written alike."""
    fields = [(plain_name(name), e) for name, e in sorted(mapping(value.get("encoding")).items())]
    fields += [(str(n), e) for n, e in enumerate(sequence(value.get("prefixEncoding")), start=1)]
    if "itemEncoding" in value:
        fields.append(("of items", value["itemEncoding"]))
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, encoding in fields:
        alike.setdefault(tuple(_encoding(mapping(encoding), indent)), []).append(name)
    for (told, *inner), names in alike.items():
        if told or inner:
            yield f"{indent}encoding {', '.join(names)}{f': {told}' if told else ''}"
            yield from inner


def _encoding(value: dict[str, JSON], indent: str) -> Iterator[str]:
    yield " ".join(filter(None, (string(value.get("contentType")), *_manner(value))))
    for name, header in headers_of(value):
        yield from one_header(name, header, indent + " ")
    yield from _encodings(value, indent + " ")


def headers_of(value: dict[str, JSON]) -> list[tuple[str, JSON]]:
    return sorted(mapping(value.get("headers")).items())


def one_header(name: str, header: JSON, indent: str) -> Iterator[str]:
    value = mapping(header)
    if ref := string(value.get("$ref")):
        about = about_of(value)
        yield f"{indent}header {name}: {name_of(ref)}{f' — {about}' if about else ''}"
    else:
        yield from one_parameter(name, {**value, "in": "header"}, indent)


def _manner(value: dict[str, JSON], schema: JSON = None) -> Iterator[str]:
    """How a parameter, header or field is written, where that is not as usual."""
    if _WRITTEN.isdisjoint(value):
        return
    usual = "simple" if value.get("in") in ("path", "header") else "form"
    style = string(value.get("style")) or usual
    if style != usual:
        yield style
    explode = value.get("explode", style in _EXPLODED)
    if explode is not (style in _EXPLODED) and mapping(schema).get("type") not in _SCALARS:
        yield "explode" if explode else "no explode"
    for key, words in (("allowReserved", "reserved allowed"), ("allowEmptyValue", "may be empty")):
        if value.get(key) is True:
            yield words


_WRITTEN = frozenset(("style", "explode", "allowReserved", "allowEmptyValue"))


_EXPLODED = ("form", "cookie", "deepObject")  # unless they say otherwise


_SCALARS = ("string", "integer", "number", "boolean")  # look the same either way
