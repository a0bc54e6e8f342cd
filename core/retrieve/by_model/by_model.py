"""The stages, each taken by a model where the settings of a question say so."""

from __future__ import annotations

from collections.abc import Sequence

from core.model import Understanding
from core.retrieve.by_model.choose import ChooseByModel, Embed
from core.retrieve.by_model.consult import Model
from core.retrieve.by_model.expand import ExpandByModel
from core.retrieve.by_model.rerank import RerankByModel
from core.retrieve.by_model.selections import Selections
from core.retrieve.by_model.understand import UnderstandByModel
from core.retrieve.score.expansion import Added
from core.retrieve.search.evidence import Choice, Evidence
from core.retrieve.search.primaries import Pick
from core.retrieve.stages import Stages
from core.retrieve.understand.asked import Asked
from core.retrieve.understand.question import Question

MODEL = "model"


def by_model(model: Model, base: Stages, selections: Selections, embed: Embed) -> Stages:
    """`base` takes every stage that is not the model's, and goes on where the model fails."""
    understood = UnderstandByModel(model, base.understand)
    chosen = ChooseByModel(model, selections, embed)
    expanded = ExpandByModel(model, base.expand)
    reranked = RerankByModel(model, base.rerank)

    def understand(asked: Asked) -> Understanding:
        return (understood if asked.settings.intent_by == MODEL else base.understand)(asked)

    def choose(question: Question, evidence: Evidence) -> Choice | None:
        is_model = question.settings.api_selection == MODEL
        return (chosen if is_model else base.choose)(question, evidence)

    def expand(question: Question, evidence: Evidence, choice: Choice | None) -> Sequence[Added]:
        is_model = question.settings.query_expansion == MODEL
        return (expanded if is_model else base.expand)(question, evidence, choice)

    def rerank(question: Question, picks: Sequence[Pick]) -> Sequence[Pick]:
        is_model = question.settings.rerank == MODEL
        return (reranked if is_model else base.rerank)(question, picks)

    return Stages(understand, choose, expand, rerank)
