"""The questions that an element should answer, made from what it says of itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.evaluate.audit.fields import DESCRIPTION, PARAMETERS, PROPERTIES, SUMMARY, Audited
from core.text.words import parts, terms

SHORT, MISSPELT, REWORDED = "shortened", "misspelt", "in other words"
OWN = (SUMMARY, DESCRIPTION, PARAMETERS, PROPERTIES)
KINDS = (*OWN, SHORT, MISSPELT, REWORDED)

Rarity = Callable[[str], float]  # of a term in the whole store; 0 where no chunk holds it

_LONGEST = 25  # words of a question
_LEAST = 2  # names that make a question
_MOST = 4
_KEPT = 3  # words of a shortened question
_SLIP = 6  # letters of a word that is misspelt
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_DOES = {"GET": "get", "POST": "create", "PUT": "replace", "PATCH": "change", "DELETE": "delete"}

# What people say for what specifications write; each side is tried for the other.
_SAID = """
add=create adjust=update alter=modify amend=edit bill=invoice call=invoke
cancel=revoke category=group check=verify client=customer comment=note company=organization
copy=clone delete=remove details=information directory=folder document=file fetch=get find=search
job=task label=tag link=url list=show login=session mail=email message=notification
meeting=event money=payment name=title order=purchase people=users permission=right
person=user photo=image picture=photo place=location post=publish price=cost project=workspace
report=summary request=application return=give role=position setting=configuration stop=end
team=group user=member vehicle=car visit=session
"""


def _synonyms() -> dict[str, str]:
    pairs = [pair.split("=") for pair in _SAID.split()]
    both = {second: first for first, second in reversed(pairs)}
    return both | dict(pairs)


SYNONYMS = _synonyms()


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to one element."""

    at: int  # which of the elements
    kind: str
    text: str
    field: str  # what is left out of the element while it is asked


def questions(at: int, element: Audited, rarity: Rarity) -> Iterator[Asked]:
    """In its own words, field by field; then the first of these shortened, misspelt, reworded."""
    own = [Asked(at, field, _asked(element, text), field) for field, text in _own(element)]
    yield from own
    if own and own[0].field not in (PARAMETERS, PROPERTIES):
        for kind, changed in _changed(own[0].text, rarity):
            yield Asked(at, kind, changed, own[0].field)


def _asked(element: Audited, text: str) -> str:
    """For a schema the question says so, as people do who look for one."""
    return f"schema: {text}" if element.is_schema else text


def _own(element: Audited) -> Iterator[tuple[str, str]]:
    if element.summary:
        yield SUMMARY, opening(element.summary)
    if element.description and element.description != element.summary:
        yield DESCRIPTION, opening(element.description)
    names = dict.fromkeys(" ".join(parts(name)).lower() for name in element.names)
    if len(names) >= _LEAST:
        *most, last = list(names)[:_MOST]
        said = f"{', '.join(most)} and {last}"
        if element.is_schema:
            yield PROPERTIES, f"with {said}"
        else:
            yield PARAMETERS, f"{_DOES.get(element.chunk.method, 'call')} by {said}"


def opening(text: str) -> str:
    """The first sentence, as long as a question is."""
    first = _SENTENCE.split(text, maxsplit=1)[0].rstrip(".!? ")
    return " ".join(first.split()[:_LONGEST])


def _changed(text: str, rarity: Rarity) -> Iterator[tuple[str, str]]:
    if short := shortened(text, rarity):
        yield SHORT, short
    if wrong := misspelt(text):
        yield MISSPELT, wrong
    if other := reworded(text):
        yield REWORDED, other


def shortened(text: str, rarity: Rarity) -> str:
    """The rarest words, in their order; "" where there are no more than these."""
    words = list(dict.fromkeys(_WORD.findall(text)))
    weights = {word: max(map(rarity, terms(word)), default=0.0) for word in words}
    telling = [word for word in words if weights[word]]
    if len(telling) <= _KEPT:
        return ""
    kept = sorted(telling, key=lambda word: (-weights[word], word))[:_KEPT]
    return " ".join(word for word in telling if word in kept)


def misspelt(text: str) -> str:
    """With two letters of the longest word swapped; "" where all are short."""
    longest = max(_WORD.findall(text), key=len, default="")
    if len(longest) < _SLIP:
        return ""
    half = len(longest) // 2
    swaps = [at for at in range(half, len(longest) - 1) if longest[at] != longest[at + 1]]
    if not swaps:
        return ""
    at = swaps[0]
    wrong = longest[:at] + longest[at + 1] + longest[at] + longest[at + 2 :]
    return text.replace(longest, wrong, 1)


def reworded(text: str) -> str:
    """With what people say for some of its words; "" where none is known."""
    changed = _WORD.sub(lambda word: _other(word.group()), text)
    return "" if changed == text else changed


def _other(word: str) -> str:
    low = word.lower()
    if low in SYNONYMS:
        return SYNONYMS[low]
    single = low.removesuffix("s")
    return f"{SYNONYMS[single]}s" if low != single and single in SYNONYMS else word
