from __future__ import annotations

from support.german import GERMAN
from support.retrieved import A, B, result, run_of

from core.evaluate.compare.compare import compare
from core.evaluate.results import RunResult
from core.evaluate.sets.sample import Sample
from core.story.comparison import of_comparison


def _run(found: int) -> RunResult:
    """Of ten questions, the first so many found."""
    samples = (Sample(f"{n}", f"question {n}", relevant=(A,)) for n in range(10))
    return run_of(*(result(s, [A if int(s.id) < found else B]) for s in samples))


def _told(before: int, after: int) -> dict[str, str]:
    deck = of_comparison("set", compare(_run(before), _run(after)))
    return {slide.step: f"{slide.sentence} {slide.note} {slide.picture}" for slide in deck.slides}


def test_more_is_found() -> None:
    told = _told(4, 9)
    assert "gets 90% of the answers, more than before." in told["What is found"]
    assert "5 answers were won." in told["What was won"]
    assert "“question 4”" in told["What was won"]
    assert "No answer was lost." in told["What was lost"]


def test_less_is_found() -> None:
    told = _told(9, 8)
    assert "less than before" in told["What is found"]
    assert "may be chance" in told["What is found"]
    assert "1 answer was lost." in told["What was lost"]


def test_nothing_changed() -> None:
    told = _told(5, 5)
    assert "as before." in told["What is found"]
    assert "as many tokens" in told["What it costs"]


def test_numbers_are_written_as_their_reader_does() -> None:
    deck = of_comparison("set", compare(_run(4), _run(9)), GERMAN)
    found = next(slide for slide in deck.slides if slide.step == "What is found")
    assert "gets 90 % of the answers" in found.sentence
    assert ">0,400<" in found.picture
    assert ">0,900<" in found.picture
