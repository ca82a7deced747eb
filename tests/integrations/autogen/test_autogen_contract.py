"""AutoGen against the integration contract."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from amb_contracts.integration import IntegrationContract

pytest.importorskip("autogen_agentchat", reason="AutoGen is not installed: make test-frameworks")
pytestmark = pytest.mark.autogen

SCRIPTED = runpy.run_path(str(Path(__file__).with_name("autogen_driver.py")))


@pytest.mark.sampled(3)
class TestAutoGen(IntegrationContract):
    driver = SCRIPTED["AutoGenDriver"]()
