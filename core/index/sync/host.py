"""Ask a host for all of its articles: pages, conditions, a few attempts, and bounds."""

from __future__ import annotations

import codecs
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import urljoin, urlsplit, urlunsplit

import orjson

from core.errors import SpecError, SyncError, UnreadableSpec
from core.model import JSON
from core.read.files.fetch import Answer, ask, shown
from core.read.limits import Limits

PATH = "/api/kb/articles"
SECONDS = 10  # for one answer
LARGEST = 50  # MB of all pages
PAGES = 1000

_WAITS = (1.0, 2.0, 4.0)  # seconds before each further attempt
_ATTEMPTS = 3
# RFC 8288, and single quotes: a next page that is missed is taken for articles that are gone.
_VALUE = r"""(?:"[^"]*+"|'[^']*+'|[^\s;,"']*+)"""
_PARAMETER = rf"\s*+;\s*+[^\s;,=<>\"']++(?:\s*+=\s*+{_VALUE})?+"
_LINK = re.compile(rf"<([^<>]*+)>((?:{_PARAMETER})*+)")
_SAID = re.compile(rf";\s*+([^\s;,=<>\"']++)(?:\s*+=\s*+({_VALUE}))?+")
_PORTS = {"http": 80, "https": 443}
_CONDITIONS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}

Wait = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A complete answer."""

    data: bytes  # one base of all pages
    validators: Mapping[str, str] = field(default_factory=dict)  # what a condition needs next time


def address(url: str) -> str:
    """A URL without a path gets the usual one; a fragment means nothing to a host."""
    parts = urlsplit(url)
    path = parts.path if parts.path.strip("/") else PATH
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def fetch_all(
    url: str,
    *,
    limits: Limits,
    token: str = "",
    validators: Mapping[str, str] | None = None,
    wait: Wait = time.sleep,
) -> Fetched | None:
    """All articles of a host; None when it says that nothing has changed.

    `token` is sent to this host alone. Raises SyncError for whatever is no complete answer.
    """
    secret = {"Authorization": f"Bearer {token}"} if token else {}
    conditions = {_CONDITIONS[name]: value for name, value in (validators or {}).items()}
    bounds = replace(limits, fetch_seconds=SECONDS, max_file_mb=min(LARGEST, limits.max_file_mb))
    listed: list[JSON] = []
    size, page, answers, seen = 0, url, list[Answer](), set[str]()
    while page:
        if page in seen or len(seen) >= PAGES:
            raise _failed(url, "its pages lead in a circle, or are too many")
        seen.add(page)
        own = secret if _host(page) == _host(url) else {}
        answer = _attempted(page, bounds, {} if answers else conditions, own, wait)
        if answer.status == 304:
            if conditions and not answers:
                return None
            raise _failed(url, "the server answers 304 where nothing was to be compared")
        size += len(answer.body)
        if size > LARGEST * 1_000_000:
            raise _failed(url, f"its pages are larger than {LARGEST} MB together")
        listed += _articles(answer, url)
        answers.append(answer)
        page = _next(answer)
    # One page stays as it came, whatever is in it.
    data = answers[0].body if len(answers) == 1 else _together(listed, url)
    return Fetched(data, _validators(answers))


def _attempted(
    url: str,
    limits: Limits,
    headers: Mapping[str, str],
    secret: Mapping[str, str],
    wait: Wait,
) -> Answer:
    """An answer of 200 or 304, after at most so many attempts."""
    for left in range(_ATTEMPTS - 1, -1, -1):
        try:
            answer = ask(url, limits=limits, headers=headers, secret=secret)
        except UnreadableSpec as error:  # no connection, or a lost one
            if not left:
                raise SyncError(f"{error} Nothing was changed.") from error
        except SpecError as error:  # beyond a bound, or a private address: it would be so again
            raise SyncError(f"{error} Nothing was changed.") from error
        else:
            if answer.status in (200, 304):
                return answer
            if not left or not (answer.status == 429 or answer.status >= 500):
                raise _failed(url, f"the server answers {answer.status}")
        wait(_WAITS[_ATTEMPTS - 1 - left] * random.uniform(0.8, 1.2))
    raise AssertionError("every attempt returns or raises")


def _articles(answer: Answer, url: str) -> list[JSON]:
    try:
        value = orjson.loads(answer.body.removeprefix(codecs.BOM_UTF8))
    except orjson.JSONDecodeError as error:
        said = "an HTML page" if answer.body.lstrip()[:1] == b"<" else "no JSON"
        raise _failed(url, f"the server answers with {said}") from error
    listed = value.get("articles") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        raise _failed(url, 'the answer holds no list of "articles"')
    return listed


def _together(listed: list[JSON], url: str) -> bytes:
    try:
        return orjson.dumps({"articles": listed})
    except TypeError as error:  # what is written may be nested less deep than what is read
        raise _failed(url, "an article is nested too deep") from error


def _next(answer: Answer) -> str:
    for target, said in _LINK.findall(answer.headers.get("link", "")):
        values = {name.lower(): value for name, value in _SAID.findall(said)}
        if "next" in values.get("rel", "").strip("\"'").lower().split():
            return _joined(answer.url, target)
    return ""


def _joined(url: str, target: str) -> str:
    try:
        page = urljoin(url, target)
        _host(page)
    except ValueError as error:
        raise _failed(url, "its next page has no address") from error
    return page


def _validators(answers: Sequence[Answer]) -> dict[str, str]:
    """Of an answer of one page: what is said of a first page holds for no other."""
    if len(answers) != 1:
        return {}
    headers = answers[0].headers
    return {name: headers[name] for name in _CONDITIONS if headers.get(name)}


def _host(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)


def _failed(url: str, reason: str) -> SyncError:
    return SyncError(f"{shown(url)}: {reason}. Nothing was changed.")
