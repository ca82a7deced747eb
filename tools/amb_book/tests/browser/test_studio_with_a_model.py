"""The studio in a browser with a model behind a real endpoint: options, one changed, read off; and what fails."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

from amb_chat import OpenAIChatModel, RetryPolicy

pytestmark = pytest.mark.browser
Open = Callable[..., Any]
STUDIO = Path(__file__).parents[1] / "studio"
BROWSER = runpy.run_path(str(Path(__file__).parent / "test_studio.py"))
start, say, opened = BROWSER["start"], BROWSER["say"], BROWSER["opened"]


@pytest.fixture
def studio_with(tmp_path: Path) -> Iterator[Open]:
    """Serves the small book with a model that is broken at the roles that are named."""
    pytest.importorskip("starlette", reason='needs: pip install "amb[studio]"')
    pytest.importorskip("uvicorn", reason='needs: pip install "amb[studio]"')
    pytest.importorskip("openai", reason='needs: pip install "amb[openai]"')
    from amb_book.checking import PromptedChecker

    studio = runpy.run_path(str(STUDIO / "local_studio.py"))["LocalStudio"]
    writer = runpy.run_path(str(STUDIO / "writing_model.py"))["WritingModel"]
    with ExitStack() as running:

        def serve(*broken: str) -> Any:
            server = running.enter_context(ChatServer(writer(*broken)))
            chat = OpenAIChatModel(
                "writer", base_url=server.url, api_key="none", timeout=5, retries=RetryPolicy(attempts=1)
            )
            book = tmp_path / "The war"
            return running.enter_context(studio(book, chat=chat, model="writer", checker=PromptedChecker(chat)))

        yield serve


def settle_of(page: Any) -> Any:
    page.click("[data-key=settle]")
    page.locator("#proposal").wait_for()
    return page.locator("#proposal")


def test_options_are_judged_taken_changed_read_off_and_settled(studio_with: Open, opened: Open, pictures: Path) -> None:
    studio = studio_with()
    page = opened(studio)
    start(page, "chapter 4: the gate")
    options = page.locator(".option")
    assert options.locator(".text").all_inner_texts()[1].startswith("Lin Yue came by night <b>over the ice</b>")
    assert "[style 9 · tension 9 · plan 9 · consistency 9] It serves the plan." in options.first.inner_text()
    assert "Looked up: facts_about Lin Yue" in options.first.inner_text()
    assert "! " in options.nth(2).inner_text()  # Old Wen is dead: the rules say so where the model does not
    page.screenshot(path=str(pictures / "studio-model-options.png"))
    page.get_by_role("button", name="Take option 1").click()
    say(page, f"{page.locator('#message').input_value()} But she is captured.")
    assert "<img src=x onerror=alert(1)>" in page.locator(".by-desk").last.inner_text()
    form = settle_of(page)
    assert form.locator(".row").count() == 1
    assert form.locator(".row blockquote").inner_text() == "Lin Yue was captured."
    page.screenshot(path=str(pictures / "studio-model-form.png"))
    page.click("#settle-confirm")
    page.locator("#task-title .is-closed").wait_for()
    assert studio.story.facts.about("Lin Yue").status == "captured"
    assert page.locator("img, #turns b").count() == 0


def test_a_model_that_speaks_nonsense_is_named_wherever_it_was_asked(
    studio_with: Open, opened: Open, pictures: Path
) -> None:
    page = opened(studio_with("creative_review", "reading_talk", "checking"))
    start(page, "chapter 4: the gate")
    page.locator(".note", has_text="The options are not judged").wait_for()
    say(page, "Lin Yue died at the gate.")
    form = settle_of(page)
    assert "The model failed, so that not everything was read off" in form.locator(".note").inner_text()
    assert "No option was taken" in form.locator(".note").inner_text()
    assert form.locator(".row").count() == 0
    form.get_by_label("State of Lin Yue").fill("dead")
    form.get_by_label("State of Lin Yue").press("Tab")
    assert form.locator(".row blockquote").inner_text() == "Lin Yue died at the gate."
    page.screenshot(path=str(pictures / "studio-model-failed.png"))
    page.click("#tab-check")
    page.fill("#draft", "Old Wen laughed and drank.")
    page.click("[data-key=check]")
    page.locator(".note", has_text="The model did not look at all of it").wait_for()
    assert page.locator(".findings > li").count() == 1


def test_the_model_adds_to_a_check_what_it_can_quote(studio_with: Open, opened: Open) -> None:
    page = opened(studio_with())
    page.click("#tab-check")
    page.fill("#draft", "At the inn Lin Yue danced all night with the soldiers.")
    page.click("[data-key=check]")
    page.locator(".findings", has_text="She is wounded <i>since chapter 2</i>.").wait_for()
