# What CI runs, and what a developer runs: the same lines.

default: lint test

test *ARGS:
    uv run --locked --group dev pytest {{ARGS}}

# Without whole pages, a browser, servers and many processes, and what tries many cases: three minutes on two cores.
fast *ARGS:
    uv run --locked --group dev pytest -m "not page and not thorough and not browser and not slow and not long" {{ARGS}}

# All that needs neither a browser nor servers and many processes.
parts *ARGS:
    uv run --locked --group dev pytest -m "not browser and not slow and not long" {{ARGS}}

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

# What takes minutes: fuzzing, the contract of the server, torture, kills, damage to Chroma, the store's life, known vulnerabilities, a small language
# model, both ends, the site, what runs on other people's machines, and the container.
slow: && small-model ends site workflows container
    uv run --locked --group dev --group graph pytest -m "long and not small_model" --timeout 900 || bash .ci/once-more --group graph -- -m "long and not small_model" --timeout 900
    uv run --locked --group dev python -m benchmarks.torture --minutes 2 --seed 7
    bash .ci/contract
    bash .ci/known-vulnerabilities

# Every stage by a real language model of 135 million parameters; what it says is printed, and no quality is asserted.
small-model *ARGS:
    uv run --locked --group dev --group small-model pytest -m small_model -n 0 {{ARGS}}

# Many of the fast tests on newer Pythons, and with the lowest and newest dependencies.
ends:
    bash .ci/other-pythons
    bash .ci/dependency-ends

wheel:
    uv build --wheel

# docs/licences.md, after the lock has changed.
licences:
    uv run --locked --group dev --all-extras python docs/licences.py

# The documentation as a site, in `site/`.
site:
    uv run --locked --group dev --group site python docs/site.py

# What runs in the CI of others, as far as it can be checked here.
workflows:
    bash .ci/workflows

# The Dockerfile's steps and the compose file's services, as far as that goes without Docker.
container:
    bash .ci/container
