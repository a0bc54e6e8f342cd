"""The one place that speaks to a model, through the `openai` client."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import finalize

from core.deadline import Deadline
from core.errors import ModelError
from core.llm.endpoint import Endpoint
from core.llm.reading import Nonsense, read
from core.llm.task import Reply, Task
from core.llm.without_key import WithoutKey, without_key
from core.settings import Models
from core.tokens import counter

if TYPE_CHECKING:
    from openai import OpenAI

_LOG = logging.getLogger("specloupe.models")
_LARGEST = 2_000_000  # bytes of one answer
_PAUSE_S = 0.1  # before the first further try, where the server says nothing; then twice as long
_LONGEST = 100_000  # characters of an answer in pieces
_LONGEST_S = 120.0  # of one answer, however slowly it comes
_FORMS = ("json_schema", "json_object", "text")  # how an object is asked for, strictest first
_DROPPABLE = ("max_tokens", "temperature", "seed")  # parameters that some models refuse
_ENCODING = "cl100k_base"  # counts where the server does not
_ODD = (ValueError, TypeError, KeyError, AttributeError, LookupError)  # of an answer's shape

T = TypeVar("T")
Messages = Sequence[Mapping[str, str]]


class Client:
    """Calls with retries within a time; learns what a server does not take. For any thread."""

    def __init__(self, endpoint: Endpoint, wait: Callable[[float], None] = time.sleep) -> None:
        self._endpoint = endpoint
        self._wait = wait
        self._form = 0  # of `_FORMS`: the strictest that the server takes
        self._refused: frozenset[str] = frozenset()  # parameters that it does not

    def warm(self) -> None:
        """Import the library, which takes longer than many a call; raises ModelError."""
        _ = self._openai.chat

    def ask(self, task: Task, models: Models, deadline: Deadline) -> Reply:
        """The answer as an object of the task's schema; raises ModelError."""

        def call() -> Reply:
            text, tokens_in, tokens_out = self._completed(task, models, deadline)
            usd = self._endpoint.limits.usd(tokens_in, tokens_out)
            return Reply(read(text, task.schema), tokens_in, tokens_out, usd)

        return self._tried(call, models, deadline)

    def stream(self, messages: Messages, models: Models) -> Iterator[str | Reply]:
        """An answer in text, piece by piece, then what it came to; raises ModelError.

        The time-out is for the first piece and for each one after it.
        """
        seconds = models.llm_timeout_ms / 1000
        begun = self._tried(
            lambda: self._begun(messages, models, seconds), models, Deadline.after(seconds)
        )
        said: list[str] = []
        usage, ended, failure = None, False, None
        told, left = WithoutKey(self._endpoint.key), _LONGEST
        try:
            with closing(begun):
                for piece in begun:
                    usage = getattr(piece, "usage", None) or usage
                    for choice in piece.choices[:1]:
                        ended = ended or bool(choice.finish_reason)
                        if text := told.add(choice.delta.content or ""):
                            said.append(text)
                            yield text
                            left -= len(text)
                    if left < 0:
                        break
        except Exception as error:
            failure = self._told(error, models)
        if failure:
            raise failure
        if left < 0:
            raise ModelError("nonsense", f"{self._endpoint.host} does not come to an end.")
        if not ended:
            raise ModelError("failed", f"{self._endpoint.host} broke off its answer: ask again.")
        if rest := told.rest():
            said.append(rest)
            yield rest
        counted = self._used(usage, messages, "".join(said))
        yield Reply(None, *counted, self._endpoint.limits.usd(*counted))

    def _begun(self, messages: Messages, models: Models, seconds: float) -> Any:
        return self._openai.chat.completions.create(
            **self._parameters(messages, models),
            stream=True,
            stream_options={"include_usage": True},
            timeout=seconds,
        )

    def _completed(self, task: Task, models: Models, deadline: Deadline) -> tuple[str, int, int]:
        """Text and tokens; asks less strictly where the server does not take a strict form."""
        import openai

        form = self._form
        while True:
            try:
                answer = self._openai.chat.completions.create(
                    **self._parameters(task.messages, models),
                    **_wanted(_FORMS[form], task),
                    timeout=max(0.001, deadline.left),
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if self._drops(error.param):
                    continue
                if form + 1 == len(_FORMS):
                    raise
                form += 1
                continue
            self._form = form
            text = answer.choices[0].message.content
            if not isinstance(text, str):
                raise Nonsense("there is no text in the answer")
            text = without_key(text, self._endpoint.key)
            return (text, *self._used(answer.usage, task.messages, text))

    def _parameters(self, messages: Messages, models: Models) -> dict[str, Any]:
        longest = "max_tokens" if "max_tokens" not in self._refused else "max_completion_tokens"
        wanted = {
            "model": models.llm_model,
            "messages": list(messages),
            longest: models.llm_max_output_tokens,
            "temperature": models.llm_temperature,
            "seed": models.llm_seed,
        }
        return {name: value for name, value in wanted.items() if name not in self._refused}

    def _drops(self, parameter: str | None) -> bool:
        """Whether it goes on without a parameter that the server names as refused."""
        if parameter not in _DROPPABLE or parameter in self._refused:
            return False
        self._refused |= {parameter}
        return True

    @staticmethod
    def _used(usage: Any, messages: Messages, text: str) -> tuple[int, int]:
        """Tokens in and out, as the server counts them, else as we do."""
        told = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
        if all(isinstance(each, int) and each >= 0 for each in told):
            return cast(tuple[int, int], told)
        count = counter(_ENCODING).count
        return sum(count(message["content"]) for message in messages), count(text)

    def _tried(self, call: Callable[[], T], models: Models, deadline: Deadline) -> T:
        """What the call gives, tried again while there is time; raises ModelError."""
        for attempt in count():
            try:
                return call()
            except Nonsense as error:
                said = f"{models.llm_model} at {self._endpoint.host} answered nonsense: {error}."
                failure, pause = ModelError("nonsense", said), None
            except Exception as error:
                failure, pause = self._told(error, models), _pause(error, attempt)
            is_last = attempt == self._endpoint.limits.retries
            if pause is None or is_last or pause >= deadline.left:
                raise failure  # here, where it has no context: that may quote the key
            self._wait(pause)
        raise AssertionError("a call returns or raises")

    @cached_property
    def _openai(self) -> OpenAI:
        if not self._endpoint.is_usable:
            raise ModelError(
                "refused",
                "A language model needs an endpoint: set LLM_API_KEY, or LLM_BASE_URL for one of "
                "your own.",
            )
        from openai import DefaultHttpxClient, OpenAI

        from core.index.disk.bounded import bounded

        hook = bounded(size=_LARGEST, seconds=_LONGEST_S)
        http = DefaultHttpxClient(event_hooks={"response": [hook]}, follow_redirects=False)
        finalize(self, http.close)
        return OpenAI(
            api_key=self._endpoint.key or "none",
            base_url=self._endpoint.url or None,
            max_retries=0,  # ours keep to the time of a call
            http_client=http,
        )

    def _told(self, error: Exception, models: Models) -> ModelError:
        """What happened and what to do, without the server's words: they may quote the key."""
        if isinstance(error, ModelError):
            return error
        _LOG.debug("A model failed: %s", type(error).__name__)
        where, model = self._endpoint.host, models.llm_model
        reason = _reason(error)
        said = {
            "limited": f"{where} refuses further requests for now: check the quota, or wait.",
            "timeout": f"{model} at {where} did not answer in time: see LLM_TIMEOUT_MS.",
            "unreachable": f"{where} cannot be reached: check the network and LLM_BASE_URL.",
            "key": f"{where} does not accept the key for {model}: check LLM_API_KEY.",
            "unknown": f"{where} has no model {model!r}: check LLM_MODEL and LLM_BASE_URL.",
            "refused": f"{where} refused the request to {model}.",
            "failed": f"{model} at {where} failed: try again later.",
            "nonsense": f"{where} does not answer like a language model: check LLM_BASE_URL.",
        }[reason]
        return ModelError("refused" if reason in ("key", "unknown") else reason, said)


def _wanted(form: str, task: Task) -> dict[str, Any]:
    if form == "text":
        return {}
    if form == "json_object":
        return {"response_format": {"type": form}}
    schema = {"name": task.name, "schema": dict(task.schema), "strict": True}
    return {"response_format": {"type": form, "json_schema": schema}}


def _reason(error: Exception) -> str:
    import openai

    if isinstance(error, openai.APITimeoutError) or "Timeout" in type(error).__name__:
        return "timeout"
    if isinstance(error, openai.APIStatusError):
        known = {401: "key", 403: "key", 404: "unknown", 429: "limited"}
        return known.get(error.status_code, "refused" if error.status_code < 500 else "failed")
    if "TooLarge" in (type(error).__name__, type(error.__cause__).__name__):
        return "nonsense"
    if isinstance(error, openai.APIConnectionError):
        return "unreachable"
    return "nonsense" if isinstance(error, (openai.OpenAIError, *_ODD)) else "failed"


def _pause(error: Exception, attempt: int) -> float | None:
    """Seconds until another try may help; None where it would not."""
    import openai

    pause: float = _PAUSE_S * 2**attempt * (1 + random.random())
    if isinstance(error, openai.APIStatusError):
        is_passing = error.status_code == 429 or error.status_code >= 500
        told = error.response.headers.get("retry-after", "")
        asked = float(told) if told.isdecimal() else 0.0
        return max(pause, asked) if is_passing else None
    is_lost = isinstance(error, openai.APIConnectionError)
    return pause if is_lost and not isinstance(error, openai.APITimeoutError) else None
