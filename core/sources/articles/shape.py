"""The shape in which a host gives its knowledge articles, read item by item.

    {"articles": [{"id", "title", "url", "content", "metadata": {"intent": [], "device": [],
                                                                 "last_updated"}}]}

An item that cannot be read is refused in a sentence, and the others go on. Each of them is kept as
a base of one article, so that what is stored can be read as what came in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlsplit

import orjson

from core.errors import SpecError, UnreadableSpec, UnsafeSpec
from core.model import JSON
from core.read.document import Document, Finding
from core.read.files.filenames import joined
from core.read.limits import MB
from core.sources.articles.text import plain

ARTICLES = "articles"
LARGEST = MB  # bytes of one article

_HEAD = 4096  # bytes in which a base says what it is
_SAID = re.compile(rb'\A(?:\xef\xbb\xbf)?\s*\{.*?"articles"\s*:\s*\[', re.DOTALL)
_API = re.compile(rb'"(?:openapi|swagger)"\s*:')


@dataclass(frozen=True, slots=True)
class Article:
    """One article, as it is read."""

    id: str
    title: str
    url: str  # as it was given, which need not be a link
    text: str  # plain, with its headings as Markdown
    intents: tuple[str, ...]
    devices: tuple[str, ...]
    updated: str  # ISO 8601, as it was given

    @classmethod
    def of(cls, value: Mapping[str, JSON]) -> Article:
        about = value.get("metadata")
        about = about if isinstance(about, Mapping) else {}
        return cls(
            id=_text(value.get("id")),
            title=" ".join(_text(value.get("title")).split()) or _text(value.get("id")),
            url=_text(value.get("url")),
            text=plain(_text(value.get("content"))),
            intents=_texts(about.get("intent")),
            devices=tuple(
                dict.fromkeys((*_texts(about.get("device")), *_texts(about.get("product"))))
            ),
            updated=_text(about.get("last_updated")),
        )

    @property
    def is_linked(self) -> bool:
        """Whether its URL may be a link."""
        return is_link(self.url)

    @property
    def tags(self) -> tuple[str, ...]:
        intents = (f"intent:{name}" for name in self.intents)
        return (*intents, *(f"device:{name}" for name in self.devices))

    @property
    def facts(self) -> dict[str, str]:
        said = {"url": self.url, "last_updated": self.updated}
        return {name: value for name, value in said.items() if value}

    def findings(self) -> Iterator[Finding]:
        if self.url and not self.is_linked:
            yield Finding(
                "bad-url", f"{self.url[:100]!r} is not an http(s) address: it is no link."
            )
        if self.updated and not _is_date(self.updated):
            yield Finding(
                "bad-date", f"{self.updated[:100]!r} is not a date in the form of ISO 8601."
            )


def is_base(data: bytes) -> bool:
    """Whether these bytes are a list of articles, and no API description."""
    head = data[:_HEAD]
    if not _SAID.match(head) or _API.search(head):
        return False
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        return True  # it is refused as what it wants to be
    return isinstance(value.get(ARTICLES), list) and not {"openapi", "swagger"} & value.keys()


def items(data: bytes, file: str) -> Sequence[JSON]:
    """What a base lists; raises UnreadableSpec."""
    try:
        value = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise UnreadableSpec(file, f"it is not valid JSON: {error}.") from error
    listed = value.get(ARTICLES) if isinstance(value, dict) else None
    if not isinstance(listed, list):
        raise UnreadableSpec(file, 'it holds no list of "articles".')
    return listed


def members(listed: Sequence[JSON], file: str) -> Iterator[tuple[str, bytes] | SpecError]:
    """The name and the bytes of each article of a base, or the error that refuses it."""
    seen: set[str] = set()
    for number, item in enumerate(listed, start=1):
        try:
            yield _member(item, file, number, seen)
        except SpecError as error:
            yield error


def _member(item: JSON, file: str, number: int, seen: set[str]) -> tuple[str, bytes]:
    id = _text(item.get("id")) if isinstance(item, dict) else ""
    if not id:
        raise UnreadableSpec(f"{file}/{number}", f"article {number} has no id.")
    name = joined(file, id.replace("/", "%2F"))
    if name == file:
        raise UnreadableSpec(f"{file}/{number}", f"article {number} has an id that is no name.")
    if name in seen:
        raise UnreadableSpec(name, f"article {number} has an id that another one has already.")
    seen.add(name)
    data = _written(item, name)
    if len(data) > LARGEST:
        raise UnsafeSpec(name, "the article is larger than 1 MB.")
    if not plain(_text(item.get("content"))):
        raise UnreadableSpec(name, "the article has no content.")
    return name, data


def _written(item: JSON, name: str) -> bytes:
    try:
        return orjson.dumps({ARTICLES: [item]}, option=orjson.OPT_SORT_KEYS)
    except TypeError as error:  # what is written may be nested less deep than what is read
        raise UnsafeSpec(name, "the article is nested too deep.") from error


def parse(data: bytes, file: str) -> Document:
    """The document of one article; raises UnreadableSpec."""
    listed = items(data, file)
    if len(listed) != 1 or not isinstance(listed[0], dict):
        raise UnreadableSpec(file, "it is not one article.")
    article = Article.of(listed[0])
    if not article.text:
        raise UnreadableSpec(file, "the article has no content.")
    return Document(
        file=file,
        value=listed[0],
        content_hash=sha256(data).hexdigest(),
        size=len(data),
        loader="orjson",
        line_of=_no_line,
        findings=tuple(article.findings()),
    )


def is_link(url: str) -> bool:
    """Whether it is an absolute http(s) address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and url.isprintable()


def _no_line(pointer: str) -> int:
    return 0


def _text(value: JSON) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def _texts(value: JSON) -> tuple[str, ...]:
    """The texts of a list, or the one that stands in its place."""
    listed = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(text for each in listed if (text := _text(each))))


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
