"""Pydantic AI against the integration contract: as a capability and as a model."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from amb_contracts.integration import IntegrationContract

pytest.importorskip("pydantic_ai", reason="Pydantic AI is not installed: make test-frameworks")
from pydantic_ai import __version__

pytestmark = pytest.mark.pydantic_ai

SCRIPTED = runpy.run_path(str(Path(__file__).with_name("pydantic_ai_driver.py")))
REQUEST_ONLY = tuple(map(int, __version__.split(".")[:2])) >= (2, 54)


@pytest.mark.sampled(3)
@pytest.mark.skipif(not REQUEST_ONLY, reason="capabilities of this Pydantic AI write into the history")
class TestPydanticAI(IntegrationContract):
    driver = SCRIPTED["CapabilityDriver"]()


@pytest.mark.nightly
class TestPydanticAIModel(IntegrationContract):
    driver = SCRIPTED["ModelDriver"]()
