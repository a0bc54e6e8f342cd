import ast
import shlex

from support import context_example as example

from ui.query.calls import command, python_call
from ui.shared.question import Request

QUERY = 'What\'s "it"; rm -rf / $(x)?'


def test_messages_hold_the_context_and_the_question() -> None:
    context = example.example()
    system, user = context.to_messages()
    assert context.to_markdown() in system["content"]
    assert user == {"role": "user", "content": context.query}


def test_the_python_call_is_python_and_carries_the_changed_settings() -> None:
    request = Request(QUERY, ("shop",), "operation", {"max_depth": 2, "mode": "exact"})
    code = python_call(request, store="my store")
    calls = (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call))
    call = next(call for call in calls if ast.unparse(call.func) == "workbench.retrieve")
    assert ast.literal_eval(call.args[0]) == QUERY
    given = {k.arg: ast.literal_eval(k.value) for k in call.keywords}
    assert given == {
        "apis": ["shop"],
        "filter_metadata": {"type": "operation"},
        "max_depth": 2,
        "mode": "exact",
    }


def test_the_command_is_one_a_shell_reads_back() -> None:
    request = Request(QUERY, ("shop",), "operation", {"query_analysis": False, "max_depth": 2})
    assert shlex.split(command(request, store="my store")) == [
        "specloupe",
        "query",
        QUERY,
        "--store",
        "my store",
        "--api",
        "shop",
        "--where",
        "type=operation",
        "--no-query-analysis",
        "--max-depth",
        "2",
    ]


def test_a_tag_is_taken_along() -> None:
    request = Request("x", type="operation", tag="Big orders")
    where = {"type": "operation", "tags": "Big orders"}
    assert f"filter_metadata={where!r}" in python_call(request, store="s")
    words = shlex.split(command(request, store="s"))
    assert words[-4:] == ["--where", "type=operation", "--where", "tags=Big orders"]
