import pytest

from ui.shared.kinds import KINDS, kind_of_id, short_name, style_rules


@pytest.mark.parametrize(
    ("chunk_id", "kind", "name"),
    [
        ("shop.json:paths/users/{id}/get", "operation", "GET /users/{id}"),
        ("shop.json:paths/users/post:errors", "errors", "POST /users (errors)"),
        ("shop.json:webhooks/newPet/post", "webhook", "POST newPet"),
        ("shop.json:components/schemas/User", "schema", "User"),
        ("shop.json:components/schemas/User:part-2", "schema", "User (part-2)"),
        ("shop.json:components/schemas/User:examples", "example", "User (examples)"),
        ("shop.json:components/securitySchemes/key", "security", "key"),
        ("shop.json:components/x-things/Thing", "other", "Thing"),
        ("shop.json:info", "other", "info"),
        ("User.yaml:root", "schema", "root"),
        ("a/b.yaml:tags/Users", "domain", "Users"),
        ("kb.json/no-power:article", "article", "no-power"),
        ("src/app.py:module", "module", "app.py"),
        ("src/app.py:class/Cart", "class", "Cart"),
        ("src/app.py:method/Cart.add", "function", "Cart.add"),
        ("src/app.py:function/place:part-2", "function", "place (part-2)"),
        ("docs/a.md:document", "document", "a.md"),
        ("docs/a.md:section/limits", "document", "a.md § limits"),
        ("kb.json/no-power:article:part-2", "article", "no-power (part-2)"),
    ],
)
def test_an_id_names_its_kind(chunk_id: str, kind: str, name: str) -> None:
    assert kind_of_id(chunk_id).name == kind
    assert short_name(chunk_id) == name


def test_kinds_differ_in_more_than_colour() -> None:
    assert len({kind.sign for kind in KINDS}) == len(KINDS)
    assert len({kind.light for kind in KINDS}) == len({kind.dark for kind in KINDS}) == len(KINDS)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_kinds_can_be_read_in_both_themes(kind) -> None:  # type: ignore[no-untyped-def]
    assert contrast(kind.light, "#FFFFFF") >= 4.5  # WCAG AA
    assert contrast(kind.dark, "#151D29") >= 4.5


def test_every_kind_has_a_rule() -> None:
    assert style_rules().count("--kind:") == len(KINDS)
