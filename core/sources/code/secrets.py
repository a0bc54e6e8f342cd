"""Keep secrets out of what is stored: what looks like one is replaced before anything is kept.

A name that promises a secret beside a value, and the forms that keys and tokens are known by.
Rather a harmless word too many is replaced than a secret kept: how many were is reported.
"""

from __future__ import annotations

import math
import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeAlias

SECRET = "[secret]"

Span: TypeAlias = tuple[int, int]


def redacted(text: str) -> tuple[str, int]:
    """The same text, its lines where they were, with each secret replaced; and how many."""
    done: list[str] = []
    at = found = 0
    for start, end in _merged(span for span in spans(text) if text[slice(*span)] != SECRET):
        lines = text.count("\n", start, end) + 1
        done += (text[at:start], "\n".join([SECRET] * lines))
        at = end
        found += 1
    return "".join((*done, text[at:])), found


def _merged(found: Iterable[Span]) -> Iterator[Span]:
    """In order, those that overlap as one."""
    before: Span | None = None
    for start, end in sorted(found):
        if before and start < before[1]:
            before = before[0], max(before[1], end)
        else:
            if before:
                yield before
            before = start, end
    if before:
        yield before


def spans(text: str) -> Iterator[Span]:
    """Where the secrets of a text are; they may overlap."""
    lower = _lower(text)
    yield from chain(_keys(text), _known(text), _encoded(text))
    yield from chain(_in_headers(text, lower), _beside_names(text, lower))
    yield from (m.span() for m in _LONG.finditer(text) if _is_random(m[0]))


