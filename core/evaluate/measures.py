"""The metrics: name, meaning, unit and direction of each.

The policy, for all of them:

- A metric is scored per question and macro-averaged over the questions that it is defined for,
  whose number is reported beside it. Undefined values are left out, never counted as 0 or NaN.
- A labelled question for which nothing was retrieved scores 0 on every metric where higher is
  better, even where ragas says NaN: returning nothing never raises an average. Metrics of a cost
  (tokens, noise) are undefined then.
- Ranked lists hold elements: parts are collapsed to their element at its best rank. Equal scores
  keep the order of the retrieval, which breaks ties on the chunk id; no metric reorders them.
- In a group of alternatives the best-ranked member counts, and its siblings are taken out of the
  list before it is scored: they neither help nor push anything down. A group that is implied by
  another (a superset of it) is dropped.
- `grades` are the linear gains of nDCG; elsewhere every label counts the same.
- Questions without labels are scored by `no_answer.*`, the stages, their cost and the time alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import CallError
from core.text.nearest import nearest
from core.text.plural import Write, counted, plainly

CUTOFFS = (1, 3, 5, 10)


@dataclass(frozen=True, slots=True)
class Measure:
    """One metric's definition."""

    name: str
    words: str  # the name as people say it; the other is for files and the command line
    help: str
    higher_is_better: bool = True
    unit: str = "share"  # share (0 to 1), tokens, chunks, steps, ms, $, score
    is_count: bool = False  # 0 or 1 of each question, so that the mean counts questions

    @property
    def group(self) -> str:
        return self.name.split(".", 1)[0]

    def goodness(self, value: float) -> float | None:
        """How good a value is, 0 to 1, for a colour; None for what has no best and worst."""
        if self.unit != "share":
            return None
        share = value if self.higher_is_better else 1 - value
        return min(1.0, max(0.0, share))

    def told(self, value: float, questions: int, write: Write = plainly) -> str:
        """`85 of 100 questions`, where the value counts questions; "" where it does not."""
        if not self.is_count:
            return ""
        return (
            f"{write(round(value * questions), 0)} of {counted(questions, 'question', write=write)}"
        )


def _at_cutoffs(name: str, words: str, help: str, *, is_count: bool = False) -> tuple[Measure, ...]:
    return tuple(
        Measure(
            f"search.{name}@{k}",
            words.format(k=_first(k)),
            help.format(k=k),
            is_count=is_count,
        )
        for k in CUTOFFS
    )


def _first(k: int) -> str:
    return f"first {k}" if k > 1 else "first result"


