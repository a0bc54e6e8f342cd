"""Two small specifications: an ordinary one, and one whose every text is an attack."""

from __future__ import annotations

from typing import Any


def _ref(name: str, kind: str = "schemas") -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema}}}


SHOP: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Corner Shop", "version": "1.2.0", "description": "Users and orders."},
    "paths": {
        "/users": {
            "get": {
                "operationId": "listUsers",
                "summary": "List all users",
                "tags": ["Users"],
                "parameters": [_ref("limit", "parameters")],
                "responses": {
                    "200": {
                        "description": "A page of users",
                        **_json({"type": "array", "items": _ref("User")}),
                    }
                },
            },
            "post": {
                "operationId": "createUser",
                "summary": "Create a user account",
                "tags": ["Users"],
                "requestBody": {"required": True, **_json(_ref("NewUser"))},
                "responses": {
                    "201": {"description": "Created", **_json(_ref("User"))},
                    "400": _ref("BadRequest", "responses"),
                },
            },
        },
        "/orders": {
            "post": {
                "operationId": "createOrder",
                "summary": "Place an order for a user",
                "tags": ["Orders"],
                "requestBody": {"required": True, **_json(_ref("Order"))},
                "responses": {"201": {"description": "Placed", **_json(_ref("Order"))}},
            }
        },
    },
    "components": {
        "parameters": {
            "limit": {"name": "limit", "in": "query", "schema": {"type": "integer"}},
        },
        "responses": {
            "BadRequest": {"description": "The request is wrong", **_json(_ref("Problem"))},
        },
        "schemas": {
            "NewUser": {
                "type": "object",
                "required": ["email"],
                "properties": {"email": {"type": "string"}, "address": _ref("Address")},
            },
            "User": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "address": _ref("Address"),
                    "orders": {"type": "array", "items": _ref("Order")},
                    "loyalty": _ref("Loyalty"),  # does not exist
                },
            },
            "Order": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "buyer": _ref("User")},
            },
            "Address": {
                "type": "object",
                "properties": {"street": {"type": "string"}, "country": _ref("Country")},
            },
            "Country": {"type": "string", "description": "A country by its ISO code"},
            "Problem": {"type": "object", "properties": {"detail": {"type": "string"}}},
        },
    },
}

SCRIPT = "<script>alert('owned')</script>"
IMAGE = "<img src=x onerror=\"alert('owned')\">"
LINK = "[free user](javascript:alert('owned'))"
OUTSIDE = "![user](https://evil.example/pixel.png) https://evil.example/user href="
LATEX = "$\\href{https://evil.example}{user}$ :red[user] :material/home: `user` # user"
FORMULA = '=HYPERLINK("https://evil.example","user")'
ATTACKS = (SCRIPT, IMAGE, LINK, OUTSIDE, LATEX, FORMULA)
ALL = " ".join(ATTACKS)

HOSTILE: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": ALL, "version": SCRIPT, "description": ALL},
    "tags": [{"name": IMAGE, "description": ALL}],
    "paths": {
        f"/user/{IMAGE}": {
            "post": {
                "operationId": f"createUser{LINK}",
                "summary": f"Create a user {ALL}",
                "description": ALL,
                "tags": [IMAGE, LATEX],
                "requestBody": {"description": ALL, **_json(_ref("User"))},
                "responses": {
                    "200": {"description": ALL, **_json(_ref("User"))},
                    "400": {"description": ALL, **_json(_ref("Missing" + SCRIPT))},
                },
            }
        }
    },
    "components": {
        "schemas": {
            "User": {
                "type": "object",
                "title": ALL,
                "description": ALL,
                "properties": {
                    SCRIPT: {"type": "string", "description": ALL, "example": ALL},
                    LATEX: {"$ref": "#/components/schemas/" + "href" + "%3Cimg%3E"},
                    FORMULA: _ref("Account"),
                },
            },
            "href<img>": {"type": "string", "enum": list(ATTACKS), "description": ALL},
            "Account": {"type": "object", "description": ALL, "x-user": ALL},
        }
    },
}
