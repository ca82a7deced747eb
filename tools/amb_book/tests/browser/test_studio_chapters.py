"""A chapter is settled on the page: its text goes to the archive, and what happened moves the plan."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
SHARED = runpy.run_path(str(Path(__file__).with_name("test_studio.py")))
served, studio, opened, start, say = (SHARED[name] for name in ("served", "studio", "opened", "start", "say"))
SCENE = {
    "en": ("chapter 4", "Snow lay on the walls of Sarn. Lin Yue counted the fires beyond the river. " * 8),
    "zh": ("撰写第四章", "望江城的城头落了雪。林月数着江对岸的火光，一夜未眠。" * 12),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_chapter_is_settled_with_its_text_and_a_step_of_the_plan(language: str, studio: Any, opened: Any) -> None:
    page = opened(studio, locale={"en": "en-US", "zh": "zh-CN"}[language])
    title, scene = SCENE[language]
    start(page, title)
    say(page, scene)
    page.click("[data-key=settle]")
    text = page.locator("#settle-text")
    assert text.input_value() == scene.strip()
    text.fill(f"{scene.strip()}\n\nEnd.")
    page.locator(".place select").first.select_option("Completed")
    page.locator(".row").first.wait_for()
    page.wait_for_timeout(900)
    page.reload()
    page.locator("body[data-ready=true]").wait_for()
    assert page.locator("#settle-text").input_value().endswith("End.")
    page.click("#settle-confirm")
    page.locator("#proposal").wait_for(state="detached")
    assert studio.story.episodes.text(4).endswith("End.")
    assert studio.story.plan.part("Lin Yue waits").status == "Completed"


def test_a_task_about_a_person_has_no_text(studio: Any, opened: Any) -> None:
    page = opened(studio)
    start(page, "character Bo Lind")
    say(page, SCENE["en"][1])
    page.click("[data-key=settle]")
    page.locator("#proposal").wait_for()
    assert page.locator("#settle-text").count() == 0
