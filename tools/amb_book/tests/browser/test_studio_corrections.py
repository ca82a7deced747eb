"""A proposal in a browser that is corrected wrongly, and by two windows."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
Open = Callable[..., Any]
STUDIO = runpy.run_path(str(Path(__file__).parent / "test_studio.py"))
start, settle, row, confirm = (STUDIO[name] for name in ("start", "settle", "row", "confirm"))
served, studio, opened, WEDDING = (STUDIO[name] for name in ("served", "studio", "opened", "WEDDING"))


def test_a_refused_correction_says_what_is_wrong(studio: Any, opened: Open, pictures: Path) -> None:
    page = opened(studio)
    start(page, "the wedding")
    settle(page, *WEDDING)
    row(page, 1).get_by_label("Relation").fill("")
    page.click("#settle-confirm")
    page.locator("#trouble", has_text="It cannot be settled like this: 1. ").wait_for()
    page.screenshot(path=str(pictures / "studio-refused.png"))
    row(page, 1).get_by_label("Relation").fill("married to")
    confirm(page)


def test_of_two_windows_that_correct_one_proposal_the_second_is_told(studio: Any, opened: Open) -> None:
    page = opened(studio)
    start(page, "the wedding")
    settle(page, *WEDDING)
    other = opened(studio, f"#{studio.story.desk().tasks()[0].id}")
    other.locator("#proposal").wait_for()
    row(page, 1).get_by_label("Whom or what").fill("Wei Lan")
    row(page, 1).locator(".is-new", has_text="Wei Lan").wait_for()
    row(other, 1).get_by_label("Whom or what").fill("Old Wen")
    other.locator("#trouble", has_text="corrected in another window meanwhile").wait_for()
    assert row(other, 1).get_by_label("Whom or what").input_value() == "Wei Lan"
    row(other, 1).get_by_label("Whom or what").fill("Qiu Han")
    confirm(other)
    assert "Lin Yue MARRIED_TO Qiu Han (since 3)" in {fact.text for fact in studio.story.facts.facts()}
