"""The report of a replay as a browser draws it: hostile traces, both languages, wide and narrow, light and dark."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amb_core import Settings
from amb_replay import Trace, replay_trace, report_of, write_replay_page

pytestmark = pytest.mark.browser
ATTACK = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">\u202e gull"
Open = Callable[..., Any]


def run(said: str, *, calls: int = 9) -> Trace:
    """An agent that reads pages and comes back to what the first one said; every text holds `said`."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": f"Find the code of the first door. {said}"}]
    for number in range(calls):
        asked = json.dumps({"door": number, "why": said})
        called = {"id": f"c{number}", "type": "function", "function": {"name": f"open{said}", "arguments": asked}}
        text = f"door_{number} has the code K-{4_000 + number}.\n" + f"The wall is grey and long. {said}\n" * 12
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [called]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": text},
        ]
    return Trace(f"doors {said}", (*messages, {"role": "assistant", "content": "door_0 opens with K-4000"}))


@pytest.fixture
def opened(open_file: Open, tmp_path: Path) -> Open:
    """Opens a report of two runs."""

    def show(said: str = "", **options: Any) -> Any:
        settings = Settings(prompt_budget_tokens=700, block_tokens=150)
        arms = ("full", "window", "window+bm25", "masked", "amb")
        runs = [replay_trace(run(said, calls=calls), settings=settings, arms=arms) for calls in (9, 12)]
        return open_file(write_replay_page(report_of(runs), tmp_path / "replay.html"), **options)

    return show


def test_script_and_markup_in_a_trace_never_run_and_are_shown_as_text(opened: Open) -> None:
    page = opened(ATTACK)
    page.locator(".tab").last.click()
    page.locator(".call-detail .raw-text").first.wait_for()
    assert page.locator("img").count() == 0
    assert page.title().startswith("doors </script>")
    assert "<img src=x" in page.locator(".call-detail .raw-text").first.inner_text()
    assert "U+202E" in page.locator("h1").inner_text()


def test_a_missing_string_leads_to_its_call_with_what_amb_wrote(opened: Open) -> None:
    page = opened()
    assert page.locator(".curve").count() == 15
    assert page.locator(".call-detail details[open] .raw-text").inner_text(), "it opens where AMB wrote the most"
    page.evaluate("showCall(0, 3)")
    page.locator(".call-controls .step").last.click()
    assert page.locator(".call-controls b").inner_text() == "Request 5 of 10"
    page.evaluate("showCall(1, 12)")
    assert page.locator(".call-controls b").inner_text() == "Request 13 of 13"
    assert "K-4000" in page.locator(".call-detail table").inner_text()
    assert page.evaluate("document.activeElement.id") == "part-calls"


def test_the_report_speaks_both_languages(opened: Open) -> None:
    page = opened()
    page.locator(".language").click()
    assert page.locator("#part-arms").inner_text() == "所有方式"
    assert page.evaluate("document.activeElement.lang") == "en"


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "light"), (1280, "dark")])
def test_nothing_is_wider_than_the_window(opened: Open, width: int, scheme: str, pictures: Path) -> None:
    page = opened(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.locator(".curve").first.wait_for()
    assert page.evaluate("document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth") <= 0
    page.screenshot(path=pictures / f"replay-{scheme}-{width}.png")
