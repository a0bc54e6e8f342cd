"""Operations and components in the compact notation: all that a caller needs, in few tokens."""

from __future__ import annotations

from collections.abc import Iterator

from core.ids import Id, called, decode
from core.model import JSON, Chunk, ChunkType
from core.read.written import written
from core.sources.openapi.render.parameters import (
    about_of,
    all_parameters,
    media_shown,
    one_parameter,
    parameters_of,
)
from core.sources.openapi.render.payloads import body_of, contents, link_text, one_response
from core.sources.openapi.render.prose import clip, first_sentence, opening
from core.sources.openapi.render.schemas import (
    SENTENCE,
    below,
    described,
    line,
    plain_name,
    telling,
    type_of,
)
from core.sources.openapi.render.security import auth_of, security_scheme
from core.sources.openapi.shapes import (
    METHODS,
    WIRE_VALUE,
    mapping,
    name_of,
    sequence,
    string,
    strings,
)
from core.sources.openapi.split import PARTS

_ABOUT = 240  # characters of an operation's or component's description


_EXAMPLE = 300  # characters of an example


def compact(chunk: Chunk, body: JSON) -> Iterator[str]:
    """The chunk's lines, without line ends."""
    value = mapping(body)
    if chunk.part == "examples":
        yield f"{title(chunk)} examples"
        yield from _examples(value)
    elif chunk.type.is_operation:
        yield from _operation(chunk, value)
    elif chunk.type is ChunkType.INFO:
        yield from _info(value)
    else:
        yield from _component(chunk, body)
    for part, names in sorted(mapping(value.get(PARTS)).items()):
        yield f"{part}: {', '.join(strings(names))}"


def title(chunk: Chunk) -> str:
    if chunk.type.is_operation:
        kind = "webhook " if chunk.type is ChunkType.WEBHOOK else ""
        return kind + called(chunk.method, chunk.path)
    return chunk.name


def _operation(chunk: Chunk, value: dict[str, JSON]) -> Iterator[str]:
    if chunk.part:
        yield f"{title(chunk)} {chunk.part}"
    else:
        yield from _heading(title(chunk), value)
    yield from parts_of(value, "")
    if not chunk.part:
        yield from _accepted(chunk, value)
        yield from auth_of(value, "")


def _accepted(chunk: Chunk, value: dict[str, JSON]) -> Iterator[str]:
    """Swagger 2.0: the media types of a request whose body is not written at the operation."""
    types = media_shown(strings(value.get("consumes")))
    if not types:
        return
    given = [mapping(parameter) for parameter in all_parameters(value)]
    places = {string(parameter.get("in")) for parameter in given}
    referred = any("$ref" in parameter for parameter in given) and chunk.method in _WITH_BODY
    if "body" not in places and ("formData" in places or referred):
        yield f"consumes: {types}"


_WITH_BODY = ("POST", "PUT", "PATCH")


def _heading(head: str, value: dict[str, JSON]) -> Iterator[str]:
    item = mapping(value.get("pathItem"))
    summary = string(value.get("summary")) or string(item.get("summary"))
    about = string(value.get("description")) or string(item.get("description"))
    name = f" ({value['operationId']})" if string(value.get("operationId")) else ""
    old = " deprecated" if value.get("deprecated") is True else ""
    text = first_sentence(summary or about, _ABOUT)
    yield f"{head} — {text}{name}{old}" if text else head + name + old
    rest = first_sentence(about, _ABOUT) if summary else ""
    if rest and rest.rstrip(".") != text.rstrip("."):
        yield rest


def parts_of(value: dict[str, JSON], indent: str) -> Iterator[str]:
    """Servers, parameters, body, responses and callbacks of an operation or a part of one."""
    item = mapping(value.get("pathItem"))
    yield from _servers(sequence(value.get("servers")) or sequence(item.get("servers")), indent)
    if schemes := strings(value.get("schemes")):  # Swagger 2.0
        yield f"{indent}schemes: {', '.join(schemes)}"
    yield from parameters_of(all_parameters(value), indent, strings(value.get("consumes")))
    yield from body_of(value.get("requestBody"), indent)
    for code, response in sorted(mapping(value.get("responses")).items()):
        if not code.startswith("x-"):
            yield from one_response(code, response, indent, strings(value.get("produces")))
    for name, callback in sorted(mapping(value.get("callbacks")).items()):
        yield from _callback(name, callback, indent)


