"""Read and write labelled question sets: YAML, JSON, JSONL and CSV; ragas datasets are read too."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from core.errors import EvalSetError, SpecError
from core.evaluate.sets import cells
from core.evaluate.sets.rows import RAGAS, is_ragas
from core.evaluate.sets.rows import samples as samples_of
from core.evaluate.sets.sample import EvalSet, LineOf, Sample, no_line
from core.model import JSON
from core.text.safe import one_line

if TYPE_CHECKING:
    from core.read.document import Finding

MAX_BYTES = 32 * 1024 * 1024
MAX_SAMPLES = 50_000
SUFFIXES = (".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".csv")


def read(path: Path) -> EvalSet:
    """The labelled set in a file; raises EvalSetError naming file and line."""
    return parse(_bytes_of(path), str(path))


def text_of(path: Path) -> str:
    """The text of a file that belongs to a set; raises EvalSetError."""
    return _text(_within_bounds(_bytes_of(path), str(path)), str(path))


def parse(data: bytes, file: str) -> EvalSet:
    """The labelled set in these bytes; the file name's suffix says the format."""
    suffix = PurePath(file).suffix.lower()
    if suffix not in SUFFIXES:
        raise EvalSetError(f"{file}: an eval set is a file that ends in {', '.join(SUFFIXES)}.")
    _within_bounds(data, file)
    if suffix == ".csv":
        return _of_rows(file, _csv_rows(_text(data, file), file))
    if suffix in (".jsonl", ".ndjson"):
        return _of_rows(file, _jsonl_rows(_text(data, file), file))
    return _of_document(data, file)


def of_values(name: str, values: Sequence[Any]) -> EvalSet:
    """A set from plain values, checked like a file's; raises EvalSetError."""
    return _checked(name, values, no_line)


def dump(eval_set: EvalSet, suffix: str) -> str:
    """The set as text in the format of this suffix; reading it back gives the same samples."""
    rows = [sample.to_dict() for sample in eval_set.samples]
    if suffix == ".csv":
        return _to_csv(rows)
    if suffix in (".jsonl", ".ndjson"):
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    document = {"name": eval_set.name, "samples": rows}
    if suffix == ".json":
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    if suffix in (".yaml", ".yml"):
        return _to_yaml(document)
    raise EvalSetError(
        f"{suffix!r} is not a format of a question set; use one of {', '.join(SUFFIXES)}."
    )


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise EvalSetError(f"{path}: it cannot be read: {error.strerror}.") from error


def _within_bounds(data: bytes, file: str) -> bytes:
    if len(data) > MAX_BYTES:
        raise EvalSetError(f"{file}: it is larger than {MAX_BYTES // 1024**2} MB; split the set.")
    return data


def _text(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise EvalSetError(
            f"{file}:{line}: this is not UTF-8 text. Save the file as UTF-8."
        ) from error


def _of_document(data: bytes, file: str) -> EvalSet:
    from core.read import load

    try:
        document = load.parse(data, file)
    except SpecError as error:
        raise EvalSetError(str(error)) from error
    value = document.value
    for finding in document.findings:
        if why := _loss(finding, value):
            raise EvalSetError(f"{file}:{finding.line}: {why}")
    base = "/samples" if isinstance(value, Mapping) else ""
    raw = value.get("samples") if isinstance(value, Mapping) else value
    if not isinstance(raw, list):
        raise EvalSetError(f"{file}: it holds no list of `samples`.")

    def line_of(number: int, *keys: object) -> int:
        return document.line_of("/".join((base, *map(str, (number, *keys)))))

    name = value.get("name") if isinstance(value, Mapping) else None
    return _checked(file, raw, line_of, name=str(name or ""))


def _loss(finding: Finding, value: JSON) -> str:
    """What of the set would be lost without a word; "" where nothing is."""
    if finding.rule == "encoding":
        return "this is not UTF-8 text. Save the file as UTF-8."
    if finding.rule == "several-documents":
        return "another YAML document begins here. Put its samples into the first, or into a file."
    replaced = finding.rule == "yaml-characters" and "\ufffd" in json.dumps(
        value, ensure_ascii=False, default=str
    )
    return finding.message if replaced or finding.rule == "duplicate-key" else ""


def _of_rows(file: str, rows: Iterator[tuple[int, Any]]) -> EvalSet:
    lines, values = [], []
    for line, value in rows:
        lines.append(line)
        values.append(value)
        if len(values) > MAX_SAMPLES:
            break

    def line_of(number: int, *_: object) -> int:
        return lines[number]

    return _checked(file, values, line_of)


def _checked(file: str, values: Sequence[Any], line_of: LineOf, name: str = "") -> EvalSet:
    if len(values) > MAX_SAMPLES:
        raise EvalSetError(f"{file}: it holds more than {MAX_SAMPLES} questions; split the set.")
    samples, ignored = samples_of(values, lambda *keys: _place(file, line_of, *keys))
    return EvalSet(one_line(name, 200) or PurePath(file).stem, samples, file, line_of, ignored)


def _place(file: str, line_of: LineOf, *keys: Any) -> str:
    line = line_of(*keys) or line_of(keys[0])
    return f"{file}:{line}" if line else f"{file}: sample {keys[0] + 1}"


def _jsonl_rows(text: str, file: str) -> Iterator[tuple[int, Any]]:
    for line, row in enumerate(text.split("\n"), start=1):
        if row.strip():
            try:
                yield line, json.loads(row, object_pairs_hook=_once)
            except (ValueError, RecursionError) as error:
                raise EvalSetError(f"{file}:{line}: this is not a JSON value: {error}.") from error


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name in found if [key for key, _ in pairs].count(name) > 1)
        raise ValueError(f"the key {twice[:100]!r} occurs twice")
    return found


