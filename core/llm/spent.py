"""What calls of a model came to, in tokens and money."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock

from core.llm.endpoint import Limits
from core.llm.task import Reply


@dataclass(frozen=True, slots=True)
class Spent:
    """A running sum."""

    calls: int = 0  # that reached the model, failed ones included
    kept: int = 0  # answers that an earlier call had given
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float = 0.0  # 0 where no price is set

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    @property
    def hit_rate(self) -> float:
        """Share of what was asked for that was kept from before, 0 to 1."""
        return self.kept / max(1, self.kept + self.calls)

    def since(self, earlier: Spent) -> Spent:
        """What came to it after an earlier sum."""
        return Spent(
            self.calls - earlier.calls,
            self.kept - earlier.kept,
            self.failed - earlier.failed,
            self.tokens_in - earlier.tokens_in,
            self.tokens_out - earlier.tokens_out,
            self.usd - earlier.usd,
        )

    def over(self, limits: Limits) -> str:
        """The budget that is used up, in words; "" while there is some left."""
        if limits.budget_tokens and self.tokens >= limits.budget_tokens:
            return f"the budget of {limits.budget_tokens:,} tokens"
        if limits.budget_usd and self.usd >= limits.budget_usd:
            return f"the budget of ${limits.budget_usd:g}"
        return ""


class Spending:
    """Adds up; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sum = Spent()

    @property
    def sum(self) -> Spent:
        with self._lock:
            return self._sum

    def replied(self, reply: Reply) -> None:
        self._add(
            calls=not reply.is_kept,
            kept=reply.is_kept,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            usd=reply.usd,
        )

    def failed(self) -> None:
        self._add(calls=1, failed=1)

    def _add(self, **more: float) -> None:
        with self._lock:
            was = self._sum
            added = {name: getattr(was, name) + value for name, value in more.items()}
            self._sum = replace(was, **added)
