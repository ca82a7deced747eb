"""Everything on the inspector page can be reached without a mouse, in English and in Chinese."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.browser


def focused(page: Any) -> str:
    """The element that has the focus, as tag.class."""
    text: str = page.evaluate("`${document.activeElement.tagName}.${document.activeElement.className}`.toLowerCase()")
    return text


def test_slash_searches_arrows_choose_enter_opens_and_escape_closes(page_of: Any) -> None:
    page = page_of("depot")
    page.keyboard.press("/")
    page.keyboard.type("nail test")
    assert page.locator(".found [role=option]").count() > 2
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    wanted = page.locator(".found [aria-selected=true] .chip").inner_text()
    page.keyboard.press("Enter")
    assert page.locator(".detail-id").inner_text() == wanted
    assert focused(page) == "h2."
    page.keyboard.press("Escape")
    assert page.locator(".detail").is_hidden()


def test_the_turn_list_and_the_slider_move_together(page_of: Any) -> None:
    page = page_of("depot", "#turns/1")
    page.locator(".turn-list .listbox").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".turn-head .eyebrow").inner_text().startswith("Before step 3")
    assert page.locator(".turns-view input[type=range]").input_value() == "1"
    page.locator(".turns-view input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".turn-list [aria-selected=true] .row-id").inner_text() == "Before step 4"
    assert page.evaluate("location.hash") == "#turns/3"


def test_the_picture_moves_and_zooms_by_keys(page_of: Any) -> None:
    page = page_of("depot", "#graph/now")
    view = "({...frame.views.graph.picture.view})"
    before = page.evaluate(view)
    page.locator("canvas").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    after = page.evaluate(view)
    assert after["x"] > before["x"]
    assert after["zoom"] > before["zoom"]
    page.keyboard.press("0")
    assert page.evaluate(view) == before


def test_everything_that_can_be_clicked_can_be_tabbed_to(page_of: Any) -> None:
    page = page_of("depot", "#conflicts/now/node/n11")
    wanted = page.locator("button:visible:enabled").count()
    page.locator("body").click(position={"x": 1, "y": 1})
    seen = set()
    for _ in range(wanted + 60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("[...document.querySelectorAll('button')].indexOf(document.activeElement)"))
    assert len(seen - {-1}) >= wanted


def test_the_language_can_be_switched_and_nothing_is_left_in_the_other(page_of: Any) -> None:
    page = page_of("bridge", "#task", locale="zh-CN")
    assert page.locator("[data-view=turns]").inner_text() == "逐步"
    page.get_by_role("button", name="English").click()
    assert page.locator("[data-view=turns]").inner_text() == "Step by step"
    assert page.evaluate("document.documentElement.lang") == "en"
    assert "Finished tasks" in page.locator("main").inner_text()
    page.get_by_role("button", name="中文").click()
    assert "已完成的任务" in page.locator("main").inner_text()


def test_an_address_opens_the_same_place_and_back_returns(page_of: Any) -> None:
    page = page_of("depot", "#turns/3/node/n8")
    assert page.locator(".detail-id").inner_text() == "n8"
    page.click("[data-view=entries]")
    page.go_back()
    assert page.locator("[data-view=turns][aria-current=page]").count() == 1
    assert page.locator(".turn-head .eyebrow").inner_text().startswith("Before step 4")
