"""The model's double against the client: what succeeds, what fails, how soon, and what it says."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock

import pytest
from support.model_double import KEY, Double, Request, Said, as_json, doubling

from core.deadline import Deadline
from core.errors import ModelError
from core.index.disk.sqlite import ANSWERS
from core.llm.client import Client
from core.llm.endpoint import Endpoint
from core.llm.kept import Answers
from core.llm.model import Model
from core.llm.task import Reply, Task
from core.settings import Models

SCHEMA = {
    "type": "object",
    "properties": {"ids": {"type": "array", "items": {"type": "string"}}},
    "required": ["ids"],
    "additionalProperties": False,
}
TASK = Task("choose", "Choose.", {"question": "create a user"}, SCHEMA)
RIGHT = as_json({"ids": ["shop"]})
MODELS = Models(llm_model="double", llm_timeout_ms=60_000)
QUICK = Models(llm_model="double", llm_timeout_ms=50)


def model(double: Double, answers: Answers | None = None, **environment: str) -> Model:
    made = Model(Endpoint.from_environment({**double.environment, **environment}), answers)
    made.warm()
    return made


def failure(asked: Model, models: Models = MODELS) -> ModelError:
    with pytest.raises(ModelError) as caught:
        asked.ask(TASK, models, 60)
    return caught.value


@pytest.mark.thorough
def test_a_right_answer_with_what_it_cost() -> None:
    with doubling(lambda _: RIGHT) as double:
        asked = model(double, LLM_PRICE_IN="1000", LLM_PRICE_OUT="10000")
        reply = asked.ask(TASK, MODELS, 60)
    assert reply == Reply({"ids": ["shop"]}, 100, 10, pytest.approx(0.2))
    assert asked.spent.usd == pytest.approx(0.2)
    body = double.asked[0].body
    assert (body["model"], body["temperature"], body["seed"], body["max_tokens"]) == (
        *("double", 0, 0),
        400,
    )
    assert double.tasks == ["choose"]


def test_tokens_are_counted_where_the_server_does_not() -> None:
    with doubling(lambda _: as_json({"ids": ["shop"]}, tokens=None)) as double:
        reply = model(double).ask(TASK, MODELS, 60)
    assert reply.tokens_in > 20
    assert 0 < reply.tokens_out < 20


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (Said("not a word of JSON"), "nonsense"),
        (as_json({"apis": ["shop"]}), "nonsense"),
        (Said('{"ids": ["sho'), "nonsense"),
        (Said(body=b"<html>a proxy</html>", headers={"Content-Type": "text/html"}), "nonsense"),
        (Said(body=b"[]"), "nonsense"),
        (Said(body=b'{"choices": []}'), "nonsense"),
        (Said("x" * 10_000_000), "nonsense"),
        (Said('{"ids": ["\\ud800"]}'), "nonsense"),
        (Said(status=429), "limited"),
        (Said(status=500), "failed"),
        (Said(status=401), "refused"),
        (Said(status=404), "refused"),
        (Said(status=302, headers={"Location": "http://127.0.0.1:9/v1"}), "refused"),
        (as_json({"ids": ["shop"]}, breaks_off=True), "unreachable"),
    ],
    ids=[
        *("prose", "another schema", "cut off", "a page", "a list", "no choice", "huge"),
        "half a character",
        *("429", "500", "401", "404", "a redirect", "half a body"),
    ],
)
def test_every_failure_is_one_error_that_quotes_no_server(said: Said, reason: str) -> None:
    with doubling(lambda _: said) as double:
        asked = model(double)
        error = failure(asked)
    assert error.reason == reason
    assert KEY not in str(error)
    assert error.__cause__ is None
    assert (asked.spent.calls, asked.spent.failed) == (1, 1)


def test_who_refuses_the_connection_is_unreachable() -> None:
    with doubling(lambda _: RIGHT) as double:
        pass
    error = failure(model(double))
    assert error.reason == "unreachable"
    assert "LLM_BASE_URL" in str(error)


def test_who_hangs_is_waited_for_no_longer_than_the_time_out() -> None:
    with doubling(lambda _: double.hang()) as double:
        error = failure(model(double), QUICK)
        assert error.reason == "timeout"


def test_who_sends_a_byte_at_a_time_is_late_as_well() -> None:
    """The client's own time-out is for each piece."""
    with doubling(lambda _: as_json({"ids": ["shop"]}, drips=0.01)) as double:
        error = failure(model(double), QUICK)
    assert error.reason == "timeout"


def test_a_failure_that_passes_is_tried_again() -> None:
    answers = iter([Said(status=500), RIGHT])
    with doubling(lambda _: next(answers)) as double:
        assert model(double, LLM_RETRIES="1").ask(TASK, MODELS, 60).value == {"ids": ["shop"]}


