"""CrewAI against the integration contract: native tool calls, and the text protocol."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from amb_contracts.integration import IntegrationContract

pytest.importorskip("crewai", reason="CrewAI is not installed: make test-frameworks")
pytestmark = pytest.mark.crewai

SCRIPTED = runpy.run_path(str(Path(__file__).with_name("crewai_driver.py")))


class TestNativeToolCalls(IntegrationContract):
    driver = SCRIPTED["CrewAIDriver"]()


@pytest.mark.sampled(3)
class TestTextProtocol(IntegrationContract):
    driver = SCRIPTED["TextDriver"]()
