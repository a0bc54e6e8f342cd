"""An embedder that is paid for: the cost comes before the first request, and nothing twice."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.apis import api, write
from support.articles import article, base
from support.openai_double import KEY, FakeOpenAI, serving
from support.stores import QUICK

from core import Workbench
from core.cli import specloupe
from core.errors import SettingsError
from core.index.embed.openai import OpenAIEmbedder
from core.index.embed.paid import NAME
from core.index.write.commit import Committer
from core.index.write.report import IngestEvent, IngestReport, Phase
from core.index.written.questions import Questions

ROOT = Path(__file__).parents[3]


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    with serving(FakeOpenAI()) as made:
        environment = {
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": made.url,
            "OPENAI_EMBEDDING_MODEL": "text-embedding-3-large",
            "OPENAI_EMBEDDING_DIMENSIONS": "8",
            "RETRIEVAL_SECOND_LOOK": "off",
        }
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        yield made


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    names = ("Bank", "Cinema", "Shop")
    return write(tmp_path / "apis", {f"{name}.json": api(name) for name in names})


def opened(folder: Path) -> Workbench:
    return Workbench.open(folder / "store", settings=QUICK.replace(embedder="openai"))


def test_the_cost_is_told_before_anything_is_sent(
    service: FakeOpenAI, specs: Path, tmp_path: Path
) -> None:
    with opened(tmp_path) as workbench:
        events = workbench.ingest([specs])
        told = next(e for e in events if isinstance(e, IngestEvent) and e.phase is Phase.PRICED)
        assert service.requests == []
        assert len([*events]) > 3
        sent = [text for request in service.requests for text in request["input"]]
        assert told.found["texts"] == len(sent)
        assert 0.13 * told.found["tokens"] / 1e6 < 0.0001
        assert told.reason == (
            f"text-embedding-3-large at 127.0.0.1 is to embed {len(sent)} texts, "
            f"{told.found['tokens']} tokens, less than $0.0001."
        )
        again = [*workbench.ingest([specs])]
        assert not [e for e in again if isinstance(e, IngestEvent) and e.phase is Phase.PRICED]
        assert sum(len(request["input"]) for request in service.requests) == len(sent)


def test_who_leaves_then_pays_nothing_and_what_was_paid_is_not_paid_again(
    service: FakeOpenAI, specs: Path, tmp_path: Path
) -> None:
    with opened(tmp_path) as workbench:
        for event in workbench.ingest([specs]):
            if isinstance(event, IngestEvent) and event.phase is Phase.PRICED:
                break  # as an interrupted command does
        assert service.requests == []
        assert [*workbench.ingest([specs / "Shop.json"])]
        first = sum(len(request["input"]) for request in service.requests)
        service.requests.clear()
        assert [*workbench.ingest([specs])]
        rest = [text for request in service.requests for text in request["input"]]
    assert 0 < first < len(rest)
    assert not [text for text in rest if "of Shop" in text]


def test_the_command_tells_it_and_goes_on_where_nobody_can_be_asked(
    service: FakeOpenAI, specs: Path, tmp_path: Path
) -> None:
    command = ["ingest", str(specs), "--embedder", "openai", "--store", str(tmp_path / "store")]
    done = CliRunner().invoke(specloupe, command)
    assert done.exit_code == 0, done.output
    assert "text-embedding-3-large at 127.0.0.1 is to embed" in done.output
    assert service.requests


def sent(service: FakeOpenAI) -> list[str]:
    """The texts since the last look."""
    texts = [text for request in service.requests for text in request["input"]]
    service.requests.clear()
    return texts


def told(events: Iterable[object]) -> list[int]:
    """How many texts are priced, each time that something is."""
    phases = (e for e in events if isinstance(e, IngestEvent) and e.phase is Phase.PRICED)
    return [event.found["texts"] for event in phases]


def test_of_a_file_that_changed_only_new_texts_are_paid_for(
    service: FakeOpenAI, specs: Path, tmp_path: Path
) -> None:
    with opened(tmp_path) as workbench:
        assert [*workbench.ingest([specs])]
        before = sent(service)
        bank = api("Bank", paths=("/users", "/cards"))
        write(specs, {"Bank.json": bank, "Copy/Cinema.json": api("Cinema")})
        events = [*workbench.ingest([specs], clash="keep")]
        new = sent(service)
    assert told(events) == [len(new)]
    assert new
    assert not {*new} & {*before}
    assert not (tmp_path / "store" / NAME).exists()


def test_a_conversion_tells_its_cost_with_that_of_written_questions(
    service: FakeOpenAI, specs: Path, tmp_path: Path
) -> None:
    with Workbench.open(tmp_path / "store", settings=QUICK) as free:
        assert [*free.ingest([specs])]
        texts = {chunk.text for chunk in free.chunks()}
    Questions(tmp_path / "store" / "written").put({1: ["Who can sign up?"]}, "m")
    with opened(tmp_path) as workbench:
        events = workbench.reembed()
        assert told([next(events)]) == [len(texts) + 1]
        assert service.requests == []
        assert told(events) == []
        first = sent(service)
        assert len(first) == len(texts) + 1
        assert first[-1] == "Who can sign up"
        assert told(workbench.reembed()) == []
        assert sent(service) == []


def test_a_conversion_that_was_stopped_pays_for_the_rest_alone(
    service: FakeOpenAI, specs: Path, tmp_path: Path
) -> None:
    with Workbench.open(tmp_path / "store", settings=QUICK) as free:
        assert [*free.ingest([specs])]
    with opened(tmp_path) as workbench:
        events = workbench.reembed()
        assert next(event for event in events if event.phase is Phase.STORED)
        events.close()  # type: ignore[attr-defined]
        first = sent(service)
        assert [*workbench.reembed()]
        rest = sent(service)
    assert first
    assert rest
    assert not {*first} & {*rest}


def test_a_sync_tells_its_cost(
    service: FakeOpenAI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, {"kb.json": base(article("one", "Sync", "It fails."))}) / "kb.json"
    with opened(tmp_path) as workbench:
        steps = workbench.sync(str(file))
        assert told([next(step for step in steps if told([step]))]) > [0]
        assert service.requests == []
        assert [*steps]
        assert sent(service)
    command = ["sync", str(file), "--embedder", "openai", "--store", str(tmp_path / "other")]
    done = CliRunner().invoke(specloupe, command)
    assert done.exit_code == 0, done.output
    assert "text-embedding-3-large at 127.0.0.1 is to embed" in done.output


def test_questions_tell_what_embedding_them_costs(
    service: FakeOpenAI, specs: Path, tmp_path: Path
) -> None:
    with opened(tmp_path) as workbench:
        assert [*workbench.ingest([specs])]
        wanted = workbench.writing_cost()[0].calls
        assert f"is to embed {5 * wanted} texts" in workbench.question_vectors_cost()
        rows = workbench.written_questions().total
        assert rows == wanted
        written = tmp_path / "store" / "written"
        Questions(written).put({1: ["Who is it?"], 2: ["Who was it?"]}, "m")
        assert f"is to embed {5 * wanted + 2} texts" in workbench.question_vectors_cost()
        service.requests.clear()
    with Workbench.open(tmp_path / "free", settings=QUICK) as free:
        assert [*free.ingest([specs])]
        assert free.question_vectors_cost() == ""


def test_mending_pays_for_nothing_that_an_interrupted_run_has_paid_for(
    service: FakeOpenAI, specs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as workbench:
        with monkeypatch.context() as patch:
            patch.setattr(Committer, "_replace", _fails)
            with pytest.raises(OSError, match="no space"):
                list(workbench.ingest([specs]))
        paid = sent(service)
        assert paid
        *events, report = workbench.ingest([specs])
        assert told(events) == []
        assert sent(service) == []
        assert isinstance(report, IngestReport)
        assert report.chunks > 0


def _fails(*_: object) -> None:
    raise OSError("no space")


@pytest.mark.long
@pytest.mark.parametrize("answers", [1, 3], ids=["first", "last"])
def test_a_kill_costs_the_batch_at_hand_alone(
    answers: int, service: FakeOpenAI, tmp_path: Path
) -> None:
    """Killed while the service is answering: what it had answered is not sent again."""
    big = {f"Big{n}.json": api(f"Big {n}", paths=[f"/p{at}" for at in range(150)]) for n in (1, 2)}
    folder, store = write(tmp_path / "big", big), tmp_path / "store"
    program = str(Path(sys.executable).with_name("specloupe"))
    command = [program, "ingest", str(folder), "--embedder", "openai", "--store", str(store)]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def kill(request: object) -> None:
        if len(service.requests) == answers + 1:
            process.kill()
            process.wait()

    service.hook = kill
    process.wait(timeout=120)
    assert process.returncode == -signal.SIGKILL
    service.hook = lambda request: None
    answered, at_hand = service.requests[:answers], service.requests[answers:]
    first = [text for request in answered for text in request["input"]]
    assert len(at_hand) == 1
    service.requests.clear()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    again = sent(service)
    assert again
    assert not {*first} & {*again}
    assert not (store / NAME).exists()


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "text-embedding-3-small at OpenAI is to embed 1 text, 1,000,000 tokens, $0.0200."),
        ({"OPENAI_EMBEDDING_PRICE": "0"}, "1 text, 1,000,000 tokens."),
        ({"OPENAI_EMBEDDING_PRICE": "1.5"}, "$1.50."),
        ({"OPENAI_EMBEDDING_MODEL": "own"}, "own at OpenAI is to embed 1 text, 1,000,000 tokens."),
    ],
)
def test_the_price_is_known_or_told(environment: dict[str, str], said: str) -> None:
    assert OpenAIEmbedder(environment).cost(1, 1_000_000).endswith(said)


@pytest.mark.parametrize("price", ["dear", "-1", "nan"])
def test_what_is_no_price_is_refused(price: str) -> None:
    with pytest.raises(SettingsError, match="is not a price in dollars"):
        OpenAIEmbedder({"OPENAI_EMBEDDING_PRICE": price})
