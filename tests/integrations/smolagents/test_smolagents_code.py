"""What becomes of the tools an agent calls in Python, and of what its code prints."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from amb_contracts.integration_story import PAGE_CHARS, fact, keeper_tools, page, task
from amb_core import MemoryBank, Settings

pytest.importorskip("smolagents", reason="smolagents is not installed: make test-frameworks")
from smolagents import CodeAgent
from smolagents.local_python_executor import CodeOutput, PythonExecutor

from amb_smolagents import attach, detach

pytestmark = pytest.mark.smolagents
scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("smolagents_driver.py"))))
ANSWER = 'final_answer("done")'


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(task()) as opened:
        yield opened


def run(bank: MemoryBank, *snippets: str, **options: Any) -> Any:
    """The model of an agent that wrote the snippets, one a step, and then answered."""
    replies = [*(scripted.code(snippet) for snippet in snippets), scripted.code(ANSWER)]
    agent, model = scripted.agent_for(scripted.scenario(), kind=CodeAgent, replies=replies, **options)
    attach(agent, bank)
    assert agent.run(task()) == "done"
    return model


def kept(bank: MemoryBank) -> list[tuple[Any, str]]:
    return [(entry.metadata["tool"], entry.text) for entry in bank.snapshot().results]


def test_each_tool_result_is_an_entry_though_code_prints_none_of_them(bank: MemoryBank) -> None:
    model = run(bank, "pages = [fetch(n) for n in range(3)]\nprint(sum(map(len, pages)))")
    printed = str(sum(len(page(number)) for number in range(3)))
    assert kept(bank) == [*(("fetch", page(number)) for number in range(3)), ("python_interpreter", printed)]
    assert bank.snapshot().results[1].metadata["arguments"] == {"number": 1}
    assert any(fact(number) in scripted.text(model.seen[1][-1]) for number in range(3))


def test_what_code_prints_beside_a_result_is_an_entry_without_it(bank: MemoryBank) -> None:
    run(bank, 'print("The book of Skerry:")\nprint(fetch(number=0))\n"It has " + str(12) + " rooms."')
    assert kept(bank) == [("fetch", page(0)), ("python_interpreter", "The book of Skerry:\nIt has 12 rooms.")]


@pytest.mark.parametrize("inject", ["missing", "always"])
def test_a_result_that_code_prints_is_condensed_where_it_stands(inject: Any) -> None:
    with MemoryBank(task(), settings=Settings(prompt_budget_tokens=8_000, inject=inject)) as bank:
        model = run(bank, *(f'print("Book {n}:")\nprint(fetch({n}))' for n in range(9)))
    shown = "\n".join(map(scripted.text, model.seen[-1]))
    assert page(0) not in shown
    assert page(8) in shown
    assert "Book 8:" in shown
    assert len(shown) < 7 * PAGE_CHARS


def test_a_long_log_is_condensed_too() -> None:
    with MemoryBank(task(), settings=Settings(prompt_budget_tokens=8_000)) as bank:
        model = run(bank, *(f"for k in range(400):\n    print({n}, 'line', k)" for n in range(9)))
        assert [tool for tool, _ in kept(bank)] == ["python_interpreter"] * 9
    assert "0 line 200" not in "".join(map(scripted.text, model.seen[-1]))
    assert "8 line 399" in "".join(map(scripted.text, model.seen[-1]))


def test_code_that_fails_leaves_its_results_its_log_and_its_error(bank: MemoryBank) -> None:
    model = run(bank, 'fetch(0)\nprint("now the mast")\nbroken(4)')
    tools = [(entry.metadata["tool"], bool(entry.metadata.get("is_error"))) for entry in bank.snapshot().results]
    assert tools == [("fetch", False), ("python_interpreter", False), ("python_interpreter", True)]
    assert "mast of station 4 is down" in "".join(map(scripted.text, model.seen[1]))


def test_the_final_answer_is_no_tool_result(bank: MemoryBank) -> None:
    replies = [scripted.code("print('read')", "fetch(0)", ANSWER)]
    agent, _ = scripted.agent_for(scripted.scenario(), kind=CodeAgent, replies=replies)
    attach(agent, bank)
    agent.run(task())
    assert kept(bank) == [("fetch", page(0)), ("python_interpreter", "read")]


@pytest.mark.parametrize(
    "snippet", ["silent(1)", "pass", "pages = [deep_retrieval('n1')]", "print(deep_retrieval('n1'))"]
)
def test_code_that_brings_nothing_new_leaves_no_entry(bank: MemoryBank, snippet: str) -> None:
    bank.read(page(7), source="log")
    run(bank, snippet)
    assert len(bank.snapshot().results) == 1


def test_arguments_of_any_kind_are_kept_as_text(bank: MemoryBank) -> None:
    run(bank, "try:\n    fetch({1, 2})\nexcept Exception:\n    pass\nreading(number=len([3]))")
    assert [entry.metadata["arguments"] for entry in bank.snapshot().results] == [{"number": 1}]


class Elsewhere(PythonExecutor):
    """Python in another process, as far as an agent can tell."""

    def send_tools(self, tools: dict[str, Any]) -> None:
        self.sent = set(tools)

    def send_variables(self, variables: dict[str, Any]) -> None:
        pass

    def __call__(self, code_action: str) -> CodeOutput:
        final = "final_answer" in code_action
        return CodeOutput(output="done" if final else None, logs="" if final else page(0), is_final_answer=final)


def test_of_python_elsewhere_the_log_is_memory_and_no_tool_is_sent_that_could_not_work(bank: MemoryBank) -> None:
    python = Elsewhere()
    model = run(bank, "print(fetch(0))", executor=python)
    assert kept(bank) == [("python_interpreter", page(0))]
    assert fact(0) in scripted.text(model.seen[1][-1])
    assert python.sent == {"final_answer", *(function.__name__ for function in keeper_tools())}


def test_after_detaching_python_has_the_agents_own_tools(bank: MemoryBank) -> None:
    agent, _ = scripted.agent_for(scripted.scenario(), kind=CodeAgent)
    attach(agent, bank)
    agent.run(task())
    detach(agent)
    found = agent.python_executor.static_tools
    assert {name: tool for name, tool in found.items() if name in agent.tools} == agent.tools
    assert "deep_retrieval" not in found
