"""The verbs of questions, and which HTTP methods they suggest."""

from __future__ import annotations

import re
from collections.abc import Iterator

_FAMILIES = {
    ("GET",): """
        access analyze assess browse check compare count discover display download evaluate examine
        explore export fetch find forecast get identify inspect know learn list load look monitor
        obtain peek predict preview query read retrieve review search see show tell track view watch
    """,
    ("POST", "PUT"): """
        accept add allow append approve authorize ban book buy capture charge clone collect confirm
        convert copy create duplicate enroll execute follow fork generate give grant import insert
        invite invoke launch like lock log make merge notify order pay pin play post provide publish
        push put queue record refund register reject reply report request reserve restart restore
        resume retry run save schedule send share sign skip start submit subscribe transfer trigger
        upload validate verify withdraw
    """,
    ("PATCH", "POST", "PUT"): """
        adapt adjust alter assign calibrate change configure correct disable edit enable ensure
        extend fix improve mark modify move optimize patch pause rename reorder replace reset resize
        rotate set stop swap switch toggle turn tweak update
    """,
    ("DELETE", "POST"): """
        abort cancel clear deactivate delete destroy detach discard drop erase kill purge remove
        revoke terminate throw unfollow uninstall unlike unlink unpublish unshare unsubscribe wipe
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
