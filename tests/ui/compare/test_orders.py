from __future__ import annotations

import pytest

from ui.compare.orders import split_name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Order", ("", "Order")),
        ("PUT /products/{product_id}/stock", ("PUT /products", "/{product_id}/stock")),
        (
            "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
            ("GET /repos/{owner}/{repo}/actions", "/runs/{run_id}/jobs"),
        ),
        ("AVeryLongNameOfASchemaWithoutAnyPath", ("AVeryLongNameOfASchemaWit", "houtAnyPath")),
        ("GET /a/b/c/d/e/f/g/h/i/j/k/l", ("GET /a", "/b/c/d/e/f/g/h/i/j/k/l")),
    ],
)
def test_the_end_of_a_long_name_is_kept_whole(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts
    assert "".join(parts) == name
