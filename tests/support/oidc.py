"""A provider of OpenID Connect on loopback: whoever asks is who they click."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "specloupe", "a secret of the tests"


class Provider(ThreadingHTTPServer):
    """Hands out identity tokens for the addresses of `people`."""

    def __init__(self, people: tuple[str, ...]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.people = people
        self.url = f"http://localhost:{self.server_address[1]}"
        self.key = RSAKey.generate_key(2048, {"kid": "test", "use": "sig", "alg": "RS256"})
        self.codes: dict[str, dict[str, str]] = {}  # what was asked, by the code for it

    def secrets_file(self, redirect: str, access: str) -> str:
        """What a secrets file says of it."""
        return (
            f'[auth]\nredirect_uri = "{redirect}"\ncookie_secret = "{secrets.token_hex(16)}"\n'
            f'client_id = "{CLIENT}"\nclient_secret = "{SECRET}"\n'
            f'server_metadata_url = "{self.url}/.well-known/openid-configuration"\n\n{access}\n'
        )

    def token(self, asked: dict[str, str]) -> str:
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT,
            "sub": asked["email"],
            "email": asked["email"],
            "email_verified": True,
            "nonce": asked.get("nonce", ""),
            "iat": now,
            "exp": now + 3600,
        }
        return jwt.encode({"alg": "RS256", "kid": "test"}, claims, self.key)


@contextmanager
def provider(*people: str) -> Iterator[Provider]:
    server = Provider(people)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/.well-known/openid-configuration":
            self._json(self._metadata())
        elif parts.path == "/jwks":
            self._json({"keys": [self.server.key.as_dict(private=False)]})
        elif parts.path == "/authorize":
            self._answer(200, self._who(asked), "text/html")
        elif parts.path == "/as":
            code = secrets.token_urlsafe(9)
            self.server.codes[code] = asked
            back = urlencode({"code": code, "state": asked["state"]})
            self._answer(302, "", "text/plain", Location=f"{asked['redirect_uri']}?{back}")
        else:
            self._answer(404, "", "text/plain")

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        form = {k: v[0] for k, v in parse_qs(self.rfile.read(length).decode()).items()}
        asked = self.server.codes.pop(form.get("code", ""), None)
        if asked is None or not self._is_client() or not _proves(asked, form):
            self._answer(400, json.dumps({"error": "invalid_grant"}), "application/json")
            return
        self._json(
            {
                "access_token": secrets.token_urlsafe(9),
                "token_type": "Bearer",
                "expires_in": 3600,
                "id_token": self.server.token(asked),
            }
        )

    def _metadata(self) -> dict[str, object]:
        url = self.server.url
        return {
            "issuer": url,
            "authorization_endpoint": f"{url}/authorize",
            "token_endpoint": f"{url}/token",
            "jwks_uri": f"{url}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def _who(self, asked: dict[str, str]) -> str:
        """A page with a link for each person."""
        links = (
            f'<p><a href="/as?{escape(urlencode({**asked, "email": each}))}">{each}</a></p>'
            for each in self.server.people
        )
        return f"<!DOCTYPE html><title>Who are you?</title>{''.join(links)}"

    def _is_client(self) -> bool:
        given = self.headers.get("Authorization", "").removeprefix("Basic ")
        wanted = base64.b64encode(urlencode({CLIENT: SECRET}).replace("=", ":").encode()).decode()
        plain = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        return given in (wanted, plain)

    def _json(self, values: dict[str, object]) -> None:
        self._answer(200, json.dumps(values), "application/json")

    def _answer(self, status: int, text: str, kind: str, **headers: str) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            **headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a test's output is its own."""


def _proves(asked: dict[str, str], form: dict[str, str]) -> bool:
    """Whether the verifier is the one that the challenge was made of."""
    digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
    made = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return made == asked.get("code_challenge")
