"""What the first view answers, and the way from it to why a note was in a request: with real runs, in two languages."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amb_core.models import BankSnapshot
from amb_core.usage import TokenUsage, Usage
from amb_inspector import write_page

pytestmark = pytest.mark.browser
RUNS = runpy.run_path(str(Path(__file__).parents[1] / "inspector" / "doors_run.py"))
doors_run: Callable[..., BankSnapshot] = RUNS["doors_run"]
NOTHING_WIDER = "document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth"


@pytest.fixture
def opened(open_file: Any, tmp_path: Path) -> Any:
    """Opens the page of a run."""

    def show(run: BankSnapshot, address: str = "", *, model: str = "", **options: Any) -> Any:
        return open_file(write_page(run, tmp_path / "run.html", model=model), address, **options)

    return show


def figures(page: Any) -> dict[str, str]:
    """The figures of the first view by their names."""
    found = page.locator(".gain .figure").evaluate_all(
        "all => all.map(one => [...one.children].map(c => c.textContent))"
    )
    return {name: f"{value} {note}" for name, value, note in found}


def tokens(run: BankSnapshot) -> tuple[int, int]:
    """What was sent, and what would have been."""
    return sum(one.prompt_tokens for one in run.injections), sum(one.raw_tokens for one in run.injections)


def test_it_says_what_was_saved_needed_and_disputed(opened: Any) -> None:
    run = doors_run(calls=40)
    sent, raw = tokens(run)
    page = opened(run, model="gpt-5-mini")
    asked = f"{len(run.injections)} requests with a block of memory took {sent:,} tokens instead of {raw:,}"
    assert page.locator(".lead").inner_text() == f"{asked}: {100 * (1 - sent / raw):.0f} % less."
    shown = figures(page)
    assert shown["Tokens saved"].startswith(f"{raw - sent:,} ")
    assert shown["Money saved"].startswith(f"{(raw - sent) * 0.25 / 1e6:.4f} USD gpt-5-mini: 0.25 per million tokens")
    assert shown["Needed later, and there"].startswith("1 of 1 ")
    assert shown["Disputes"] == "0 no sources contradict each other"


def test_what_memory_asked_models_for_is_counted_and_what_the_agent_asked_for_is_not(opened: Any) -> None:
    run = doors_run(calls=12)
    sent, raw = tokens(run)
    spent = Usage(spent={"digest": TokenUsage(raw, 100, calls=7, money=0.02), "react": TokenUsage(10**9, calls=40)})
    page = opened(run.model_copy(update={"usage": spent}), model="gpt-5-mini")
    assert (
        page.locator(".lead")
        .inner_text()
        .endswith(f"7 model calls of memory's own took {raw + 100:,}: {sent + 100:,} more in all.")
    )
    assert figures(page)["Extra tokens"].startswith(f"{sent + 100:,} ")
    assert figures(page)["Money saved"].startswith("-0.0")


def test_an_empty_bank_says_what_is_missing_and_offers_no_way_to_nothing(opened: Any, banks: Any) -> None:
    page = opened(banks["depot"].model_copy(update={"injections": ()}))
    assert page.locator(".lead").inner_text().startswith("No request has been logged yet")
    assert page.locator(".gain .main, .chart").count() == 0


def test_three_clicks_lead_to_why_a_note_was_in_a_request_and_to_its_place_in_the_source(opened: Any) -> None:
    run = doors_run()
    page = opened(run)
    page.click(".gain .main")  # 1: what each request got
    page.locator(".turn-list li", has_text="Before step 13").click()  # 2: the request of step 13
    passage = page.locator(".passage", has_text="K-4000")
    assert "It shares with what the agent was doing: door_0" in passage.locator(".why-chosen").inner_text()
    assert passage.locator(".badge", has_text="used next").count() == 1
    assert "K-4000 stood in the block" in page.locator(".next-calls").inner_text()
    passage.locator(".passage-from .link").click()  # 3: where it stands
    assert page.locator(".detail-id").inner_text() == "e1"
    assert page.locator(".detail mark").first.inner_text().startswith("door_0 has the code K-4000.")


@pytest.mark.parametrize("asked", ["step 13", "第 13 步", "13"])
def test_a_search_for_a_step_leads_to_the_request_before_it(opened: Any, asked: str) -> None:
    page = opened(doors_run())
    page.keyboard.press("/")
    page.keyboard.type(asked)
    assert page.locator(".found-head").first.inner_text() == "1 request"
    page.keyboard.press("Enter")
    assert page.locator(".turn-head .eyebrow").inner_text().startswith("Before step 13")
    page.keyboard.press("ArrowUp")  # the list of requests has the focus
    assert page.locator(".turn-head .eyebrow").inner_text().startswith("Before step 12")


@pytest.mark.parametrize(("locale", "said"), [("zh-CN", "记忆为这个智能体做了什么"), ("en-GB", "What memory did")])
def test_the_page_speaks_the_language_of_the_browser_whatever_the_goal_is_in(
    opened: Any, locale: str, said: str
) -> None:
    for language in ("en", "zh"):
        page = opened(doors_run(calls=3, language=language), locale=locale)
        assert page.locator("#gain").inner_text().startswith(said)
    other = opened(doors_run(calls=3, language="zh"), locale="fr-FR")
    assert other.evaluate("document.documentElement.lang") == "zh-CN"


@pytest.mark.parametrize(
    ("width", "scheme", "locale"), [(390, "light", "en-US"), (390, "dark", "zh-CN"), (1280, "dark", "en-US")]
)
def test_nothing_is_wider_than_the_window(opened: Any, width: int, scheme: str, locale: str, pictures: Path) -> None:
    page = opened(doors_run(calls=40), viewport={"width": width, "height": 844}, color_scheme=scheme, locale=locale)
    for view in ("overview", "turns", "entries"):
        page.click(f"[data-view={view}]")
        page.wait_for_timeout(100)
        assert page.evaluate(NOTHING_WIDER) <= 0
        page.screenshot(path=pictures / f"{view}-{scheme}-{width}.png")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_on_a_phone_the_reason_stands_in_the_first_view_and_the_focus_where_requests_are_chosen(
    opened: Any, language: str, pictures: Path
) -> None:
    page = opened(doors_run(language=language), viewport={"width": 390, "height": 844}, locale=language)
    page.locator(".gain .main").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.type") == "range"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    reason, slider = page.locator(".why-chosen").first.bounding_box(), page.locator(".timeline").bounding_box()
    page.screenshot(path=pictures / f"why-{language}-390.png")
    assert reason["y"] + reason["height"] < slider["y"]


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("matches Find, out, 海水", "It shares with what the agent was doing: door_0"),
        ("about The door; matches door", "in a part that is not shown. It shares"),
        ("mentions Gull Rock (n1)", "It is linked with n1."),
    ],
)
def test_a_reason_names_no_word_that_the_passage_does_not_hold(opened: Any, reason: str, said: str) -> None:
    run = doors_run()
    asked = run.injections[9]
    (first,) = (one for one in asked.receipts if one.spans and one.spans[0].entry_id == "e1")
    told = asked.model_copy(update={"receipts": (first.model_copy(update={"reason": reason}),)})
    page = opened(run.model_copy(update={"injections": (told,)}), "#turns/1")
    why = page.locator(".why-chosen")
    assert said in why.inner_text()
    shown = page.locator(".passage-text").inner_text().lower()
    assert [word for word in why.locator("b:not(.label)").all_inner_texts() if word.lower() not in shown] == []
