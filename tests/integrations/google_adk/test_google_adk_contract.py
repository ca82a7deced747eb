"""Google ADK against the integration contract: by plugin and by agent."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from amb_contracts.integration import IntegrationContract

pytest.importorskip("google.adk.apps", reason="Google ADK is not installed: make test-frameworks")
pytestmark = pytest.mark.google_adk

SCRIPTED = runpy.run_path(str(Path(__file__).with_name("google_adk_driver.py")))


@pytest.mark.nightly
class TestGoogleADKPlugin(IntegrationContract):
    driver = SCRIPTED["PluginDriver"]()


@pytest.mark.sampled(3)
class TestGoogleADKAttach(IntegrationContract):
    driver = SCRIPTED["AttachDriver"]()
