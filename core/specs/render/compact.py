"""Operations and components in the compact notation: all that a caller needs, in few tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
from core.specs.walk import parameter_key
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
    if not chunk.part:
        yield from _accepted(chunk, value)
        yield from _auth(value, "")


def _accepted(chunk: Chunk, value: dict[str, JSON]) -> Iterator[str]:
    """Swagger 2.0: the media types of a request whose body is not written at the operation."""
    types = strings(value.get("consumes"))
    given = [mapping(parameter) for parameter in all_parameters(value)]
    places = {string(parameter.get("in")) for parameter in given}
    referred = any("$ref" in parameter for parameter in given) and chunk.method in _WITH_BODY
    if _shown(types) and "body" not in places and ("formData" in places or referred):
        yield f"consumes: {', '.join(types)}"


_WITH_BODY = ("POST", "PUT", "PATCH")


def _shown(types: Sequence[str]) -> str:
    """Media types, unless it is JSON alone."""
    return "" if list(types) == ["application/json"] else ", ".join(types)


def _auth(value: dict[str, JSON], indent: str) -> Iterator[str]:
    """Security schemes with their scopes: `a + b(x, y)` takes all of it, `a(x | y) or b` any."""
    ways: dict[str, dict[str, None]] = {}  # by the schemes: the scopes, where all have the same
    for way in sequence(value.get("security")):
        schemes = sorted((name_of(name), strings(scopes)) for name, scopes in mapping(way).items())
        if len({scopes for _, scopes in schemes}) == 1:
            names, scopes = " + ".join(name for name, _ in schemes), ", ".join(schemes[0][1])
        else:
            names, scopes = (
                " + ".join(_with(name, ", ".join(needed)) for name, needed in schemes),
                "",
            )
        ways.setdefault(names, {})[scopes] = None
    if ways:
        told = (_with(way or "none", " | ".join(filter(None, s))) for way, s in ways.items())
        yield f"{indent}auth: {' or '.join(told)}"


def _with(schemes: str, scopes: str) -> str:
    together = f"({schemes})" if scopes and " + " in schemes else schemes
    return f"{together}({scopes})" if scopes else together


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
    yield from _parameters(all_parameters(value), indent, strings(value.get("consumes")))
    yield from _body(value.get("requestBody"), indent)
    for code, response in sorted(mapping(value.get("responses")).items()):
        if not code.startswith("x-"):
            yield from _response(code, response, indent, strings(value.get("produces")))
    for name, callback in sorted(mapping(value.get("callbacks")).items()):
        yield from _callback(name, callback, indent)


def _servers(servers: list[JSON], indent: str) -> Iterator[str]:
    said: set[str] = set()  # variables: the servers of an API often have the same
    for server in map(mapping, servers):
        told = " — ".join(filter(None, (string(server.get("name")), _about(server))))
        yield f"{indent}server: {string(server.get('url'))}{f' — {told}' if told else ''}"
        for name, value in sorted(mapping(server.get("variables")).items()):
            variable = f"{indent} {line(name, {'type': 'string', **mapping(value)})}"
            if variable not in said:
                yield variable
            said.add(variable)


def _about(value: dict[str, JSON], limit: int = SENTENCE) -> str:
    """The first sentence of a description; since 3.2 responses have a summary too."""
    return first_sentence(string(value.get("description")) or string(value.get("summary")), limit)


def all_parameters(value: dict[str, JSON]) -> list[JSON]:
    """An operation's own parameters, then those of its path item that it does not override.

    What is overridden by way of a `$ref` is gone already: only the document tells that.
    """
    own = sequence(value.get("parameters"))
    shared = sequence(mapping(value.get("pathItem")).get("parameters"))
    keys = {parameter_key(mapping(parameter)) for parameter in own} if shared else set()
    return own + [p for p in shared if parameter_key(mapping(p)) not in keys]


def _parameters(
    parameters: list[JSON], indent: str, consumes: tuple[str, ...] = ()
) -> Iterator[str]:
    referred = []
    for parameter in map(mapping, parameters):
        if ref := string(parameter.get("$ref")):
            if about := _about(parameter):
                yield f"{indent}parameter {name_of(ref)} — {about}"
            else:
                referred.append(name_of(ref))
        elif parameter:
            types = _shown(consumes) if parameter.get("in") == "body" else ""
            yield from _parameter(string(parameter.get("name")), parameter, indent, types)
    if referred:
        yield f"{indent}parameters: {', '.join(referred)}"


def _parameter(
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
    yield from _inside(content, indent + " ")


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


def _inside(content: dict[str, JSON], indent: str) -> Iterator[str]:
    """What a Media Type Object's schemas consist of, and how its fields are written."""
    yield from below(content.get("schema"), indent)
    if "itemSchema" in content:
        yield from below(content["itemSchema"], indent)
    if not _ENCODED.isdisjoint(content):
        yield from _encodings(content, indent)


