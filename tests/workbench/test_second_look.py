"""The second look of a store, as a workbench makes it and answers with it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from support.apis import write
from support.tiny_specs import SHOP

from core import Workbench
from core.errors import EmbeddingError
from core.index.check import Part, State
from core.index.embed.minilm import MiniLmEmbedder
from core.index.second.fill import Filled
from core.settings import Settings

USUAL = Settings.from_values({"timeout_ms": 600_000, "log_stats": False})


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    source = write(tmp_path / "specs", {"shop.json": SHOP})
    with Workbench.open(tmp_path / "store", settings=USUAL) as opened:
        for _ in opened.ingest([source]):
            pass
        yield opened


def filled(workbench: Workbench) -> Filled:
    return list(workbench.second_look())[-1]


def test_an_ingest_leaves_it_to_be_filled(workbench: Workbench) -> None:
    before = workbench.looked_twice()
    assert before
    assert before.done == 0
    done = filled(workbench)
    assert done.done == done.total > 0
    after = workbench.looked_twice()
    assert after
    assert after.done == after.total == before.total


def test_the_first_question_after_an_ingest_waits_for_no_vectors(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It embeds itself and the few texts that its time allows, and no row is filled for it."""
    embed, texts = MiniLmEmbedder.embed, []

    def counting(self: MiniLmEmbedder, given: Sequence[str]) -> object:
        texts.extend(given)
        return embed(self, given)

    monkeypatch.setattr(MiniLmEmbedder, "embed", counting)
    assert workbench.retrieve("list the orders").primary_chunks
    look = workbench._newest.reader().second
    assert look
    assert 0 < len(texts) <= 1 + look.texts(workbench.settings.second_look_ms)
    assert workbench.looked_twice() == Filled(0, filled_rows(workbench))


def test_another_process_sees_what_is_filled(workbench: Workbench) -> None:
    with Workbench.open(workbench.store, settings=USUAL) as other:
        assert other.looked_twice() == Filled(0, filled_rows(other))
        filled(workbench)
        assert other.looked_twice() == Filled(filled_rows(other), filled_rows(other))


def filled_rows(workbench: Workbench) -> int:
    return workbench.figures().chunks


def test_answers_before_and_after_are_not_mixed(workbench: Workbench) -> None:
    assert not workbench.retrieve("list the orders").retrieval_stats.cached
    assert workbench.retrieve("list the orders").retrieval_stats.cached
    filled(workbench)
    assert not workbench.retrieve("list the orders").retrieval_stats.cached


def test_the_pace_is_measured_once_and_kept(workbench: Workbench) -> None:
    with Workbench.open(workbench.store, settings=USUAL) as other:
        assert other._newest.store().manifest.pace == workbench._newest.store().manifest.pace > 0


def test_a_model_that_fails_costs_the_second_look_alone(
    workbench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: MiniLmEmbedder, texts: object) -> None:
        raise EmbeddingError("The model's file is gone.")

    filled(workbench)
    for mode in ("hybrid", "semantic"):
        query = f"list what was ordered twice, {mode}"  # no text that the model remembers
        with monkeypatch.context() as patch:
            patch.setattr(MiniLmEmbedder, "embed", fail)
            failed = workbench.retrieve(query, mode=mode)
        first = workbench.retrieve(query, mode=mode, second_look="off")
        assert failed.trace.hits == first.trace.hits
        assert failed.retrieval_stats.flags == ("no_second_look",)
        assert not failed.retrieval_stats.lexical_only
        assert any("had no second look: The model's file is gone." in n for n in failed.trace.notes)
        again = workbench.retrieve(query, mode=mode)
        assert not again.retrieval_stats.cached
        assert any("second" in hit.parts for hit in again.trace.hits)


@pytest.mark.parametrize(
    "settings", [{"second_look": "off"}, {"embedder": "minilm"}, {"embedder": "hash"}], ids=str
)
def test_stores_without_a_second_look(tmp_path: Path, settings: dict[str, str]) -> None:
    source = write(tmp_path / "specs", {"shop.json": SHOP})
    with Workbench.open(tmp_path / "store", settings=USUAL.replace(**settings)) as opened:
        for _ in opened.ingest([source]):
            pass
        assert opened.looked_twice() is None
        assert not list(opened.second_look())
        assert not opened._newest.store().manifest.pace
        assert not (tmp_path / "store" / "second").exists()


