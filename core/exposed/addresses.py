"""Where a server of ours listens, and by which names it may be asked.

A server on loopback is reached by any page of any site whose name resolves there, unless it looks
at the names by which it is asked.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Collection, Iterable
from contextlib import suppress
from urllib.parse import urlsplit

from core.errors import CallError

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::")


def check(host: str, port: int) -> None:
    """Raise CallError unless a server can listen there."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, where = found[0]
        with socket.socket(family, kind, protocol) as probe:
            if os.name == "posix":  # elsewhere this would let two servers share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
    except socket.gaierror as error:
        raise CallError(f"--host {host} is not a name or address of this machine.") from error
    except OSError as error:
        raise CallError(
            f"Cannot listen on {address(host, port)}: {error.strerror}. "
            "Choose another port or address with --port or --host."
        ) from error


def open_to_others(host: str, token: str, variable: str) -> None:
    """Raise CallError where other machines would be let in without a token."""
    if not token and host not in LOOPBACK:
        raise CallError(
            f"--host {host} lets other machines in, so requests must carry a token: "
            f"put one into the environment variable {variable}."
        )


def address(host: str, port: int) -> str:
    """Where a browser on this machine finds a server that listens on `host`."""
    named = "localhost" if host in EVERYWHERE else host
    return f"http://[{named}]:{port}" if ":" in named else f"http://{named}:{port}"


def checked_base(path: str) -> str:
    """The path below which pages are offered, without slashes at its ends; raises CallError."""
    parts = [part for part in path.split("/") if part]
    if not all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._~-]*", part) for part in parts):
        raise CallError(f"--base-path {path!r} is not a path such as /specs.")
    return "/".join(parts)


def names(host: str, more: Iterable[str] = ()) -> tuple[str, ...]:
    """What a browser may call a server that listens on `host`: loopback, itself, and `more`."""
    own = _own_names() if host in EVERYWHERE else [host]
    return tuple(dict.fromkeys([*LOOPBACK, *map(_bare, [*own, *more])]))


def origins(more: Iterable[str]) -> tuple[str, ...]:
    """The origins of a proxy's pages, whose server may be asked under another name than theirs."""
    bare = [_bare(name) for name in more]
    return tuple(
        f"{scheme}://{name}" for name in bare if "*" not in name for scheme in ("https", "http")
    )


def is_allowed(host: str, hosts: Collection[str]) -> bool:
    """Whether this `Host` header names the server; `*.example.org` allows what ends like that."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    name = name.lower().rstrip(".")
    return any(
        allowed in ("*", name) or (allowed.startswith("*.") and name.endswith(allowed[1:]))
        for allowed in (each.lower() for each in hosts)
    )


def _bare(name: str) -> str:
    """A name as Streamlit compares it: without the brackets of an address, scheme or port."""
    if name.count(":") > 1 and not name.startswith("[") and "//" not in name:
        return name  # an address of IPv6
    try:
        return urlsplit(name if "//" in name else f"//{name}").hostname or name
    except ValueError:
        return name


def _own_names() -> list[str]:
    """What this machine is called, and its addresses; nothing is sent to find them."""
    name = socket.gethostname()
    found = [name, f"{name}.local"]
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(name, None)]
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            found.append(str(probe.getsockname()[0]))
    return [each.partition("%")[0] for each in found if each not in EVERYWHERE]
