from dataclasses import replace

from core.ids import decode
from core.model import CatalogEntry, DomainEntry, SchemaEntry
from ui.graph.graph_view import page
from ui.graph.overview import DOMAINS, SCHEMAS, alternative, overview


def entry(domains: int, schemas: int) -> CatalogEntry:
    names = tuple(f"S{number:02}" for number in range(schemas))
    index = tuple(
        DomainEntry(f"d{number:02}", tuple("/x" * (n + 1) for n in range(number + 1)), names)
        for number in range(domains)
    )
    listed = tuple(SchemaEntry(name, "", ("GET /x",)) for name in names)
    return CatalogEntry("a", "a.json", "A", "", "1", (), {}, (), listed, index)


def test_domains_lead_to_the_schemas_that_they_share() -> None:
    drawn = overview(entry(2, 1))
    assert [each.label for each in drawn.nodes] == ["d01 · 2", "d00 · 1", "S00"]
    assert [(edge.source, edge.target) for edge in drawn.edges] == [
        ("a.json:tags/d01", "a.json:components/schemas/S00"),
        ("a.json:tags/d00", "a.json:components/schemas/S00"),
    ]
    assert "2 domains of A and the 1 schema" in alternative(entry(2, 1), drawn)


def test_a_large_api_is_no_hairball() -> None:
    drawn = overview(entry(DOMAINS + 4, SCHEMAS + 6))
    assert len(drawn.nodes) == DOMAINS + SCHEMAS
    assert drawn.not_drawn == 10


def test_an_api_without_domains_gives_an_empty_picture() -> None:
    assert overview(entry(0, 3)).nodes == ()


ATTACK = "<img src=x onerror=alert(1)></script>[x](javascript:alert(1))"


def test_a_name_with_a_colon_has_the_id_that_its_chunk_has() -> None:
    named = replace(
        entry(1, 1),
        schemas=(SchemaEntry("a:b", "", ("GET /x",)),),
        domain_index=(DomainEntry("pay: in", ("/x",), ("a:b",)),),
    )
    domain, schema = overview(named).nodes
    assert (domain.kind, schema.kind) == ("domain", "schema")
    assert schema.id == f"{named.file}:components/schemas/a%3Ab"


def test_an_attack_stays_data_in_the_file_of_an_overview() -> None:
    hostile = replace(
        entry(1, 1),
        name=ATTACK,
        schemas=(SchemaEntry(ATTACK, "", ("GET /x",)),),
        domain_index=(DomainEntry(ATTACK, ("/x",), (ATTACK,)),),
    )
    drawn = overview(hostile)
    assert [ATTACK in decode(node.id) for node in drawn.nodes] == [True, True]
    file = page(drawn, title=hostile.name, alt=alternative(hostile, drawn))
    assert "<img" not in file
    assert "</script>[x]" not in file
    assert "1 domain of" in file
