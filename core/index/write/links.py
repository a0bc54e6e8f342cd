"""Which other files a document refers to, and which files therefore are cut together."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from core.errors import SpecError
from core.specs.document import Document
from core.specs.refs.groups import identifies, mentioned
from core.specs.written import written

SELF_NAMED = "$id"  # stands for all files that give themselves a name others may use

# Most documents refer to no other file, and their bytes show it. What only may be a reference
# counts as one here: then the document is parsed, and a closer look decides. Each pattern begins
# with plain characters, which makes the search fast; what it has taken it does not give back, or
# blanks without end would take time without end. Behind `#` outside quotes stands a comment.
_VALUE_OF_ITS_OWN = rb"""["']?+\s*+:\s*+(?:[>|#][^\n]*+\s*+)*+["']?+\s*+[^\s"'#]"""
_MAY_REFER = tuple(
    re.compile(pattern)
    for pattern in (
        rb"\$ref" + _VALUE_OF_ITS_OWN,
        rb"\$dynamicRef" + _VALUE_OF_ITS_OWN,
        rb"\$recursiveRef" + _VALUE_OF_ITS_OWN,
        rb"operationRef" + _VALUE_OF_ITS_OWN,
        rb"""mapping["']?\s*:\s*(?:\{[^{}]*:\s*["']?[^\s"'#{]|[^\s{])""",
        rb"""\$id["']?\s*:""",
        rb"""\$self["']?\s*:""",
        rb"\\u00(?:24|[67])",  # a key that is written with escapes
    )
)
_WIDE = re.compile(rb"\xff\xfe|\xfe\xff|.?\x00")  # UTF-16 and UTF-32


def links(data: bytes, parsed: Callable[[], Document]) -> tuple[str, ...]:
    """The files that a document refers to, existing or not, by name; also SELF_NAMED.

    `data` are its bytes; it is parsed only when they hold what may be such a reference.
    """
    if not (_WIDE.match(data) or any(pattern.search(data) for pattern in _MAY_REFER)):
        return ()
    try:
        document = parsed()
    except SpecError:
        return ()  # it is refused with this error when it is cut
    return tuple(sorted(set(_mentioned(document)) - {"", document.file}))


def _mentioned(document: Document) -> Iterator[str]:
    text = written(document.value)
    yield from mentioned(text, document.file)
    if identifies(text):
        yield SELF_NAMED


def together(linked: Mapping[str, Collection[str]]) -> Sequence[tuple[str, ...]]:
    """The files in groups that no link between existing ones leaves; in order, each once."""
    leader = {name: name for name in (*linked, SELF_NAMED)}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = name = leader[leader[name]]
        return name

    for file, names in linked.items():
        for name in names:
            if name in leader:
                leader[find(name)] = find(file)
    groups: dict[str, list[str]] = {}
    for file in sorted(linked):
        groups.setdefault(find(file), []).append(file)
    return [tuple(group) for group in groups.values()]