_ENCODED = frozenset(("encoding", "prefixEncoding", "itemEncoding"))
_OF_MEDIA = _ENCODED | {"$ref", "schema", "itemSchema"}


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
    for name, header in _headers(value):
        yield from _header(name, header, indent + " ")
    yield from _encodings(value, indent + " ")


def _headers(value: dict[str, JSON]) -> list[tuple[str, JSON]]:
    return sorted(mapping(value.get("headers")).items())


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


def _body(body: JSON, indent: str) -> Iterator[str]:
    value = mapping(body)
    if not value:
        return
    about = _about(value)
    if ref := string(value.get("$ref")):
        yield f"{indent}body: {name_of(ref)}{f' — {about}' if about else ''}"
        return
    mark = "*" if value.get("required") is True else ""
    yield from _contents(f"{indent}body{mark}", value.get("content"), about, indent)


def _contents(head: str, content: JSON, about: str, indent: str) -> Iterator[str]:
    """One line for all media types that hold the same."""
    alike: dict[str, tuple[dict[str, JSON], list[str]]] = {}
    for media, value in sorted(mapping(content).items()):
        said = {key: child for key, child in mapping(value).items() if key in _OF_MEDIA}
        alike.setdefault(written(said), (said, []))[1].append(media)
    tail = f" — {about}" if about else ""
    if not alike:
        yield head + tail if tail else f"{head}: nothing"
    for said, types in alike.values():
        kind = carried(said)
        shown = f" ({types_shown})" if (types_shown := _shown(types)) else ""
        told = telling(about, kind)
        yield f"{head}: {kind}{shown}{f' — {told}' if told else ''}"
        yield from _inside(said, indent + " ")


def _response(
    code: str, response: JSON, indent: str, produces: tuple[str, ...] = ()
) -> Iterator[str]:
    value = mapping(response)
    about = _about(value)
    about = "" if _NOTHING.fullmatch(about) else about
    tail = f" — {about}" if about else ""
    if ref := string(value.get("$ref")):
        types = _shown(produces) if produces else ""
        yield f"{indent}{code}: {name_of(ref)}{f' ({types})' if types else ''}{tail}"
        return
    if content := mapping(value.get("content")) or _swagger(value, produces):
        yield from _contents(f"{indent}{code}", content, about, indent)
    else:
        yield f"{indent}{code}: {about}" if about else f"{indent}{code}"
    for name, header in _headers(value):
        yield from _header(name, header, indent + " ")
    for name, link in sorted(mapping(value.get("links")).items()):
        yield f"{indent} link {plain_name(name)}: {_link(mapping(link))}"


def _swagger(response: dict[str, JSON], types: tuple[str, ...]) -> dict[str, JSON]:
    if "schema" not in response:
        return {}
    content = {"schema": response["schema"]}
    return dict.fromkeys(types or ("application/json",), content)


def _header(name: str, header: JSON, indent: str) -> Iterator[str]:
    value = mapping(header)
    if ref := string(value.get("$ref")):
        about = _about(value)
        yield f"{indent}header {name}: {name_of(ref)}{f' — {about}' if about else ''}"
    else:
        yield from _parameter(name, {**value, "in": "header"}, indent)