def test_a_store_that_is_converted_to_the_second_model_needs_none(workbench: Workbench) -> None:
    filled(workbench)
    minilm = USUAL.replace(embedder="minilm")
    with Workbench.open(workbench.store, settings=minilm) as converted:
        for _ in converted.reembed():
            pass
        assert converted.looked_twice() is None
        assert converted.retrieve("list the orders").primary_chunks
    assert not list(Path(workbench.store, "second").glob("*.bin"))
    assert not list(Path(workbench.store, "second").glob("t-*"))


def test_an_ingest_does_not_fail_where_the_model_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.index.second import second

    broken = second.SecondModel(MiniLmEmbedder(tmp_path / "nothing"))
    monkeypatch.setattr(second, "shared", lambda: broken)
    source = write(tmp_path / "specs", {"shop.json": SHOP})
    with Workbench.open(tmp_path / "store", settings=USUAL) as opened:
        for _ in opened.ingest([source]):
            pass
        assert opened.figures().specs == 1
        assert opened._newest.store().manifest.pace == 0


def test_an_empty_store_has_nothing_to_look_at(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "store", settings=USUAL) as opened:
        assert opened.looked_twice() is None
        assert not list(opened.second_look())


def damage(workbench: Workbench) -> None:
    (vectors,) = Path(workbench.store, "second").glob("*/vectors.bin")
    vectors.write_bytes(b"\1" + vectors.read_bytes()[1:])


def second(workbench: Workbench) -> list[State]:
    return [found.state for found in workbench.check() if found.part is Part.SECOND]


def test_a_check_tells_how_they_are_and_a_repair_removes_what_is_damaged(
    workbench: Workbench,
) -> None:
    assert second(workbench) == []
    filled(workbench)
    assert second(workbench) == [State.WHOLE]
    damage(workbench)
    assert second(workbench) == [State.MENDABLE]
    for _ in workbench.repair():
        pass
    assert second(workbench) == []
    filled(workbench)
    assert second(workbench) == [State.WHOLE]


def test_what_is_taken_out_is_forgotten_and_what_stays_is_kept(
    workbench: Workbench, tmp_path: Path
) -> None:
    filled(workbench)
    more = write(tmp_path / "more", {"zoo.json": SHOP | {"info": {"title": "Zoo", "version": "2"}}})
    for _ in workbench.ingest([more]):
        pass
    now = workbench.looked_twice()
    assert now
    assert 0 < now.done < now.total == filled_rows(workbench)
    filled(workbench)
    assert workbench.looked_twice() == Filled(now.total, now.total)
    for _ in workbench.remove(["zoo"]):
        pass
    assert workbench.looked_twice() == Filled(filled_rows(workbench), filled_rows(workbench))


def test_an_index_of_an_older_version_is_made_anew_first(
    workbench: Workbench,
) -> None:
    """It says nothing of its rows' texts, and no question waits for them to be read."""
    (header,) = Path(workbench.store, "index").glob("*/header.json")
    body = header.read_bytes().rstrip(b"\n").rpartition(b"\n")[0]
    old = body.replace(b'"text_keys"', b'"text_kex"')
    header.write_bytes(old + b"\n%08x\n" % zlib.crc32(old))
    keys = header.with_name("text_keys.bin")
    keys.rename(keys.with_name("text_kex.bin"))
    with Workbench.open(workbench.store, settings=USUAL) as other:
        assert not other._newest.reader().has_text_keys
        assert other.looked_twice() == Filled(0, filled_rows(other))
        assert other.retrieve("list the orders").primary_chunks
        filled(other)
        assert other.looked_twice() == Filled(filled_rows(other), filled_rows(other))


def test_what_is_damaged_is_left_out_and_made_again(workbench: Workbench) -> None:
    filled(workbench)
    damage(workbench)
    with Workbench.open(workbench.store, settings=USUAL) as other:
        assert other.looked_twice() == Filled(0, filled_rows(other))
        assert other.retrieve("list the orders").primary_chunks
        filled(other)
        assert other.looked_twice() == Filled(filled_rows(other), filled_rows(other))
