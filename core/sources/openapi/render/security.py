"""Security schemes and what an operation needs of them, in the compact notation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.model import JSON
from core.sources.openapi.render.parameters import about_of
from core.sources.openapi.render.prose import first_sentence
from core.sources.openapi.render.schemas import SENTENCE
from core.sources.openapi.shapes import mapping, name_of, sequence, string, strings

_ABOUT = 240  # characters of an operation's or component's description


def auth_of(value: dict[str, JSON], indent: str) -> Iterator[str]:
    """Security schemes with their scopes: `a + b(x, y)` takes all of it, `a(x | y) or b` any."""
    ways: dict[str, dict[str, None]] = {}  # by the schemes: the scopes, where all have the same
    for way in sequence(value.get("security")):
        schemes = sorted((name_of(name), strings(scopes)) for name, scopes in mapping(way).items())
        if len({scopes for _, scopes in schemes}) == 1:
            names, scopes = " + ".join(name for name, _ in schemes), ", ".join(schemes[0][1])
        else:
            names, scopes = (
                " + ".join(_with(name, ", ".join(needed)) for name, needed in schemes),
                "",
            )
        ways.setdefault(names, {})[scopes] = None
    if ways:
        told = (_with(way or "none", " | ".join(filter(None, s))) for way, s in ways.items())
        yield f"{indent}auth: {' or '.join(told)}"


def _with(schemes: str, scopes: str) -> str:
    together = f"({schemes})" if scopes and " + " in schemes else schemes
    return f"{together}({scopes})" if scopes else together


def searched(compact: str) -> str:
    """A compact text as it is searched: without scopes that are URLs.

    Their words say nothing of what an operation does: with them, `…/auth/cloud-platform` makes
    each operation of Google's one about the cloud.
    """
    head, auth, schemes = compact.rpartition("\nauth: ")
    return f"{head}{auth}{_URL.sub('', schemes)}" if auth else compact


_URL = re.compile(r"(?<![a-z])[a-z]++://[^\s,|)]+")


def security_scheme(name: str, value: dict[str, JSON]) -> Iterator[str]:
    words = [string(value.get(k)) for k in ("type", "scheme", "bearerFormat", "in", "name")]
    words += [string(value.get(k)) for k in ("openIdConnectUrl", "oauth2MetadataUrl")]
    words += ["deprecated"] if value.get("deprecated") is True else []
    about = about_of(value, _ABOUT)
    yield f"{name}: {' '.join(filter(None, words))}{f' — {about}' if about else ''}"
    flow = string(value.get("flow"))  # Swagger 2.0
    flows = mapping(value.get("flows")) or ({flow: value} if flow else {})
    for flow, details in sorted(flows.items()):
        urls = (string(mapping(details).get(k)) for k in _URLS)
        yield f" {flow}: {' '.join(filter(None, urls))}{_refreshed(mapping(details))}"
        for scope, meaning in sorted(mapping(mapping(details).get("scopes")).items()):
            yield f"  {scope}: {first_sentence(string(meaning), SENTENCE)}"


_URLS = ("authorizationUrl", "deviceAuthorizationUrl", "tokenUrl")


def _refreshed(flow: dict[str, JSON]) -> str:
    """Where a token is refreshed, unless that is where it comes from."""
    url = string(flow.get("refreshUrl"))
    return f" refresh {url}" if url and url != flow.get("tokenUrl") else ""
