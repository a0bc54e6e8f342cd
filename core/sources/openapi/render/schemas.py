"""The compact notation of schemas: names, types, required marks, enums, constraints.

name*: string(email) len≤255 — What it is.      `*` is required
role: "admin"|"user"                            an enum; `|…+23 more` says that it is bounded
address: Address                                a reference, by the schema's name
items: object[]                                 its properties follow, indented
 sku*: string
discriminator kind: cat → Cat, Dog              the value on the wire, where no name, and its schema
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from core.model import JSON
from core.read.written import written
from core.sources.openapi.render.prose import clip, first_sentence, plain
from core.sources.openapi.shapes import mapping, name_of, sequence, string, strings

ENUM = 10  # values that are written out
SENTENCE = 76  # characters of a property's description
_LITERAL = 60  # characters of a default or constant
_PLAIN = re.compile(r"[^\s:*—\"]+")

_TYPE_OF = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_BOUNDS = (
    ("minimum", "≥"),
    ("maximum", "≤"),
    ("minLength", "len≥"),
    ("maxLength", "len≤"),
    ("minItems", "items≥"),
    ("maxItems", "items≤"),
    ("minContains", "contains≥"),
    ("maxContains", "contains≤"),
    ("minProperties", "keys≥"),
    ("maxProperties", "keys≤"),
    ("multipleOf", "multiple of "),
)
_EXCLUSIVE = {"minimum": ("exclusiveMinimum", ">"), "maximum": ("exclusiveMaximum", "<")}
_FLAGS = (
    ("readOnly", "read-only"),
    ("writeOnly", "write-only"),
    ("deprecated", "deprecated"),
    ("uniqueItems", "unique"),
)
_REFS = ("$ref", "$dynamicRef", "$recursiveRef")
_CONTENT = ("contentMediaType", "contentEncoding")
_VARIANTS = ("oneOf", "anyOf")
_SETS = frozenset(("allOf", *_VARIANTS))
_KEYWORDS = (
    *("not", "if", "then", "else", "contains", "propertyNames", "contentSchema"),
    *("unevaluatedProperties", "unevaluatedItems"),
)
_BY_NAME = ("dependentSchemas", "dependentRequired", "dependencies", "$defs", "definitions")
_BESIDES = frozenset((*_KEYWORDS, "patternProperties", *_BY_NAME))
_STRUCTURE = _BESIDES | {
    *("discriminator", "additionalItems"),
    *("properties", "required", "items", "prefixItems", "allOf", "oneOf", "anyOf"),
    "additionalProperties",
}
_BOUNDED = {key for key, _ in _BOUNDS} | {key for key, _ in _EXCLUSIVE.values()}
_SINGLE = {
    *_BOUNDED,
    *("pattern", "default", "collectionFormat", "xml", *_CONTENT),
    *(key for key, _ in _FLAGS),
}
_KINDS = frozenset(("type", "enum", "const", "format", "items", "prefixItems", *_SETS))
# Where none of these stands, the type is its name.
_TELLING = _SINGLE | {
    *_REFS,
    *("enum", "const", "format", "items", "prefixItems", "additionalProperties"),
    *("allOf", "oneOf", "anyOf", "nullable", "x-nullable"),
}
_MAPPED = 25  # values of a discriminator that are written out


def line(name: str, schema: JSON, *, required: bool = False, about: str = "") -> str:
    """`name*: type — first sentence`; `about` is a description to use instead of the schema's."""
    text = telling(about or described(schema), name)
    head = f"{plain_name(name)}{'*' if required else ''}: {type_of(schema)}"
    return f"{head} — {text}" if text else head


def described(schema: JSON) -> str:
    """A schema's description, or that of a member of its `allOf`."""
    if not isinstance(schema, dict):
        return ""
    if about := schema.get("description"):
        return string(about)
    members = sequence(schema.get("allOf")) if "allOf" in schema else ()
    return next((about for m in members if (about := string(mapping(m).get("description")))), "")


@lru_cache(8192)
def telling(about: str, name: str, limit: int = SENTENCE) -> str:
    """The first sentence, unless it only says the name again."""
    text = first_sentence(about, limit) if about else ""
    return "" if len(text) < len(name) * 2 and _letters(text) == _letters(name) else text


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


@lru_cache(8192)
def plain_name(name: str) -> str:
    """The name, in quotes where it would be mistaken for notation."""
    return name if _PLAIN.fullmatch(name) else literal(name, len(name) * 6 + 2)


def type_of(schema: JSON) -> str:
    """The type in one line, with format, enum, constraints and default."""
    if not isinstance(schema, dict):
        return "never" if schema is False else "any"
    kind = schema.get("type")
    if kind.__class__ is str and _TELLING.isdisjoint(schema):
        return str(kind)
    base = _base(schema)
    extra = "".join(_constraints(schema)) if not _SINGLE.isdisjoint(schema) else ""
    nullable = schema.get("nullable") is True or schema.get("x-nullable") is True
    return f"{base}|null{extra}" if nullable else base + extra


