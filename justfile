# What CI runs, and what a developer runs: the same lines.

default: lint test

test *ARGS:
    uv run --locked --group dev pytest {{ARGS}}

lint:
    uv run --locked --group dev ruff check
    uv run --locked --group dev ruff format --check
    uv run --locked --group dev mypy

fix:
    uv run --locked --group dev ruff check --fix
    uv run --locked --group dev ruff format

run *ARGS:
    uv run --locked specloupe app {{ARGS}}

docs:
    uv run --locked --group dev python docs/generate.py

# What takes minutes: servers, fuzzing, torture, other Pythons, both ends of the dependencies.
slow:
    uv run --locked --group dev pytest -m long
    uv run --locked --group dev python -m benchmarks.torture --minutes 2 --seed 7
    bash .ci/other-pythons
    bash .ci/dependency-ends
    bash .ci/known-vulnerabilities

wheel:
    uv build --wheel
