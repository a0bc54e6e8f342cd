from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import Intent
from core.retrieve.understand.intent import asks_for_a_schema, understand

ENDPOINT = [
    "How do I create a user?",
    "how can i refund a charge",
    "How to upload a file to a folder",
    "Which endpoint lists all orders?",
    "what endpoint should I call to cancel a subscription",
    "endpoint for deleting a comment",
    "list users",
    "create a new playlist",
    "Delete an address",
    "POST /v1/refunds",
    "get /users/{id}",
    "I want to update a customer's email address",
    "We need to fetch the invoices of last month",
    "is there a way to download an attachment?",
    "is there an endpoint that returns the current weather",
    "Can I search tickets by label?",
    "is there something I can call to revoke a token",
    "api call to merge a pull request",
    "what is the right operation for transferring funds",
    "HOW DO I CREATE A USER?",
    "how do i crate a new repositry",
    "hwich endpoint retuns the open tickets",
    "wich endpiont lists the movies",
    "updating a user's avatar",
    "please cancel order 42",
    "Pool_EvaluateAutoScale: which path and method is that?",
    "trying to schedule a message for tomorrow",
    "what's the api to get a list of genres",
    "how would one rotate the signing key",
    "Show me how to add a song to a playlist",
]
SCHEMA = [
    "What fields does a user have?",
    "user object structure",
    "User schema fields",
    "which properties are required on an order",
    "What does the Invoice object look like?",
    "what is in the payment payload",
    "attributes of a track",
    "data model of a ticket",
    "the structure of the address object",
    "what values can the status field have",
    "allowed values of currency",
    "which fields do I need to create a user?",
    "definition of the Pet schema",
    "describe the Customer model",
    "WHAT FIELDS DOES AN ORDER HAVE",
    "what fileds does an order hvae",
    "user shcema",
    "what is a line item made of",
    "properties of the webhook payload",
    "shape of the response body for a search result",
    "what does a shipment consist of",
    "list the optional fields of a product",
    "which attributes describe a media item",
    "what type is the created_at field",
    "what enum values exist for priority",
]
ERROR = [
    "What errors can creating a user return?",
    "error codes of the payments API",
    "why do I get a 404 when fetching an order",
    "what happens if the card is declined",
    "How do I handle errors when uploading a file?",
    "which status codes does POST /users return",
    "401 unauthorized on login",
    "exception handling for refunds",
    "request failed with 422",
    "what does a 429 mean here",
    "validation error format",
    "what can go wrong when I delete a folder",
    "why is my upload rejected",
    "what comes back when the token is invalid",
    "WHAT ERRORS CAN CREATING A USER RETURN",
    "what erors can creating a user retrun",
    "possible failures of the transfer call",
    "error response when the user already exists",
    "the call fails with a conflict",
    "list the error responses for creating an order",
    "what do I get when the ticket does not exist: not found?",
    "forbidden when listing members",
    "too many requests, what now",
    "which exceptions are thrown by the search operation",
]
GENERAL = [
    "",
    "   ",
    "users",
    "hello",
    "pagination",
    "Stripe",
    "what is this API about?",
    "authentication",
    "¿Cómo creo un usuario?",
    "cómo puedo crear un usuario nuevo en la tienda",
    "¿Qué errores devuelve la API?",
    "cuáles son los campos de una factura",
    "Wie kann ich einen Benutzer anlegen?",
    "comment créer une facture pour un client",
    "🍕🍕🍕",
    "1234567890",
    "lorem ipsum dolor sit amet",
]
TABLE = [
    *((query, Intent.ENDPOINT) for query in ENDPOINT),
    *((query, Intent.SCHEMA) for query in SCHEMA),
    *((query, Intent.ERROR) for query in ERROR),
    *((query, Intent.GENERAL) for query in GENERAL),
]


@pytest.mark.parametrize(("query", "intent"), TABLE, ids=[query or "empty" for query, _ in TABLE])
def test_intent(query: str, intent: Intent) -> None:
    assert understand(query).intent is intent


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("how do I create a user", {"type": {"$in": ["operation", "webhook"]}}),
        ("what fields does a user have", {"type": "component"}),
        (
            "which errors are returned",
            {"$or": [{"part": "errors"}, {"component_kind": "responses"}]},
        ),
        ("users", None),
    ],
    ids=["endpoint", "schema", "error", "general"],
)
def test_the_filter_that_follows(query: str, where: object) -> None:
    assert understand(query).where == where


def test_a_clear_question_is_surer_than_a_mixed_one() -> None:
    clear = understand("Which endpoint lists all orders?")
    mixed = understand("how do I create a user and what errors are returned")
    assert clear.confidence > mixed.confidence > 0


def test_reasons_are_words_of_the_question() -> None:
    reasons = understand("What fields does a user have?").reasons
    assert reasons
    assert all(reason in "what fields does a user have?" for reason in reasons)


@pytest.mark.parametrize(
    ("query", "asks"),
    [
        ("What fields does a user have?", True),
        ("User model", True),
        ("structure of the error object", True),
        ("what is in a validation error?", True),
        ("what is in a delete boat request?", True),
        ("why do I get a 409 when I save the order object", False),
        ("How do I create a user object?", False),
        ("users", False),
    ],
)
def test_whether_a_component_is_asked_for(query: str, asks: bool) -> None:
    assert asks_for_a_schema(understand(query), query) is asks


@given(st.text(max_size=300))
def test_any_text_is_understood_somehow(query: str) -> None:
    found = understand(query)
    assert 0 <= found.confidence < 1
    assert (found.where is None) == (found.intent is Intent.GENERAL)
    assert found == understand(query)
