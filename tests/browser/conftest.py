from __future__ import annotations

import os
import runpy
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from amb_core.models import BankSnapshot
from amb_inspector import write_page

SAMPLES = Path(__file__).parents[1] / "inspector"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
Open = Callable[..., Any]


@pytest.fixture(scope="session")
def banks() -> dict[str, BankSnapshot]:
    """The sample banks of tests/inspector by name."""
    told, generated = (runpy.run_path(str(SAMPLES / f"{name}_banks.py")) for name in ("sample", "generated"))
    return {
        "depot": told["story"]("depot_battery"),
        "bridge": told["story"]("cloud_bridge_zh"),
        "large": told["told"](generated["large_tale"]()),
        "hostile": told["told"](generated["hostile_tale"]()),
    }


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless browser; skips where Playwright's Python package or a Chromium is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="needs: pip install playwright")
    found = os.environ.get("AMB_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("needs Chromium on the PATH, or its path in AMB_CHROMIUM")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pictures() -> Path:
    """The folder of the screenshots, kept to be looked at: `AMB_SCREENSHOTS`, else build/screenshots."""
    folder = Path(os.environ.get("AMB_SCREENSHOTS") or Path(__file__).parents[2] / "build" / "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def open_file(chromium: Any) -> Iterator[Open]:
    """Opens the file of a page at an address; at the end no page may have complained or asked for anything."""
    problems: list[str] = []
    contexts: list[Any] = []

    def opened(path: Path, address: str = "", **options: Any) -> Any:
        context = chromium.new_context(**({"viewport": {"width": 1280, "height": 800}} | options))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        own = (path.as_uri(), "data:")
        page.on("request", lambda request: None if request.url.startswith(own) else problems.append(request.url))
        page.goto(f"{path.as_uri()}{address}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def page_of(open_file: Open, banks: dict[str, BankSnapshot], tmp_path: Path) -> Open:
    """Opens the page of a sample bank at an address."""

    def opened(name: str, address: str = "", *, snapshot: BankSnapshot | None = None, **options: Any) -> Any:
        page = open_file(write_page(snapshot or banks[name], tmp_path / f"{name}.html"), address, **options)
        if address.startswith("#graph"):
            page.wait_for_selector(".stage[data-ready=true]")
        return page

    return opened
