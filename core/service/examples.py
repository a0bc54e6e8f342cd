"""Answers as they look, for the description: those of the samples that ship, shortened."""

from __future__ import annotations

from collections.abc import Mapping

from core.model import JSON

_CREATE = "shop.json:paths/users/post"
_USER = "shop.json:components/schemas/User"

RESULT = {
    "node_id": _CREATE,
    "content": "POST /users — Create a user\nbody: NewUser, required\n201: User\n",
    "score": 0.97,
    "node_type": "operation",
    "title": "POST /users",
    "path": "/users",
    "version": "1.4.0",
    "status": "",
    "distance": 0,
    "relationship_type": None,
    "parts": {"fused": 0.9},
}
CONTEXT = {
    "query": "How do I create a user?",
    "sections": [
        {
            "title": "Primary Context",
            "content": f"## {_CREATE}\nShop 1.4.0: result 1, score 0.97\n```\nPOST /users …\n```\n",
            "relevance": "high",
        },
        {
            "title": "Supporting Documentation",
            "content": f"## {_USER}\nShop 1.4.0: 201 of paths/users/post\n```\nUser: …\n```\n",
            "relevance": "medium",
        },
    ],
    "total_results": 2,
    "truncated": False,
    "retrieval_stats": {"milliseconds": {"total": 12.5}, "total_chunks": 2},
}
GRAPH = {
    "start_node": _CREATE,
    "nodes": [
        {
            "node_id": _CREATE,
            "node_type": "operation",
            "title": "POST /users",
            "distance": 0,
            "relationship_type": None,
            "score": 1.0,
        },
        {
            "node_id": _USER,
            "node_type": "component",
            "title": "schemas/User",
            "distance": 1,
            "relationship_type": "201",
            "score": 0.5,
        },
    ],
    "edges": [{"source": _CREATE, "target": _USER, "relationship_types": ["201"]}],
    "truncated": False,
}
KNOWLEDGE = {
    "sources_consulted": [
        {
            "title": "When a refund arrives",
            "url": "https://help.example.com/refunds",
            "relevance_score": 0.81,
            "excerpt": "A refund arrives within five working days…",
            "last_updated": "2026-03-01",
        }
    ],
    "coverage": "medium",
    "gaps": ["no article for intent refund"],
    "retrieval_time_ms": 8,
}
IMPACT = {
    "direct_impact": [
        {"id": _CREATE, "title": "POST /users", "type": "operation", "path": [_USER, _CREATE]}
    ],
    "indirect_impact": [],
    "total_affected": 1,
}
API = {
    "file_id": "shop",
    "file": "shop.json",
    "name": "Shop",
    "description": "Users and orders of a shop.",
    "version": "1.4.0",
    "domains": ["users", "orders"],
    "counts": {"operations": 12, "schemas": 9},
}

OF: Mapping[str, JSON] = {  # by the id of the operation
    "search": [RESULT],
    "find_similar": [RESULT],
    "make_context": CONTEXT,
    "look_around": GRAPH,
    "answer_message": KNOWLEDGE,
    "find_impact": IMPACT,
    "list_apis": [API],
}
