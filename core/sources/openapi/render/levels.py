"""Write a chunk at a level: full JSON, compact notation, a signature, or nothing but its id."""

from __future__ import annotations

from collections.abc import Iterator

from core.model import JSON, Chunk, ChunkType, Level
from core.read.written import readable
from core.sources.openapi.render.around import Around
from core.sources.openapi.render.compact import compact, title
from core.sources.openapi.render.parameters import all_parameters, carried
from core.sources.openapi.render.prose import clip, first_sentence
from core.sources.openapi.render.schemas import plain_name, type_of
from core.sources.openapi.shapes import mapping, name_of, sequence, string, strings

_NAMES = 12  # parameters or properties in a signature
_ABOUT = 100  # characters of a description in a signature


def render(chunk: Chunk, body: JSON, level: Level, around: Around) -> str:
    """The chunk's text: begins with a non-blank and ends in one newline; "" at Level.ID.

    A level whose tokens, by the chunk's counts, would be as many as those of the level above is
    written as that level: so no level has more tokens than the one above it.
    """
    if level is Level.ID:
        return ""
    tokens = chunk.token_count
    if level is Level.SIGNATURE and tokens.get(level, -1) == tokens.get(Level.COMPACT):
        level = Level.COMPACT
    if level is Level.COMPACT and tokens.get(level, -1) == tokens.get(Level.JSON):
        level = Level.JSON
    if level is Level.JSON:
        return readable(around.whole(chunk.type, chunk.part, body))
    body = around.complete(chunk, body)
    return _compact(chunk, body) if level is Level.COMPACT else _one_line(_signature(chunk, body))


def renderings(chunk: Chunk, body: JSON, around: Around) -> tuple[str, str]:
    """Compact and signature, whatever their tokens."""
    body = around.complete(chunk, body)
    return _compact(chunk, body), _one_line(_signature(chunk, body))


def _compact(chunk: Chunk, body: JSON) -> str:
    return "\n".join(compact(chunk, body)).strip() + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split()) + "\n"


def _signature(chunk: Chunk, body: JSON) -> str:
    value = mapping(body)
    if chunk.type.is_operation:
        return _operation(chunk, value)
    info = mapping(value.get("info")) if chunk.type is ChunkType.INFO else value
    about = string(info.get("description")) or string(value.get("summary"))
    text = f" — {first_sentence(about, _ABOUT)}" if about else ""
    if chunk.type is ChunkType.INFO:
        return f"{string(info.get('title')) or 'API'} {string(info.get('version'))}{text}"
    part = f" {chunk.part}" if chunk.part else ""
    return f"{title(chunk)}{part}{_shape(chunk, value)}{text}"


def _shape(chunk: Chunk, value: dict[str, JSON]) -> str:
    if chunk.component_kind not in ("schemas", "parameters", "headers"):
        return ""
    schema = mapping(value.get("schema")) or value
    names = list(_properties(schema, 0))
    return f" {{{_few(names)}}}" if names else f": {clip(type_of(schema), 200)}"


def _properties(schema: JSON, depth: int) -> Iterator[str]:
    value = mapping(schema)
    required = strings(value.get("required"))
    for name in sorted(mapping(value.get("properties"))):
        yield f"{plain_name(name)}{'*' if name in required else ''}"
    for member in sequence(value.get("allOf")) if depth < 5 else ():
        if ref := string(mapping(member).get("$ref")):
            yield f"…{name_of(ref)}"
        else:
            yield from _properties(member, depth + 1)


def _operation(chunk: Chunk, value: dict[str, JSON]) -> str:
    summary = string(value.get("summary")) or string(value.get("description"))
    text = f" — {first_sentence(summary, _ABOUT)}" if summary else ""
    if chunk.part:
        inside = sorted(mapping(value.get("responses"))) or sorted(value)
        return f"{title(chunk)} {chunk.part}: {_few(inside)}"
    given = list(_given(value))
    call = f" ({_few(given)})" if given else ""
    answers = [_answer(code, r) for code, r in sorted(mapping(value.get("responses")).items())]
    gives = f" → {_few([a for a in answers if a])}" if any(answers) else ""
    return f"{title(chunk)}{call}{gives}{text}"


def _given(value: dict[str, JSON]) -> Iterator[str]:
    for known in map(mapping, all_parameters(value)):
        mark = "*" if known.get("required") is True else ""
        yield (string(known.get("name")) or name_of(string(known.get("$ref")))) + mark
    if body := mapping(value.get("requestBody")):
        mark = "*" if body.get("required") is True else ""
        yield f"body{mark}: {_content(body)}"


def _content(value: dict[str, JSON]) -> str:
    if ref := string(value.get("$ref")):
        return name_of(ref)
    for _, content in sorted(mapping(value.get("content")).items()):
        schema = mapping(content).get("schema")
        return clip(carried(content), 80) if schema is None else _kind(schema)
    return _kind(value["schema"]) if "schema" in value else ""


def _kind(schema: JSON) -> str:
    """A type, or the properties of an object that has no name."""
    names = list(_properties(schema, 0)) if isinstance(schema, dict) else []
    return f"{{{_few(names)}}}" if names else clip(type_of(schema), 80)


def _answer(code: str, response: JSON) -> str:
    return " ".join(filter(None, (code, _content(mapping(response))))) if code[:1] == "2" else ""


def _few(names: list[str]) -> str:
    more = [f"…+{len(names) - _NAMES}"] if len(names) > _NAMES else []
    return ", ".join(names[:_NAMES] + more)