def _servers(servers: list[JSON], indent: str) -> Iterator[str]:
    said: set[str] = set()  # variables: the servers of an API often have the same
    for server in map(mapping, servers):
        told = " — ".join(filter(None, (string(server.get("name")), about_of(server))))
        yield f"{indent}server: {string(server.get('url'))}{f' — {told}' if told else ''}"
        for name, value in sorted(mapping(server.get("variables")).items()):
            variable = f"{indent} {line(name, {'type': 'string', **mapping(value)})}"
            if variable not in said:
                yield variable
            said.add(variable)


def _callback(name: str, callback: JSON, indent: str) -> Iterator[str]:
    value = mapping(callback)
    if ref := string(value.get("$ref")):
        about = about_of(value)
        yield f"{indent}callback {name}: {name_of(ref)}{f' — {about}' if about else ''}"
    for expression, item in sorted(value.items()):
        yield from _path_item(f"callback {name} {expression}", item, indent)


def _path_item(head: str, item: JSON, indent: str) -> Iterator[str]:
    value = mapping(item)
    if ref := string(value.get("$ref")):
        yield f"{indent}{head}: {name_of(ref)}"
    others = mapping(value.get("additionalOperations"))
    known = [(m.upper(), value[m]) for m in METHODS if isinstance(value.get(m), dict)]
    rest = {k: v for k, v in value.items() if k not in METHODS and k != "additionalOperations"}
    for method, operation in (*known, *sorted(others.items())):
        whole = {**mapping(operation), "pathItem": rest}
        target = f": {_called(ref)}" if (ref := string(whole.get("$ref"))) else ""
        yield from (indent + text for text in _heading(f"{head} {method}{target}", whole))
        yield from parts_of(whole, indent + " ")
        yield from auth_of(whole, indent + " ")
    if not known and not others:
        yield from parameters_of(sequence(value.get("parameters")), indent + " ")


def _called(ref: str) -> str:
    """The operation that a reference leads to; of one at a path, the path as well."""
    name = name_of(ref)
    return f"{name_of(ref.rpartition('/')[0])} {name}" if name in METHODS else name


def _component(chunk: Chunk, body: JSON) -> Iterator[str]:
    value = mapping(body)
    suffix = f" {chunk.part}" if chunk.part else ""
    if ref := string(value.get("$ref")):
        yield (
            line(chunk.name, body, about=about_of(value))
            if len(value) > 1
            else f"{chunk.name}: {name_of(ref)}"
        )
        yield from below(body)
        return
    match chunk.component_kind:
        case "parameters" | "headers":
            yield from one_parameter(string(value.get("name")) or chunk.name, value, "")
        case "responses":
            yield from one_response(chunk.name, value, "")
        case "requestBodies":
            yield from _body_component(chunk, value)
        case "securitySchemes":
            yield from security_scheme(chunk.name, value)
        case "examples":
            yield from _example(chunk.name, value)
        case "links":
            yield f"{chunk.name}: {link_text(value)}"
        case "mediaTypes":
            yield from contents(chunk.name, {"application/json": value}, "", "")
        case "callbacks":
            yield from _callback(chunk.name, value, "")
        case "pathItems":
            if isinstance(value.get("responses"), dict):  # one operation in a file of its own
                yield from _heading(chunk.name, value)
                yield from parts_of(value, "")
                yield from auth_of(value, "")
            else:
                yield from _path_item(chunk.name, value, "")
        case "schemas":
            yield _schema_heading(chunk.name, body, suffix)
            if wire := string(value.get(WIRE_VALUE)):
                yield f" discriminator value: {plain_name(wire)}"
            yield from below(_with_extending(chunk, value) if "discriminator" in value else body)
        case _:
            yield f"{chunk.name}: {written(body)}"


