"""Words inside text without blanks are found, by vectors and words and by words alone."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator

import pytest
from support.stores import ingested, opened

from core import Workbench
from core.text.words import index_terms, query_terms

SUMMARIES = {
    "p1": "查询港口的全部船舶信息",
    "p2": "删除一张货运发票",
    "p3": "新しい予約を作成する",
    "p4": "支払い方法の一覧を取得",
    "p5": "사용자프로필을수정합니다",
    "p6": "ยกเลิกการจองห้องพัก",
    "p7": "Crée un café glacé",
}


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("unspaced")
    paths = {f"/{p}": {"get": {"summary": s, "responses": {}}} for p, s in SUMMARIES.items()}
    document = {"openapi": "3.0.3", "info": {"title": "U", "version": "1"}, "paths": paths}
    (folder / "u.json").write_text(json.dumps(document))
    with opened(folder / "store") as made:
        ingested(made, folder / "u.json")
        yield made


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC"])
@pytest.mark.parametrize("mode", ["exact", "hybrid"])
@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("船舶信息", "p1"),
        ("货运发票", "p2"),
        ("予約", "p3"),
        ("支払い", "p4"),
        ("프로필", "p5"),
        ("การจอง", "p6"),
        ("café glacé", "p7"),
    ],
    ids=["Chinese", "more Chinese", "Japanese", "kana", "Korean", "Thai", "accents"],
)
def test_a_word_inside_is_found(
    question: str, path: str, mode: str, form: str, workbench: Workbench
) -> None:
    asked = unicodedata.normalize(form, question)
    found = workbench.retrieve(asked, mode=mode, min_score=0.0).primary_chunks
    assert found[0].chunk.path == f"/{path}"


def test_a_question_asks_for_pairs_and_for_what_stands_alone() -> None:
    assert list(index_terms("船舶")) == ["船", "舶", "船舶"]
    assert query_terms("船舶 港") == ("船舶", "港")
    assert query_terms("API船舶list") == ("api", "船舶", "list")


def test_full_width_letters_are_letters() -> None:
    assert list(index_terms("ＡＰＩ　Ｐａｇｅ")) == ["api", "page"]