SEARCH = (
    *_at_cutoffs("recall", "Expected answers in the {k}", "Share of the labels in the top {k}."),
    *_at_cutoffs(
        "precision", "Expected among the {k}", "Labelled elements in the top {k}, divided by {k}."
    ),
    *_at_cutoffs(
        "hit",
        "An expected answer in the {k}",
        "Whether any label is in the top {k}.",
        is_count=True,
    ),
    *_at_cutoffs(
        "all",
        "All expected answers in the {k}",
        "Whether all labels are in the top {k}.",
        is_count=True,
    ),
    *_at_cutoffs(
        "ndcg", "Order of the {k}", "nDCG of the top {k}: graded gain, discounted by rank."
    ),
    Measure(
        "search.mrr",
        "First expected answer, 1 / rank",
        "1 / rank of the first labelled element.",
    ),
    Measure(
        "search.map",
        "Precision at the expected answers",
        "Mean of the precision at the rank of each labelled element.",
    ),
)
RAGAS = (
    Measure(
        "ragas.id_based_context_recall",
        "Expected answers in the context, by ragas",
        "Share of the labels in the context, by ragas.",
    ),
    Measure(
        "ragas.id_based_context_precision",
        "Expected in the context, by ragas",
        "Share of the context that is labelled, by ragas.",
    ),
)
RAGAS_TEXT = (
    Measure(
        "ragas.non_llm_context_recall",
        "Expected texts in the context, by ragas",
        "Share of the labels whose text, or one at least 95% similar, is in the context, by ragas.",
    ),
    Measure(
        "ragas.non_llm_context_precision_with_reference",
        "Precision at the expected texts, by ragas",
        "Mean precision at each context text at least 95% similar to a labelled one, by ragas.",
    ),
)
CONTEXT = (
    Measure(
        "context.recall",
        "Expected answers in the context",
        "Share of the labels that are in the context.",
    ),
    Measure(
        "context.complete",
        "All expected answers in the context",
        "Whether all labels are in the context.",
        is_count=True,
    ),
    Measure(
        "context.dependencies",
        "Results with all that they require",
        "Share of the results whose required dependencies are all in the context.",
    ),
    Measure(
        "context.dependencies_top",
        "First result with all that it requires",
        "Whether the required dependencies of the first result are all in the context.",
        is_count=True,
    ),
    Measure(
        "context.dependencies_all",
        "All results with all that they require",
        "Whether the required dependencies of all results are in the context.",
        is_count=True,
    ),
    Measure(
        "context.direct",
        "Expected answers among the results",
        "Share of the labels included as results.",
    ),
    Measure(
        "context.by_reference",
        "Expected answers by reference only",
        "Share of the labels included only by reference.",
    ),
    Measure(
        "context.noise",
        "Noise in the context",
        "Share of the context that is neither labelled nor referred to by a labelled element.",
        higher_is_better=False,
    ),
    Measure(
        "context.empty",
        "Empty contexts despite an answer",
        "Whether a question with labels got an empty context.",
        higher_is_better=False,
        is_count=True,
    ),
    Measure(
        "context.tokens",
        "Tokens a question",
        "Tokens in the context.",
        higher_is_better=False,
        unit="tokens",
    ),
    Measure(
        "context.tokens_per_relevant",
        "Tokens an expected answer",
        "Tokens in the context for each labelled element in it.",
        higher_is_better=False,
        unit="tokens",
    ),
    Measure(
        "context.chunks",
        "Chunks a question",
        "Chunks in the context.",
        higher_is_better=False,
        unit="chunks",
    ),
)
STAGES = (
    Measure(
        "api.recall@1",
        "Expected answers in the API of the first result",
        "Share of the labels that are in the API of the first element.",
    ),
    Measure(
        "api.recall@3",
        "Expected answers in the first three APIs",
        "Share of the labels whose API is among the first three APIs found.",
    ),
    Measure(
        "api.chosen",
        "Expected answers in a chosen API",
        "Share of the labels whose API was chosen.",
    ),
    Measure(
        "api.precision",
        "Chosen APIs with an expected answer",
        "Share of the chosen APIs that hold a label.",
    ),
    Measure(
        "api.cache_hit_rate",
        "Choices of APIs kept from before",
        "Whether the APIs that a model was to choose were known from before.",
        is_count=True,
    ),
    Measure(
        "expansion.cache_hit_rate",
        "Added terms kept from before",
        "Whether the terms that a model was to add were known from before.",
        is_count=True,
    ),
    Measure(
        "intent.accuracy",
        "Intents recognised",
        "Whether the recognised intent is the labelled one.",
        is_count=True,
    ),
    Measure(
        "filter.lost_gold",
        "Expected answers that a filter excluded",
        "Share of the labels excluded by a filter.",
        higher_is_better=False,
    ),
    Measure(
        "filter.fallback_rate",
        "Filters dropped",
        "Whether the filter left too few results and was dropped.",
        higher_is_better=False,
        is_count=True,
    ),
    Measure(
        "refs.followed",
        "References followed",
        "References that were followed, in the context or not.",
        higher_is_better=False,
        unit="chunks",
    ),
    Measure(
        "refs.depth",
        "Deepest reference",
        "Steps from a result to the farthest reference in the context.",
        higher_is_better=False,
        unit="steps",
    ),
)
NO_ANSWER = (
    Measure(
        "no_answer.accuracy",
        "Empty contexts where there is no answer",
        "Whether a question without labels got an empty context.",
        is_count=True,
    ),
    Measure(
        "no_answer.top_score",
        "Best score where there is no answer",
        "Score of the best result of a question without labels; 0 if there is none.",
        higher_is_better=False,
        unit="score",
    ),
)
PERCENTILES = (50, 95, 99)
TIMED = {  # stages of a retrieval, in their order
    "understand": "understand the question",
    "embed": "embed it",
    "evidence": "weigh the evidence",
    "choose_apis": "choose APIs",
    "expand": "add terms",
    "search": "search",
    "follow": "follow references",
    "assemble": "assemble the context",
}
LATENCY = tuple(
    Measure(f"latency.{name}_ms", words, help, higher_is_better=False, unit="ms")
    for name, words, help in (
        *(
            (f"p{p}", f"Time of {p}%", f"Milliseconds within which {p}% of the retrievals finish.")
            for p in PERCENTILES
        ),
        ("mean", "Mean time", "Mean milliseconds of a retrieval."),
        ("max", "Slowest", "Milliseconds taken by the slowest retrieval."),
        *(
            (stage, f"Mean time to {words}", f"Mean milliseconds of the stage `{stage}`.")
            for stage, words in TIMED.items()
        ),
    )
)

