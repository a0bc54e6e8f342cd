"""A workbench's language model: opened when a question first needs it, and never before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from core.errors import ModelError
from core.settings import Models

if TYPE_CHECKING:
    from core.llm.client import Messages
    from core.llm.endpoint import Endpoint
    from core.llm.model import Model
    from core.llm.spent import Spent
    from core.llm.task import Reply, Task
    from core.retrieve.by_model.choose import Embed
    from core.retrieve.by_model.selections import Selections
    from core.retrieve.stages import Stages


class ModelDesk:
    """Safe to share between threads. While no stage is a model's, nothing of it is imported."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = environment
        self._lock = Lock()
        self._model: Model | None = None
        self._selections: Selections | None = None

    @property
    def endpoint(self) -> Endpoint:
        """Raises SettingsError where the environment has it wrong."""
        from core.llm.endpoint import Endpoint

        return self._model.endpoint if self._model else Endpoint.from_environment(self._environment)

    @property
    def spent(self) -> Spent:
        """Since the workbench was opened."""
        from core.llm.spent import Spent

        return self._model.spent if self._model else Spent()

    @property
    def is_paused(self) -> bool:
        return self._model is not None and self._model.is_paused

    def stages(self, base: Stages, embed: Embed) -> Stages:
        """Those of `base`, and a model's where a question's settings want one."""
        from core.retrieve.by_model.by_model import by_model
        from core.retrieve.by_model.selections import Selections

        with self._lock:
            selections = self._selections = self._selections or Selections()
        return by_model(self, base, selections, embed)

    def budget(self, tokens: int, usd: float) -> Callable[[], str]:
        """Says which budget has been used up since now, in words; 0 is none."""
        from core.llm.endpoint import Limits

        limits, before = Limits(budget_tokens=tokens, budget_usd=usd), self.spent

        def used_up() -> str:
            return self.spent.since(before).over(limits)

        return used_up

    def warm(self) -> None:
        """Load now what the first call would wait for."""
        with suppress(ModelError):  # without an endpoint every call says so, and the rules go on
            self._opened().warm()

    def ask(self, task: Task, models: Models, seconds: float) -> Reply:
        """Raises ModelError; the library is loaded before the time of the call begins."""
        model = self._opened()
        model.warm()
        return model.ask(task, models, seconds)

    def stream(self, messages: Messages, models: Models) -> Iterator[str | Reply]:
        """Raises ModelError."""
        return self._opened().stream(messages, models)

    def _opened(self) -> Model:
        from core.index.disk.sqlite import ANSWERS
        from core.llm.kept import Answers
        from core.llm.model import Model

        with self._lock:
            if self._model is None:
                self._model = Model(self.endpoint, Answers(self._folder / ANSWERS))
            return self._model
