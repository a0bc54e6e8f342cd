"""The configuration of docs/deploy.md, tried: nginx with TLS, a path, websockets and a login."""

from __future__ import annotations

import os
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.sync_api import Browser, expect
from support.browser import PATIENCE, Server
from support.oidc import provider
from support.ports import free_port

ROOT = Path(__file__).parents[2]
ACCESS = '[access]\nlook = ["*@example.org"]'
MISSING = "This test needs nginx: `apt-get install nginx-light` installs it."
pytestmark = pytest.mark.long


def certificate(folder: Path) -> None:
    """One for `localhost`, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "specs.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "specs.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def configuration(folder: Path, port: int, app: int) -> str:
    """What docs/deploy.md says, with ports and files of this test."""
    text = (ROOT / "docs" / "deploy.md").read_text("utf-8")
    server = re.findall(r"```nginx\n(.*?)```", text, re.DOTALL)[0]
    changes = {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "specs.example.org": "localhost",
        "/etc/ssl": str(folder),
        "127.0.0.1:8501": f"127.0.0.1:{app}",
    }
    for ours, here in changes.items():
        assert ours in server
        server = server.replace(ours, here)
    kept = "".join(
        f"{what}_temp_path {folder}/{what};\n"
        for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\n"
        f"http {{ access_log off;\n{kept}{server} }}\n"
    )


@pytest.fixture(scope="module")
def proxied(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a workbench behind nginx."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        if os.environ.get("CI") == "true":
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    folder, port = tmp_path_factory.mktemp("proxy"), free_port()
    url = f"https://localhost:{port}/specs"
    certificate(folder)
    with provider("bob@example.org") as login:
        secrets = folder / "secrets.toml"
        secrets.write_text(login.secrets_file(f"{url}/oauth2callback", ACCESS), "utf-8")
        options = ("--secrets", str(secrets), "--allowed-host", "localhost")
        app = Server(folder / "store", folder / "log", *options, base="/specs")
        (folder / "nginx.conf").write_text(configuration(folder, port, app.port), "utf-8")
        proxy = subprocess.Popen([nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")])
        try:
            until_up(f"{url}/_stcore/health")
            yield url
        finally:
            for process in (proxy, app.process):
                process.terminate()
                process.wait(timeout=PATIENCE)


def until_up(url: str) -> None:
    trusting = ssl._create_unverified_context()
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            with urlopen(url, timeout=5, context=trusting):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"{url} does not answer.")


def test_a_team_behind_nginx_logs_in_and_asks(browser: Browser, proxied: str) -> None:
    context = browser.new_context(ignore_https_errors=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(f"{proxied}/query?q=create+an+order")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="bob@example.org").click()
    expect(page).to_have_url(re.compile(f"^{proxied}/query\\?q=create"))
    expect(page.get_by_role("tab", name="Context")).to_be_visible(timeout=60_000)
    assert sockets[-1].startswith(f"{proxied.replace('https', 'wss')}/_stcore/stream")
    page.get_by_role("link", name="Ingest").click()
    expect(page).to_have_url(re.compile(f"^{proxied}/ingest"))
    expect(page.get_by_text("You may look at the store, but not change it.").first).to_be_visible()
    page.goto(proxied)  # without a slash at its end
    expect(page.get_by_role("link", name="Ingest")).to_be_visible()
    context.close()
