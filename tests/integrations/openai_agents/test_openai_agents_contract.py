"""The OpenAI Agents SDK against the integration contract: by agent and by run."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from amb_contracts.integration import IntegrationContract

pytest.importorskip("agents.run", reason="the OpenAI Agents SDK is not installed: make test-frameworks")
pytestmark = pytest.mark.openai_agents

SCRIPTED = runpy.run_path(str(Path(__file__).with_name("openai_agents_driver.py")))


@pytest.mark.sampled(3)
class TestOpenAIAgents(IntegrationContract):
    driver = SCRIPTED["AgentDriver"]()


@pytest.mark.sampled(3)
class TestOpenAIAgentsRun(IntegrationContract):
    driver = SCRIPTED["RunDriver"]()
