"""Ask a host for all of its articles: pages, conditions, a few attempts, and bounds."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Mapping
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
_NEXT = re.compile(r'<([^<>]*+)>\s*+;[^,<]*?\brel="?next"?', re.IGNORECASE)
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
    size, page, seen = 0, url, set[str]()
    first: Answer | None = None
    while page:
        if page in seen or len(seen) >= PAGES:
            raise _failed(url, "its pages lead in a circle, or are too many")
        seen.add(page)
        own = secret if _host(page) == _host(url) else {}
        answer = _attempted(page, bounds, {} if first else conditions, own, wait)
        if answer.status == 304 and first is None:
            return None
        size += len(answer.body)
        if size > LARGEST * 1_000_000:
            raise _failed(url, f"its pages are larger than {LARGEST} MB together")
        listed += _articles(answer, url)
        first = first or answer
        page = _next(answer)
    return Fetched(orjson.dumps({"articles": listed}), _validators(first, len(seen)))


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
        value = orjson.loads(answer.body)
    except orjson.JSONDecodeError as error:
        said = "an HTML page" if answer.body.lstrip()[:1] == b"<" else "no JSON"
        raise _failed(url, f"the server answers with {said}") from error
    listed = value.get("articles") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        raise _failed(url, 'the answer holds no list of "articles"')
    return listed


def _next(answer: Answer) -> str:
    found = _NEXT.search(answer.headers.get("link", ""))
    return urljoin(answer.url, found[1]) if found else ""


def _validators(first: Answer | None, pages: int) -> dict[str, str]:
    """Of an answer of one page: what is said of a first page holds for no other."""
    if first is None or pages > 1:
        return {}
    return {name: first.headers[name] for name in _CONDITIONS if first.headers.get(name)}


def _host(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _failed(url: str, reason: str) -> SyncError:
    return SyncError(f"{shown(url)}: {reason}. Nothing was changed.")
