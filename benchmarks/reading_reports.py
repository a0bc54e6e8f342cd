"""Hold every sentence of the reports against the raw documents: is one of them false?

    python -m benchmarks.reading_reports FOLDER

Reads each API description below the folder by itself. A reference that is reported as leading
nowhere must stand where that is said and must not resolve, by a walk over the parsed JSON that
shares nothing with the reader; a file of the folder that it names counts as well. A finding must
be true of the value that it points to, as far as there is a check of its kind here. Prints what is
false, a table and a line of JSON.
"""

from __future__ import annotations

import argparse
import ast
import json
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from benchmarks.keywords import documents
from core.model import UnresolvedRef
from core.read.document import Document, Finding
from core.sources.openapi import semantic, validate
from core.sources.openapi.drafts import drafts
from core.sources.openapi.refs.groups import files_of
from core.sources.openapi.refs.resolve import References
from core.sources.openapi.refs.unresolved import unresolved

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
MISSING = object()


def sweep(folder: Path) -> tuple[Counter[str], list[str]]:
    """How many of each kind are reported, checked and true, and those that are false."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for document in documents(folder):
        for kind, said, is_true in _checks(document, folder):
            counts[kind] += 1
            counts[f"{kind} checked"] += is_true is not None
            counts[f"{kind} true"] += is_true is True
            if is_true is False:
                wrong.append(f"{document.file}: {kind}: {said}")
    return counts, wrong


def _checks(document: Document, folder: Path) -> Iterator[tuple[str, str, bool | None]]:
    by_file = {document.file: document}
    files = files_of(by_file)
    made = drafts([document.file], by_file, References(by_file.get, files))
    for lost in unresolved(made.failures, by_file, made.index.elements.values(), files):
        said = f"{lost.pointer}: {lost.ref}"
        yield f"unresolved {lost.kind}", said, _is_lost(lost, document.value, folder)
    elements = [d.element for d in made.by_file[document.file] if not d.part]
    names = semantic.findings(document, elements, made.index.resolved)
    for found in (*document.findings, *validate.findings(document), *names):
        yield found.rule, f"{found.pointer}: {found.message}", is_so(found, document.value)


def _is_lost(lost: UnresolvedRef, value: Any, folder: Path) -> bool:
    """Whether each place has the reference, and whether this leads nowhere."""
    for pointer in (lost.pointer, *lost.also):
        if at(value, pointer) != lost.ref and not pointer.endswith("/" + _escaped(lost.ref)):
            return False
    return not resolves(lost, value, folder)


def resolves(lost: UnresolvedRef, value: Any, folder: Path) -> bool:
    if lost.kind == "operationId":
        return any(operation.get("operationId") == lost.ref for _, _, operation in _all(value))
    parts = value.get("components") or {}
    if lost.kind == "security":
        named = parts.get("securitySchemes") or value.get("securityDefinitions") or {}
        return lost.ref in named
    if lost.kind == "mapping" and lost.ref in (parts.get("schemas") or {}):
        return True
    uri, _, fragment = lost.ref.partition("#")
    if not uri:
        return not fragment.startswith("/") or at(value, unquote(fragment)) is not MISSING
    path = folder / posixpath.join(posixpath.dirname(lost.file), unquote(uri))
    if not path.is_file():
        return False
    return path.suffix != ".json" or at(json.loads(path.read_bytes()), fragment) is not MISSING


def at(value: Any, pointer: str) -> Any:
    """What stands at a JSON pointer (RFC 6901), or MISSING."""
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return MISSING
    return value


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _all(value: Any) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Each operation with its path and path item."""
    for section in ("paths", "x-ms-paths", "webhooks", "x-webhooks"):
        for path, item in (value.get(section) or {}).items():
            for method in METHODS:
                if isinstance(item, dict) and isinstance(item.get(method), dict):
                    yield path, item, item[method]


