"""What holds for every test: readable failures in the published contracts, equal runs, and a clean environment."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import hypothesis
import pytest

pytest.register_assert_rewrite("amb_core.testing")

# No deadline: how long an example takes says nothing on a busy machine. The same examples on every run.
hypothesis.settings.register_profile("amb", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("amb")


# Listed rather than asked of Settings: nothing here imports AMB, so a broken module fails its own tests only.
SETTINGS = (
    *("AMB_", "LLM_", "OPENAI_", "RETRIEVAL_", "CLASSIFICATION_AGENT_", "CHUNK_RATIO", "MAX_CONTEXT_TOKENS"),
    *("STORAGE_DIR", "TEMP_DIR"),
)


def pytest_configure() -> None:
    """A developer's own settings and keys must not change what the tests see; AMB_DATA only names a folder."""
    for name in list(os.environ):
        if name.upper().startswith(SETTINGS) and name != "AMB_DATA":
            del os.environ[name]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless Chromium (playwright's `Browser`), or a skip that says what is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make test-browser")
    names = ("chromium", "chromium-browser", "google-chrome")
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip("no Chromium: install it with the system's packages, or set CHROMIUM to its path")
    unboxed = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium refuses its sandbox to root
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=unboxed)
        yield browser
        browser.close()
