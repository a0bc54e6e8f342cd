"""The HTTP side of the service: one function for each operation of the shop's API."""

from __future__ import annotations

from flask import Flask, abort, jsonify, request

from .cart import Cart, CartFull
from .money import Money
from .orders import CannotCancel, OrderBook
from .payments import is_genuine, on_webhook
from .stock import OutOfStock, Stock

app = Flask(__name__)
book = OrderBook(Stock({}))


@app.post("/orders")
def place_order():
    """Take an order; 409 when something in it is sold out."""
    body = request.get_json()
    try:
        cart = cart_of(body["lines"], body.get("voucher", ""))
        order = book.place(body["user_id"], cart, body["country"])
    except (CartFull, OutOfStock) as error:
        return jsonify(message=str(error)), 409
    return jsonify(order), 201


@app.get("/orders/<order_id>")
def get_order(order_id):
    """One order with all that is known of it."""
    found = [order for order in book.of_user(current_user()) if order.id == order_id]
    return jsonify(found[0]) if found else abort(404)


@app.post("/orders/<order_id>/cancel")
def cancel_order(order_id):
    """Cancel an order, as long as its parcel has not left."""
    try:
        return jsonify(book.cancel(order_id))
    except CannotCancel:
        abort(409)


@app.post("/hooks/payments")
def payment_hook():
    """Where the payment provider tells of captured payments."""
    if not is_genuine(request.data, request.headers["X-Signature"], app.config["HOOK_KEY"]):
        abort(401)
    on_webhook(request.get_json(), book)
    return "", 204


def cart_of(lines: list[dict], voucher: str) -> Cart:
    """A cart from the lines of a request."""
    cart = Cart(voucher=voucher)
    for line in lines:
        cart.add(line["product_id"], Money(line["price"]), line["quantity"])
    return cart


def current_user() -> str:
    """Who is logged in; 401 for nobody."""
    return request.headers.get("X-User") or abort(401)
