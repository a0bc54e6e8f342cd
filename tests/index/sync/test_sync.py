"""A store holds what its host has; an answer that is not complete changes nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.articles import article, base
from support.host import Host, Reply, hosting
from support.stores import opened

from core import Workbench
from core.errors import SyncError
from core.index.store import Store
from core.index.sync import host as host_module
from core.index.sync.host import address, fetch_all
from core.index.sync.state import read_synced
from core.index.sync.sync import SyncReport
from core.read.limits import Limits

POWER = article("no-power", "No power", "Check the cable of the fan.", intent=["no_power"])
SYNC = article("sync", "Slow sync", "Open the port.", device=["Kestrel"])
FAN = article("fan", "Loud fan", "Clean it.")
PRIVATE = Limits(allow_private_network=True)


@pytest.fixture(autouse=True)
def loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPECLOUPE_ALLOW_PRIVATE_NETWORK", "true")


@pytest.fixture
def host() -> Iterator[Host]:
    with hosting(says(base(POWER, SYNC))) as host:
        yield host


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    with opened(tmp_path / "store") as workbench:
        yield workbench


def says(text: str | bytes, **how: object) -> Callable[..., Reply]:
    data = text.encode() if isinstance(text, str) else text
    return lambda path, headers: Reply(data, **how)  # type: ignore[arg-type]


def synced(workbench: Workbench, source: str, **how: object) -> SyncReport:
    *_, last = workbench.sync(source, wait=lambda seconds: None, **how)  # type: ignore[arg-type]
    assert isinstance(last, SyncReport)
    return last


def articles(workbench: Workbench) -> list[str]:
    names = Store.open(workbench.store).manifest.entries
    return sorted(name.rpartition("/")[2] for name in names)


def test_what_a_host_has_comes_and_what_it_no_longer_has_goes(
    workbench: Workbench, host: Host
) -> None:
    assert synced(workbench, host.url).counts["added"] == 2
    host.reply = says(base({**POWER, "content": "Check the fuse."}, FAN))
    report = synced(workbench, host.url)
    assert report.counts == {"added": 1, "changed": 1, "unchanged": 0, "removed": 1, "refused": 0}
    assert articles(workbench) == ["fan", "no-power"]
    assert "fuse" in workbench.look(f"{report.changed[0]}:article")[1]
    assert host.asked[0][0] == "/api/kb/articles"


def test_what_is_unchanged_is_not_written(workbench: Workbench, host: Host) -> None:
    synced(workbench, host.url)
    before = workbench.generation
    assert synced(workbench, host.url).counts["unchanged"] == 2
    assert workbench.generation == before


def test_only_a_new_date_is_a_change(workbench: Workbench, host: Host) -> None:
    synced(workbench, host.url)
    newer = {**POWER, "metadata": {**POWER["metadata"], "last_updated": "2026-05-01"}}
    host.reply = says(base(newer, SYNC))
    assert len(synced(workbench, host.url).changed) == 1


def test_a_host_that_says_nothing_has_changed_is_believed(workbench: Workbench, host: Host) -> None:
    def reply(path: str, headers: object) -> Reply:
        assert isinstance(headers, dict)
        known = headers.get("if-none-match") == '"7"'
        return Reply(status=304) if known else Reply(base(POWER).encode(), headers={"ETag": '"7"'})

    host.reply = reply
    assert synced(workbench, host.url).counts["added"] == 1
    assert synced(workbench, host.url).counts["unchanged"] == 1
    stored = Store.open(workbench.store).manifest.entries.values()
    for _ in workbench.remove([entry.file_id for entry in stored]):
        pass
    assert synced(workbench, host.url).counts["added"] == 1  # what is not there is asked for anew


def test_pages_are_followed_and_count_as_one_answer(workbench: Workbench, host: Host) -> None:
    def reply(path: str, headers: object) -> Reply:
        if "page=2" in path:
            return Reply(base(SYNC).encode())
        return Reply(base(POWER).encode(), headers={"Link": '<?page=2>; rel="next"', "ETag": "1"})

    host.reply = reply
    assert synced(workbench, host.url).counts["added"] == 2
    synced(workbench, host.url)
    assert "if-none-match" not in host.asked[-2][1]  # it would speak of the first page alone


@pytest.mark.thorough
@pytest.mark.parametrize(
    "links",
    [
        ['<?page=2>; rel="prev"', '<?page=3>; rel="next"'],
        ['<?page=2>; rel="prev", <?page=3>; rel="next"'],
        ['<?page=2>; data-rel="next"; rel=last, <?page=3>;title="a, b; rel=x";rel="last  NEXT"'],
        ['<?page=2>; rel="nextish"; title="rel=next", <?page=3> ; Rel = next'],
        ["<?page=3>; rel='next'"],
    ],
)
def test_the_next_page_is_found_among_all_links(host: Host, links: list[str]) -> None:
    def reply(path: str, headers: object) -> Reply:
        if "page=3" in path:
            return Reply(base(SYNC).encode())
        return Reply(base(POWER).encode(), headers={"Link": links})

    host.reply = reply
    fetched = fetch_all(address(host.url), limits=PRIVATE)
    assert fetched is not None
    assert [each["id"] for each in json.loads(fetched.data)["articles"]] == ["no-power", "sync"]


def test_a_token_reaches_every_page_however_the_host_is_written(host: Host) -> None:
    port = host.url.rpartition(":")[2]

    def reply(path: str, headers: object) -> Reply:
        if "page=2" in path:
            return Reply(base(SYNC).encode())
        return Reply(
            base(POWER).encode(), headers={"Link": f"<http://localhost:{port}/?page=2>; rel=next"}
        )

    host.reply = reply
    fetch_all(address(f"http://LocalHost:{port}"), limits=PRIVATE, token="secret-2")
    assert [asked["authorization"] for _, asked in host.asked] == ["Bearer secret-2"] * 2


def test_one_article_that_is_nested_too_deep_is_refused(workbench: Workbench, host: Host) -> None:
    deep = '{"id": "deep", "content": "x", "metadata": ' + "[" * 300 + "]" * 300 + "}"
    host.reply = says(f'{{"articles": [{deep}, {json.dumps(POWER)}]}}')
    report = synced(workbench, host.url)
    assert report.counts["added"] == 1
    assert [one.reason for one in report.refused] == ["the article is nested too deep."]


def test_a_mark_before_the_first_byte_is_no_harm(workbench: Workbench, host: Host) -> None:
    host.reply = says(b"\xef\xbb\xbf" + base(POWER).encode())
    assert synced(workbench, host.url).counts["added"] == 1


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(status=500), "answers 500"),
        (Reply(status=403), "answers 403"),
        (Reply(b"<html><body>Sign in</body></html>"), "an HTML page"),
        (Reply(base(POWER, SYNC).encode()[:-9]), "no JSON"),
        (Reply(base(POWER, SYNC).encode()[:-9], cut=9), "not valid HTTP"),
        (Reply(b'{"articles": {}}'), 'no list of "articles"'),
        (Reply(b'{"articles": []}'), "--allow-empty removes them"),
        (Reply(base({**POWER, "content": ""}).encode()), "has no article any more"),
        (Reply(base(POWER).encode(), headers={"Link": '<?page=2>; rel="next"'}), "in a circle"),
        (Reply(base(POWER).encode(), headers={"Link": '<http://[>; rel="next"'}), "no address"),
        (Reply(base(POWER).encode(), headers={"Link": '<//h:99999>; rel="next"'}), "no address"),
        (Reply(status=304), "answers 304"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_is_no_complete_answer_changes_nothing(
    workbench: Workbench, host: Host, reply: Reply, told: str
) -> None:
    synced(workbench, host.url)
    before = workbench.generation
    host.reply = lambda path, headers: reply
    with pytest.raises(SyncError, match=told):
        synced(workbench, host.url)
    assert (workbench.generation, articles(workbench)) == (before, ["no-power", "sync"])
    [kept] = workbench.synced()
    assert told in kept.failed
    assert kept.counts["added"] == 2


def test_an_empty_host_empties_the_store_when_that_is_meant(
    workbench: Workbench, host: Host
) -> None:
    synced(workbench, host.url)
    host.reply = says(base())
    assert synced(workbench, host.url, allow_empty=True).counts["removed"] == 2


def test_a_server_that_stumbles_is_asked_three_times(workbench: Workbench, host: Host) -> None:
    left = [Reply(status=503), Reply(status=429), Reply(base(POWER).encode())]
    waited: list[float] = []
    host.reply = lambda path, headers: left.pop(0)
    *_, report = workbench.sync(host.url, wait=waited.append)
    assert isinstance(report, SyncReport)
    assert report.counts["added"] == 1
    assert [round(seconds) for seconds in waited] == [1, 2]


def test_a_late_answer_is_given_up(
    workbench: Workbench, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_module, "SECONDS", 1)

    def late(path: str, headers: object) -> Reply:
        time.sleep(1.5)
        return Reply(base(POWER).encode())

    host.reply = late
    with pytest.raises(SyncError, match="longer than 1 seconds"):
        synced(workbench, host.url)


def test_a_token_goes_to_its_host_alone(workbench: Workbench, host: Host) -> None:
    with hosting(says(base(POWER))) as other:
        host.reply = lambda path, headers: Reply(status=302, headers={"Location": other.url})
        report = synced(workbench, host.url, token="secret-1")
    assert host.asked[0][1]["authorization"] == "Bearer secret-1"
    assert "authorization" not in other.asked[0][1]
    folder = Path(workbench.store)
    assert not [p for p in folder.rglob("*.json") if "secret-1" in p.read_text()]
    assert "secret-1" not in str(report)


def test_a_large_host_is_read_page_by_page(host: Host) -> None:
    body = base(*(article(f"a{n}", f"Article {n}", "x") for n in range(10_000)))
    host.reply = says(body)
    fetched = fetch_all(address(host.url), limits=PRIVATE)
    assert fetched is not None
    assert len(json.loads(fetched.data)["articles"]) == 10_000


def test_a_host_in_a_private_network_is_asked_for_on_purpose(
    workbench: Workbench, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPECLOUPE_ALLOW_PRIVATE_NETWORK")
    with pytest.raises(SyncError, match="SPECLOUPE_ALLOW_PRIVATE_NETWORK"):
        synced(workbench, host.url)
    assert not host.asked


def test_a_file_is_a_host_too(workbench: Workbench, tmp_path: Path) -> None:
    file = tmp_path / "kb.json"
    file.write_text(base(POWER, SYNC))
    assert synced(workbench, str(file)).counts["added"] == 2
    file.write_text(base(SYNC))
    assert synced(workbench, str(file)).counts["removed"] == 1
    file.unlink()
    with pytest.raises(SyncError, match="no such file"):
        synced(workbench, str(file))
    assert articles(workbench) == ["sync"]


def test_every_so_often_goes_on_after_a_failure(workbench: Workbench, host: Host) -> None:
    left = [Reply(status=404), Reply(base(POWER).encode())]
    waited: list[float] = []
    host.reply = lambda path, headers: left.pop(0)
    steps = workbench.sync(host.url, every=60, wait=waited.append)
    report = next(step for step in steps if isinstance(step, SyncReport))
    steps.close()  # type: ignore[attr-defined]
    assert report.counts["added"] == 1
    assert report.next_run
    assert waited == [60]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example", "https://a.example/api/kb/articles"),
        ("https://a.example/", "https://a.example/api/kb/articles"),
        ("https://a.example/x?y=1#z", "https://a.example/x?y=1"),
    ],
)
def test_a_url_without_a_path_gets_the_usual_one(url: str, expected: str) -> None:
    assert address(url) == expected


KILLED = """
import sys
from support.stores import opened
with opened(sys.argv[1]) as workbench:
    for step in workbench.sync(sys.argv[2]):
        print(getattr(step, "phase", "end"), flush=True)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("at", ["read", "cut", "write"])
def test_a_kill_in_a_sync_loses_nothing(tmp_path: Path, at: str) -> None:
    file, store = tmp_path / "kb.json", tmp_path / "store"
    file.write_text(base(POWER, SYNC))
    with opened(store) as workbench:
        synced(workbench, str(file))
    many = [article(f"a{n}", f"Article {n}", "Open the port.") for n in range(60)]
    file.write_text(base({**POWER, "content": "Check the fuse."}, *many))
    run = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(store), str(file)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert run.stdout is not None
    for said in run.stdout:
        if said.strip() == at:
            break
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stdout.close()
    with opened(store) as workbench:
        report = synced(workbench, str(file))
        assert len(articles(workbench)) == 61
        assert report.counts["refused"] == 0
        assert "fuse" in workbench.look("kb.json/no-power:article")[1]
        assert {finding.state for finding in workbench.check()} == {"whole"}
    assert read_synced(store / "syncs.json")[str(file)].at > 0
