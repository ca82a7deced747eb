"""Strands Agents against the integration contract: by plugin and by `attach`."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from amb_contracts.integration import IntegrationContract

pytest.importorskip("strands.middleware", reason="Strands Agents is not installed: make test-frameworks")
pytestmark = pytest.mark.strands

SCRIPTED = runpy.run_path(str(Path(__file__).with_name("strands_driver.py")))


@pytest.mark.nightly
class TestStrandsPlugin(IntegrationContract):
    driver = SCRIPTED["PluginDriver"]()


@pytest.mark.sampled(3)
class TestStrandsAttach(IntegrationContract):
    driver = SCRIPTED["AttachDriver"]()
