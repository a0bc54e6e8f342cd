"""The compact notation of schemas: names, types, required marks, enums, constraints.

name*: string(email) len≤255 — What it is.      `*` is required
role: "admin"|"user"                            an enum; `|…+23 more` says that it is bounded
address: Address                                a reference, by the schema's name
items: object[]                                 its properties follow, indented
 sku*: string
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import orjson

from core.model import JSON
from core.specs.prose import clip, first_sentence
from core.specs.shapes import mapping, name_of, sequence, string, strings

ENUM = 10  # values that are written out
SENTENCE = 120  # characters of a property's description
_LITERAL = 60  # characters of a default or constant
_PLAIN = re.compile(r"[^\s:*—\"][^\s:—\"]*")

_TYPE_OF = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_BOUNDS = (
    ("minimum", "≥"),
    ("maximum", "≤"),
    ("minLength", "len≥"),
    ("maxLength", "len≤"),
    ("minItems", "items≥"),
    ("maxItems", "items≤"),
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
_VARIANTS = ("oneOf", "anyOf")
_BESIDES = ("not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties")
_SINGLE = frozenset(
    ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength")
    + ("minItems", "maxItems", "minProperties", "maxProperties", "multipleOf", "pattern")
    + ("default", "readOnly", "writeOnly", "deprecated", "uniqueItems")
)


def line(name: str, schema: JSON, *, required: bool = False, about: str = "") -> str:
    """`name*: type — first sentence`; `about` is a description to use instead of the schema's."""
    text = about or string(mapping(schema).get("description"))
    head = f"{plain_name(name)}{'*' if required else ''}: {type_of(schema)}"
    return f"{head} — {first_sentence(text, SENTENCE)}" if text else head


def plain_name(name: str) -> str:
    """The name, in quotes where it would be mistaken for notation."""
    return name if _PLAIN.fullmatch(name) else literal(name, len(name) * 6 + 2)


def type_of(schema: JSON) -> str:
    """The type in one line, with format, enum, constraints and default."""
    if not isinstance(schema, dict):
        return "never" if schema is False else "any"
    base = _base(schema)
    extra = "".join(_constraints(schema)) if not _SINGLE.isdisjoint(schema) else ""
    nullable = schema.get("nullable") is True or schema.get("x-nullable") is True
    return f"{base}|null{extra}" if nullable else base + extra


def _base(schema: dict[str, JSON]) -> str:
    if "$ref" in schema:
        return name_of(string(schema["$ref"]))
    if "enum" in schema:
        return _enum(schema)
    if "const" in schema:
        return literal(schema["const"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return "|".join(_single(schema, k) for k in strings(kind)) or "any"
    if combined := _combined(schema):
        return f"{kind} {combined}" if kind and kind != "object" else combined
    return _single(schema, string(kind))


def _single(schema: dict[str, JSON], kind: str) -> str:
    if kind == "array" or (not kind and ("items" in schema or "prefixItems" in schema)):
        return _array(schema)
    if kind == "object" or not kind:
        return _object(schema)
    form = schema.get("format")
    return f"{kind}({form})" if isinstance(form, str) and form else kind


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
        rest = f", …{type_of(items)}" if isinstance(items, dict) else ""
        return f"[{', '.join(map(type_of, first))}{rest}]"
    inner = type_of(items) if items is not None else "any"
    return f"({inner})[]" if " " in inner or "|" in inner else f"{inner}[]"


def _combined(schema: dict[str, JSON]) -> str:
    sets = [_joined(sequence(schema.get("allOf")), " & ")]
    sets += [_joined(sequence(schema.get(key)), "|") for key in _VARIANTS]
    return " & ".join(filter(None, sets))


def _joined(schemas: list[JSON], by: str) -> str:
    kinds = dict.fromkeys(map(type_of, schemas))
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
    if value.__class__ is str and len(value) < limit and value.isalnum() and value.isascii():
        return f'"{value}"'
    return clip(_json(value), limit)


def _json(value: JSON) -> str:
    from core.specs.written import written

    return written(value)


def _constraints(schema: dict[str, JSON]) -> Iterator[str]:
    for key, sign in _BOUNDS:
        other, strict = _EXCLUSIVE.get(key, ("", ""))
        if isinstance(limit := schema.get(other), int | float) and limit is not True:
            if limit is not False:
                yield f" {strict}{limit}"
        if isinstance(limit := schema.get(key), int | float):
            yield f" {strict if schema.get(other) is True else sign}{limit}"
    if pattern := string(schema.get("pattern")):
        yield f" /{clip(pattern, 80)}/"
    if "default" in schema:
        yield f" ={literal(schema['default'])}"
    for key, word in _FLAGS:
        if schema.get(key) is True:
            yield " " + word


def below(schema: JSON, indent: str = " ") -> Iterator[str]:
    """The lines that tell what a schema consists of: properties, variants, nested objects."""
    if not isinstance(schema, dict):
        return
    yield from _properties(schema, indent)
    items = schema.get("items")
    if isinstance(items, dict):
        yield from below(items, indent)
    for item in sequence(schema.get("prefixItems")) or sequence(items):
        yield from below(item, indent)
    for member in sequence(schema.get("allOf")):
        yield from below(member, indent)
    for key in _VARIANTS:
        yield from _variants(key, sequence(schema.get(key)), indent)
    more = schema.get("additionalProperties")
    if isinstance(more, dict):
        yield from below(more, indent)
    yield from _besides(schema, indent)


def _properties(schema: dict[str, JSON], indent: str) -> Iterator[str]:
    required = strings(schema.get("required"))
    known = mapping(schema.get("properties"))
    for name in sorted(known):
        child = known[name]
        yield indent + line(name, child, required=name in required)
        yield from below(child, indent + " ")
    others = [name for name in required if name not in known]
    if others:
        yield f"{indent}required: {', '.join(map(plain_name, others))}"
    for name, child in sorted(mapping(schema.get("patternProperties")).items()):
        yield f"{indent}/{name}/: {type_of(child)}"
        yield from below(child, indent + " ")


def _variants(key: str, schemas: list[JSON], indent: str) -> Iterator[str]:
    for schema in schemas:
        lines = list(below(schema, indent + " "))
        if lines:
            title = string(mapping(schema).get("title"))
            yield f"{indent}{key} {first_sentence(title, SENTENCE) or type_of(schema)}:"
            yield from lines


def _besides(schema: dict[str, JSON], indent: str) -> Iterator[str]:
    for key in _BESIDES:
        if isinstance(child := schema.get(key), dict):
            yield f"{indent}{key}: {type_of(child)}"
            yield from below(child, indent + " ")
    for key in ("dependentSchemas", "$defs", "definitions"):
        for name, child in sorted(mapping(schema.get(key)).items()):
            yield f"{indent}{key} {name}: {type_of(child)}"
            yield from below(child, indent + " ")
