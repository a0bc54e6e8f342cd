"""The servers of the APIs of a read index, as far as a URL in a question tells them apart."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from core.ids import INFO, Id
from core.model import Level
from core.retrieve.lookups.paths import Segments, segments
from core.retrieve.reader import ArrayReader

_SERVER = re.compile(r"^server: (?:[A-Za-z][A-Za-z0-9+.-]{0,20}:)?//([^\s/]+)(/\S*)?", re.MULTILINE)
_PORT = re.compile(r":\d+$")
_PLACE = re.compile(r"\{[^{}]*\}")


class Servers:
    """Host → the files that are served there, each with the segments of its base path."""

    def __init__(self, reader: ArrayReader) -> None:
        self._reader = reader
        self._hosts: dict[str, list[tuple[int, Segments]]] = defaultdict(list)
        for at, file in enumerate(reader.files):
            for host, base in self._written(file.file):
                self._hosts[host].append((at, base))

    def _written(self, file: str) -> Iterator[tuple[str, Segments]]:
        row = self._reader.row(str(Id(file, INFO)))
        text = "" if row is None else self._reader.rendering(self._reader.chunk(row), Level.COMPACT)
        for host, base in _SERVER.findall(text):
            yield _PLACE.sub("*", _PORT.sub("", host.lower())), segments(base)

    def at(self, host: str) -> list[tuple[int, Segments]]:
        """The files at a host, a variable in a server's name standing for any word."""
        found = list(self._hosts.get(host, ()))
        for known, files in self._hosts.items():
            if "*" in known and _fits(known, host):
                found += files
        return found


def _fits(known: str, host: str) -> bool:
    """Whether a host is one of `*.example.com`; a name of variables alone tells nothing."""
    texts = known.split("*")
    if len(known.replace("*", "").strip(".")) < 4:
        return False
    at = 0
    for text in texts:
        at = host.find(text, at)
        if at < 0:
            return False
        at += len(text)
    return host.startswith(texts[0]) and host.endswith(texts[-1])
