"""The page that tells a question as slides; the slides are tested in tests/story."""

from __future__ import annotations


def test_a_question_is_told_as_slides(open_page) -> None:
    app = open_page("present", q="How do I create a user?")
    assert not app.exception
    assert app.text_input(key="q").value == "How do I create a user?"
    assert any("arrow keys" in caption.value for caption in app.caption)
    (slides,) = app.get("iframe")
    assert "What that needs" in slides.proto.srcdoc