def _with_extending(chunk: Chunk, schema: dict[str, JSON]) -> JSON:
    """The schemas that extend it are values by their names, where the mapping does not say so."""
    said = schema["discriminator"]
    said = {"propertyName": said} if isinstance(said, str) else mapping(said)  # Swagger 2.0
    mapped = mapping(said.get("mapping"))
    told = {name_of(string(ref)) for ref in (*mapped.values(), said.get("defaultMapping"))}
    implied = {
        value or name: name
        for id, used in chunk.ref_ids.items()
        for key, _, value in (label.partition(".") for label in used)
        if key == "discriminator" and (name := _name_in(id)) not in told
    }
    return {**schema, "discriminator": {**said, "mapping": {**implied, **mapped}}}


def _name_in(id: str) -> str:
    """The name of a schema by its id; of a file that is one schema, the file's."""
    whole = Id.parse(id)
    held = whole.document if whole.element == "root" else whole.element
    return decode(held.rpartition("/")[2])


def _schema_heading(name: str, schema: JSON, suffix: str) -> str:
    about = described(schema) or string(mapping(schema).get("title"))
    text = telling(about, name, _ABOUT)
    kind = type_of(schema)
    is_plain = kind == "object" and mapping(mapping(schema).get("properties"))
    shown = "" if is_plain else f": {kind}"  # its properties follow
    return f"{name}{suffix}{shown}{f' — {text}' if text else ''}"


def _body_component(chunk: Chunk, value: dict[str, JSON]) -> Iterator[str]:
    if "schema" in value:  # Swagger 2.0
        value = {**value, "content": {"application/json": value}}
    about = first_sentence(string(value.get("description")), _ABOUT)
    mark = "*" if value.get("required") is True else ""
    yield from contents(f"{chunk.name}{mark}", value.get("content"), about, "")


def _example(name: str, value: dict[str, JSON]) -> Iterator[str]:
    about = string(value.get("summary")) or string(value.get("description"))
    shown = clip(written(value.get("value", value)), _EXAMPLE)
    yield f"{name}: {shown}{f' — {first_sentence(about, SENTENCE)}' if about else ''}"


def _examples(value: JSON, path: tuple[str, ...] = ()) -> Iterator[str]:
    items = enumerate(value) if isinstance(value, list) else mapping(value).items()
    for key, child in items:
        if key in ("example", "examples"):
            yield f"{'.'.join(path) or key}: {clip(written(child), _EXAMPLE)}"
        elif isinstance(child, dict | list):
            named = string(mapping(child).get("name")) or str(key)
            yield from _examples(child, (*path, named) if key not in _UNSAID else path)


_UNSAID = frozenset(("content", "responses", "properties", "schema", "parameters", "items"))


def _info(value: dict[str, JSON]) -> Iterator[str]:
    info = mapping(value.get("info"))
    text = opening(string(info.get("description")) or string(info.get("summary")), 600)
    yield f"{string(info.get('title')) or 'API'} {string(info.get('version'))}".rstrip()
    if text:
        yield text
    yield from _servers(sequence(value.get("servers")), "")
    yield from _host(value)
    yield from auth_of(value, "")
    for tag in sequence(value.get("tags")):
        about = first_sentence(string(mapping(tag).get("description")), SENTENCE)
        yield f"tag {string(mapping(tag).get('name'))}{f': {about}' if about else ''}"


def _host(value: dict[str, JSON]) -> Iterator[str]:
    """Where a Swagger 2.0 API is, and the media types that hold where an operation names none."""
    where = string(value.get("host")) + string(value.get("basePath"))
    schemes = strings(value.get("schemes"))
    if string(value.get("host")) and schemes:
        yield from (f"server: {scheme}://{where}" for scheme in schemes)
    elif where or schemes:
        told = f" ({', '.join(schemes)})" if schemes else ""
        yield f"server: {where or '/'}{told}"
    for key in ("consumes", "produces"):
        if types := media_shown(strings(value.get(key))):
            yield f"{key}: {types}"
