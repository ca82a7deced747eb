"""The gateway's page as a browser draws it, with hostile names, and the way to the memory of a conversation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
ATTACK = "<img src=x onerror=alert(1)>\u202e gull"
TALK = {"id": "a1b2c3", "user": "9f8e", "requests": 41, "raw_tokens": 912_000, "sent_tokens": 301_000,
        "raw_billed": 140_000.0, "sent_billed": 91_000.0, "failures": 0, "entries": 57, "disputes": 1}  # fmt: skip


@pytest.fixture
def opened(open_file: Any, tmp_path: Path) -> Any:
    """Opens the page of a gateway with these conversations."""
    render_status = pytest.importorskip("amb_proxy.status", reason="needs the gateway's packages").render_status

    def show(*talks: dict[str, Any], **options: Any) -> Any:
        told = {"upstream": "https://models.example/v1", "bypassed": {ATTACK: 3} if talks else {}}
        page = tmp_path / "status.html"
        page.write_text(render_status({**told, "conversations": list(talks)}), "utf-8")
        return open_file(page, **options)

    return show


def test_it_says_first_what_was_saved_over_all_conversations(opened: Any) -> None:
    page = opened(TALK, TALK | {"id": ATTACK, "requests": 3})
    assert (
        page.locator(".lead").inner_text() == "44 requests went on with 602,000 tokens instead of 1,824,000: 67 % less."
    )
    assert page.locator(".figure-value").all_inner_texts() == ["1,222,000", "0.65", "114", "2"]
    assert page.locator("img").count() == 0
    assert "U+202E" in page.locator("table").first.inner_text()


def test_without_a_conversation_it_says_what_to_do(opened: Any) -> None:
    page = opened()
    assert "Point a client's base URL at this gateway." in page.locator("main").inner_text()


@pytest.mark.parametrize(("width", "locale"), [(390, "zh-CN"), (1280, "en-US")])
def test_nothing_is_wider_than_the_window(opened: Any, width: int, locale: str, pictures: Path) -> None:
    page = opened(TALK, TALK, viewport={"width": width, "height": 800}, locale=locale)
    assert page.evaluate("document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth") <= 0
    page.screenshot(path=pictures / f"gateway-{width}.png")