def _csv_rows(text: str, file: str) -> Iterator[tuple[int, Any]]:
    delimiter, told = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
    try:
        if told:
            next(reader)
        first = reader.line_num + 1
        header = [name.strip() for name in next(reader, [])]
        if twice := [name for name in filter(None, header) if header.count(name) > 1]:
            raise EvalSetError(f"{file}:{first}: the column {twice[0][:100]!r} occurs twice.")
        if len(header) == 1 and not _names_questions(header):
            raise EvalSetError(
                f"{file}:{first}: no column is called `query`. Columns are divided by commas, "
                "semicolons or tabs, with their names in the first line."
            )
        start = reader.line_num + 1
        for row in reader:
            if any(cell.strip() for cell in row):
                yield start, _csv_values(header, row, f"{file}:{start}")
            start = reader.line_num + 1
    except csv.Error as error:
        raise EvalSetError(f"{file}:{reader.line_num}: this is not CSV: {error}.") from error


def _delimiter(text: str) -> tuple[str, bool]:
    """What divides the columns, and whether a line `sep=;`, as Excel writes it, says so.

    Else the first of the usual ones by which the header names the question.
    """
    if told := re.match(r'"?sep=([^"\w\s]|\t)"?\r?\n', text):
        return told[1], True
    return next((mark for mark in ",;\t|" if _names_questions(_header(text, mark))), ","), False


def _header(text: str, delimiter: str) -> list[str]:
    try:
        reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
        return [name.strip() for name in next(reader, [])]
    except csv.Error:
        return []


def _names_questions(header: Sequence[str]) -> bool:
    return "query" in header or any(RAGAS.get(name) == "query" for name in header)


def _csv_values(header: Sequence[str], row: Sequence[str], place: str) -> dict[str, JSON]:
    if len(row) > len(header):
        raise EvalSetError(f"{place}: the row has {len(row)} cells, the header {len(header)}.")
    ours = RAGAS if is_ragas(header) else {}
    try:
        values = {
            name: cells.read(ours.get(name, name), cell)
            for name, cell in zip(header, row, strict=False)
        }
    except (ValueError, RecursionError) as error:
        raise EvalSetError(f"{place}: {error}.") from error
    return {name: value for name, value in values.items() if value not in ("", [], {})}


def _to_csv(rows: Sequence[Mapping[str, JSON]]) -> str:
    names = [name for name in Sample.__dataclass_fields__ if any(name in row for row in rows)]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names or ["id", "query"])
    writer.writerows([[cells.write(row.get(name, "")) for name in names] for row in rows])
    return out.getvalue()


def _to_yaml(document: Mapping[str, JSON]) -> str:
    import yaml

    class Dumper(yaml.SafeDumper):
        """Quotes what looks like a number: PyYAML knows those of YAML 1.1 only (not `1e3`)."""

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        style = '"' if re.match(r"[\d+.-]", value) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style)

    Dumper.add_representer(str, text)
    return yaml.dump(document, Dumper=Dumper, allow_unicode=True, sort_keys=False, width=100)
