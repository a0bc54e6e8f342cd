"""A hand-made context with everything a page may have to draw: cuts, a cycle, a dangling ref."""

from __future__ import annotations

from collections.abc import Mapping

from core.model import (
    Chunk,
    ChunkType,
    ContextChunk,
    Hit,
    Intent,
    KnowledgeContext,
    LeftOut,
    Level,
    RetrievalStats,
    Trace,
    Understanding,
)
from core.reasons import Cut

CREATE = "shop.json:paths/users/post"
ERRORS = "shop.json:paths/users/post:errors"
LIST = "shop.json:paths/users/get"
NEW_USER = "shop.json:components/schemas/NewUser"
USER = "shop.json:components/schemas/User"
ADDRESS = "shop.json:components/schemas/Address"
COUNTRY = "shop.json:components/schemas/Country"
ORDER = "shop.json:components/schemas/Order"
ITEM = "shop.json:components/schemas/OrderItem"
PROBLEM = "shop.json:components/schemas/Problem"
BAD = "shop.json:components/responses/BadRequest"
BEARER = "shop.json:components/securitySchemes/bearer"
LIMIT = "shop.json:components/parameters/limit"
GHOST = "shop.json:components/schemas/Loyalty"

REFS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    CREATE: {
        ERRORS: ("errors",),
        NEW_USER: ("requestBody",),
        USER: ("responses.201",),
        BEARER: ("security",),
    },
    ERRORS: {BAD: ("responses.400",)},
    LIST: {LIMIT: ("parameters",), USER: ("responses.200",), BEARER: ("security",)},
    NEW_USER: {ADDRESS: ("properties.address",)},
    USER: {ADDRESS: ("properties.addresses",), ORDER: ("properties.orders",)},
    ADDRESS: {COUNTRY: ("properties.country",)},
    ORDER: {USER: ("properties.buyer",), ITEM: ("properties.items",)},
    BAD: {PROBLEM: ("content",)},
}


def chunk(chunk_id: str) -> Chunk:
    element, _, part = chunk_id.partition(":errors")
    operation = ":paths/" in chunk_id
    name = chunk_id.rsplit("/", 1)[1]
    return Chunk(
        id=chunk_id,
        element=element,
        type=ChunkType.OPERATION if operation else ChunkType.COMPONENT,
        source_file="shop",
        part="errors" if chunk_id.endswith(":errors") else part,
        component_kind="" if operation else chunk_id.split("/")[1],
        api_title="Larkfield Shop API",
        api_version="2.4.0",
        method=name.partition(":")[0].upper() if operation else "",
        path="/users" if operation else "",
        operation_id={"post": "createUser", "get": "listUsers"}.get(name, ""),
        name="" if operation else name,
        tags=("Users",) if operation else (),
        text=f"{name}: what a customer account holds and who may create one",
        ref_ids=REFS.get(chunk_id, {}),
        referenced_by=tuple(sorted(s for s, ts in REFS.items() if chunk_id in ts)),
    )


def primary(chunk_id: str, rank: int, score: float, tokens: int) -> ContextChunk:
    text = (
        "POST /users  createUser\nCreate a user account\n"
        "body: NewUser (required)\n201: User\n400, 409: see errors\n"
    )
    parts = {"vector": score * 0.9, "keyword": score * 0.6}
    return ContextChunk(chunk(chunk_id), Level.COMPACT, text, tokens, rank, score, parts)


def reference(chunk_id: str, tokens: int, *via: str) -> ContextChunk:
    used = REFS[via[-1]][chunk_id]
    text = "object\n  id: string (uuid) required\n  email: string (email) required\n"
    return ContextChunk(
        chunk(chunk_id), Level.COMPACT, text, tokens, depth=len(via), via=via, used=used
    )


def example() -> KnowledgeContext:
    primaries = (
        primary(CREATE, 1, 0.86, 412),
        primary(LIST, 2, 0.55, 288),
    )
    references = (
        reference(ERRORS, 164, CREATE),
        reference(NEW_USER, 190, CREATE),
        reference(USER, 320, CREATE),
        reference(BEARER, 60, CREATE),
        reference(LIMIT, 48, LIST),
        reference(ADDRESS, 170, CREATE, NEW_USER),
        reference(ORDER, 240, CREATE, USER),
        reference(BAD, 85, CREATE, ERRORS),
        reference(PROBLEM, 96, CREATE, ERRORS, BAD),
    )
    left_out = (
        LeftOut(ITEM, Cut.TOKEN_LIMIT, "", 0, 0.0, 3, (CREATE, USER, ORDER), 310),
        LeftOut(COUNTRY, Cut.CHUNK_LIMIT, "", 0, 0.0, 3, (CREATE, NEW_USER, ADDRESS), 90),
        LeftOut(GHOST, Cut.MISSING, "", 0, 0.0, 2, (CREATE, USER), 0),
        LeftOut("shop.json:paths/orders/get", Cut.BELOW_MIN_SCORE, "score 0.21 < 0.30", 3, 0.21),
    )
    tokens = sum(item.tokens for item in primaries + references)
    return KnowledgeContext(
        "How do I create a user?",
        primaries,
        references,
        tokens,
        RetrievalStats(
            milliseconds={
                "understand": 0.4,
                "embed": 0.9,
                "search": 3.1,
                "follow_refs": 1.2,
                "assemble": 0.8,
                "total": 6.4,
            },
            candidates=10,
            total_chunks=11,
            traversal_depth=3,
            references_followed=12,
            cycles=1,
            missing=1,
            limits_hit=(Cut.TOKEN_LIMIT, Cut.CHUNK_LIMIT),
        ),
        Trace(
            Understanding(
                Intent.ENDPOINT,
                0.82,
                ("how do I", "create"),
                {"schema names": ("User",)},
                {"type": "operation"},
            ),
            {"type": "operation"},
            (
                Hit(CREATE, 1, 0.86, {}),
                Hit(LIST, 2, 0.55, {}),
                Hit("shop.json:paths/orders/get", 3, 0.21, {}),
            ),
            left_out,
            ("Intent endpoint: searched operations only.", "Kept 2 of 10 candidates."),
        ),
    )
