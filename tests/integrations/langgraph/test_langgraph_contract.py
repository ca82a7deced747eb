"""LangChain agents and LangGraph graphs against the integration contract, sync and async."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from amb_contracts.integration import IntegrationContract

pytest.importorskip("langchain.agents", reason="LangChain is not installed: make test-frameworks")
pytestmark = pytest.mark.langgraph

scripted = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("langgraph_driver.py"))))


class TestMiddleware(IntegrationContract):
    driver = scripted.MiddlewareDriver(in_async=False)


@pytest.mark.nightly
class TestMiddlewareAsync(IntegrationContract):
    driver = scripted.MiddlewareDriver(in_async=True)


@pytest.mark.nightly
class TestMiddlewareWithSmallState(IntegrationContract):
    driver = scripted.MiddlewareDriver(in_async=False, small_state=True)


@pytest.mark.nightly
class TestAttached(IntegrationContract):
    driver = scripted.AttachDriver(in_async=False)


@pytest.mark.sampled(3)
class TestAttachedAsync(IntegrationContract):
    driver = scripted.AttachDriver(in_async=True)


@pytest.mark.sampled(3)
class TestGraphByHand(IntegrationContract):
    driver = scripted.GraphDriver(in_async=False)
