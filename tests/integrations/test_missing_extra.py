"""What happens where no framework is installed; asked of fresh interpreters in which none can be imported."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HIDDEN = """
import sys
for name in ("agents", "autogen_agentchat", "autogen_core", "crewai", "langchain", "langchain_core", "langgraph",
             "mcp", "pydantic_ai", "smolagents", "uvicorn"):
    sys.modules[name] = None
"""
SAYS = {
    "amb_autogen": 'AutoGen is not installed. Run: pip install "amb[autogen]"',
    "amb_crewai": 'CrewAI is not installed. Run: pip install "amb[crewai]"',
    "amb_langgraph": 'LangChain is not installed. Run: pip install "amb[langgraph]"',
    "amb_mcp": 'The MCP SDK is not installed. Run: pip install "amb[mcp]"',
    "amb_openai_agents": 'The OpenAI Agents SDK is not installed. Run: pip install "amb[openai-agents]"',
    "amb_pydantic_ai": 'Pydantic AI is not installed. Run: pip install "amb[pydantic-ai]"',
    "amb_smolagents": 'smolagents is not installed. Run: pip install "amb[smolagents]"',
}
ALSO = {"amb_crewai": ("AMBMemory", "memory"), "amb_langgraph": ("AMBMiddleware", "AMBSupervisor")}
"""Names besides the verbs that all have."""
EACH_PACKAGE = """
import importlib, json, traceback
from amb_core import MissingExtra
told = {}
for name in sys.argv[1:]:
    package, said = importlib.import_module(name), {}
    for export in [*package.__all__, "AMBMagic"]:
        try:
            exec(f"from {name} import {export}" if export != "AMBMagic" else f"package.{export}")
        except (MissingExtra, AttributeError) as error:
            said[export] = "".join(traceback.format_exception_only(error)).rpartition("amb_core.errors.")[2]
    told[name] = said
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told() -> dict[str, dict[str, str]]:
    """What each name of each package says when it is imported where no framework is; "AMBMagic" is none."""
    program = [sys.executable, "-c", HIDDEN + EACH_PACKAGE, *SAYS]
    ran = subprocess.run(program, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return dict(json.loads(ran.stdout))


@pytest.mark.parametrize("package", SAYS)
def test_importing_needs_no_framework_and_the_first_use_says_in_one_line_what_to_install(
    package: str, told: dict[str, dict[str, str]]
) -> None:
    said = {name: text for name, text in told[package].items() if name != "AMBMagic"}
    assert set(said.values()) == {f"MissingExtra: {SAYS[package]}\n"}
    assert {"attach", "detach", "memory_tools", *ALSO.get(package, ())} <= set(said)


@pytest.mark.slow
def test_a_program_that_uses_a_package_without_its_framework_ends_with_that_line() -> None:
    program = [sys.executable, "-c", f"{HIDDEN}from amb_crewai import attach"]
    ran = subprocess.run(program, capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stderr.endswith(f"MissingExtra: {SAYS['amb_crewai']}\n")


@pytest.mark.parametrize("package", SAYS)
def test_a_name_it_does_not_have_is_an_ordinary_error(package: str, told: dict[str, dict[str, str]]) -> None:
    assert told[package]["AMBMagic"] == f"AttributeError: module '{package}' has no attribute 'AMBMagic'\n"
