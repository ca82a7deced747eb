"""Smolagents against the integration contract: agents that call tools, and agents that write code."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from amb_contracts.integration import IntegrationContract

smolagents = pytest.importorskip("smolagents", reason="smolagents is not installed: make test-frameworks")
pytestmark = pytest.mark.smolagents

SCRIPTED = runpy.run_path(str(Path(__file__).with_name("smolagents_driver.py")))


class TestToolCallingAgent(IntegrationContract):
    driver = SCRIPTED["SmolagentsDriver"](smolagents.ToolCallingAgent)


@pytest.mark.sampled(3)
class TestCodeAgent(IntegrationContract):
    driver = SCRIPTED["SmolagentsDriver"](smolagents.CodeAgent)