def _base(schema: dict[str, JSON]) -> str:
    for key in _REFS:
        if key in schema:
            name = name_of(string(schema[key]))
            own = _beside(schema)
            return f"{name} & {own}" if own else name
    return _own(schema)


def _beside(schema: dict[str, JSON]) -> str:
    """What stands beside a `$ref` and says more about the type."""
    told = not _KINDS.isdisjoint(schema) or schema.get("additionalProperties", True) is not True
    own = _own(schema) if told else "any"
    return "" if own == "any" else f"({own})" if "|" in own else own


def _own(schema: dict[str, JSON]) -> str:
    kind = schema.get("type")
    combined = "" if _SETS.isdisjoint(schema) else _combined(schema)
    if "enum" in schema or "const" in schema:
        own = _enum(schema) if "enum" in schema else literal(schema["const"])
        return f"{own} & {combined}" if combined else own
    if isinstance(kind, list):
        own = "|".join(_single(schema, k) for k in strings(kind)) or "any"
        return f"{own} & {combined}" if combined else own
    own = _single(schema, string(kind))
    if not combined or own in ("object", "any"):
        return combined or own
    return f"{combined} closed" if own == "object closed" else f"{own} {combined}"


def _single(schema: dict[str, JSON], kind: str) -> str:
    if kind == "array" or (not kind and ("items" in schema or "prefixItems" in schema)):
        return _array(schema)
    if kind == "object" or not kind:
        return _object(schema)
    form = string(schema.get("format"))
    return f"{kind}({form})" if form and kind != "null" else kind


def _object(schema: dict[str, JSON]) -> str:
    more = schema.get("additionalProperties")
    if isinstance(more, dict) and more:
        return f"map<{type_of(more)}>"
    if more is False:
        return "object closed"
    known = "type" in schema or "properties" in schema or "required" in schema
    return "object" if known or more is True else string(schema.get("format")) or "any"


def _array(schema: dict[str, JSON]) -> str:
    items = schema.get("items")
    first = sequence(schema.get("prefixItems")) or sequence(items)
    if first:
        more = schema.get("additionalItems") if isinstance(items, list) else items
        rest = f", …{type_of(more)}" if isinstance(more, dict) else ""
        return f"[{', '.join(map(type_of, first))}{rest}]{' closed' if more is False else ''}"
    inner = type_of(items) if items is not None else "any"
    return f"({inner})[]" if " " in inner or "|" in inner else f"{inner}[]"


def _combined(schema: dict[str, JSON]) -> str:
    sets = [_joined(sequence(schema.get("allOf")), " & ")]
    sets += [_joined(sequence(schema.get(key)), "|") for key in _VARIANTS]
    return " & ".join(filter(None, sets))


def _joined(schemas: list[JSON], by: str) -> str:
    kinds = list(dict.fromkeys(map(type_of, schemas)))
    if by == " & " and len(kinds) > 1:  # a member that only describes adds nothing
        named = [kind for kind in kinds if kind.partition(" ")[0] != "any"]  # `any ≥1`: just `≥1`
        more = [kind.removeprefix("any") for kind in kinds if kind not in named]
        return by.join(named) + "".join(more) if named else by.join(kinds)
    return by.join(kinds)


def _enum(schema: dict[str, JSON]) -> str:
    values = sequence(schema["enum"])
    shown = "|".join(literal(v, 200) for v in values[:ENUM])
    if len(values) > ENUM:
        shown += f"|…+{len(values) - ENUM} more"
    kinds = {_TYPE_OF.get(type(value), "object") for value in values}
    kind = schema.get("type")
    said = strings(kind) if isinstance(kind, list) else (string(kind),) if kind else ()
    told = not said or set(said) == kinds or (said == ("number",) and kinds <= {"integer"})
    return shown if told and values else f"{'|'.join(said)} {shown}".strip()


def literal(value: JSON, limit: int = _LITERAL) -> str:
    """A constant as JSON, cut off where it is long."""
    return clip(written(value), limit)


def _constraints(schema: dict[str, JSON]) -> Iterator[str]:
    if not _BOUNDED.isdisjoint(schema):
        yield from _bounds(schema)
    if pattern := string(schema.get("pattern")):
        yield f" /{clip(plain(pattern), 80)}/"
    if "default" in schema:
        yield f" ={literal(schema['default'])}"
    if content := [told for key in _CONTENT if (told := string(schema.get(key)))]:
        yield f" content {' '.join(content)}"
    if (form := string(schema.get("collectionFormat"))) not in ("", "csv"):
        yield " " + form
    for key, word in _FLAGS:
        if schema.get(key) is True:
            yield " " + word
    if "xml" in schema:
        yield _xml(mapping(schema["xml"]))


