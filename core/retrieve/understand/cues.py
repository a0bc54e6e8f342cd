"""Words and turns of phrase that speak for an intent, each with its weight."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from core.model import Intent
from core.retrieve.understand.spelling import corrected
from core.text.verbs import ACTIONS, OPENING


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern over the lower-cased question, and how strongly it speaks for an intent."""

    intent: Intent
    weight: float
    pattern: re.Pattern[str]


def _one_of(*words: str) -> str:
    """Any of these; each argument holds several, separated by blanks, `_` standing for a blank."""
    return _any(word.replace("_", " ") for word in " ".join(words).split())


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(words)})"


def _within(words: int) -> str:
    """Up to so many words between two others."""
    return rf"(?:\w+ ){{0,{words}}}?"


ACTION, _DOING = _any(ACTIONS), _any(OPENING)
_SOMEONE = _one_of("i we you one someone they it users?")
_CALL = _one_of("endpoints? operations? routes? api_calls? rest_calls?")
_CALLABLE = _one_of("endpoints? operations? routes? calls? requests? methods? paths? urls? apis?")
_FOR = _one_of(
    "for to use used call called hit lets? allows? handles? creates? updates? deletes? lists?",
    "returns? gets?",
)

_FIELDS = _one_of("fields? properties property attributes? columns?")
_THING = _one_of(
    "schemas? models? objects? resources? entity entities payloads? body bodies records? types?",
    "dtos? components?",
)
_FORM = _one_of("structure definition layout shape format schema")

_FAILURE = _one_of("errors? exceptions? failures?")
_FAILS = _one_of(
    "fails? failed failing is_failing was_rejected is_rejected was_refused is_refused errors?_out",
    "times?_out timed_out",
)
_FAILED = _one_of(
    "fails? failed failing rejected refused denied declined forbidden breaks?"
)  # what happens to something in "why is … rejected"

