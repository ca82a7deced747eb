"""The page of a team as a browser draws it: without a mouse, in two languages, wide and narrow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amb_core import ManualClock
from amb_inspector import write_team_page
from amb_team import TeamMemory
from amb_team.team_records import Hypothesis

pytestmark = pytest.mark.browser
ATTACK = "<img src=x onerror=alert(1)>\u202e gull"
Open = Callable[..., Any]


def snapshot(said: str) -> dict[str, Any]:
    """A team of two, one of which went in circles; every text is `said` or holds it."""
    with TeamMemory(
        f"Who directed {said}?",
        agents=["constructor", said],
        meta="memory://",
        clock=ManualClock(1_700_000_000, step=5),
    ) as team:
        for turn in range(2):
            team.observe(agent=said, action=f"Search[{said}]", observation=f"{said} was directed by Ada Moss. {turn}")
        team.before_search("constructor", said)
        team.message(said, "constructor", said)
        team.private(said).note(Hypothesis, content=said, cons=[said])
        for note in team.private(said).records()[:4]:
            team.promote(said, note.id)
        team.finish(answer=said, success=True)
        return team.snapshot(everything=True)


@pytest.fixture
def opened(open_file: Open, tmp_path: Path) -> Open:
    """Opens a team's page."""

    def show(said: str = "Titanic", **options: Any) -> Any:
        return open_file(write_team_page(snapshot(said), tmp_path / "team.html"), **options)

    return show


def test_every_part_is_reached_and_opened_with_keys_alone(opened: Open) -> None:
    page = opened()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(3):  # skip, timeline, facts, searches
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "part-searches"
    page.locator(".chip.node").first.focus()
    page.keyboard.press("Enter")
    assert page.locator(".hop details[open] .raw-text").inner_text().startswith("Titanic was directed")


def test_the_page_speaks_both_languages(opened: Open) -> None:
    page = opened()
    page.locator(".language").click()
    assert page.locator("#part-hops").inner_text().startswith("时间线")
    assert page.evaluate("document.activeElement.lang") == "en"


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(opened: Open, width: int) -> None:
    page = opened(viewport={"width": width, "height": 800})
    assert page.evaluate("document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth") <= 0


def test_hostile_text_is_shown_as_text_with_what_it_hides_made_visible(opened: Open) -> None:
    page = opened(ATTACK)
    assert page.locator("img").count() == 0
    assert "U+202E" in page.locator("h1").inner_text()
    assert page.locator(".agent-card").count() == 2
