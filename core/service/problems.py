"""What a failed request is answered with: problem details (RFC 9457), never a trace or a path."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from starlette.responses import JSONResponse

from core.errors import EmbeddingError, SpecloupeError, StoreBusy, StoreError, UnknownId
from core.exposed.said import without_paths
from core.model import JSON

MEDIA_TYPE = "application/problem+json"
_BUSY_S = 5  # until a store that is written to is asked again


def problem(
    status: HTTPStatus, detail: str, *, headers: Mapping[str, str] | None = None, **more: JSON
) -> JSONResponse:
    """An answer that says what is wrong, and what would help."""
    content = {"type": "about:blank", "title": status.phrase, "status": status, "detail": detail}
    return JSONResponse(
        {**content, **more}, status_code=status, headers=headers, media_type=MEDIA_TYPE
    )


def of_error(error: SpecloupeError) -> JSONResponse:
    """The problem that an error of ours is."""
    detail = without_paths(error)
    if isinstance(error, UnknownId):
        return problem(HTTPStatus.NOT_FOUND, detail, nearest=list(error.nearest))
    if isinstance(error, StoreBusy):
        retry = {"Retry-After": str(_BUSY_S)}
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, detail, headers=retry)
    if isinstance(error, StoreError | EmbeddingError):
        return problem(HTTPStatus.SERVICE_UNAVAILABLE, detail)
    return problem(HTTPStatus.BAD_REQUEST, detail)
