"""What an id says: `<file>:<element>[:<part>]`, taken apart and written in this module alone.

The element of an OpenAPI file is `paths/users/{id}/get`, `webhooks/newPet/post`,
`components/schemas/User` or `info`; other sources have elements of their own (`section/<slug>`,
`article`, `function/<qualname>`), which parse as well.

There is one rule of percent-encoding. In an id, `:`, `%` and what cannot be seen are encoded, so
that its colons mean something and an id can be shown as it is. `Id`'s fields and labels are as the
id is written; what is compared with a specification (`document`, `path`, `method`, `name`) is
decoded.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import unquote

INFO = "info"  # the element that every API has
CALLS = ("paths", "webhooks")  # kinds of elements that are operations
COMPONENTS = "components"
ARTICLE = "article"  # the element of an article, which is a file by itself
CODE = ("class", "function", "method")  # kinds of elements of a source file, by their names
MODULE = "module"  # of source code: what stands outside all functions and classes
DOCUMENT, SECTION = "document", "section"  # a document as a whole, and what is under a heading
_NAMED = (COMPONENTS, "tags", *CODE)  # kinds that a short name leaves out

# How an id looks in a text: a colon and the beginning of an element.
MARK = re.compile(r":(?:paths/|webhooks/|components/|section/|(?:info|article|document)\b)")


@dataclass(frozen=True, slots=True)
class Id:
    """The id of a chunk or an element; `Id.parse(str(id)) == id`."""

    file: str  # with extension; it holds no colon
    element: str = ""  # it holds no colon either
    part: str = ""  # "", "errors", "examples", "part-2"

    @classmethod
    def parse(cls, text: str) -> Id:
        """Any text: one without a colon is a file alone."""
        return cls(*pieces(text))

    def __str__(self) -> str:
        if self.part:
            return f"{self.file}:{self.element}:{self.part}"
        return f"{self.file}:{self.element}" if self.element else self.file

    @property
    def document(self) -> str:
        """The file's own name, decoded."""
        return decode(self.file)

    @property
    def local(self) -> str:
        """What it is called in its own file: element and part."""
        return f"{self.element}:{self.part}" if self.part else self.element

    @property
    def kind(self) -> str:
        """`paths`, `webhooks`, `components`, `info`, or what another source has."""
        return self.element.partition("/")[0]

    @property
    def rest(self) -> str:
        """What comes behind the kind, as written."""
        return self.element.partition("/")[2]

    @property
    def component_kind(self) -> str:
        """`schemas`, `parameters`, …; "" for all that is no component."""
        return self.rest.partition("/")[0] if self.kind == COMPONENTS else ""

    @property
    def is_call(self) -> bool:
        return self.kind in CALLS

    @property
    def method(self) -> str:
        """Of an operation, decoded; lower case unless it is one of the API's own."""
        return decode(self.rest.rpartition("/")[2]) if self.is_call else ""

    @property
    def inner(self) -> str:
        """What it is called within its kind, as written: `User`, `users/{id}`."""
        if self.is_call:
            return self.rest.rpartition("/")[0]
        return self.rest.partition("/")[2] if self.kind == COMPONENTS else self.rest

    @property
    def name(self) -> str:
        """The same decoded."""
        return decode(self.inner)

    @property
    def path(self) -> str:
        """Of an operation, decoded, with the leading slash; the name of a webhook."""
        return ("/" if self.kind == "paths" else "") + self.name if self.is_call else ""

    @property
    def label(self) -> str:
        """What a person calls it: `POST /users`, `schemas/User`, `info`, `POST /users (errors)`."""
        name = self._told or self.element.removeprefix(f"{COMPONENTS}/")
        return labelled(name, self.part) or str(self)

    @property
    def short(self) -> str:
        """The same where its kind is told otherwise: `User` for `schemas/User`."""
        name = self._told or (self.inner if self.kind in _NAMED else self.element)
        return labelled(name, self.part) or str(self)

    @property
    def _told(self) -> str:
        if self.element in (ARTICLE, DOCUMENT, MODULE):
            return self.document.rpartition("/")[2]
        if self.kind == SECTION:
            return f"{self.document.rpartition('/')[2]} § {self.rest}"
        slash = "/" if self.kind == "paths" else ""
        method = self.rest.rpartition("/")[2]
        return called(method, slash + self.inner.removeprefix("/")) if self.is_call else ""


def pieces(text: str) -> tuple[str, str, str]:
    """File, element and part of an id: what `Id.parse` reads, for loops over all rows."""
    file, _, rest = text.partition(":")
    element, _, part = rest.partition(":")
    return file, element, part


def file_of(id: str) -> str:
    """The file that an id begins with, as it is written there."""
    return id.partition(":")[0]


def element_of(id: str) -> str:
    """The id of the element that a chunk belongs to: its own without the part."""
    file, colon, rest = id.partition(":")
    return file + colon + rest.partition(":")[0]


def is_part_of(id: str, whole: str) -> bool:
    """Whether it is the id of a part of this element, or of an element of this file."""
    return id.startswith(f"{whole}:")


def element_id(document: str, element: str) -> str:
    """The id of an element in a document; the element's names are encoded by its maker."""
    return f"{encode(document)}:{element}"


def called(method: str, path: str) -> str:
    """What a person calls an operation: `POST /users`."""
    return f"{method.upper()} {path}"


def labelled(name: str, part: str) -> str:
    """With the part behind it: `POST /users (errors)`."""
    return f"{name} ({part})" if part else name


def encode(name: str, also: str = "") -> str:
    """Percent-encode what would be ambiguous in an id: `:`, `%`, and what cannot be seen."""
    if name.isprintable() and not any(c in name for c in "%:" + also):
        return name
    return "".join(c if c.isprintable() and c not in "%:" + also else _escape(c) for c in name)


def _escape(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


def decode(name: str) -> str:
    return unquote(name, errors="surrogatepass")


def distinct(element: str, taken: Collection[str]) -> str:
    """The same name, with characters of its last segment encoded until nothing else has it."""
    head, slash, last = element.rpartition("/")
    for done in range(1, len(last) + 1):
        if element not in taken:
            break
        element = head + slash + "".join(map(_escape, last[:done])) + last[done:]
    return element
