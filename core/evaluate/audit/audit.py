"""Ask every operation and schema what it should answer, many questions at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from hashlib import blake2b

from core.evaluate.audit.kept import KeptAudits
from core.evaluate.audit.matched import Matched
from core.evaluate.audit.one_api import Embed, audit_api
from core.evaluate.audit.results import ApiSeen, Audit
from core.evaluate.stop import Stopped
from core.index.snapshot.snapshot import Snapshot
from core.settings import Settings

VERSION = 2  # of what is asked, and of how it is ranked
RANKED_BY = (
    *("query_analysis", "spelling", "mode", "vector_weight", "keyword_weight", "local_idf"),
    *("intent_filter", "intent_boost", "verb_boost", "api_filter", "api_boost"),
    *("max_primary_results", "max_depth"),
)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an audit is, in chunks of APIs that are done."""

    done: int
    total: int
    api: str  # that was done last


def audit(
    reader: Snapshot,
    *,
    settings: Settings,
    embed: Embed,
    kept: KeptAudits,
    apis: Sequence[str] = (),
    fresh: bool = False,
    stop: Callable[[], bool],
) -> Iterator[Progress | Audit]:
    """Audit these APIs (file ids), or all; yields as each is done, and the audit last.

    What has not changed since it was audited is taken from `kept`, unless `fresh`. Raises
    `core.evaluate.stop.Stopped` soon after `stop` says so; what is done is kept.
    """
    files = [at for at, name in _apis(reader).items() if not apis or name in apis]
    sizes = {at: reader.files[at].stop - reader.files[at].start for at in files}
    keys = {at: key_of(at, reader, settings) for at in files}
    total, done = sum(sizes.values()), 0
    found = {} if fresh else {at: seen for at in files if (seen := kept.get(keys[at]))}
    reused = len(found)
    if reused:
        done = sum(sizes[at] for at in found)
        yield Progress(done, total, found[max(found)].api)
    waiting = sorted((at for at in files if at not in found), key=lambda at: -sizes[at])
    if waiting:
        matched = Matched(reader, settings)
        for at, seen in _in_threads(waiting, matched, embed, stop):
            found[at] = seen
            kept.put(keys[at], seen)
            done += sizes[at]
            yield Progress(done, total, seen.api)
    yield _audit(tuple(found[at] for at in files), reader, settings, reused)


def audited_before(reader: Snapshot, settings: Settings, kept: KeptAudits) -> Audit:
    """What is kept of the APIs that have not changed since; nothing is asked."""
    files = _apis(reader)
    found = (kept.get(key_of(at, reader, settings)) for at in files)
    apis = tuple(filter(None, found))
    missing = len(files) - len(apis)
    return _audit(apis, reader, settings, len(apis), missing)


def _apis(reader: Snapshot) -> Mapping[int, str]:
    """Which files are APIs, and not articles, documents or code, by their place."""
    return {at: file.source_file for at, file in enumerate(reader.files) if not file.home}


def _audit(
    apis: tuple[ApiSeen, ...], reader: Snapshot, settings: Settings, reused: int, missing: int = 0
) -> Audit:
    return Audit(
        apis,
        settings.max_primary_results,
        settings.token_limit,
        settings.max_depth,
        reader.generation,
        reused,
        missing,
    )


def _in_threads(
    files: Sequence[int], matched: Matched, embed: Embed, stop: Callable[[], bool]
) -> Iterator[tuple[int, ApiSeen]]:
    """Each file with what was found, as it is ready; the largest are begun first."""
    over = False

    def is_over() -> bool:
        return over or stop()

    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as threads:
        jobs: dict[Future[ApiSeen], int] = {
            threads.submit(audit_api, at, matched, embed, is_over): at for at in files
        }
        try:
            for job in as_completed(jobs):
                if stop():
                    raise Stopped
                yield jobs[job], job.result()
        finally:  # also when nobody asks for the rest
            over = True
            threads.shutdown(wait=True, cancel_futures=True)


def key_of(file: int, reader: Snapshot, settings: Settings) -> str:
    """What the audit of an API depends on: its text, the vectors, and what ranks."""
    stored = reader.files[file]
    ranked = {name: getattr(settings, name) for name in RANKED_BY}
    about = [VERSION, stored.source_file, stored.stamp, reader.embedder, ranked]
    key = blake2b(repr(about).encode(), digest_size=16)
    key.update(reader.keys_of(stored.rows).tobytes())
    return key.hexdigest()
