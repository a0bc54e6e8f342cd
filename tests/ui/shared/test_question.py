import pytest

from core.examples import Example, examples, is_answered
from core.model import (
    CatalogEntry,
    Chunk,
    ChunkType,
    ContextChunk,
    EndpointEntry,
    Intent,
    KnowledgeContext,
    LeftOut,
    Level,
    RetrievalStats,
    SchemaEntry,
    Trace,
    Understanding,
)
from core.reasons import Cut


def api(name: str, operations: tuple[str, ...], schemas: tuple[str, ...]) -> CatalogEntry:
    return CatalogEntry(
        name,
        f"{name}.json",
        name,
        "",
        "1",
        (),
        {},
        (EndpointEntry("/x", ("POST",), operations),),
        tuple(SchemaEntry(schema, "both", ()) for schema in schemas),
    )


def test_examples_come_from_what_is_stored_one_an_api_first() -> None:
    catalog = [
        api("shop", ("listUsers", "createUser", "x1"), ("User",)),
        api("desk", ("closeTicket",), ("Ticket",)),
    ]
    assert examples(catalog) == (
        "How do I create a user?",
        "How do I close a ticket?",
        "What is in User?",
        "What is in Ticket?",
    )


def test_names_that_are_no_verb_with_a_noun_give_no_question() -> None:
    odd = ("v1_2", "handler", "", "deleteInvoicesInvoice", "createMsp")
    assert examples([api("odd", odd, ())]) == ()
    assert examples([api("odd", ("addARoom",), ())]) == ("How do I add a room?",)


def test_articles_and_plurals() -> None:
    assert examples([api("shop", ("cancelOrders", "createOrder"), ())]) == (
        "How do I create an order?",
        "How do I cancel orders?",
    )


def test_an_empty_store_has_no_examples() -> None:
    assert examples([]) == ()


def test_the_first_example_is_one_that_is_answered() -> None:
    catalog = [api("shop", ("createOrder", "cancelOrders"), ())]
    asked: list[Example] = []

    def answered(example: Example) -> bool:
        asked.append(example)
        return example.name == "cancelOrders"

    assert examples(catalog, answered) == (
        "How do I cancel orders?",
        "How do I create an order?",
    )
    assert asked == [
        Example("How do I create an order?", "shop", "createOrder"),
        Example("How do I cancel orders?", "shop", "cancelOrders"),
    ]
    assert examples(catalog, lambda example: False)[0] == "How do I create an order?"


def test_what_to_call_is_tried_before_what_a_schema_has() -> None:
    catalog = [api("shop", ("createOrder",), ("Order",)), api("desk", ("closeTicket",), ())]
    first = examples(catalog, lambda example: example.name in ("Order", "closeTicket"))[0]
    assert first == "How do I close a ticket?"


@pytest.mark.parametrize(
    ("id", "operation", "lost", "answered"),
    [
        ("shop.json:paths/orders/post", "createOrder", (), True),
        ("shop.json:paths/orders/get", "listOrders", (), False),
        ("desk.json:paths/orders/post", "createOrder", (), False),
        ("shop.json:paths/orders/post", "createOrder", (2,), True),
        ("shop.json:paths/orders/post", "createOrder", (1, 2), False),
    ],
    ids=["whole", "another first", "another API", "a later one lacks", "the first one lacks"],
)
def test_a_question_is_answered_by_its_operation_with_all_that_it_needs(
    id: str, operation: str, lost: tuple[int, ...], answered: bool
) -> None:
    chunk = Chunk(id, id, ChunkType.OPERATION, id.partition(".")[0], operation_id=operation)
    first = ContextChunk(chunk, Level.COMPACT, "", 1, rank=1)
    needed = LeftOut("shop.json:components/schemas/Order", Cut.CHUNK_LIMIT, needed_by=lost)
    trace = Trace(Understanding(Intent.ENDPOINT, 1.0), left_out=(needed,))
    context = KnowledgeContext("", (first,), (), 1, RetrievalStats(), trace)
    assert is_answered(Example("", "shop", "createOrder"), context) is answered
