"""Fuzz everything that reads bytes from outside: JSON, YAML, archives, question sets, profiles.

    python -m benchmarks.fuzz_readers [--minutes 2] [--seed 0] [--only yaml] [--keep FOLDER]

Each input comes from a grammar of API descriptions (or of the format at hand) that knows the odd
places of both, then from mutations of its bytes. A reader may answer or refuse in one of our own
errors; anything else, or more than SLOW seconds, is a failure. What was parsed is validated and cut
into chunks as well, and each chunk's JSON is taken from the original again. Equal seeds give equal
inputs. It prints a table and a line of JSON, and ends with 1 when there was a failure; `--keep`
writes the failing inputs there.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import sys
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from core.errors import SpecError, SpecloupeError
from core.evaluate.runs.profiles import Profiles
from core.evaluate.sets import sets
from core.read.document import Document, SourceFile
from core.read.files.find import from_bytes
from core.read.limits import Limits
from core.sources.openapi.chunk import body, chunk_specs
from core.sources.openapi.read import parse
from core.tokens import counter

SLOW = 10  # seconds of CPU for one input of at most some 100 kB
LIMITS = Limits(max_file_mb=5, max_nodes=200_000, parse_seconds=5, max_expanded_mb=20)

_TOKENS = tuple(
    token.encode()
    for token in (
        *("{", "}", "[", "]", ":", ",", '"', "'", "\\", "\n", "\t", "\r\n", "/*", "*/", "//", "#"),
        *(
            "- ",
            "? ",
            "&a ",
            "*a",
            "<<: ",
            "!!merge <<",
            "!!str ",
            "!!float ",
            "|\n",
            ">\n",
            "---\n",
        ),
        *('"$ref":"#/paths"', "$ref: '#/components'", "null", "true", "1e999", "-0", "0x1F", "\0"),
        *(
            "%YAML 1.1\n",
            "\ufeff",
            "\u2028",
            "\\ud800",
            "\\u0000",
            "9" * 400,
            "[" * 300,
            " " * 5000,
        ),
    )
)
_KEYS = (
    *("openapi", "swagger", "info", "title", "version", "paths", "/a", "/a/{id}", "get", "post"),
    *(
        "parameters",
        "name",
        "in",
        "schema",
        "requestBody",
        "content",
        "application/json",
        "responses",
    ),
    *(
        "200",
        "default",
        "headers",
        "links",
        "callbacks",
        "components",
        "schemas",
        "Pet",
        "properties",
    ),
    *(
        "allOf",
        "oneOf",
        "items",
        "required",
        "enum",
        "example",
        "examples",
        "discriminator",
        "mapping",
    ),
    *("security", "tags", "servers", "webhooks", "x-webhooks", "$id", "$self", "$anchor", "$defs"),
    *(
        "definitions",
        "additionalOperations",
        "operationId",
        "description",
        "$dynamicRef",
        "pathItems",
    ),
)
_REFS = (
    *(
        "#",
        "#/",
        "#/paths",
        "#/paths/~1a",
        "#/paths/~1a/get",
        "#/components",
        "#/components/schemas",
    ),
    *(
        "#/components/schemas/Pet",
        "#/components/schemas/Pet/properties",
        "#Pet",
        "b.json",
        "../b.json",
    ),
    *(
        "b.json#/paths",
        "api.json",
        "https://a.example/b",
        "urn:a",
        "%",
        "#/%25",
        "#/a~",
        "//",
        "\ud800",
    ),
)


class Grammar:
    """Values that look like an API description, and are one only by luck."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def document(self) -> dict[str, Any]:
        version = self._chance.choice([{"openapi": v} for v in ("3.0.3", "3.1.0", "3.2.0")] + _OLD)
        made = {**version, "info": {"title": "A", "version": "1"}, **self.mapping(0)}
        paths = {"/a": self.mapping(2), "/b/{id}": {"get": self.mapping(3)}}
        parts = {"schemas": {"Pet": self.mapping(3), "Kit": self.mapping(3)}}
        return {**made, **self._chance.choice([{}, {"paths": paths}, {"components": parts}])}

    def value(self, depth: int) -> Any:
        kind = self._chance.random()
        if depth > 6 or kind < 0.3:
            return self.leaf()
        return self.mapping(depth + 1) if kind < 0.8 else [self.value(depth + 1) for _ in range(2)]

    def mapping(self, depth: int) -> dict[str, Any]:
        count = self._chance.randint(0, 4)
        made = {self._chance.choice(_KEYS): self.value(depth + 1) for _ in range(count)}
        if self._chance.random() < 0.25:
            made["$ref"] = self._chance.choice(_REFS)
        return made

    def leaf(self) -> Any:
        return self._chance.choice(
            [None, True, 1, 1.5, -(2**70), "", "text", "#/paths", *_KEYS[:5]]
        )