def _link(link: dict[str, JSON]) -> str:
    target = string(link.get("operationId")) or string(link.get("operationRef"))
    given = sorted(mapping(link.get("parameters")).items())
    if "requestBody" in link:
        given.append(("body", link["requestBody"]))
    values = ", ".join(f"{name}={literal(value)}" for name, value in given)
    server = string(mapping(link.get("server")).get("url"))
    told = f"{f' with {values}' if values else ''}{f' at {server}' if server else ''}"
    return f"{target or name_of(string(link.get('$ref')))}{told}"


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
    others = mapping(value.get("additionalOperations"))
    known = [(m.upper(), value[m]) for m in METHODS if isinstance(value.get(m), dict)]
    rest = {k: v for k, v in value.items() if k not in METHODS and k != "additionalOperations"}
    for method, operation in (*known, *sorted(others.items())):
        whole = {**mapping(operation), "pathItem": rest}
        yield from (indent + text for text in _heading(f"{head} {method}", whole))
        yield from parts_of(whole, indent + " ")
        yield from _auth(whole, indent + " ")
    if not known and not others:
        yield from _parameters(sequence(value.get("parameters")), indent + " ")


def _component(chunk: Chunk, body: JSON) -> Iterator[str]:
    value = mapping(body)
    suffix = f" {chunk.part}" if chunk.part else ""
    if ref := string(value.get("$ref")):
        yield (
            line(chunk.name, body, about=_about(value))
            if len(value) > 1
            else f"{chunk.name}: {name_of(ref)}"
        )
        yield from below(body)
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
        case "mediaTypes":
            yield from _contents(chunk.name, {"application/json": value}, "", "")
        case "callbacks":
            yield from _callback(chunk.name, value, "")
        case "pathItems":
            yield from _path_item(chunk.name, value, "")
        case "schemas":
            yield _schema_heading(chunk.name, body, suffix)
            yield from below(_with_extending(chunk, value) if "discriminator" in value else body)
        case _:
            yield f"{chunk.name}: {written(body)}"


def _with_extending(chunk: Chunk, schema: dict[str, JSON]) -> JSON:
    """The schemas that extend it are values by their names, where the mapping does not say so."""
    said = schema["discriminator"]
    said = {"propertyName": said} if isinstance(said, str) else mapping(said)  # Swagger 2.0
    mapped = mapping(said.get("mapping"))
    told = {name_of(string(ref)) for ref in (*mapped.values(), said.get("defaultMapping"))}
    names = (name_of(id) for id, used in chunk.ref_ids.items() if "discriminator" in used)
    implied = {name: name for name in names if name not in told}
    return {**schema, "discriminator": {**said, "mapping": {**implied, **mapped}}}


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
    words = [string(value.get(k)) for k in ("type", "scheme", "bearerFormat", "in", "name")]
    words += [string(value.get(k)) for k in ("openIdConnectUrl", "oauth2MetadataUrl")]
    words += ["deprecated"] if value.get("deprecated") is True else []
    about = _about(value, _ABOUT)
    yield f"{name}: {' '.join(filter(None, words))}{f' — {about}' if about else ''}"
    flow = string(value.get("flow"))  # Swagger 2.0
    flows = mapping(value.get("flows")) or ({flow: value} if flow else {})
    for flow, details in sorted(flows.items()):
        urls = (string(mapping(details).get(k)) for k in _URLS)
        yield f" {flow}: {' '.join(filter(None, urls))}{_refreshed(mapping(details))}"
        for scope, meaning in sorted(mapping(mapping(details).get("scopes")).items()):
            yield f"  {scope}: {first_sentence(string(meaning), SENTENCE)}"


_URLS = ("authorizationUrl", "deviceAuthorizationUrl", "tokenUrl")


def _refreshed(flow: dict[str, JSON]) -> str:
    """Where a token is refreshed, unless that is where it comes from."""
    url = string(flow.get("refreshUrl"))
    return f" refresh {url}" if url and url != flow.get("tokenUrl") else ""


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
    yield from _auth(value, "")
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
        if types := _shown(strings(value.get(key))):
            yield f"{key}: {types}"
