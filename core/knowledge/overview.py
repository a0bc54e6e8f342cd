"""What the articles of a store are for: how many for each intent and product, and where few are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.knowledge.asked import fits
from core.knowledge.base import DEVICE, INTENT, Base
from core.knowledge.coverage import ENOUGH

ANY = ""  # no product named: every article with the intent counts


@dataclass(frozen=True, slots=True)
class Gap:
    """An intent that too few articles are for, all in all or for a product."""

    intent: str
    product: str  # ANY: whatever the product
    articles: int  # that are for it; fewer than three never make high coverage

    @property
    def lacking(self) -> int:
        return ENOUGH - self.articles


@dataclass(frozen=True, slots=True)
class Overview:
    """Intents and products as they are written, in order, and the articles for each pair."""

    articles: int = 0
    without_intent: int = 0
    intents: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    counts: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by intent and product

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Those of which most is lacking first, then those of the intents that most is written
        about; an intent that lacks as much of every product is one gap."""
        found = []
        for intent in self.intents:
            whole = self.counts[intent, ANY]
            pairs = [Gap(intent, each, self.counts[intent, each]) for each in self.products]
            if whole < ENOUGH:
                found.append(Gap(intent, ANY, whole))
            found += [gap for gap in pairs if gap.articles < min(whole, ENOUGH)]
        weight = {intent: self.counts[intent, ANY] for intent in self.intents}
        return tuple(sorted(found, key=lambda gap: (-gap.lacking, -weight[gap.intent])))


def overview(base: Base) -> Overview:
    """Of all articles of a read index."""
    named = {article.id: _named(article.tags, INTENT) for article in base.articles}
    intents = _each(named.values())
    products = _each(_named(article.tags, DEVICE) for article in base.articles)
    counts = {}
    for intent in intents:
        tagged = base.tagged(intent)
        devices = [base.devices(each) for each in base.articles if each.id in tagged]
        counts[intent, ANY] = len(devices)
        for product in products:
            counts[intent, product] = sum(fits(product, each) for each in devices)
    without = sum(not each for each in named.values())
    return Overview(len(named), without, intents, products, counts)


def _named(tags: Sequence[str], prefix: str) -> list[str]:
    return [tag.removeprefix(prefix) for tag in tags if tag.startswith(prefix)]


def _each(names: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """All names in order, each as it is written first."""
    found: dict[str, str] = {}
    for name in (name for each in names for name in each):
        found.setdefault(name.casefold(), name)
    return tuple(found[folded] for folded in sorted(found))
