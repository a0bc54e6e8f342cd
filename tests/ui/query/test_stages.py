import re
from pathlib import Path

import pytest

from ui.query.stages import stage_bar


def test_each_stage_takes_its_share_of_the_total() -> None:
    bar = stage_bar({"search": 3.0, "follow_refs": 1.0, "total": 8.0})
    assert re.findall(r"width:([\d.]+)%", bar) == ["37.50", "12.50"]
    assert "follow refs" in bar
    assert "3 ms" in bar
    assert "total" not in bar


@pytest.mark.parametrize("times", [{}, {"total": 0.0}, {"search": 0.0}], ids=["none", "zero", "0"])
def test_nothing_measured_draws_nothing(times: dict[str, float]) -> None:
    assert stage_bar(times) == ""


def test_no_two_stages_of_a_retrieval_share_a_colour() -> None:
    names = ["understand", "embed", "evidence", "choose_apis"]
    names += ["expand", "search", "follow", "assemble"]
    bar = stage_bar(dict.fromkeys(names, 1.0))
    colours = set(re.findall(r"sl-stage-\d+", bar))
    assert len(colours) == len(names)
    styles = Path(__file__).parents[3].joinpath("ui/assets/style.css").read_text()
    assert all(f".{colour} " in styles for colour in colours)
