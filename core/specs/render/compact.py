"""Operations and components in the compact notation: all that a caller needs, in few tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.model import JSON, Chunk, ChunkType
from core.specs.render.notation import (
    SENTENCE,
    below,
    described,
    line,
    literal,
    plain_name,
    telling,
    type_of,
)
from core.specs.render.prose import clip, first_sentence, opening
from core.specs.shapes import METHODS, mapping, name_of, sequence, string, strings
from core.specs.split import PARTS
from core.specs.written import written

_ABOUT = 240  # characters of an operation's or component's description
_EXAMPLE = 300  # characters of an example
_NOTHING = re.compile(  # descriptions that say no more than the response's code
    r"(?:a |the )?(?:ok|success|successful|success(?:ful)? (?:response|operation|request|result)"
    r"|default response|no response was specified|response|created|accepted|no content)[.!]?",
    re.IGNORECASE,
)


def compact(chunk: Chunk, body: JSON) -> Iterator[str]:
    """The chunk's lines, without line ends."""
    value = mapping(body)
    if chunk.part == "examples":
        yield f"{title(chunk)} examples"
        yield from _examples(value)
    elif chunk.type in (ChunkType.OPERATION, ChunkType.WEBHOOK):
        yield from _operation(chunk, value)
    elif chunk.type is ChunkType.INFO:
        yield from _info(value)
    else:
        yield from _component(chunk, body)
    for part, names in sorted(mapping(value.get(PARTS)).items()):
        yield f"{part}: {', '.join(strings(names))}"


def title(chunk: Chunk) -> str:
    if chunk.type in (ChunkType.OPERATION, ChunkType.WEBHOOK):
        kind = "webhook " if chunk.type is ChunkType.WEBHOOK else ""
        return f"{kind}{chunk.method} {chunk.path}"
    return chunk.name


def _operation(chunk: Chunk, value: dict[str, JSON]) -> Iterator[str]:
    if chunk.part:
        yield f"{title(chunk)} {chunk.part}"
    else:
        yield from _heading(title(chunk), value)
    yield from parts_of(value, "")
    if not chunk.part and (auth := _auth(chunk, value.get("security"))):
        yield f"auth: {auth}"


def _auth(chunk: Chunk, security: JSON) -> str:
    """The security schemes: `a + b` takes both, `a or b` one; of the whole API just their names."""
    if not isinstance(security, list):
        named = (name_of(i) for i, used in chunk.ref_ids.items() if "security" in used)
        return ", ".join(sorted(named))
    ways = (" + ".join(sorted(map(name_of, mapping(way)))) or "none" for way in security)
    return " or ".join(dict.fromkeys(ways))


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
    for server in sequence(value.get("servers")) or sequence(item.get("servers")):
        yield f"{indent}server: {string(mapping(server).get('url'))}"
    yield from _parameters(_all_parameters(value, item), indent)
    yield from _body(value.get("requestBody"), indent)
    for code, response in sorted(mapping(value.get("responses")).items()):
        if not code.startswith("x-"):
            yield from _response(code, response, indent)
    for name, callback in sorted(mapping(value.get("callbacks")).items()):
        yield from _callback(name, callback, indent)


def _all_parameters(value: dict[str, JSON], item: dict[str, JSON]) -> list[JSON]:
    own, shared = sequence(value.get("parameters")), sequence(item.get("parameters"))
    keys = {_key(parameter) for parameter in own} if shared else set()
    return own + [p for p in shared if _key(p) not in keys]


def _key(parameter: JSON) -> tuple[str, str]:
    parameter = mapping(parameter)
    return string(parameter.get("name")) or written(parameter), string(parameter.get("in"))


def _parameters(parameters: list[JSON], indent: str) -> Iterator[str]:
    referred = [name_of(r) for p in parameters if (r := string(mapping(p).get("$ref")))]
    for parameter in parameters:
        if isinstance(parameter, dict) and not string(parameter.get("$ref")):
            yield from _parameter(string(parameter.get("name")), parameter, indent)
    if referred:
        yield f"{indent}parameters: {', '.join(referred)}"


def _parameter(name: str, parameter: dict[str, JSON], indent: str) -> Iterator[str]:
    schema, content = _schema_of(parameter)
    where = " ".join(filter(None, (string(parameter.get("in")), content)))
    old = " deprecated" if parameter.get("deprecated") is True else ""
    required = parameter.get("required") is True
    about = telling(string(parameter.get("description")) or described(schema), name)
    head = f"{indent}{plain_name(name)}{'*' if required else ''}: {type_of(schema)}"
    yield f"{head}{f' ({where})' if where else ''}{old}{f' — {about}' if about else ''}"
    yield from below(schema, indent + " ")


def _schema_of(value: dict[str, JSON]) -> tuple[JSON, str]:
    """The schema of a parameter or header, and its media type if it has one."""
    for media, content in sorted(mapping(value.get("content")).items()):
        return mapping(content).get("schema"), media
    if "schema" in value:
        return value["schema"], ""
    return {k: v for k, v in value.items() if k not in ("description", "required", "name")}, ""


def _body(body: JSON, indent: str) -> Iterator[str]:
    value = mapping(body)
    if not value:
        return
    if ref := string(value.get("$ref")):
        yield f"{indent}body: {name_of(ref)}"
        return
    mark = "*" if value.get("required") is True else ""
    about = first_sentence(string(value.get("description")), SENTENCE)
    yield from _contents(f"{indent}body{mark}", value.get("content"), about, indent)