def test_pauses_between_tries_grow_differ_and_are_as_long_as_the_server_asks() -> None:
    pauses: list[float] = []
    answers = iter([Said(status=500), Said(status=429, headers={"Retry-After": "2"}), RIGHT] * 2)
    with doubling(lambda _: next(answers)) as double:
        endpoint = Endpoint.from_environment({**double.environment, "LLM_RETRIES": "2"})
        for _ in range(2):
            Client(endpoint, wait=pauses.append).ask(TASK, MODELS, Deadline.after(60))
    assert pauses[1::2] == [2.0, 2.0]
    first, again = pauses[::2]
    assert min(first, again) >= 0.1
    assert max(first, again) <= 0.2
    assert first != again


def test_retry_after_is_heeded_within_the_time_out_alone() -> None:
    limited = Said(status=429, headers={"Retry-After": "600"})
    with doubling(lambda _: limited) as double:
        assert failure(model(double, LLM_RETRIES="5")).reason == "limited"
        assert len(double.asked) == 1


def test_a_server_that_takes_no_schema_is_asked_less_strictly_and_remembered() -> None:
    def loose(request: Request) -> Said:
        wanted = request.body.get("response_format", {}).get("type", "text")
        return RIGHT if wanted == "text" else Said(status=400)

    with doubling(loose) as double:
        asked = model(double)
        for question in ("one", "two"):
            asked.ask(Task("choose", "Choose.", {"q": question}, SCHEMA), MODELS, 60)
        assert len(double.asked) == 4  # three forms for the first, one for the second
        assert '"ids"' in double.asked[-1].system


@pytest.mark.parametrize("name", ["max_tokens", "temperature", "seed"])
def test_a_parameter_that_is_refused_by_name_is_left_out(name: str) -> None:
    error = f'{{"error": {{"message": "no {name}", "param": "{name}"}}}}'.encode()

    def picky(request: Request) -> Said:
        return Said(status=400, body=error) if name in request.body else RIGHT

    with doubling(picky) as double:
        assert model(double).ask(TASK, MODELS, 60).value == {"ids": ["shop"]}
        assert ("max_completion_tokens" in double.asked[-1].body) == (name == "max_tokens")


def test_an_answer_is_kept_and_asked_for_once(tmp_path: Path) -> None:
    with doubling(lambda _: RIGHT) as double:
        first = model(double, Answers(tmp_path / ANSWERS))
        first.ask(TASK, MODELS, 60)
        other = model(double, Answers(tmp_path / ANSWERS))
        reply = other.ask(TASK, MODELS, 60)
        assert reply == Reply({"ids": ["shop"]}, is_kept=True)
        assert (other.spent.calls, other.spent.kept, other.spent.hit_rate) == (0, 1, 1.0)
        other.ask(TASK, Models(llm_model="another", llm_timeout_ms=60_000), 60)
        model(double, Answers(tmp_path / ANSWERS), LLM_CACHE="false").ask(TASK, MODELS, 60)
        assert len(double.asked) == 3
    for file in tmp_path.iterdir():
        held = file.read_bytes()
        assert KEY.encode() not in held
        assert b"create a user" not in held


def test_a_kept_answer_of_another_form_is_not_believed(tmp_path: Path) -> None:
    answers = Answers(tmp_path / ANSWERS)
    with doubling(lambda _: RIGHT) as double:
        asked = model(double, answers)
        answers.put(asked._key(TASK, MODELS), {"ids": 7})
        assert asked.ask(TASK, MODELS, 60).value == {"ids": ["shop"]}


def test_a_folder_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    answers = Answers(tmp_path / "gone" / ANSWERS)
    answers.put("key", {})
    assert answers.get("key") is None
    assert not (tmp_path / "gone").exists()


def test_a_question_that_failed_is_not_asked_again_for_half_a_minute() -> None:
    now = [0.0]
    with doubling(lambda _: Said(status=500)) as double:
        asked = Model(Endpoint.from_environment(double.environment), clock=lambda: now[0])
        reasons = [failure(asked).reason for _ in range(3)]
        assert reasons == ["failed"] * 3
        assert len(double.asked) == 1
        now[0] = 31
        failure(asked)
        assert len(double.asked) == 2


def test_three_failures_in_a_row_pause_it() -> None:
    with doubling(lambda _: Said(status=500)) as double:
        asked = model(double)
        for question in range(5):
            with pytest.raises(ModelError) as caught:
                asked.ask(Task("choose", "Choose.", {"q": question}, SCHEMA), MODELS, 60)
        assert caught.value.reason == "paused"
        assert asked.is_paused
        assert len(double.asked) == 3


def test_a_budget_that_is_used_up_stops_before_the_next_call() -> None:
    with doubling(lambda _: RIGHT) as double:
        asked = model(double, LLM_BUDGET_TOKENS="110")
        asked.ask(TASK, MODELS, 60)
        with pytest.raises(ModelError, match="110 tokens") as caught:
            asked.ask(Task("choose", "Choose.", {"q": 2}, SCHEMA), MODELS, 60)
        assert caught.value.reason == "budget"
        assert not asked.is_paused