COST = (
    Measure(
        "cost.tokens_in",
        "Tokens that the model read",
        "Tokens that a language model read for a question; kept answers cost none.",
        higher_is_better=False,
        unit="tokens",
    ),
    Measure(
        "cost.tokens_out",
        "Tokens that the model wrote",
        "Tokens that a language model wrote for a question.",
        higher_is_better=False,
        unit="tokens",
    ),
    Measure(
        "cost.usd",
        "Money for the model",
        "Dollars for a question; 0 where no price is set.",
        higher_is_better=False,
        unit="$",
    ),
    Measure(
        "cost.model_ms",
        "Time of the model",
        "Milliseconds that a question waited for a language model.",
        higher_is_better=False,
        unit="ms",
    ),
    Measure(
        "cost.kept",
        "Answers kept from before",
        "Share of a question's calls that were answered from what was kept.",
    ),
    Measure(
        "cost.failed",
        "Rules in the model's place",
        "Share of a question's calls after which the rules went on.",
        higher_is_better=False,
    ),
)

JUDGE = (
    Measure(
        "ragas.context_precision",
        "Precision of the context, judged",
        "Mean precision at each chunk of the context that a judge finds useful.",
    ),
    Measure(
        "ragas.context_recall",
        "Recall of the context, judged",
        "Share of the statements of the labelled texts that a judge finds in the context.",
    ),
    Measure(
        "ragas.faithfulness",
        "Faithfulness of an answer, judged",
        "Share of the statements of an answer from the context that a judge finds in the context.",
    ),
    Measure(
        "ragas.answer_relevancy",
        "Relevancy of an answer, judged",
        "Similarity of the question to questions that a judge makes of the answer.",
    ),
    Measure(
        "judge.agreement",
        "Judge and labels agree",
        "Share of the chunks of the context that a judge finds useful as the labels do.",
    ),
    Measure(
        "judge.deviation",
        "Deviation of the judge",
        "Standard deviation between the judge's repeats, the mean over its metrics.",
        higher_is_better=False,
    ),
    Measure(
        "judge.failed",
        "Left out by the judge",
        "Share of the judge's figures that it did not give; they count in no mean.",
        higher_is_better=False,
    ),
    Measure(
        "judge.tokens_in",
        "Tokens that the judge read",
        "Tokens that a judge read for a question, all repeats together; kept answers cost none.",
        higher_is_better=False,
        unit="tokens",
    ),
    Measure(
        "judge.tokens_out",
        "Tokens that the judge wrote",
        "Tokens that a judge wrote for a question, all repeats together.",
        higher_is_better=False,
        unit="tokens",
    ),
    Measure(
        "judge.usd",
        "Money for the judge",
        "Dollars for the judge of a question; 0 where no price is set.",
        higher_is_better=False,
        unit="$",
    ),
)

MEASURES = (*SEARCH, *RAGAS, *RAGAS_TEXT, *CONTEXT, *STAGES, *NO_ANSWER, *COST, *JUDGE, *LATENCY)
MEASURE = {measure.name: measure for measure in MEASURES}

HEADLINE = (  # compared by default, and shown first
    "search.hit@10",
    "search.recall@10",
    "search.all@10",
    "search.mrr",
    "search.ndcg@10",
    "context.recall",
    "context.complete",
    "context.tokens",
)


def measure(name: str) -> Measure:
    """The metric with this name; raises CallError, suggesting the nearest, if there is none."""
    if name in MEASURE:
        return MEASURE[name]
    if name.startswith("ragas."):
        judged = ", ".join(each.name for each in JUDGE if each.name.startswith("ragas."))
        without_model = ", ".join(each.name for each in (*RAGAS, *RAGAS_TEXT))
        raise CallError(
            f"{name[:100]} is no metric of ragas that is computed here. Without a model as a judge "
            f"use {without_model}; with one (`eval --judge`), {judged}."
        )
    close = nearest(name[:100], MEASURE)
    hint = f"Did you mean {close[0]!r}?" if close else "docs/evaluation.md lists them."
    raise CallError(f"There is no metric {name[:100]!r}. {hint}")