_PATTERNS: dict[Intent, dict[float, tuple[str, ...]]] = {
    Intent.ENDPOINT: {
        3.0: (
            rf"{_one_of('which what what.s find is_there_an? the_right correct')} "
            rf"{_within(2)}{_CALL}",
            rf"{_CALLABLE} (?:{_one_of('that which can will do')} )?"
            rf"(?:{_one_of('should_i do_i can_i i')} )?{_FOR}",
            r"(?:path|url|method|verb) and (?:path|url|method|verb)",
        ),
        2.0: (
            rf"how {_one_of('do can could would should might')} {_SOMEONE} {_within(2)}{ACTION}",
            rf"(?:how to|how does one) {_within(2)}{ACTION}",
            rf"(?<!what )(?<!data )(?:can|could|may) (?:i|we|you|one) {_within(2)}{ACTION}",
            rf"{_one_of('way want wants need needs wish like trying try able ability possible')} "
            rf"to {_within(2)}{ACTION}",
            rf"{_one_of('call request something anything api endpoint')} (?:i can call )?"
            rf"(?:that |which )?(?:to|for) {ACTION}",
            r"(?<!my )(?<!our )endpoints?",
            r"webhooks?",
            r"(?:get|post|put|patch|delete) /\S*",
        ),
        1.5: (rf"^(?:please |pls |just )?{ACTION} (?!\w+ {_FAILURE})\w+",),
        1.0: (
            r"api calls?",
            r"routes?",
            r"operations?",
            r"http methods?",
            r"curl",
            rf"how {_one_of('do can could would should')} {_SOMEONE}",
            r"how to",
            rf"^{_DOING}",
        ),
    },
    Intent.SCHEMA: {
        3.5: (
            rf"{_one_of('what which list show all name required optional mandatory the any')} "
            rf"{_within(3)}(?:{_FIELDS}|members|keys)",
            rf"{_FIELDS} (?:are )?{_one_of('of in on inside does do for belong make_up')}",
            rf"{_THING} (?:\w+ )?(?:{_FIELDS}|{_FORM}|look)",
            rf"(?:{_FORM}|anatomy|composition|data ?type) (?:of|for)",
            r"what (?:does|do|would|should) (?:\S+ ){1,6}?"
            + _one_of("look_like contain consist_of include hold carry"),
            rf"{_one_of('data object response request domain resource entity')} "
            r"(?:model|structure|schema|shape|type)s?",
            r"(?:made (?:up )?of|composed of|consists? of)",
            rf"what(?:.s| is| goes) in(?:side)? (?:\w+ ){{1,3}}?{_THING}",
            rf"what (?:{_one_of('else extra other more')} )?"
            rf"(?:{_one_of('data information details? parameters? options?')} )?"
            rf"{_one_of('can may must should')} (?:i|we|be) "
            + _one_of(
                "set sent send pass passed include included specify specified fill(?:ed)?_in"
            ),
            rf"{_one_of('allowed possible permitted valid accepted enum')} (?:\w+ )?values?",
            r"values? (?:can|may|are allowed|are valid)",
        ),
        2.0: (
            _one_of("schemas? json_structure enums? data_?types? fields? dtos? payload_format"),
            rf"{_one_of('describe explain define')} {_within(3)}"
            + _one_of("object model schema type entity resource"),
        ),
        1.0: (_one_of("properties attributes? structure object model definition"),),
    },
    Intent.ERROR: {
        4.0: (
            rf"{_one_of('error failure status http response')} codes?",
            r"error "
            + _one_of(
                "responses? messages? handling object body bodies format schema types? cases?",
                "conditions?",
            ),
            _one_of(
                "what which why possible handle handling all list any get getting got returns?",
                "returned throws? gives? an the these those common documented",
            )
            + rf" {_within(3)}{_FAILURE}(?! logs?| reports?| events?| tracking)",
            r"(?:[45]\d\d|[45]xx)(?:s| errors?| responses?| status)?",
            r"what (?:happens|comes back|is returned|(?:do|will|would) i get)(?: back)? "
            r"(?:if|when|in case)",
            rf"(?:why|when) (?:\S+ ){{1,8}}?{_FAILED}",
            rf"{_one_of('request call api it operation upload payment login')} "
            rf"{_within(2)}{_FAILS}",
        ),
        2.5: (
            _one_of("errors? exceptions? bad_request unauthori[sz]ed forbidden not_found"),
            _one_of("unprocessable too_many_requests conflict_response internal_server_error"),
            r"rate[- ]limit(?:ed|ing)?(?: exceeded)?",
            _one_of("goes_wrong go_wrong went_wrong"),
        ),
        1.5: (
            _one_of("fail fails failed failing failures? invalid rejects? rejected rejection"),
            _one_of("denied troubleshoot troubleshooting unexpected unexpectedly"),
        ),
    },
}


def _cues() -> Iterator[Cue]:
    for intent, by_weight in _PATTERNS.items():
        for weight, patterns in by_weight.items():
            for pattern in patterns:
                yield Cue(intent, weight, re.compile(rf"(?<!\w)(?:{pattern})(?!\w)"))


CUES: tuple[Cue, ...] = tuple(_cues())


def matched(text: str) -> Mapping[Intent, Mapping[str, float]]:
    """Per intent that has cues: what of a text speaks for it, and how strongly."""
    clean = " ".join(corrected(text.lower()).split())
    found: dict[Intent, dict[str, float]] = {intent: {} for intent in _PATTERNS}
    for cue in CUES:
        if match := cue.pattern.search(clean):
            found[cue.intent].setdefault(match.group(), cue.weight)
    return found


def sums(found: Mapping[Intent, Mapping[str, float]]) -> Mapping[Intent, float]:
    """Per intent that has cues: the strongest in full, further ones by a quarter."""
    weights = {intent: found.get(intent, {}).values() for intent in _PATTERNS}
    return {i: 0.75 * max(each, default=0) + 0.25 * sum(each) for i, each in weights.items()}
