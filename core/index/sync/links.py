"""Which links of articles lead nowhere: asked of each host, eight at a time, and only reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from core.errors import SpecError
from core.read.files.fetch import ask, shown
from core.read.limits import Limits

SECONDS = 5  # for one link
AT_ONCE = 8
NO_HEAD = (405, 501)  # of servers that answer GET alone, so that nothing is known


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A link that did not lead to a page."""

    article: str
    url: str
    reason: str  # a sentence


def broken_links(urls: Mapping[str, str], limits: Limits) -> Iterator[BrokenLink]:
    """Those of these links, by article, in their order; each address is asked once."""
    brief = replace(limits, fetch_seconds=SECONDS)
    addresses = list(dict.fromkeys(urls.values()))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        troubles = pool.map(lambda url: _trouble(url, brief), addresses)
        said = dict(zip(addresses, troubles, strict=True))
    for article, url in urls.items():
        if said[url]:
            yield BrokenLink(article, shown(url), said[url])


def _trouble(url: str, limits: Limits) -> str:
    """What is wrong with a link; "" where it leads to a page."""
    try:
        status = ask(url, limits=limits, method="HEAD").status
    except SpecError as error:
        return error.reason.replace(" (SPECLOUPE_FETCH_SECONDS)", "")  # which is another time
    return f"the server answers {status}." if status >= 400 and status not in NO_HEAD else ""
