"""Deep agents with AMBMiddleware against the integration contract, as a new agent and by `attach`."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from amb_contracts.integration import IntegrationContract
from amb_contracts.integration_story import Scenario

pytest.importorskip("deepagents", reason="deepagents is not installed: make test-frameworks")
from deepagents import create_deep_agent
from langchain.agents.middleware import ToolRetryMiddleware
from langgraph.checkpoint.memory import InMemorySaver

pytestmark = pytest.mark.langgraph

_LANGGRAPH = Path(__file__).parents[1] / "langgraph" / "langgraph_driver.py"
scripted = SimpleNamespace(**runpy.run_path(str(_LANGGRAPH)))


def deep_agent(model: Any, scenario: Scenario, *middleware: Any) -> Any:
    """A deep agent with a checkpointer; a tool's error is an answer."""
    return create_deep_agent(
        model,
        [*scenario.tools],
        system_prompt=scenario.system,
        middleware=[*middleware, ToolRetryMiddleware(max_retries=0)],
        checkpointer=InMemorySaver(),
    )


class _DeepAgent:
    """A deep agent's own prompt and tools take most of the 8,000 tokens that other agents are given."""

    steady: ClassVar = {"always": (20_000, 10), "missing": (20_000, 6)}

    def agent(self, model: Any, scenario: Scenario, *middleware: Any) -> Any:
        """A deep agent in place of an agent of create_agent."""
        return deep_agent(model, scenario, *middleware)


class DeepMiddlewareDriver(_DeepAgent, scripted.MiddlewareDriver):
    """New deep agents with an AMBMiddleware."""


class DeepAttachDriver(_DeepAgent, scripted.AttachDriver):
    """`attach` and `detach` on deep agents."""


@pytest.mark.nightly
class TestDeepAgents(IntegrationContract):
    driver = DeepMiddlewareDriver(in_async=False)


@pytest.mark.sampled(3)
class TestDeepAgentsAttached(IntegrationContract):
    driver = DeepAttachDriver(in_async=False)
