from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.model import LeftOut
from core.reasons import CAUSES, Cut, Part, cause
from core.retrieve.score import likelihood
from ui.query.context_view import folded
from ui.shared.words import SHARES, made_of

NAMES = [name for names in SHARES.values() for name in names]


def test_every_share_of_a_score_has_a_word() -> None:
    known = {*likelihood.PARTS.values(), Part.EXACT, Part.LEXICAL, Part.START}
    assert known == set(NAMES)


@given(st.dictionaries(st.sampled_from(NAMES), st.floats(0, 0.1), max_size=8))
def test_what_is_shown_of_a_score_adds_up_to_the_score_that_is_shown(
    shares: dict[str, float],
) -> None:
    score = sum(shares.values())
    shown = made_of(shares, score)
    assert round(sum(shown.values()), 2) == round(score, 2)
    for word, value in shown.items():
        exact = sum(shares.get(name, 0.0) for name in SHARES[word])
        assert abs(value - exact) < 0.01 + 1e-9


def test_a_cause_is_what_happened() -> None:
    lost = "ranked below other results of the same resource"
    assert cause(Cut.CHUNK_LIMIT, "per_resource").said == lost
    assert cause(Cut.CHUNK_LIMIT, "max_primary_results").remedy == "Ask for more results."
    assert cause(Cut.CHUNK_LIMIT, "max_total_chunks").said == "over the chunk limit"
    assert cause(Cut.MISSING, "index").remedy == "Rebuild the read index."
    assert cause(Cut.MISSING).remedy == "Fix the reference in the specification."
    assert len({each.said for each in CAUSES.values()}) == len(CAUSES)


def test_reasons_that_repeat_are_folded() -> None:
    behind = "after a.json:components/schemas/X, which did not fit"
    lost = [
        LeftOut("a:1", Cut.CHUNK_LIMIT, "rank 7, after the 5 results", 7, 0.4),
        LeftOut("a:2", Cut.CHUNK_LIMIT, "rank 8, after the 5 results", 8, 0.3),
        LeftOut("a:x", Cut.TOKEN_LIMIT, "its id needs 40 tokens", depth=1),
        *(LeftOut(f"a:{n}", Cut.TOKEN_LIMIT, behind, depth=2) for n in range(3, 9)),
    ]
    assert [[left.chunk_id for left in group] for group in folded(lost)] == [
        ["a:1", "a:2"],
        ["a:x"],
        [f"a:{n}" for n in range(3, 9)],
    ]