def test_only_so_many_are_asked_at_once_and_the_others_wait_their_turn() -> None:
    most, now, lock, together = [0], [0], Lock(), Event()

    def slow(_: Request) -> Said:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        if now[0] > 1:
            together.set()
        together.wait(30)  # nobody is alone
        time.sleep(0.02)
        with lock:
            now[0] -= 1
        return RIGHT

    with doubling(slow) as double, ThreadPoolExecutor(16) as pool:
        asked = model(double, LLM_CONCURRENCY="3")
        tasks = [Task("choose", "Choose.", {"q": n}, SCHEMA) for n in range(12)]
        replies = list(pool.map(lambda task: asked.ask(task, MODELS, 60), tasks))
    assert len(replies) == 12
    assert 1 < most[0] <= 3


def test_slots_of_those_that_hang_come_back() -> None:
    with doubling(lambda _: double.hang()) as double:
        asked = model(double, LLM_CONCURRENCY="1")
        failure(asked, QUICK)
        double.reply = lambda _: RIGHT
        double.gate.set()
        until = time.monotonic() + 30
        other = Task("choose", "Choose.", {"q": 2}, SCHEMA)
        while time.monotonic() < until:
            try:
                reply = asked.ask(other, MODELS, 60)
                break
            except ModelError:  # the slot is not back yet
                time.sleep(0.01)
        assert reply.value == {"ids": ["shop"]}


def pieces(asked: Model) -> tuple[str, list[Reply]]:
    got = list(asked.stream([{"role": "user", "content": "hello"}], MODELS))
    return "".join(p for p in got if isinstance(p, str)), [p for p in got if isinstance(p, Reply)]


def test_a_streamed_answer_comes_in_pieces_and_says_what_it_cost() -> None:
    with doubling(lambda _: Said("POST /users creates one.")) as double:
        asked = model(double)
        text, (reply,) = pieces(asked)
    assert text == "POST /users creates one."
    assert (reply.tokens_in, reply.tokens_out) == (100, 10)
    assert asked.spent.calls == 1


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (Said("one two three four", breaks_off=True), "failed"),
        (Said(status=500), "failed"),
        (Said(status=401), "refused"),
    ],
    ids=["broken off", "500", "401"],
)
def test_a_stream_that_fails_says_so(said: Said, reason: str) -> None:
    with doubling(lambda _: said) as double, pytest.raises(ModelError) as caught:
        pieces(model(double))
    assert caught.value.reason == reason
    assert KEY not in str(caught.value)


@pytest.mark.thorough
@pytest.mark.parametrize("said", ["word " * 40_000, f"{'x' * 1000} " * 200], ids=["bytes", "text"])
def test_a_stream_without_an_end_is_left(said: str) -> None:
    with doubling(lambda _: Said(said)) as double:
        asked = model(double)
        stream, got = asked.stream([{"role": "user", "content": "hello"}], MODELS), []
        with pytest.raises(ModelError) as caught:
            got.extend(stream)
    assert caught.value.reason == "nonsense"
    assert len("".join(map(str, got))) < 110_000


@pytest.mark.parametrize("is_streamed", [True, False])
def test_a_key_that_is_quoted_in_an_answer_goes_no_further(
    is_streamed: bool, tmp_path: Path
) -> None:
    said = Said(f"It is {KEY} .") if is_streamed else as_json({"ids": [f"key {KEY}"]})
    with doubling(lambda _: said) as double:
        asked = model(double, Answers(tmp_path / ANSWERS))
        told = pieces(asked)[0] if is_streamed else asked.ask(TASK, MODELS, 60).value["ids"][0]
    assert KEY not in told
    assert "[key]" in told
    assert KEY.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def test_a_stream_that_hangs_is_left() -> None:
    with doubling(lambda _: double.hang()) as double, pytest.raises(ModelError) as caught:
        list(model(double).stream([{"role": "user", "content": "hello"}], QUICK))
    assert caught.value.reason == "timeout"


def test_who_stops_listening_is_no_failure() -> None:
    with doubling(lambda _: Said("one two three four")) as double:
        asked = model(double)
        stream = asked.stream([{"role": "user", "content": "hello"}], MODELS)
        next(stream)
        stream.close()
        assert asked.spent.failed == 0


def test_without_an_endpoint_it_says_what_to_set() -> None:
    with pytest.raises(ModelError, match="LLM_API_KEY"):
        Model(Endpoint()).warm()


def test_nothing_of_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with doubling(lambda _: Said(status=401)) as double:
        failure(model(double))
    assert KEY not in caplog.text
    assert "create a user" not in "".join(
        r.getMessage() for r in caplog.records if r.name.startswith("specloupe")
    )


def test_a_model_alone_loads_none_of_its_libraries() -> None:
    code = (
        "import sys; from core.llm.model import Model; from core.llm.endpoint import Endpoint; "
        "Model(Endpoint('http://127.0.0.1:9/v1')); print('openai' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    said = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert said.stdout.strip() == "False"
