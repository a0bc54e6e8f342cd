"""How files, elements and places inside documents are named."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import unquote, urljoin

from core.read.places import keys_of, pointer

Keys = tuple[str, ...]  # a path of keys from a document's root; an index of a list is text too


def encode(name: str, also: str = "") -> str:
    """Percent-encode what would be ambiguous in an id: `:`, `%`, and what cannot be seen."""
    if name.isprintable() and not any(c in name for c in "%:" + also):
        return name
    return "".join(c if c.isprintable() and c not in "%:" + also else _escape(c) for c in name)


def _escape(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def decode(name: str) -> str:
    return unquote(name, errors="surrogatepass")


def element_id(file: str, element: str) -> str:
    """`<file>:<element>`; the element's names are encoded by its maker."""
    return f"{encode(file)}:{element}"


def file_of(chunk_id: str) -> str:
    """The file that a chunk or element id belongs to."""
    return decode(chunk_id.partition(":")[0])


def distinct(element: str, taken: Collection[str]) -> str:
    """The same name, with characters of its last segment encoded until nothing else has it."""
    head, slash, last = element.rpartition("/")
    for done in range(1, len(last) + 1):
        if element not in taken:
            break
        element = head + slash + "".join(map(_escape, last[:done])) + last[done:]
    return element


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
    """A relative URI as seen from a base; as it is where one of them is no URI at all."""
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
