"""The memory tools of every framework are those of the adapter, with the names and arguments they have there."""

from __future__ import annotations

import importlib
import runpy
from operator import itemgetter
from pathlib import Path

import pytest

from amb_core import ContextAdapter, MemoryBank

FRAMEWORKS, marks_for = itemgetter("FRAMEWORKS", "marks_for")(
    runpy.run_path(str(Path(__file__).parents[1] / "frameworks.py"))
)
# LangGraph's tools belong to a middleware, an MCP server has banks of its own; both have tests of their own.
HOSTS = sorted(set(FRAMEWORKS) - {"mcp"})


@pytest.mark.parametrize("host", [pytest.param(host, marks=marks_for([host])) for host in HOSTS])
def test_an_agent_that_may_settle_disputes_is_offered_both_tools_and_others_one(host: str):
    memory_tools = importlib.import_module(f"amb_{host}").memory_tools
    with MemoryBank("What is the cycle life?") as bank:
        adapters = (ContextAdapter(bank), ContextAdapter(bank, settles=True))
        plain, settling = (
            [getattr(tool, "name", None) or tool.tool_name for tool in memory_tools(each)] for each in adapters
        )
    assert plain == ["deep_retrieval"]
    assert settling == ["deep_retrieval", "settle_dispute"]


@pytest.mark.parametrize("host", [pytest.param(host, marks=marks_for([host])) for host in ("crewai", "smolagents")])
def test_what_the_model_says_of_a_dispute_that_is_not_there_is_told_as_an_error(host: str):
    memory_tools = importlib.import_module(f"amb_{host}").memory_tools
    with MemoryBank("What is the cycle life?") as bank:
        _, settle = memory_tools(ContextAdapter(bank, settles=True))
        ask = settle.run if host == "crewai" else settle
        told = ask(id="c1", holds="6,000", because="step 1 says so")
    assert told.startswith("Error:")