def _contents(head: str, content: JSON, about: str, indent: str) -> Iterator[str]:
    """One line for all media types that have the same schema."""
    by_schema: dict[str, tuple[JSON, list[str]]] = {}
    for media, value in sorted(mapping(content).items()):
        schema = mapping(value).get("schema")
        by_schema.setdefault(written(schema), (schema, []))[1].append(media)
    tail = f" — {about}" if about else ""
    if not by_schema:
        yield head + tail if tail else f"{head}: nothing"
    for schema, types in by_schema.values():
        kind = type_of(schema) if schema is not None else "any"
        shown = "" if types == ["application/json"] else f" ({', '.join(types)})"
        told = telling(about, kind)
        yield f"{head}: {kind}{shown}{f' — {told}' if told else ''}"
        yield from below(schema, indent + " ")


def _response(code: str, response: JSON, indent: str) -> Iterator[str]:
    value = mapping(response)
    if ref := string(value.get("$ref")):
        yield f"{indent}{code}: {name_of(ref)}"
        return
    about = first_sentence(string(value.get("description")), SENTENCE)
    about = "" if _NOTHING.fullmatch(about) else about
    content = mapping(value.get("content")) or _swagger(value)
    if content:
        yield from _contents(f"{indent}{code}", content, about, indent)
    else:
        yield f"{indent}{code}: {about}" if about else f"{indent}{code}"
    for name, header in sorted(mapping(value.get("headers")).items()):
        yield from _header(name, header, indent + " ")
    for name, link in sorted(mapping(value.get("links")).items()):
        yield f"{indent} link {plain_name(name)}: {_link(mapping(link))}"


def _swagger(response: dict[str, JSON]) -> dict[str, JSON]:
    return {"application/json": response} if "schema" in response else {}


def _header(name: str, header: JSON, indent: str) -> Iterator[str]:
    value = mapping(header)
    if ref := string(value.get("$ref")):
        yield f"{indent}header {name}: {name_of(ref)}"
    else:
        yield from _parameter(name, {**value, "in": "header"}, indent)


def _link(link: dict[str, JSON]) -> str:
    target = string(link.get("operationId")) or string(link.get("operationRef"))
    given = mapping(link.get("parameters"))
    values = ", ".join(f"{name}={literal(value)}" for name, value in sorted(given.items()))
    return f"{target or name_of(string(link.get('$ref')))}{f' with {values}' if values else ''}"


def _callback(name: str, callback: JSON, indent: str) -> Iterator[str]:
    value = mapping(callback)
    if ref := string(value.get("$ref")):
        yield f"{indent}callback {name}: {name_of(ref)}"
    for expression, item in sorted(value.items()):
        yield from _path_item(f"callback {name} {expression}", item, indent)


def _path_item(head: str, item: JSON, indent: str) -> Iterator[str]:
    value = mapping(item)
    if ref := string(value.get("$ref")):
        yield f"{indent}{head}: {name_of(ref)}"
    yield from _parameters(sequence(value.get("parameters")), indent + " ")
    for method in METHODS:
        if isinstance(operation := value.get(method), dict):
            yield from (indent + text for text in _heading(f"{head} {method.upper()}", operation))
            yield from parts_of(operation, indent + " ")


def _component(chunk: Chunk, body: JSON) -> Iterator[str]:
    value = mapping(body)
    suffix = f" {chunk.part}" if chunk.part else ""
    if ref := string(value.get("$ref")):
        yield line(chunk.name, body) if len(value) > 1 else f"{chunk.name}: {name_of(ref)}"
        return
    match chunk.component_kind:
        case "parameters" | "headers":
            yield from _parameter(string(value.get("name")) or chunk.name, value, "")
        case "responses":
            yield from _response(chunk.name, value, "")
        case "requestBodies":
            yield from _body_component(chunk, value)
        case "securitySchemes":
            yield from _security(chunk.name, value)
        case "examples":
            yield from _example(chunk.name, value)
        case "links":
            yield f"{chunk.name}: {_link(value)}"
        case "callbacks":
            yield from _callback(chunk.name, value, "")
        case "pathItems":
            yield from _path_item(chunk.name, value, "")
        case "schemas":
            yield _schema_heading(chunk.name, body, suffix)
            yield from below(body)
        case _:
            yield f"{chunk.name}: {written(body)}"


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
    yield from _contents(f"{chunk.name}{mark}", value.get("content"), about, "")


def _security(name: str, value: dict[str, JSON]) -> Iterator[str]:
    words = (string(value.get(k)) for k in ("type", "scheme", "bearerFormat", "in", "name"))
    about = first_sentence(string(value.get("description")), _ABOUT)
    url = string(value.get("openIdConnectUrl"))
    yield f"{name}: {' '.join(filter(None, (*words, url)))}{f' — {about}' if about else ''}"
    flow = string(value.get("flow"))  # Swagger 2.0
    flows = mapping(value.get("flows")) or ({flow: value} if flow else {})
    for flow, details in sorted(flows.items()):
        urls = (string(mapping(details).get(k)) for k in ("authorizationUrl", "tokenUrl"))
        yield f" {flow}: {' '.join(filter(None, urls))}"
        for scope, meaning in sorted(mapping(mapping(details).get("scopes")).items()):
            yield f"  {scope}: {first_sentence(string(meaning), SENTENCE)}"


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
    for server in sequence(value.get("servers")):
        about = first_sentence(string(mapping(server).get("description")), SENTENCE)
        yield f"server: {string(mapping(server).get('url'))}{f' — {about}' if about else ''}"
    if host := string(value.get("host")):
        yield f"server: {host}{string(value.get('basePath'))}"
    schemes = [n for need in sequence(value.get("security")) for n in mapping(need)]
    if schemes:
        yield f"auth: {', '.join(dict.fromkeys(schemes))}"
    for tag in sequence(value.get("tags")):
        about = first_sentence(string(mapping(tag).get("description")), SENTENCE)
        yield f"tag {string(mapping(tag).get('name'))}{f': {about}' if about else ''}"
