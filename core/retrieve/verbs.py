"""The verbs of questions, and which HTTP methods they suggest."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FAMILIES = {
    ("GET",): """
        access analyze assess browse check compare count display download evaluate examine explore
        export fetch find forecast get identify inspect list look monitor obtain predict query read
        retrieve review search see show tell track view
    """,
    ("POST", "PUT"): """
        add append approve book buy capture charge collect convert copy create follow fork generate
        give import insert invite invoke launch like log make merge notify order pay play post
        provide publish push put queue record refund register report request run save schedule send
        share skip start submit subscribe transfer trigger upload
    """,
    ("PATCH", "POST", "PUT"): """
        adjust assign calibrate change configure disable edit enable ensure improve mark modify move
        optimize patch rename reorder replace set stop switch turn update
    """,
    ("DELETE", "POST"): """
        cancel clear delete discard drop erase remove revoke unfollow unlike unsubscribe wipe
    """,
}  # POST is what many APIs use for whatever is not reading


def _methods() -> Iterator[tuple[str, tuple[str, ...]]]:
    for methods, verbs in _FAMILIES.items():
        for verb in verbs.split():
            stem = verb.removesuffix("e")
            for form in (verb, f"{verb}s", f"{stem}ing", f"{verb}{verb[-1]}ing"):
                yield form, methods


_METHODS = dict(_methods())
_WORD = re.compile(r"[a-z]+")


def suggested_methods(text: str) -> tuple[str, ...]:
    """Those of the first verb in lower-case text that suggests any."""
    return _METHODS.get(leading_verb(text), ())


def leading_verb(text: str) -> str:
    """The first word of lower-case text that says what is to be done; "" when none does."""
    return next((word for word in _WORD.findall(text) if word in _METHODS), "")


def is_verb(word: str) -> bool:
    """Whether a word, in any of its forms, says what is to be done."""
    return word.lower() in _METHODS
