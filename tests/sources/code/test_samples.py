"""The sample code: every label of its question set is there, and it is linked to the APIs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.stores import opened

from core import Workbench
from core.evaluate.sets.sets import read

ROOT = Path(__file__).parents[3]
QUESTIONS = read(ROOT / "eval_sets" / "code.yaml").samples


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    with opened(tmp_path_factory.mktemp("samples") / "store") as workbench:
        for source in ("samples/shop.json", "samples/notify.yaml", "samples/code"):
            for _ in workbench.ingest([ROOT / source]):
                pass
        return workbench


@pytest.mark.thorough
def test_every_label_is_an_element(store: Workbench) -> None:
    elements = {chunk.element for chunk in store.chunks()}
    wanted = {label for sample in QUESTIONS for label in sample.labels}
    assert wanted <= elements
    assert {chunk.language for chunk in store.chunks()} >= {"python", "typescript", "go"}


def test_the_set_has_every_kind_of_question() -> None:
    kinds = Counter(sample.tags[0] for sample in QUESTIONS)
    assert sum(kinds.values()) >= 50
    assert {"by-language", "by-file", "no-answer"} <= {*kinds}
    assert all(bool(s.labels) == (s.tags[0] != "no-answer") for s in QUESTIONS)


@pytest.mark.parametrize(
    ("function", "operation", "how"),
    [
        ("service/larkfield/app.py:function/place_order", "shop.json:paths/orders/post", "serves"),
        (
            "service/larkfield/app.py:function/cancel_order",
            "shop.json:paths/orders/{order_id}/cancel/post",
            "serves",
        ),
        (
            "service/larkfield/payments.py:function/create_refund",
            "shop.json:paths/payments/{payment_id}/refunds/post",
            "sends",
        ),
        ("service/larkfield/mail.py:function/_send", "notify.yaml:paths/messages/post", "sends"),
        (
            "warehouse/parcels.go:method/Booker.CreateShipment",
            "shop.json:paths/orders/{order_id}/shipments/post",
            "named",
        ),
        ("web/src/client.ts:method/ShopClient.placeOrder", "shop.json:paths/orders/post", "sends"),
    ],
)
def test_functions_are_linked_to_operations(
    store: Workbench, function: str, operation: str, how: str
) -> None:
    assert how in store.look(function)[0].ref_ids[operation]
