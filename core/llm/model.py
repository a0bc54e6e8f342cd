"""A language model as stages ask it: in time, within a budget, and left alone when it fails."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import BoundedSemaphore, Lock

from core.deadline import Deadline
from core.errors import ModelError
from core.in_time import InTime, TooLate
from core.llm.breaker import PAUSE_S, Breaker
from core.llm.client import Client, Messages
from core.llm.endpoint import Endpoint
from core.llm.kept import Answers, key_of
from core.llm.reading import fits
from core.llm.spent import Spending, Spent
from core.llm.task import Reply, Task
from core.settings import Models

FAILED_S = 30.0  # for which a question that failed is not asked again
_FAILED = 1_000  # of which so many are known
_NO_BOUND = 1_000_000  # of what is abandoned: the slots are one


class Model:
    """One endpoint for all threads of a process. Every failure is a ModelError."""

    def __init__(
        self,
        endpoint: Endpoint,
        answers: Answers | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.endpoint = endpoint
        self._client = Client(endpoint)
        self._answers = answers if endpoint.limits.cache else None
        self._breaker = Breaker(clock)
        self._slots = BoundedSemaphore(endpoint.limits.concurrency)
        self._in_time: InTime[Reply] = InTime(_NO_BOUND)
        self._failures = _Failures(clock)
        self._spending = Spending()

    @property
    def spent(self) -> Spent:
        """Since it was opened."""
        return self._spending.sum

    @property
    def is_paused(self) -> bool:
        """Whether it failed so often that it is left alone for now."""
        return self._breaker.is_open

    def warm(self) -> None:
        """Load now what the first call would wait for; raises ModelError."""
        self._client.warm()

    def ask(self, task: Task, models: Models, seconds: float) -> Reply:
        """The answer to a task within the shorter of these seconds and the time-out.

        From what was kept, where the same was asked before. Raises ModelError.
        """
        key = self._key(task, models)
        kept = self._answers.get(key) if self._answers else None
        if kept is not None and fits(kept, task.schema):
            reply = Reply(kept, is_kept=True)
            self._spending.replied(reply)
            return reply
        if failure := self._failures.known(key):
            raise failure
        reply = self._called(key, task, models, min(seconds, models.llm_timeout_ms / 1000))
        if self._answers:
            self._answers.put(key, reply.value)
        return reply

    def stream(self, messages: Messages, models: Models) -> Iterator[str | Reply]:
        """An answer in text, piece by piece, and last what it came to; raises ModelError."""
        self._check()
        ended = False
        try:
            for piece in self._client.stream(messages, models):
                if isinstance(piece, Reply):
                    ended = True
                    self._succeeded(piece)
                yield piece
        except ModelError:
            ended = True
            self._failed()
            raise
        finally:
            if not ended:  # whoever listened went away: no fault of the model
                self._breaker.succeeded()

    def _key(self, task: Task, models: Models) -> str:
        """Of all that an answer depends on; the key of the endpoint is none of it."""
        parameters = models.llm_temperature, models.llm_seed, models.llm_max_output_tokens
        return key_of(self.endpoint.host, models.llm_model, parameters, task.messages)

    def _called(self, key: str, task: Task, models: Models, seconds: float) -> Reply:
        self._check()
        try:
            reply = self._timed(task, models, seconds)
        except ModelError as error:
            self._failed()
            self._failures.add(key, error)
            raise
        self._succeeded(reply)
        return reply

    def _check(self) -> None:
        if over := self._spending.sum.over(self.endpoint.limits):
            raise ModelError("budget", f"{over[0].upper()}{over[1:]} (LLM_BUDGET_…) is used up.")
        if not self._breaker.allows():
            raise ModelError(
                "paused",
                f"{self.endpoint.host} failed several times in a row and is left alone for "
                f"{PAUSE_S:.0f} seconds.",
            )

    def _timed(self, task: Task, models: Models, seconds: float) -> Reply:
        """The time runs while others have all the slots, too."""
        deadline = Deadline.after(seconds)
        late = ModelError(
            "timeout",
            f"{models.llm_model} at {self.endpoint.host} did not answer in time: see "
            "LLM_TIMEOUT_MS.",
        )
        if not self._slots.acquire(timeout=max(0.0, seconds)):
            raise late

        def call() -> Reply:
            try:
                return self._client.ask(task, models, deadline)
            finally:
                self._slots.release()

        try:
            return self._in_time.run(call, max(0.0, deadline.left))
        except TooLate:
            raise late from None

    def _succeeded(self, reply: Reply) -> None:
        self._breaker.succeeded()
        self._spending.replied(reply)

    def _failed(self) -> None:
        self._breaker.failed()
        self._spending.failed()


class _Failures:
    """What failed lately, by its key."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = Lock()
        self._known: OrderedDict[str, tuple[float, ModelError]] = OrderedDict()

    def known(self, key: str) -> ModelError | None:
        with self._lock:
            until, error = self._known.get(key, (0.0, None))
            if error is None or self._clock() >= until:
                return None
            return ModelError(error.reason, str(error))

    def add(self, key: str, error: ModelError) -> None:
        with self._lock:
            self._known[key] = self._clock() + FAILED_S, error
            self._known.move_to_end(key)
            while len(self._known) > _FAILED:
                self._known.popitem(last=False)
