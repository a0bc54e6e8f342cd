"""What is wrong with an element, and the sentence that would mend it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.evaluate.audit.questions import MISSPELT, OWN, REWORDED, SHORT
from core.evaluate.audit.results import Answer, Audit, Seen
from core.ids import Id
from core.text.plural import counted
from core.text.words import parts, runs

CROWDS = 5  # questions of others from which an element is said to crowd them out


class Cause(StrEnum):
    """Worst first."""

    UNDOCUMENTED = "not documented"
    NEVER = "never found"
    HIDDEN = "hidden behind another"
    WORDS = "not found in other words"
    CROWDS = "crowds out others"
    CLOSURE = "exceeds the token limit"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with an element."""

    id: str
    kind: str  # operation, webhook, schema
    cause: Cause
    said: str  # what is wrong
    remedy: str  # a sentence: what would mend it
    query: str = ""  # a question that shows it
    twin: str = ""  # id of the element that most often stands before it
    found: float | None = None  # share of its questions that find it
    adds: str = ""  # what a description would say more; "" where no text mends it


def findings(audit: Audit) -> list[Finding]:
    """The worst elements first, and of one element the worst first."""
    return [finding for element in audit.worst() for finding in of_element(element, audit)]


def of_element(element: Seen, audit: Audit) -> Iterator[Finding]:
    """What is wrong with one element; nothing for one that is found, and does no harm."""
    if not element.is_documented:
        yield _undocumented(element, audit)
    elif missed := [a for a in element.answers if a.rank > audit.limit]:
        yield _missed(element, missed, audit)
    if element.crowds >= CROWDS:
        yield _crowding(element, audit)
    if element.closure > audit.token_limit:
        yield _too_long(element, audit)


def _undocumented(element: Seen, audit: Audit) -> Finding:
    draft = drafted(element.id)
    words = draft.rstrip(".")
    what = "description" if element.kind == "schema" else "summary or description"
    return Finding(
        element.id,
        element.kind,
        Cause.UNDOCUMENTED,
        f"It has no {what}: nothing but its name can be found.",
        f"Describe what it is for in the words of those who need it, for example: “{words}”.",
        next((a.query for a in element.answers if a.rank > audit.limit), words),
        found=element.found(audit.limit),
        adds=draft,
    )


def _missed(element: Seen, missed: Sequence[Answer], audit: Audit) -> Finding:
    own = [a for a in missed if a.kind in OWN]
    twin = _twin(missed)
    cause = _cause(element, own, twin)
    first = (own or missed)[0]
    label = Id.parse(twin).label if twin else ""
    place = f"rank {first.rank:,} of its API for “{first.query}”"
    behind = f", behind {label}" if label else ""
    apart = set_apart(element.id, twin) if twin else ""
    said = f"{_share(element, audit)}; {place}{behind}."
    return Finding(
        element.id,
        element.kind,
        cause,
        said,
        _remedy(cause, missed, label, apart),
        first.query,
        twin,
        element.found(audit.limit),
        apart,
    )


def _cause(element: Seen, own: Sequence[Answer], twin: str) -> Cause:
    if not own:
        return Cause.WORDS
    asked = [a for a in element.answers if a.kind in OWN]
    if twin and all(twin in a.ahead for a in own):
        return Cause.HIDDEN
    return Cause.NEVER if len(own) == len(asked) else Cause.HIDDEN if twin else Cause.NEVER


def _remedy(cause: Cause, missed: Sequence[Answer], label: str, apart: str) -> str:
    if cause is Cause.WORDS:
        kinds = {a.kind for a in missed}
        if REWORDED in kinds:
            return "Name it in its description as people do who do not know the API’s own words."
        if SHORT in kinds:
            return "Put the words that tell it from others into its name, path or summary."
        assert MISSPELT in kinds
        return "It hangs on one long word: say that in the description a second time, otherwise."
    if not label:
        return "Repeat in its description what its summary says, in other words."
    if apart:
        return f"Say what sets it apart from {label}: “{apart}”"
    return f"Say in the description what it does that {label} does not, or merge the two."


def _share(element: Seen, audit: Audit) -> str:
    found = sum(a.rank <= audit.limit for a in element.answers)
    return f"Found by {found} of {counted(len(element.answers), 'question')}"


def _crowding(element: Seen, audit: Audit) -> Finding:
    return Finding(
        element.id,
        element.kind,
        Cause.CROWDS,
        f"Among the first {audit.limit} results of {counted(element.crowds, 'question')} "
        "that another element should answer and does not.",
        "Say in its first sentence what it alone is for; general words belong to the API’s "
        "description.",
        found=element.found(audit.limit),
    )


def _too_long(element: Seen, audit: Audit) -> Finding:
    return Finding(
        element.id,
        element.kind,
        Cause.CLOSURE,
        f"With all that it refers to within {audit.max_depth} steps it takes {element.closure:,} "
        f"tokens at the shortest; the limit is {audit.token_limit:,}.",
        f"Raise token_limit to {_rounded(element.closure):,}, lower max_depth, or refer to smaller "
        "schemas.",
        next((a.query for a in element.answers), ""),
        found=element.found(audit.limit),
    )


def _rounded(tokens: int) -> int:
    return -(-tokens // 500) * 500


def _twin(missed: Iterable[Answer]) -> str:
    """Who most often stands directly before it; ties by id."""
    counts: Counter[str] = Counter(a.ahead[0] for a in missed if a.ahead)
    return min(counts, key=lambda id: (-counts[id], id), default="")


_SAYS_NOTHING = re.compile(r"api|rest|v\d+(?:(?:alpha|beta)\d*)?")
_VERBS = {
    "get": "Get",
    "post": "Create or submit",
    "put": "Replace",
    "patch": "Change",
    "delete": "Delete",
}


def drafted(id: str) -> str:
    """A summary from the id alone, for a person to correct: `Get users by user id`."""
    parsed = Id.parse(id)
    if not parsed.is_call:
        return f"What {_words(parsed.label.rpartition('/')[2])} holds, and where it is used."
    segments = [each for each in parsed.inner.split("/") if each]
    fixed = [each for each in segments if "{" not in each and not _SAYS_NOTHING.fullmatch(each)]
    named = [each.strip("{}") for each in segments if "{" in each]
    of = _words(" ".join(fixed[-2:]))
    by = f" by {_words(named[-1])}" if named and "{" in segments[-1] else ""
    return f"{_VERBS.get(parsed.method, 'Call')} {of}{by}."


def set_apart(id: str, twin: str) -> str:
    """A sentence with the words of its name that the twin's has not; "" where it has all."""
    own, others = _named(id), _named(twin)
    only = [word for word in own if word not in others]
    if not only:
        return ""
    return f"Unlike {Id.parse(twin).label}, this is about {' '.join(only)}."


def _named(id: str) -> dict[str, None]:
    return dict.fromkeys(_words(Id.parse(id).label).split())


def _words(text: str) -> str:
    """`/v2/user_groups/{userId}` → v2 user groups user id."""
    return " ".join(word.lower() for run in runs(text) for word in parts(run))


def by_cause(found: Iterable[Finding]) -> Mapping[Cause, int]:
    """How many findings each cause has, worst cause first; none of 0."""
    counts = Counter(finding.cause for finding in found)
    return {cause: counts[cause] for cause in Cause if counts[cause]}
