"""Chroma itself, in a folder of this machine or on a server; imported late, and only here."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from json import JSONDecodeError
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import finalize

from core.errors import StoreDamaged, StoreError
from core.index.chroma.remote.address import Address
from core.read.files.public_addresses import is_metadata, resolve
from core.text.safe import one_line

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

T = TypeVar("T")

_DISK = "Check the disk and the permissions, or choose another store with --store."
_LACKS = {  # what Chroma and SQLite say when something is missing: no damage, then
    ("too many open files", "emfile", "unable to open database file"): (
        "Check its permissions, and raise the limit of open files (`ulimit -n`) if that is low."
    ),
    ("memoryerror", "out of memory", "cannot allocate", "bad_alloc", "resource temporarily"): (
        "Free some memory and try again."
    ),
    ("database is locked", "database table is locked", "busy"): (
        "Another process uses it: try again when it is done."
    ),
    ("readonly", "read-only", "permission", "is full", "no space", "disk i/o", "quota"): _DISK,
}
_CLIENTS = count(1)  # of this process
CONNECT_S = 5.0  # to reach a server
_LARGEST = 1_000_000_000  # bytes of one answer
_SLOWEST = 3  # times what a server may take until it begins to answer, until the answer ends
_ODD = (JSONDecodeError, KeyError, TypeError, AttributeError, IndexError, OverflowError)


class Chroma(Protocol):
    """Where collections are. The client is made at the first call and shared by all threads."""

    adds: int  # rows in one request
    reads: int  # rows in one answer

    def __call__(self, ask: Callable[[ClientAPI], T]) -> T:
        """What the client answers. Raises StoreError whatever Chroma raises."""

    def close(self) -> None: ...


class LocalChroma:
    """A folder that this process has opened."""

    adds = 1_000  # Chroma takes 5,461, but lets no other thread run while it adds
    reads = 5_000  # with more than 32,766 SQLite has too many variables

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self._folder, self._create = folder, create
        self._client: ClientAPI | None = None
        self._opening = Lock()

    def __call__(self, ask: Callable[[ClientAPI], T]) -> T:
        try:
            return ask(self._opened())
        except Exception as error:  # its own, the runtime's and bare ones
            raise _unusable(self._folder, error) from error
        except BaseException as error:
            if type(error).__name__ != "PanicException":  # of its Rust, which is no Exception
                raise
            raise _unusable(self._folder, error) from error

    def close(self) -> None:
        if self._client is not None:
            self._client = None
            self._closing()

    def _opened(self) -> ClientAPI:
        with self._opening:
            if self._client is None:
                import chromadb

                if not (self._create or self._folder.exists()):
                    raise FileNotFoundError("it is missing")  # Chroma would make an empty one
                settings = chromadb.config.Settings(anonymized_telemetry=False)
                client = chromadb.PersistentClient(_spelled(self._folder), settings=settings)
                # a store whose generation has passed is let go of, and nobody closes it
                self._closing = finalize(self, client.close)  # type: ignore[attr-defined]
                self._client = client
            return self._client


class ServerChroma:
    """A server that others use as well; what is wrong with it is told in one sentence."""

    def __init__(self, address: Address, *, seconds: float) -> None:
        """`seconds` are what the server may take for one answer."""
        self._address, self._seconds = address, seconds
        self._client: ClientAPI | None = None
        self._opening = Lock()
        self.adds, self.reads = (300, 300) if address.is_cloud else (500, 2_000)

    def __call__(self, ask: Callable[[ClientAPI], T]) -> T:
        try:
            return ask(self._opened())
        except StoreError:
            raise
        except Exception as error:  # as above, and the transport's
            raise server_error(self._address, error) from error

    def close(self) -> None:
        if self._client is not None:
            self._client = None
            self._closing()

    def _opened(self) -> ClientAPI:
        with self._opening:
            if self._client is None:
                try:
                    self._client = self._connected()
                except (TypeError, KeyError, AttributeError) as error:  # JSON of another make
                    raise _no_chroma(self._address, error) from error
                # as above: not every store is closed, and a server counts its connections
                self._closing = finalize(self, _disconnect, self._client)
            return self._client

    def _connected(self) -> ClientAPI:
        import chromadb
        import httpx

        from core.index.disk.bounded import bounded

        address, headers = self._address, dict(self._address.headers)
        _check_place(address)
        limits = httpx.Timeout(self._seconds, connect=CONNECT_S)
        # making a client asks this without a time-out, and leaves connections open if it fails
        hooks: Any = {"response": [bounded(size=_LARGEST, seconds=_SLOWEST * self._seconds)]}
        with httpx.Client(headers=headers, timeout=limits, event_hooks=hooks) as asking:
            answer = asking.get(address.database_url).raise_for_status()
        answer.json()["tenant"]  # what is no Chroma server has none
        client = chromadb.HttpClient(
            address.host,
            address.port,
            ssl=address.ssl,
            headers=headers,
            settings=chromadb.config.Settings(anonymized_telemetry=False),
            tenant=address.tenant,
            database=address.database,
        )
        session = client._server._session  # type: ignore[attr-defined]  # no public way
        session.timeout, session.event_hooks = limits, hooks
        return client


def _disconnect(made: Any) -> None:  # its protocol has none of these
    for client in (made, made._admin_client):
        client._server._session.close()  # `close` leaves their connections open
    made.close()


def is_missing(error: BaseException | None) -> bool:
    """Whether Chroma says that there is no such collection."""
    return type(error).__name__ == "NotFoundError"


def server_error(address: Address, error: Exception) -> StoreError:
    """What went wrong between this machine and a server, and what to do."""
    import httpx

    reason = _told(address, error)
    status = getattr(getattr(error, "response", None), "status_code", 0)
    if isinstance(error, httpx.TimeoutException):
        return StoreError(
            f"The Chroma server {address} did not answer in time. "
            "Try again. If this keeps happening, check the server's load and logs."
        )
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return StoreError(
            f"The Chroma server {address} presented an untrusted certificate "
            f"({reason}). For a private CA, set SSL_CERT_FILE to its certificate."
        )
    if "WRONG_VERSION_NUMBER" in str(error):
        return StoreError(
            f"The server {address} does not speak TLS. If it is the right server, begin its "
            "address with http://."
        )
    if isinstance(error, _ODD) or 300 <= status < 400:
        return _no_chroma(address, error)
    if isinstance(error, httpx.TransportError) or "Could not connect" in str(error):
        return StoreError(
            f"The Chroma server {address} cannot be reached ({reason}). Check that it is "
            "running and that the address is right; then try again."
        )
    if status in (401, 403) or any(w in type(error).__name__ for w in ("Auth", "Permission")):
        return StoreError(
            f"The Chroma server {address} denied access ({reason}). Set CHROMA_TOKEN "
            "to a token that may use it, and CHROMA_TENANT and CHROMA_DATABASE if it has several."
        )
    if status == 404:
        return StoreError(
            f"{address} is not a Chroma server, or has no database {address.database!r} of the "
            f"tenant {address.tenant!r}. Set CHROMA_DATABASE and CHROMA_TENANT to what is there."
        )
    if is_missing(error):
        return StoreDamaged(
            f"The Chroma server {address} does not have what the store needs "
            f"({reason}). If its data was removed, delete the collection specloupe-meta "
            "as well and ingest again."
        )
    return StoreError(f"The Chroma server {address} answered with an error: {reason}.")


def _no_chroma(address: Address, error: Exception) -> StoreError:
    reason = _told(address, error)
    return StoreError(
        f"{address} does not look like a Chroma server ({reason}). Check the address, and that "
        "the server runs Chroma 1.x."
    )


def _told(address: Address, error: BaseException) -> str:
    """The reason, which may be in the server's words, without what nobody is to read."""
    said = _reason(error)
    for secret in sorted(address.headers.values(), key=len, reverse=True):
        said = said.replace(secret, "…").replace(secret.removeprefix("Bearer "), "…")
    return one_line(said, len(said))


def _check_place(address: Address) -> None:
    """Raise StoreError where a cloud keeps the secrets of this machine instead of a store."""
    try:
        found = resolve(address.host, address.port)
    except (OSError, UnicodeError):
        return  # a proxy may know the name; otherwise connecting says what is wrong
    if any(map(is_metadata, found)):
        raise StoreError(
            f"{address} is the address of a cloud's metadata service, which is never accessed. "
            "Check --store."
        )


def _spelled(folder: Path) -> str:
    """The folder by a name that no other client has.

    Chroma shares one database between all clients of the same name, and that never sees the
    vectors which another process writes: a new client would answer like the oldest.
    """
    number = f"{next(_CLIENTS):b}"
    return str(folder) + "".join("/." if bit == "1" else "/" for bit in number)


def _unusable(folder: Path, error: BaseException) -> StoreError:
    reason = _reason(error)
    said = f"{type(error).__name__} {reason}".lower()
    for words, advice in _LACKS.items():
        if any(word in said for word in words):
            return StoreError(f"{folder} cannot be used: {reason}. {advice}")
    return StoreDamaged(
        f"{folder} cannot be used: {reason}. `specloupe store check` rebuilds it from the "
        "originals and the read index."
    )


def _reason(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300].rstrip(".")
