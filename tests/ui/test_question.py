from core.model import CatalogEntry, EndpointEntry, SchemaEntry
from ui.examples import examples


def api(name: str, operations: tuple[str, ...], schemas: tuple[str, ...]) -> CatalogEntry:
    return CatalogEntry(
        name, f"{name}.json", name, "", "1", (), {},
        (EndpointEntry("/x", ("POST",), operations),),
        tuple(SchemaEntry(schema, "both", ()) for schema in schemas),
    )  # fmt: skip


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
    assert examples([api("odd", ("v1_2", "handler", ""), ())]) == ()


def test_articles_and_plurals() -> None:
    assert examples([api("shop", ("cancelOrders", "createOrder"), ())]) == (
        "How do I create an order?",
        "How do I cancel orders?",
    )


def test_an_empty_store_has_no_examples() -> None:
    assert examples([]) == ()