_OLD: list[dict[str, Any]] = [{"swagger": "2.0"}, {"swagger": 2.0}, {}]


class Mutator:
    """Bytes that were right a moment ago."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def mutated(self, data: bytes) -> bytes:
        for _ in range(self._chance.choice([0, 1, 1, 2, 4, 16])):
            data = self._once(data)
        return data[:100_000]

    def _once(self, data: bytes) -> bytes:
        chance = self._chance
        at, to = sorted(chance.randint(0, len(data)) for _ in range(2))
        way = chance.randrange(6)
        if way == 0:
            return data[:at] + chance.choice(_TOKENS) + data[at:]
        if way == 1:
            return data[:at] + data[to:]
        if way == 2:
            return data[:to] + data[at:]
        if way == 3:
            return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        if way == 4:
            return data[:at] + chance.choice(_TOKENS) * chance.randint(1, 50) + data[to:]
        return data[:at]


Make = Callable[[random.Random], bytes]
Read = Callable[[bytes], None]


def _json(chance: random.Random) -> bytes:
    value = Grammar(chance).document()
    text = json.dumps(value, indent=chance.choice([None, 1]), ensure_ascii=chance.random() < 0.5)
    encoding = chance.choice(["utf-8", "utf-8", "utf-8", "utf-16", "utf-32"])
    return Mutator(chance).mutated(text.encode(encoding, "surrogatepass"))


def _yaml(chance: random.Random) -> bytes:
    value = json.loads(json.dumps(Grammar(chance).document()).replace("\\ud800", "x"))
    flow = chance.choice([True, False, None])
    text = yaml.safe_dump(value, default_flow_style=flow, default_style=chance.choice([None, '"']))
    return Mutator(chance).mutated(text.encode())


def _zip(chance: random.Random) -> bytes:
    file = io.BytesIO()
    method = chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
    with zipfile.ZipFile(file, "w", method) as archive:
        for name in chance.sample(_NAMES, 3):
            archive.writestr(name, chance.choice([_json, _yaml])(chance))
    return Mutator(chance).mutated(file.getvalue())


_NAMES = (
    "api.json",
    "a/b.yaml",
    "../up.json",
    "/root.json",
    "c:\\d.json",
    "x.txt",
    "ü\n.yml",
    "b.json",
)


def _set(chance: random.Random) -> bytes:
    rows = [_row(chance) for _ in range(chance.randint(0, 3))]
    way = chance.choice(["json", "jsonl", "yaml", "csv"])
    if way == "csv":
        cells = [json.dumps(r[k]) if k in r else "" for r in rows for k in ("query", "relevant")]
        text = "query,relevant\n" + "".join(
            f"{a},{b}\n" for a, b in zip(cells[::2], cells[1::2], strict=True)
        )
    elif way == "jsonl":
        text = "".join(json.dumps(row) + "\n" for row in rows)
    else:
        held = chance.choice([rows, {"name": "s", "queries": rows}, {"samples": rows}])
        text = json.dumps(held) if way == "json" else yaml.safe_dump(held)
    return way.encode() + b"\n" + Mutator(chance).mutated(text.encode())


def _row(chance: random.Random) -> dict[str, Any]:
    labels = [["a.json:info"], [["a", "b"], "c"], {"a": 2}, "a | b", None, [1]]
    made = {"query": chance.choice(["who?", "", 1]), "relevant": chance.choice(labels)}
    return made if chance.random() < 0.8 else {**made, chance.choice(_KEYS): chance.choice(labels)}


def _profile(chance: random.Random) -> bytes:
    knobs = {"top_k": 5, "min_score": 0.5, "mode": "exact", "x": None}
    values = {
        name: chance.choice([value, None, [], "1", -1, 1e400]) for name, value in knobs.items()
    }
    return Mutator(chance).mutated(json.dumps({"mine": values, "other": {}}).encode())


def _read_spec(data: bytes) -> None:
    _cut({"api.json": parse(data, "api.json", limits=LIMITS)})


def _read_zip(data: bytes) -> None:
    documents: dict[str, Document] = {}
    for found in from_bytes("up.zip", data, limits=LIMITS):
        if isinstance(found, SourceFile):
            try:
                documents[found.file] = parse(found.read(), found.file, limits=LIMITS)
            except SpecError:
                continue
    _cut(documents)


def _cut(documents: Mapping[str, Document]) -> None:
    for spec in chunk_specs(documents, tokens=counter("cl100k_base")):
        for chunk in spec.chunks:
            body(chunk, documents.get)


def _read_set(data: bytes) -> None:
    way, _, rest = data.partition(b"\n")
    sets.parse(rest, f"set.{way.decode()}")


def _read_profile(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "profiles.json")
        path.write_bytes(data)
        Profiles(path).all()


TARGETS: Mapping[str, tuple[Make, Read]] = {
    "json": (_json, _read_spec),
    "yaml": (_yaml, _read_spec),
    "zip": (_zip, _read_zip),
    "set": (_set, _read_set),
    "profile": (_profile, _read_profile),
}


@dataclass(slots=True)
class Outcome:
    """What the inputs of one target came to."""

    inputs: int = 0
    read: int = 0
    refused: int = 0
    slowest: float = 0.0  # seconds of CPU
    failures: Counter[str] = field(default_factory=Counter)  # by error and place


def fuzz(
    seconds: float, seed: int, targets: Mapping[str, tuple[Make, Read]], keep: Path | None = None
) -> dict[str, Outcome]:
    """Feed each target in turn until the time is over."""
    outcomes = {name: Outcome() for name in targets}
    ends = time.monotonic() + seconds
    for number in _numbers():
        for name, (make, read) in targets.items():
            if time.monotonic() > ends:
                return outcomes
            data = make(random.Random(f"{seed}-{name}-{number}"))
            failure = _feed(read, data, outcomes[name])
            if failure and keep:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{name}-{seed}-{number}").write_bytes(data)
    raise AssertionError("the numbers never end")


def _numbers() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def _feed(read: Read, data: bytes, outcome: Outcome) -> str:
    started = time.process_time()
    failure = ""
    try:
        read(data)
        outcome.read += 1
    except SpecloupeError:
        outcome.refused += 1
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        failure = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
    taken = time.process_time() - started
    outcome.inputs += 1
    outcome.slowest = max(outcome.slowest, taken)
    failure = failure or (f"slower than {SLOW} s" if taken > SLOW else "")
    if failure:
        outcome.failures[failure] += 1
    return failure


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=TARGETS, action="append")
    parser.add_argument("--keep", type=Path, help="a folder for the failing inputs")
    options = parser.parse_args()
    targets = {name: TARGETS[name] for name in options.only or TARGETS}
    outcomes = fuzz(60 * options.minutes, options.seed, targets, options.keep)
    for name, one in outcomes.items():
        failed = sum(one.failures.values())
        print(
            f"{name:8} {one.inputs:9,} inputs {one.read:9,} read {one.refused:9,} refused "
            f"{failed:5,} failed, slowest {one.slowest:.1f} s"
        )
        for failure, count in one.failures.most_common():
            print(f"  {count:6,} {failure}")
    print(json.dumps({name: one.inputs for name, one in outcomes.items()}))
    sys.exit(any(one.failures for one in outcomes.values()))


if __name__ == "__main__":
    main()