def _lower(text: str) -> str:
    """In lower case, every letter where it was: `İ` would become two. A form that ignores case
    tries every letter, which takes five times as long."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower()[0] for c in text)


# --- forms that are secrets wherever they stand, by what they begin with

_KNOWN = {
    "AKIA": r"AKIA[0-9A-Z]{16}",  # AWS
    "ASIA": r"ASIA[0-9A-Z]{16}",
    "gh": r"gh[pousr]_\w{30,}|github_pat_\w{22,}",
    "glpat-": r"glpat-[\w-]{20,}",
    "xox": r"xox[abeoprs]-[\w-]{10,}",  # Slack
    "xapp-": r"xapp-[\w-]{10,}",
    "k_live_": r"[srp]k_live_\w{10,}",  # Stripe
    "k_test_": r"[srp]k_test_\w{10,}",
    "whsec_": r"whsec_[\w+/=]{16,}",
    "sk-": r"sk-(?:ant-|proj-|svcacct-)?[\w-]{20,}",  # OpenAI, Anthropic
    "AIza": r"AIza[\w-]{35}",  # Google
    "ya29.": r"ya29\.[\w-]{20,}",
    "GOCSPX-": r"GOCSPX-[\w-]{20,}",
    "npm_": r"npm_\w{36}",
    "pypi-": r"pypi-[\w-]{16,}",
    "hf_": r"hf_[A-Za-z]{30,}",  # Hugging Face
    "SG.": r"SG\.[\w-]{16,}\.[\w-]{16,}",  # SendGrid
    "SK": r"SK[0-9a-f]{32}",  # Twilio
    "dop_v1_": r"dop_v1_[0-9a-f]{64}",  # DigitalOcean
    "shp": r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",  # Shopify
    ":AA": r"\d{8,10}:AA[\w-]{33}",  # Telegram
    "AGE-SECRET-KEY-1": r"AGE-SECRET-KEY-1[0-9A-Z]{40,}",
    "hvs.": r"hvs\.[\w-]{20,}",  # Vault
    "sq0": r"sq0(?:atp|csp)-[\w-]{22,}",  # Square
    "dapi": r"dapi[0-9a-f]{32}",  # Databricks
    "lin_api_": r"lin_api_\w{30,}",
    "PMAK-": r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}",  # Postman
    "glsa_": r"glsa_\w{32}_[0-9a-f]{8}",  # Grafana
    "8Q~": r"\w{3}8Q~[\w.~-]{30,40}",  # Azure
    ":APA91b": r"[\w-]{11}:APA91b[\w-]{30,}",  # Firebase
    "dp.": r"dp\.[a-z]{2}\.\w{32,}",  # Doppler
    "key-": r"key-[0-9a-z]{32}(?!\w)",  # Mailgun
    ".G": r"[MNO][\w-]{19,30}\.G[\w-]{5}\.[\w-]{27,60}",  # Discord
    "Signature=": r"X-Amz-Signature=[0-9a-f]{64}",
    "sig=": r"sig=[\w%+/-]{30,}",  # Azure's links
    "eyJ": r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}",  # a JSON web token
    "hooks.slack.com/": r"hooks\.slack\.com/(?:services|workflows)/[\w/]+",
    "/api/webhooks/": r"discord(?:app)?\.com/api/webhooks/[\w/-]+",
}
_FORMS = {stem: re.compile(rf"(?<![A-Za-z0-9_-])(?:{form})", re.A) for stem, form in _KNOWN.items()}


_LOOSE = ("sk-", "pypi-", "sig=")  # names of classes, packages and arguments begin so, too


def _known(text: str) -> Iterator[Span]:
    for stem, form in _FORMS.items():
        if stem in text:
            found = form.finditer(text)
            yield from (m.span() for m in found if stem not in _LOOSE or not _is_name(m[0]))


_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\s\S]){0,20000}"
    r"(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----)?"
)


_PUTTY = re.compile(r"Private-Lines: \d{1,5}((?:\n[\w+/]++={0,2}(?=\n|\Z))+)")


def _keys(text: str) -> Iterator[Span]:
    """Private keys, whole: also one whose end was cut off."""
    if "PRIVATE KEY" in text:
        yield from (m.span() for m in _KEY.finditer(text))
    if "Private-Lines" in text:
        yield from (m.span(1) for m in _PUTTY.finditer(text))


_ENCODED = re.compile(  # of `{"…` and `-----BEGIN`, in one line or wrapped
    r"(?:eyJ|ewog|LS0tLS1C)[\w+/-]{30,}+(?:\s{1,40}+[\w+/-]{20,200}+){0,500}={0,2}", re.A
)


def _encoded(text: str) -> Iterator[Span]:
    """What is base64 of something that holds a secret."""
    for found in _ENCODED.finditer(text):
        if any(spans(_decoded(found[0]))):
            yield found.span()


def _decoded(text: str) -> str:
    """As far as it is base64."""
    plain = "".join(text.split()).rstrip("=").replace("-", "+").replace("_", "/")
    return b64decode(plain[: len(plain) // 4 * 4]).decode("utf-8", "replace")


# --- where logins are written

_IN_URL = re.compile(r"://[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{1,200})@")
_IN_QUOTED_URL = re.compile(  # `postgres%3A%2F%2Fme%3A…%40db`
    r"%3a%2f%2f[^\s%]{0,100}%3a((?:(?!%40)[^\s\"'<>]){1,200})%40", re.I
)
_HEADER = re.compile(r"\b(?:bearer|basic|token|apikey)\s+([\w.+/=~-]{8,})")  # in lower case
_LOGIN = re.compile(r"(?:\s-u|--user)[ =]['\"]?[\w.@-]{1,60}:([^\s'\"]{3,})")
_ASKED = re.compile(  # `sshpass -p …`, `mysql -p…`
    r"\b(?:sshpass\s-p\s?|mysql\w{0,10}\s(?:[^\n]{0,100}?\s)?-p)['\"]?([^\s'\"]{4,200})"
)
_CHAINED = re.compile(  # `Server=db;Uid=me;Pwd=…`, `jdbc:…?user=me&password=…`
    r"[;&?]\s{0,9}+(?:password|pwd)\s{0,9}+=\s{0,9}+([^\s;&\"'(){}<>$%]{4,200})(?=[;&\"'\n]|\Z)",
    re.I,
)
_AFTER_USER = re.compile(  # `auth=("me", "…")`, `login("me", "…")`, `IDENTIFIED BY '…'`
    r"(?:\bauth\s{0,9}+=\s{0,9}+\(|BasicAuth\(|\blogin\()\s{0,60}+[\"'][^\"'\n]{1,100}[\"'],"
    r"\s{0,60}+[\"']([^\"'\n]{4,200})[\"']\s{0,60}+\)|\bidentified\s{1,9}+by\s{1,9}+'([^'\n]{4,200})'",
    re.I,
)
_AUTH = re.compile(
    r"(?:_auth|[\"']auth[\"'])\s{0,60}+[=:]\s{0,60}+[\"']?([\w+/]{12,500}+={0,2}+)(?!\(|\.\w)"
)


def _in_headers(text: str, lower: str) -> Iterator[Span]:
    """In URLs, headers and the arguments of commands."""
    urls = _IN_URL.finditer(text) if "://" in text else ()
    yield from (m.span(1) for m in urls if not _is_harmless(m[1]))
    yield from (m.span(1) for m in _HEADER.finditer(lower) if _is_mixed(m[1]))
    yield from (m.span(1) for m in _LOGIN.finditer(text) if not _is_harmless(m[1]))
    quoted = _IN_QUOTED_URL.finditer(text) if "%40" in text else ()
    yield from (m.span(1) for m in quoted if not _is_harmless(m[1]))
    for found in chain(_CHAINED.finditer(text), _AFTER_USER.finditer(text)):
        group = found.lastindex or 0
        if not _is_harmless(found[group]):
            yield found.span(group)
    for form in (_ASKED, _AUTH):
        yield from (m.span(1) for m in form.finditer(text) if _is_mixed(m[1]))


# --- beside a name that promises one

_WORD = re.compile(
    r"pass(?:w(?:or)?d|phrase|code)|pwd|secret|token|credential"
    r"|(?:api|access|private|secret|encryption|signing|auth|account|master)[_-]?key"
)  # in lower case
_REST = r"\w{0,30}\\{0,3}[\"'`]?[\])]?\s{0,60}+"  # of the name: `password_1"`, `PASSWORD"]`
_OPEN = r"\(?\s{0,60}+(?:[A-Z]\w{0,40}\(|str\()?[rbuf@$]{0,2}"  # `SecretStr(b"…`
_LITERAL = (
    r"(?P<quote>\\{0,3}[\"'`])(?P=quote){0,2}(?P<value>(?:(?!(?P=quote))[^\n]){4,500})(?P=quote)"
)
_GIVEN = (
    r"(?::\s{0,60}+[\w.&*<>\[\]|' ]{0,40}=|\{\s{0,9}+get;[\w; ]{0,40}\}\s{0,9}+="
    r"|:=|=>|<-|(?P<compared>==|!=|\|\||\?\?|or\b)"
    r"|[=:(]|(?P<comma>(?<=[\"']),))"
    r"\s{0,60}+"
)
_QUOTED = re.compile(_REST + _GIVEN + _OPEN + _LITERAL, re.I)
_MORE = re.compile(  # of a literal in pieces: `"…" + "…"`, or one below the other
    r"(?:\s{0,60}+(?:\+|\.\.?|&)\s{0,60}+|[ \t\\]{0,60}+\n\s{0,60}+)[rbuf@$]{0,2}"
    rf"{_LITERAL}(?!\s{{0,60}}+[:=])"
)
_PAIRED = re.compile(  # `name: DB_PASSWORD`, `value: …`; `variable "password" { default = "…"`
    rf"{_REST}[,{{}}]?\s{{0,60}}+\\{{0,3}}[\"']?(?:value|default)\\{{0,3}}[\"']?\s{{0,60}}+[:=]\s{{0,60}}+"
    rf"(?:{_LITERAL}|(?P<bare>[^\s\"'`,;{{}}\[\]<>]{{6,200}}))",
    re.I,
)
_DEFINED = re.compile(rf"\w{{0,30}}[ \t]{{1,60}}+{_LITERAL}")  # `#define API_KEY "…"`
_BLOCK = re.compile(  # `password: |` in YAML, and the lines below
    r"\w{0,30}[\"']?:[ \t]{0,9}[|>][+-]?\n(?P<indent>[ \t]{1,60}+)"
    r"(?P<value>[^\n]{4,500}(?:\n(?P=indent)[^\n]{4,500}){0,50})"
)
_BARE = re.compile(
    r"\w{0,30}[\"'`]?[\])]?(?:\s{0,60}+[=:]\s?|\s{1,60}+)"
    r"([^\s\"'`;,(){}\[\]<>$&|]{6,200})(?![\w(.])"
)
_SHELL = re.compile(r"[A-Z0-9_]{0,60}+=([^\s\"'`;,(){}\[\]<>$&|]{4,200})")
_TAG = re.compile(r"[\w-]{0,60}+>([^<\n]{4,200})</")


def _beside_names(text: str, lower: str) -> Iterator[Span]:
    for word in _WORD.finditer(lower):
        yield from _quoted(text, word.end())
        yield from _paired(text, word.end())
        if (block := _BLOCK.match(text, word.end())) and _is_mixed(block["value"]):
            yield block.span("value")
        bare = _BARE.match(text, word.end())
        if bare and _is_mixed(bare[1]) and not _is_harmless(bare[1]):
            yield bare.span(1)
        is_constant = text[slice(*word.span())].isupper()
        defined = _DEFINED.match(text, word.end()) if is_constant else None
        if defined and _is_mixed(defined["value"]):
            yield defined.span("value")
        forms = (_TAG, _SHELL) if is_constant else (_TAG,)
        for found in filter(None, (form.match(text, word.end()) for form in forms)):
            if not _is_harmless(found[1]):
                yield found.span(1)


def _quoted(text: str, at: int) -> Iterator[Span]:
    """A literal that is given to the name, or compared with it."""
    found = _QUOTED.match(text, at)
    if not found or _is_harmless(found["value"]):
        return
    value = found["value"]
    if found["comma"] and text[found.end() : found.end() + 1] != ")":
        return  # a list of names, not the arguments of `set("password", "…")`
    if _is_mixed(value) or (not found["compared"] and " " not in value.strip()):
        while found:
            yield found.span("value")
            found = _MORE.match(text, found.end())


def _paired(text: str, at: int) -> Iterator[Span]:
    """A value that stands beside the name as another pair."""
    found = _PAIRED.match(text, at)
    name = "value" if found and found["value"] else "bare"
    if found and _is_mixed(found[name]) and not _is_harmless(found[name]):
        yield found.span(name)


_LONG = re.compile(r"(?<=[\"'`])[A-Za-z0-9+/_-]{32,200}={0,2}(?=[\"'`])")
_HARMLESS = re.compile(
    r"\A(?:\$?\{.*\}|\$\(.*\)|<.*>|%.*%|\[secret\]|x+|\*+|\.+|[A-Z]+(?:_[A-Z0-9]+)+|[A-Z]{2,8}"
    r"|(?:your|my|the|change)[\w -]*|none|null|true|false|undefined|string"
    r"|[./]?(?:[a-z]++(?:://|[_ ./-]))*(?:passw(?:or)?d|secret|token|key|credentials?"
    r"|bearer|basic|oauth2?))\Z"
)
_ENTROPY = 4.2  # bits a character: words and paths have less


def _is_harmless(value: str) -> bool:
    """A placeholder, the name of an environment variable, or the word itself: `/oauth/token`."""
    value = value.strip()
    return bool(_HARMLESS.fullmatch(value) or _HARMLESS.fullmatch(value.lower()))


def _is_mixed(value: str) -> bool:
    """Whether it has digits among other characters, as names mostly have not; no numbers."""
    return not value.isdigit() and bool(re.search(r"\d", value)) and bool(_LETTER.search(value))


_LETTER = re.compile(r"[A-Za-z]")
_CASES = tuple(map(re.compile, ("[a-z]", "[A-Z]", "[0-9]")))


def _is_random(value: str) -> bool:
    kinds = sum(bool(form.search(value)) for form in _CASES)
    return kinds == 3 and _entropy(value) >= _ENTROPY and not _is_name(value)


_NAMED = 0.7  # of the characters; one random key of 32 in about 150,000 has as many
_SPELLED = re.compile(r"[A-Z]?[a-z]{2,}")
_VOWEL = re.compile(r"[aeiouy]", re.I)
_UNSPOKEN = re.compile(  # letters that English puts together in hardly any word
    r"[^aeiouy]{5}|[aeiou]{4}|(.)\1\1|q(?!u)|[jvz][b-df-hj-np-tv-x]|[bcf-hj-mp-tv-xz][jqxz]"
    r"|aa|ii|uu|yy|iy|yi|uq|jy|wu",
    re.I,
)


def _is_name(value: str) -> bool:
    """Whether it is made of words, as `V1PodGroupResourceClaimStatus`: a random key has few runs of
    letters in one case, and fewer that could be spoken."""
    words = [word for word in _SPELLED.findall(value) if _VOWEL.search(word)]
    spoken = sum(len(word) for word in words if not _UNSPOKEN.search(word))
    return spoken >= _NAMED * len(value)


def _entropy(value: str) -> float:
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts)
