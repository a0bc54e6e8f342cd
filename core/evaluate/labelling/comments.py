"""Write labels back into the YAML file that they came from, without touching anything else of it.

Reading a file and writing it again would drop its comments, its order and how its texts are folded.
So only the values that changed are replaced, in the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from core.errors import EvalSetError
from core.evaluate.sets import sets
from core.evaluate.sets.sample import Sample

LABELS = ("relevant", "alternatives", "grades", "apis", "tags")  # what labelling changes
COMMENT = re.compile(r"(?:^|(?<=\s))#.*$", re.MULTILINE)
Edit = tuple[int, int, str]  # from, to, the text in its place


def written_back(data: bytes, file: str, samples: Sequence[Sample]) -> str | None:
    """The file with these samples in place of its own by their ids, and new ones at the end.

    Those of the file that are not among them stay as they are. None where that cannot be done
    without changing something else, as in a file with anchors: what comes out is read again.
    """
    before = sets.parse(data, file).samples
    new = {sample.id: sample for sample in samples}
    expected = [new.pop(sample.id, sample) for sample in before]
    text = data.decode("utf-8-sig")
    edits = list(_edits(text, before, [*expected, *new.values()]))
    changed = _applied(text, edits)
    return changed if _reads_as(changed, file, [*expected, *new.values()]) else None


def _reads_as(text: str, file: str, samples: Sequence[Sample]) -> bool:
    try:
        return sets.parse(text.encode(), file).samples == tuple(samples)
    except EvalSetError:
        return False


def _applied(text: str, edits: Sequence[Edit]) -> str:
    for start, end, instead in sorted(edits, reverse=True):
        text = text[:start] + instead + text[end:]
    return text


def _edits(text: str, before: Sequence[Sample], after: Sequence[Sample]) -> Iterator[Edit]:
    import yaml

    root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    items = _items(root)
    for node, old, new in zip(items, before, after, strict=False):
        for key in LABELS:
            was, now = old.to_dict().get(key), new.to_dict().get(key)
            if was != now:
                yield _change(text, node, key, now)
    if items and len(after) > len(before):
        yield _appended(text, items, after[len(before) :])


def _items(root: Any) -> list[Any]:
    """The nodes of the samples."""
    value = root.value if root else []
    if root and root.id == "mapping":
        value = next((v.value for k, v in value if k.value == "samples"), [])
    return list(value)


def _change(text: str, node: Any, key: str, value: object) -> Edit:
    pairs = list(node.value)
    at = next((n for n, (name, _) in enumerate(pairs) if name.value == key), None)
    if at is None:
        return _inserted(node, pairs, key, value)
    name, old = pairs[at]
    if _is_list_of_lines(old) and isinstance(value, list):
        return _lines(text, old, value)
    start, end = name.end_mark.index, _end(text, old)
    note = "" if _is_flow(old) else _comments(text[start:end], " " * name.start_mark.column)
    return start, end, f": {_json(value or _empty(key))}{note}"


def _inserted(node: Any, pairs: Sequence[Any], key: str, value: object) -> Edit:
    """Before the key after the question, or before it where it is the last."""
    asked = next(n for n, (name, _) in enumerate(pairs) if name.value in ("query", "user_input"))
    before = pairs[min(asked + 1, len(pairs) - 1)][0].start_mark
    between = ", " if node.flow_style else "\n" + " " * before.column
    return before.index, before.index, f"{key}: {_json(value)}{between}"


def _is_list_of_lines(node: Any) -> bool:
    plain = node.id == "sequence" and not node.flow_style and node.value
    return bool(plain) and all(item.id == "scalar" for item in node.value)


def _lines(text: str, node: Any, values: Sequence[Any]) -> Edit:
    """The list with each item that stays on its line, whatever else that line says."""
    indent = " " * node.start_mark.column
    starts = [text.rindex("\n", 0, item.start_mark.index) + 1 for item in node.value]
    end = _line_end(text, _end(text, node.value[-1]))
    rows = [text[a:b] for a, b in zip(starts, [*starts[1:], end], strict=True)]
    old = {item.value: row.rstrip("\n") for item, row in zip(node.value, rows, strict=True)}
    kept = [old.get(value, f"{indent}- {_json(value)}") for value in values]
    return starts[0], end, "\n".join(kept) if kept else f"{indent}[]"


def _appended(text: str, items: Sequence[Any], samples: Sequence[Sample]) -> Edit:
    end = _line_end(text, _end(text, items[-1]))
    indent = " " * max(0, items[0].start_mark.column - 2)
    rows = (_block(sample, indent) for sample in samples)
    return end, end, "".join(f"\n{row}" for row in rows)


def _block(sample: Sample, indent: str) -> str:
    pairs = [f"{key}: {_json(value)}" for key, value in sample.to_dict().items()]
    return f"{indent}- " + f"\n{indent}  ".join(pairs)


def _end(text: str, node: Any) -> int:
    """Where the value ends; PyYAML counts the space and comments after a block as part of it."""
    if _is_flow(node) or not node.value:
        return len(text[: node.end_mark.index].rstrip())
    last = node.value[-1][1] if node.id == "mapping" else node.value[-1]
    return _end(text, last)


def _is_flow(node: Any) -> bool:
    return node.id == "scalar" or bool(node.flow_style)


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def _comments(text: str, indent: str) -> str:
    return "".join(f"\n{indent}{found}" for found in COMMENT.findall(text))


def _empty(key: str) -> object:
    return {} if key == "grades" else []


def _json(value: object) -> str:
    """YAML reads JSON; but for the characters that it takes for the end of a line."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)