def is_so(found: Finding, value: Any) -> bool | None:
    """Whether a finding is true; None where there is no check of its kind."""
    for pattern, check in _SENTENCES.items():
        if match := re.fullmatch(pattern, found.message, re.DOTALL):
            return check(value, found.pointer, *match.groups())
    return None


def _lacks(value: Any, pointer: str, name: str) -> bool:
    holder = at(value, pointer)
    return isinstance(holder, dict) and name not in holder


def _has(value: Any, pointer: str, name: str) -> bool:
    holder = at(value, pointer)
    return isinstance(holder, dict) and name in holder


def _is_of_no(value: Any, pointer: str, kind: str) -> bool:
    held = at(value, pointer)
    return held is not MISSING and not isinstance(held, _TYPES[kind])


_TYPES = {"string": str, "object": dict, "array": list, "boolean": bool, "null": type(None)}


def _is_repeated(value: Any, pointer: str, name: str, _: str) -> bool:
    wanted = ast.literal_eval(name)
    return sum(o.get("operationId") == wanted for _, _, o in _all(value)) > 1


def _are_equal(value: Any, pointer: str, one: str, other: str) -> bool:
    paths = [ast.literal_eval(path) for path in (one, other)]
    plain = {re.sub(r"\{[^{}]*\}", "{}", path) for path in paths}
    return len(plain) == 1 and paths[0] != paths[1] and all(p in value["paths"] for p in paths)


def _declared(value: Any, pointer: str) -> list[tuple[Any, Any]]:
    """Name and place of the parameters of an operation and its path item, each as it stands."""
    operation = "/".join(pointer.split("/")[:4])
    item = "/".join(pointer.split("/")[:3])
    own = _parameters(value, at(value, operation))
    return own + [one for one in _parameters(value, at(value, item)) if one not in own]


def _parameters(value: Any, holder: Any) -> list[tuple[Any, Any]]:
    found = []
    for parameter in holder.get("parameters") or ():
        while isinstance(parameter, dict) and "$ref" in parameter:
            parameter = at(value, unquote(parameter["$ref"].partition("#")[2]))
        if isinstance(parameter, dict):
            found.append((parameter.get("name"), parameter.get("in")))
    return found


def _undeclared(value: Any, pointer: str, path: str, name: str) -> bool:
    wanted = ast.literal_eval(name)
    return (wanted, "path") not in _declared(value, pointer) and "{" in path and wanted in path


def _unplaced(value: Any, pointer: str, path: str, name: str) -> bool:
    wanted = ast.literal_eval(name)
    return (wanted, "path") in _declared(value, pointer) and f"{{{wanted}}}" not in path


def _twice(value: Any, pointer: str, _: str, place: str, name: str) -> bool:
    return _declared(value, pointer).count((ast.literal_eval(name), place)) > 1


def _empty(value: Any, pointer: str, name: str) -> bool:
    item = at(value, pointer)
    return isinstance(item, dict) and not {*METHODS, "additionalOperations"} & item.keys()


_SENTENCES: Mapping[str, Callable[..., bool]] = {
    r'"([^"]*)" is a required property': _lacks,
    r"(?:Additional|Unevaluated) properties are not allowed \('([^']*)'.*": _has,
    r'the value is not of type "(string|object|array|boolean|null)"': _is_of_no,
    r"The operationId (.+) is also used by (.+)\.": _is_repeated,
    r"The path (.+) is the same as (.+) but for its parameters' names\.": _are_equal,
    r"\S+ (.+) does not declare the parameter (.+) of its path\.": _undeclared,
    r"\S+ (.+) declares a path parameter (.+) that is not in its path\.": _unplaced,
    r"\S+ (.+) has the (\S+) parameter (.+) more than once\.": _twice,
    r"(.+) has no operation, so the rest of it is never returned\.": _empty,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    counts, wrong = sweep(parser.parse_args().folder)
    for one in wrong:
        print(f"false: {one}")
    for name, count in sorted(counts.items()):
        print(f"{name:32} {count:8,}")
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
