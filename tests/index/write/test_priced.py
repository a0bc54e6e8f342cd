"""An embedder that is paid for: the cost comes before the first request, and nothing twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.apis import api, write
from support.openai_double import KEY, FakeOpenAI, serving
from support.stores import QUICK

from core import Workbench
from core.cli import specloupe
from core.errors import SettingsError
from core.index.embed.openai import OpenAIEmbedder
from core.index.write.report import IngestEvent, Phase


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
        dollars = 0.13 * told.found["tokens"] / 1e6
        assert told.reason == (
            f"text-embedding-3-large at 127.0.0.1 is to embed {len(sent)} texts, "
            f"{told.found['tokens']} tokens, ${dollars:.4f}."
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


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({}, "text-embedding-3-small at OpenAI is to embed 1 text, 1,000,000 tokens, $0.0200."),
        ({"OPENAI_EMBEDDING_PRICE": "0"}, "1 text, 1,000,000 tokens."),
        ({"OPENAI_EMBEDDING_PRICE": "1.5"}, "$1.5000."),
        ({"OPENAI_EMBEDDING_MODEL": "own"}, "own at OpenAI is to embed 1 text, 1,000,000 tokens."),
    ],
)
def test_the_price_is_known_or_told(environment: dict[str, str], said: str) -> None:
    assert OpenAIEmbedder(environment).cost(1, 1_000_000).endswith(said)


@pytest.mark.parametrize("price", ["dear", "-1", "nan"])
def test_what_is_no_price_is_refused(price: str) -> None:
    with pytest.raises(SettingsError, match="is not a price in dollars"):
        OpenAIEmbedder({"OPENAI_EMBEDDING_PRICE": price})
