"""How files and places inside documents are named."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping
from urllib.parse import urljoin

from core.ids import decode, encode
from core.read.places import keys_of, pointer

Keys = tuple[str, ...]  # a path of keys from a document's root; an index of a list is text too


def file_ids(files: Iterable[str]) -> Mapping[str, str]:
    """Each file's id: its path without extension, kept where two files would share one."""
    ids = {file: posixpath.splitext(file)[0] for file in sorted(files)}
    while shared := [f for f, i in _shared(ids) if i != f]:
        ids.update((file, file) for file in shared)
    return ids


def _shared(ids: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    count = Counter(ids.values())
    return [(file, file_id) for file, file_id in ids.items() if count[file_id] > 1]


def join(base: str, uri: str) -> str:
    """A relative URI as seen from a base; unchanged if one of them is not a URI."""
    try:
        return urljoin(base, uri)
    except ValueError:
        return uri


def origin(file: str, keys: Keys) -> str:
    """`<file>#<pointer>`, where `#` in the file's name is percent-encoded."""
    return f"{encode(file, '#')}#{pointer(keys)}"


def parse_origin(text: str) -> tuple[str, Keys]:
    """The file and the path of keys that `origin` was made from."""
    file, _, rest = text.partition("#")
    return decode(file), tuple(keys_of(rest))
