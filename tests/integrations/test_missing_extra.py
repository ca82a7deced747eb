"""What happens where no framework is installed; asked of fresh interpreters in which none can be imported."""

from __future__ import annotations

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
EACH_NAME = """
import {package}
from amb_core import MissingExtra
for name in {package}.__all__:
    try:
        getattr({package}, name)
    except MissingExtra as error:
        print(name, error, sep=": ")
"""


def _run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", HIDDEN + code], capture_output=True, text=True)


@pytest.mark.parametrize("package", SAYS)
def test_importing_needs_no_framework_and_the_first_use_says_what_to_install(package: str) -> None:
    ran = _run(EACH_NAME.format(package=package))
    assert ran.returncode == 0, ran.stderr
    said = dict(line.split(": ", 1) for line in ran.stdout.splitlines())
    assert set(said.values()) == {SAYS[package]}
    assert {"attach", "detach", "memory_tools"} <= set(said)


@pytest.mark.parametrize("package", SAYS)
def test_from_import_ends_with_one_line(package: str) -> None:
    ran = _run(f"from {package} import attach")
    assert ran.returncode == 1
    assert ran.stderr.endswith(f"MissingExtra: {SAYS[package]}\n")


@pytest.mark.parametrize("package", SAYS)
def test_a_name_it_does_not_have_is_an_ordinary_error(package: str) -> None:
    ran = _run(f"import {package}; {package}.AMBMagic")
    assert f"AttributeError: module '{package}' has no attribute 'AMBMagic'" in ran.stderr
