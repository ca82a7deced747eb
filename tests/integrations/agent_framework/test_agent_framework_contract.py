"""Microsoft Agent Framework against the integration contract: by context provider and by `attach`."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from amb_contracts.integration import IntegrationContract

pytest.importorskip("agent_framework", reason="Microsoft Agent Framework is not installed: make test-frameworks")
pytestmark = pytest.mark.agent_framework

SCRIPTED = runpy.run_path(str(Path(__file__).with_name("agent_framework_driver.py")))


@pytest.mark.nightly
class TestAgentFramework(IntegrationContract):
    driver = SCRIPTED["ProviderDriver"]()


@pytest.mark.sampled(3)
class TestAgentFrameworkAttach(IntegrationContract):
    driver = SCRIPTED["AttachDriver"]()