def _xml(xml: dict[str, JSON]) -> str:
    """How it is written where a body is XML: ` xml(p:name attribute wrapped in http://…)`."""
    name = ":".join(filter(None, (string(xml.get("prefix")), string(xml.get("name")))))
    flags = (key for key in ("attribute", "wrapped") if xml.get(key) is True)
    space = string(xml.get("namespace"))
    words = (name, string(xml.get("nodeType")), *flags, f"in {space}" if space else "")
    told = " ".join(filter(None, words))
    return f" xml({told})" if told else ""


def _bounds(schema: dict[str, JSON]) -> Iterator[str]:
    for key, sign in _BOUNDS:
        other, strict = _EXCLUSIVE.get(key, ("", ""))
        if _is_number(limit := schema.get(other)):
            yield f" {strict}{limit}"
        if _is_number(limit := schema.get(key)):
            yield f" {strict if schema.get(other) is True else sign}{limit}"


def _is_number(value: JSON) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def below(schema: JSON, indent: str = " ") -> list[str]:
    """The lines that tell what a schema consists of: properties, variants, nested objects."""
    lines: list[str] = []
    _below(schema, indent, lines)
    return lines


def _below(schema: JSON, indent: str, lines: list[str]) -> None:
    if not isinstance(schema, dict) or _STRUCTURE.isdisjoint(schema):
        return
    if "properties" in schema or "required" in schema:
        _properties(schema, indent, lines)
    if "discriminator" in schema and (told := discriminator(schema["discriminator"])):
        lines.append(indent + told)
    for inner in _inner(schema):
        _below(inner, indent, lines)
    for key in _VARIANTS:
        for variant in sequence(schema.get(key)):
            _variant(key, variant, indent, lines)
    if not _BESIDES.isdisjoint(schema):
        _besides(schema, indent, lines)


def _inner(schema: dict[str, JSON]) -> Iterator[JSON]:
    """What is told as if it were a part of the schema itself."""
    items = schema.get("items")
    yield items
    yield from sequence(schema.get("prefixItems")) or sequence(items)
    yield from sequence(schema.get("allOf"))
    yield schema.get("additionalProperties")
    yield schema.get("additionalItems")


def discriminator(value: JSON) -> str:
    """The property that tells schemas apart, and which of its values means which."""
    said = {"propertyName": value} if isinstance(value, str) else mapping(value)  # Swagger 2.0
    mapped = {key: name_of(string(ref)) for key, ref in mapping(said.get("mapping")).items()}
    values = [
        plain_name(key) if key == name else f"{plain_name(key)} → {name}"
        for key, name in sorted(mapped.items())
    ]
    if len(values) > _MAPPED:
        values[_MAPPED:] = [f"…+{len(values) - _MAPPED} more"]
    if other := string(said.get("defaultMapping")):
        values.append(f"else {name_of(other)}")
    if not (name := string(said.get("propertyName"))):
        return ""
    return f"discriminator {plain_name(name)}{': ' if values else ''}{', '.join(values)}"


def _properties(schema: dict[str, JSON], indent: str, lines: list[str]) -> None:
    required = frozenset(strings(schema.get("required")))
    known = mapping(schema.get("properties"))
    for name in sorted(known):
        _told(line(name, known[name], required=name in required), known[name], indent, lines)
    if others := sorted(required - known.keys()):
        lines.append(f"{indent}required: {', '.join(map(plain_name, others))}")


def _told(head: str, schema: JSON, indent: str, lines: list[str]) -> None:
    lines.append(indent + head)
    _below(schema, indent + " ", lines)


def _variant(key: str, schema: JSON, indent: str, lines: list[str]) -> None:
    inside = below(schema, indent + " ")
    if inside:
        title = first_sentence(string(mapping(schema).get("title")), SENTENCE)
        lines.append(f"{indent}{key} {title or type_of(schema)}:")
        lines += inside


def _besides(schema: dict[str, JSON], indent: str, lines: list[str]) -> None:
    for name, child in sorted(mapping(schema.get("patternProperties")).items()):
        _told(f"/{name}/: {type_of(child)}", child, indent, lines)
    for key in _KEYWORDS:
        child = schema.get(key)
        if child is False or isinstance(child, dict):
            _told(f"{key}: {type_of(child)}", child, indent, lines)
    for key in _BY_NAME:
        for name, child in sorted(mapping(schema.get(key)).items()):
            said = ", ".join(strings(child)) if isinstance(child, list) else type_of(child)
            _told(f"{key} {name}: {said}", child, indent, lines)
