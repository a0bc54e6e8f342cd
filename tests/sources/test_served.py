"""Which function serves an operation, or sends a request to it: as each language writes it."""

from __future__ import annotations

import pytest
from support.code import by_id, chunked

from core.sources.served import Function, Operations, asked, template

OPERATIONS = {
    "shop.json:paths/orders/get": "listOrders",
    "shop.json:paths/orders/post": "placeOrder",
    "shop.json:paths/orders/{order_id}/get": "getOrder",
    "shop.json:paths/orders/{order_id}/cancel/post": "cancelOrder",
    "shop.json:paths/status/get": "status",
    "other.json:paths/status/get": "status",
    "shop.json:paths/orders/post:errors": "",
    "shop.json:components/schemas/Order": "",
    "shop.json:webhooks/orderShipped/post": "orderShipped",
}


def operations() -> Operations:
    found = Operations()
    for id, operation_id in OPERATIONS.items():
        found.add(id, operation_id)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/orders", "/orders"),
        ("/orders/{order_id}", "/orders/{}"),
        ("/orders/:id/cancel", "/orders/{}/cancel"),
        ("/orders/<int:id>", "/orders/{}"),
        ("/orders/${id}?full=1", "/orders/{}"),
        ("{base}/orders/", "/orders"),
        ("${this.base}/orders/${id}", "/orders/{}"),
        ("https://api.example.com/v2/orders/%s", "/v2/orders/{}"),
        ("#{url}/orders", "/orders"),
        ("text/html", ""),
        ("a sentence / with a slash", ""),
        ("/", ""),
    ],
)
def test_a_path_as_languages_write_it(text: str, expected: str) -> None:
    assert template(text) == expected


IN_JAVA = "class A {\n  @PostMapping\n  void n() {}\n}\n"


@pytest.mark.parametrize(
    ("file", "text", "name", "expected"),
    [
        ("a.py", '@app.post("/orders")\ndef new(): pass\n', "new", "serves POST"),
        (
            "a.py",
            '@app.route("/orders", methods=["POST"])\ndef new(): pass\n',
            "new",
            "serves POST",
        ),
        ("a.py", '@app.route("/orders")\ndef new(): pass\n', "new", "serves GET"),
        ("A.java", f'@RequestMapping("/orders")\n{IN_JAVA}', "A.n", "serves POST"),
        (
            "A.java",
            f'@Path("orders")\n{IN_JAVA.replace("PostMapping", "POST")}',
            "A.n",
            "serves POST",
        ),
        ("A.cs", '[Route("orders")]\nclass A { [HttpPost] void N() {} }', "A.N", "serves POST"),
        ("a.ts", "@Controller('orders')\nclass A {\n  @Post()\n  n() {}\n}", "A.n", "serves POST"),
        ("a.py", 'def new(): requests.post(f"{BASE}/orders")\n', "new", "sends POST"),
        ("a.ts", "function n() { fetch(`${b}/orders`, {method: 'POST'}); }", "n", "sends POST"),
        ("a.js", "function n() { app.post('/orders', f); }", "n", "serves POST"),
        ("A.java", 'class A { @PostMapping("/orders") void n() {} }', "A.n", "serves POST"),
        ("A.cs", 'class A { [HttpPost("/orders")] void N() {} }', "A.N", "serves POST"),
        ("a.go", 'package a\nfunc n() { mux.HandleFunc("POST /orders", f) }', "n", "serves POST"),
        ("a.rs", '#[post("/orders")]\nfn n() {}', "n", "serves POST"),
        ("a.rb", 'def n\n  client.post("/orders")\nend\n', "n", "sends POST"),
        ("a.php", "<?php function n() { $c->post('/orders'); }", "n", "sends POST"),
        ("A.kt", 'class A { @PostMapping("/orders") fun n() {} }', "A.n", "serves POST"),
    ],
)
def test_a_route_or_a_request_in_each_language(
    file: str, text: str, name: str, expected: str
) -> None:
    chunk = next(c for c in by_id(chunked({file: text})).values() if c.name == name)
    assert chunk.facts["requests"].split("\n") == [f"{expected} /orders"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (
            "A.java",
            '@RequestMapping(value = "/orders/")\nclass A { @GetMapping("/{id}") void n() {} }',
        ),
        (
            "A.kt",
            '@RequestMapping("/orders")\nclass A(val x: X) {\n @GetMapping("{id}")\n fun n() {}\n}',
        ),
        ("A.cs", '[Route("orders")]\nclass A { [HttpGet("{id}")] void n() {} }'),
        ("a.ts", "@Controller('orders')\nclass A {\n  @Get(':id')\n  n() {}\n}"),
    ],
)
def test_the_route_of_a_class_stands_before_those_of_its_methods(file: str, text: str) -> None:
    chunk = next(c for c in by_id(chunked({file: text})).values() if c.name == "A.n")
    assert chunk.facts["requests"] == "serves GET /orders/{}"


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        (["serves POST /orders"], {"shop.json:paths/orders/post": ("serves",)}),
        (["sends GET /orders/{}"], {"shop.json:paths/orders/{order_id}/get": ("sends",)}),
        (["sends POST /v2/orders"], {"shop.json:paths/orders/post": ("sends",)}),
        (
            ["sends * /orders/{}/cancel"],
            {"shop.json:paths/orders/{order_id}/cancel/post": ("sends",)},
        ),
        (["sends * /orders"], {}),
        (["sends DELETE /orders"], {}),
        (["sends GET /status"], {}),
        (["sends GET /unknown"], {}),
    ],
    ids=[
        *("exact", "with a parameter", "below a base path", "one method there", "which method?"),
        *("no such method", "two APIs have it", "no such path"),
    ],
)
def test_which_operation_is_meant(
    requests: list[str], expected: dict[str, tuple[str, ...]]
) -> None:
    assert operations().of(Function("a.py:function/f", requests)) == expected


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("a.py:function/place_order", "shop.json:paths/orders/post"),
        ("a.go:method/Client.PlaceOrder", "shop.json:paths/orders/post"),
        ("a.ts:function/placeOrder~2", "shop.json:paths/orders/post"),
        ("a.py:function/status", ""),
        ("a.py:function/order", ""),
    ],
)
def test_a_function_that_is_called_as_an_operation_is(id: str, expected: str) -> None:
    found = operations().of(Function(id, []))
    assert found == ({expected: ("named",)} if expected else {})


def test_a_function_without_paths_says_nothing() -> None:
    assert list(asked("", ["print", "app.get"], ["GET"])) == []
