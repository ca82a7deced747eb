"""The one form of a tool: what it does with a model's arguments, and what becomes of what it brings."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from amb_core import InvalidParameter, Tool, ToolOutput, ToolResult

PARAMETERS = {"properties": {"page": {"type": "integer"}, "note": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}


def echo(**arguments: Any) -> dict[str, Any]:
    return arguments


@pytest.mark.parametrize(("given", "taken"), [
    ({"page": 1, "made_up": True}, '{"page": 1}'),
    ({"page": None}, "{}"),
    ({"note": None}, '{"note": null}'),
])  # fmt: skip
def test_what_is_no_parameter_and_a_null_that_none_takes_are_left_out(given: dict[str, Any], taken: str) -> None:
    assert Tool("echo", "", PARAMETERS, echo)(**given) == taken


def test_a_result_keeps_its_source_and_text_says_by_its_first_word_that_it_is_an_error() -> None:
    assert ToolOutput.of(ToolResult(tool="any", output="44", source="a.pdf")) == ToolOutput("44", source="a.pdf")
    assert ToolOutput.of("Error: no such note").is_error


def test_a_function_with_type_hints_is_a_tool_also_an_async_one() -> None:
    async def height(tower: str) -> str:
        """How high a tower is."""
        return f"{tower}: 44 m"

    tool = Tool.of(height)
    assert (tool.description, tool.run(tower="Gull").text) == ("How high a tower is.", "Gull: 44 m")
    assert Tool.of(tool) is tool
    with pytest.raises(InvalidParameter, match="is no tool"):
        Tool.of(7)


def test_what_a_plain_call_brought_is_kept_and_what_keeping_raises_costs_no_answer() -> None:
    kept: list[str] = []
    keeping = Tool("look", "", {}, lambda: "found", keep=lambda arguments, output: kept.append(output.text))
    failing = Tool("look", "", {}, lambda: "found", keep=lambda arguments, output: kept[99])
    assert (keeping(), failing(), kept) == ("found", "found", ["found"])


@pytest.mark.parametrize("module", ["amb_core", "amb_core.adapter"])
def test_the_old_name_still_leads_to_it(module: str) -> None:
    with pytest.warns(DeprecationWarning, match="is called Tool now"):
        assert importlib.import_module(module).MemoryTool is Tool
