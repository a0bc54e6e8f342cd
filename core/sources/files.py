"""Which file a reference means: one of its root, of another root of the store, or one by its URI.

References never lead out of a store: a path that climbs out of its root, a URL or a URI is only
compared with where the stored files came from, and with what they call themselves.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

SELF_NAMED = "$id"  # among a file's links: it gives itself, or a part of it, a name
DECLARED = "$id:"  # before each such name
TOGETHER = "$together:"  # before a name: the files of a root that say it are read together
BY_NAME = "file:///"  # before the name of a file as the store knows it, whatever its root

_Location = tuple[str, str]  # "url" or "file", and the path


@dataclass(frozen=True, slots=True)
class Home:
    """Where a file came from."""

    root: str = ""  # a folder, an archive or a URL, as text
    prefix: str = ""  # that was put before its name


def name_of_target(uri: str, file: str, prefix: str = "") -> str:
    """What a reference's URI, without its fragment, calls a file; "" where it can be none.

    A name within the root as files are named there; one that begins with `..` is relative to the
    root; a web address is without its scheme; another URI is itself.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    if parts.scheme in ("http", "https"):
        return unquote(parts.netloc + parts.path)  # how files that came from a URL are named
    if parts.scheme:
        return "" if parts.scheme == "file" else uri
    if parts.netloc or parts.path.startswith("/"):
        return ""
    inside = _inside(file, prefix)
    path = posixpath.normpath(posixpath.join(posixpath.dirname(inside), unquote(parts.path)))
    return path if path.split("/")[0] == ".." else posixpath.join(prefix, path)


def _inside(file: str, prefix: str) -> str:
    return file.removeprefix(prefix.rstrip("/") + "/") if prefix else file


class Files:
    """The files that may refer to each other, by their names, where they came from, and URIs."""

    def __init__(self, homes: Mapping[str, Home], links: Mapping[str, Collection[str]]) -> None:
        self._homes, self._links = homes, links
        self._at: dict[_Location, list[str]] = {}
        self._declaring: dict[str, list[str]] = {}
        self._first: dict[tuple[str, str], str] = {}  # of those that are read together, by root
        for file, home in sorted(homes.items()):
            if location := _location(home, file):
                self._at.setdefault(location, []).append(file)
        for file, names in sorted(links.items()):
            for name in names:
                if name.startswith(DECLARED):
                    self._declaring.setdefault(name.removeprefix(DECLARED), []).append(file)
                elif name.startswith(TOGETHER):
                    self._first.setdefault((self._home(file).root, name), file)

    def name(self, uri: str, file: str) -> str:
        """What a URI calls a file in another, as `name_of_target`."""
        return name_of_target(uri, file, self._home(file).prefix)

    def target(self, uri: str, file: str) -> str:
        """The file that a URI means in another; "" for none that is known."""
        return self._best(self._named(self.name(uri, file), file), file)

    def declaring(self, uri: str, file: str) -> str:
        """The file that gives itself, or a part of it, this URI; rather one of the same root."""
        return self._best(self._declaring.get(self.name(uri, file), ()), file)

    def prefix(self, file: str) -> str:
        """What was put before a file's name."""
        return self._home(file).prefix

    def called(self, names: Iterable[str], file: str) -> str:
        """The file that the first of these names, given by `links`, has; "" for none."""
        each = ([*self._declaring.get(name, ()), *self._named(name, file)] for name in names)
        return next((self._best(found, file) for found in each if found), "")

    def linked(self, file: str) -> Iterator[str]:
        """Every file that one may mean by its links."""
        for name in self._links.get(file, ()):
            if name.startswith(TOGETHER):
                yield self._first[self._home(file).root, name]
                continue
            yield from self._named(name, file)
            yield from self._declaring.get(name, ())

    def names_itself(self, file: str) -> bool:
        return SELF_NAMED in self._links.get(file, ())

    def beside(self, file: str) -> Sequence[str]:
        """The files of the same root, for a reference that has none."""
        home = self._home(file)
        return [other for other, at in sorted(self._homes.items()) if at.root == home.root]

    def _home(self, file: str) -> Home:
        return self._homes.get(file, _NO_HOME)

    def _named(self, name: str, file: str) -> Sequence[str]:
        if not name:
            return ()
        if name.startswith(BY_NAME):
            stored = name.removeprefix(BY_NAME)
            return (stored,) if stored in self._homes else ()
        home = self._home(file)
        if name in self._homes and self._homes[name] == home:
            return (name,)
        elsewhere = [("url", name), _location(home, name)]
        return [other for at in elsewhere if at for other in self._at.get(at, ())]

    def _best(self, files: Sequence[str], file: str) -> str:
        root = self._home(file).root
        return min(files, key=lambda one: (self._home(one).root != root, one), default="")


class AnyFile(Files):
    """For documents that are asked for by name: whatever a relative path calls a file is one."""

    def __init__(self) -> None:
        super().__init__({}, {})

    def target(self, uri: str, file: str) -> str:
        name = self.name(uri, file)
        return "" if name.startswith("..") else name

    def names_itself(self, file: str) -> bool:
        return True


_NO_HOME = Home()


def _location(home: Home, file: str) -> _Location | None:
    """Where a file came from; None for uploads, which came from nowhere."""
    inside = _inside(file, home.prefix)
    if "://" in home.root:
        return None if inside.startswith("..") else ("url", inside)
    root = home.root.replace("\\", "/")
    if not root.startswith("/") and root[1:3] != ":/":
        return None
    return "file", posixpath.normpath(f"{root}/{inside}")


def together(files: Files, names: Collection[str]) -> Sequence[tuple[str, ...]]:
    """The files of these names in groups that no link between them leaves; in order, each once.

    Too large a group does no harm.
    """
    return grouped(names, {file: files.linked(file) for file in names})


def grouped(
    names: Collection[str], links: Mapping[str, Iterable[str]]
) -> Sequence[tuple[str, ...]]:
    """The same by the links themselves."""
    leader = {file: file for file in sorted(names)}

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = name = leader[leader[name]]
        return name

    for file in leader:
        for other in links[file]:
            if other in leader:
                leader[find(other)] = find(file)
    groups: dict[str, list[str]] = {}
    for file in leader:
        groups.setdefault(find(file), []).append(file)
    return [tuple(group) for group in groups.values()]
