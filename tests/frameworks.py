"""Which tests need which agent framework: run where it is installed, skipped with a reason elsewhere.

Read with `runpy`, as tests are no package.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from importlib.metadata import version

import pytest

FRAMEWORKS = {
    "autogen": "autogen_agentchat",
    "crewai": "crewai",
    "langgraph": "langchain",
    "mcp": "mcp",
    "openai_agents": "agents",
    "pydantic_ai": "pydantic_ai",
    "smolagents": "smolagents",
}
"""Marker, which is also the name after `amb_`, and the module that tells whether the framework is installed."""


def marks_for(names: Iterable[str]) -> list[pytest.MarkDecorator]:
    """The marks of what needs these frameworks."""
    marks = []
    for name in names:
        missing = importlib.util.find_spec(FRAMEWORKS[name]) is None or _is_too_old(name)
        reason = f"{name} is not installed, or older than this needs: make test-frameworks"
        marks += [getattr(pytest.mark, name), pytest.mark.skipif(missing, reason=reason)]
    return marks


def _is_too_old(name: str) -> bool:
    """Whether a framework is older than the way in that its page and example show; older ones have another."""
    if name != "pydantic_ai":
        return False
    return tuple(map(int, version("pydantic-ai-slim").split(".")[:2])) < (2, 54)
