"""Links of articles are tried, and only told of."""

from __future__ import annotations

from pathlib import Path

from support.articles import article, base
from support.host import Reply, hosting
from support.stores import opened

from core.index.sync.links import BrokenLink, broken_links
from core.read.limits import Limits

PRIVATE = Limits(allow_private_network=True)


def test_what_leads_nowhere_is_told_and_each_address_asked_once() -> None:
    status = {"/here": 200, "/gone": 404, "/get-alone": 405}
    with hosting(lambda path, headers: Reply(b"page", status[path])) as host:
        urls = {"a": "/here", "b": "/gone", "c": "/gone", "d": "/get-alone"}
        found = list(broken_links({name: host.url + path for name, path in urls.items()}, PRIVATE))
    said = "the server answers 404."
    assert found == [BrokenLink(name, f"{host.url}/gone", said) for name in ("b", "c")]
    assert sorted(path for path, _ in host.asked) == ["/get-alone", "/gone", "/here"]


def test_a_host_that_is_gone_or_private() -> None:
    with hosting(lambda path, headers: Reply()) as host:
        pass
    [gone] = broken_links({"a": host.url}, PRIVATE)
    [private] = broken_links({"a": host.url}, Limits())
    assert gone.reason.startswith("it cannot be fetched")
    assert "private" in private.reason


def test_of_a_store_only_what_is_a_link(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SPECLOUPE_ALLOW_PRIVATE_NETWORK", "true")
    with hosting(lambda path, headers: Reply(status=500)) as host, opened(tmp_path / "s") as bench:
        one = {**article("one", "One", "Text."), "url": f"{host.url}/one?secret=1"}
        file = tmp_path / "kb.json"
        file.write_text(base(one, {**article("two", "Two", "Text."), "url": "no link"}))
        list(bench.sync(str(file)))
        [broken] = bench.broken_links()
    assert (broken.article, broken.reason) == ("kb.json/one", "the server answers 500.")
    assert "secret" not in broken.url
