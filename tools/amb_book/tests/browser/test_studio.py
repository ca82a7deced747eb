"""The studio in a browser: tasks side by side, settled in the form, restarted the next day; in two languages."""

from __future__ import annotations

import json
import runpy
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
Open = Callable[..., Any]
LOCAL = Path(__file__).parents[1] / "studio" / "local_studio.py"
WEDDING = [
    {"subject": "Lin Yue", "relation": "MARRIED_TO", "object": "Qiu Han", "evidence": "They married at dusk."},
    {"subject": "Lin Yue", "relation": "IS_AT", "object": "Sarn"},
    {"status": {"of": "Lin Yue", "is": "happy"}},
]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Open]:
    """Serves the small book."""
    pytest.importorskip("starlette", reason='needs: pip install "amb[studio]"')
    pytest.importorskip("uvicorn", reason='needs: pip install "amb[studio]"')
    studio = runpy.run_path(str(LOCAL))["LocalStudio"]
    with ExitStack() as running:
        yield lambda **options: running.enter_context(studio(tmp_path / "The war", **options))


@pytest.fixture
def studio(served: Open) -> Any:
    return served()


@pytest.fixture
def opened(chromium: Any) -> Iterator[Open]:
    """Opens the page of a studio; at the end it may not have complained or asked anybody else."""
    problems: list[str] = []
    contexts: list[Any] = []

    def show(studio: Any, address: str = "", **options: Any) -> Any:
        context = chromium.new_context(**({"viewport": {"width": 1360, "height": 860}, "locale": "en-US"} | options))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        own = (studio.url, "data:")
        page.on("request", lambda asked: None if asked.url.startswith(own) else problems.append(asked.url))
        page.goto(f"{studio.url}{address}")
        page.locator("body[data-ready=true]").wait_for()
        return page

    yield show
    for context in contexts:
        context.close()
    assert problems == []


def start(page: Any, title: str) -> None:
    page.fill("#new-title", title)
    page.keyboard.press("Enter")
    page.locator("#task-title", has_text=title).wait_for()
    page.locator(".turn.by-desk").first.wait_for()


def say(page: Any, text: str) -> None:
    before = page.locator(".turn.by-desk").count()
    page.fill("#message", text)
    page.keyboard.press("Control+Enter")
    page.locator(".turn.by-desk").nth(before).wait_for()


def settle(page: Any, *statements: Any) -> None:
    say(page, "\n".join(json.dumps(each) for each in statements))
    page.click("[data-key=settle]")
    page.locator("#proposal").wait_for()


def row(page: Any, number: int) -> Any:
    return page.locator(".row").nth(number - 1)


def confirm(page: Any) -> None:
    page.click("#settle-confirm")
    page.locator("#task-title .is-closed").wait_for()


def test_three_tasks_stand_side_by_side_each_with_its_own_conversation(
    studio: Any, opened: Open, pictures: Path
) -> None:
    page = opened(studio)
    for title, word in (("long outline", "amber"), ("a character", "basalt"), ("next chapter", "cedar")):
        start(page, title)
        say(page, f"Remember {word}.")
    assert page.locator(".task-button").all_inner_texts()[0].split("\n")[1] == "long outline"
    page.click(".task-button >> text=long outline")
    page.locator("#task-title", has_text="long outline").wait_for()
    said = page.locator("#turns").inner_text()
    assert "amber" in said
    assert "basalt" not in said
    assert "/switch" not in said
    page.locator(".by-desk .built summary").last.click()
    assert "Turns of this task: 1, 3" in page.locator(".by-desk .built").last.inner_text()
    assert page.locator(".task-button[aria-current=true]").inner_text().split("\n")[0] == "1"
    page.screenshot(path=str(pictures / "studio-tasks.png"))


def test_what_was_read_off_is_corrected_confirmed_and_seen_in_the_graph(
    studio: Any, opened: Open, pictures: Path
) -> None:
    page = opened(studio)
    start(page, "the wedding")
    settle(page, *WEDDING)
    row(page, 1).get_by_label("Whom or what").fill("Wei Lan")
    row(page, 3).get_by_role("button", name="Drop statement 3").click()
    page.select_option("#add-kind", "hook")
    page.click("#add-row")
    row(page, 4).get_by_label("Hook").fill("the missing ring")
    page.get_by_label("Holds from chapter").fill("4")
    row(page, 1).locator(".is-new", has_text="Wei Lan").wait_for()
    page.screenshot(path=str(pictures / "studio-form.png"))
    confirm(page)
    page.click("#tab-graph")
    page.locator(".timeline tr", has_text="Wei Lan").wait_for()
    assert (
        page.locator("svg .node title").evaluate_all("all => all.map(each => each.textContent)").count("Wei Lan") == 1
    )
    page.screenshot(path=str(pictures / "studio-graph.png"))
    facts = {fact.text for fact in studio.story.facts.facts(at=4)}
    assert "Lin Yue MARRIED_TO Wei Lan (since 4)" in facts
    assert not any("happy" in text for text in facts)
    assert [hook.name for hook in studio.story.facts.hooks()] == ["the broken jade", "the missing ring"]


def test_a_task_is_restarted_the_next_day_and_knows_what_changed(studio: Any, opened: Open) -> None:
    page = opened(studio)
    start(page, "Lin Yue")
    settle(page, {"status": {"of": "Lin Yue", "is": "safe"}})
    confirm(page)
    studio.story.settle(chapter=5, statements=[{"status": {"of": "Lin Yue", "is": "captured"}}])
    studio.clock.advance(20 * 3_600)
    page.reload()
    page.locator("text=kept 4 h more").wait_for()
    page.click("[data-key=restart-t1]")
    page.locator("#task-title .is-open").wait_for()
    assert "captured" in page.locator(".turn.by-desk").last.inner_text()
    say(page, "Where is she now?")
    assert "captured" in page.locator(".turn.by-desk").last.inner_text()


def test_a_second_window_is_told_what_was_settled_in_the_first(studio: Any, opened: Open) -> None:
    page, other = opened(studio), opened(studio)
    start(page, "the wedding")
    settle(page, *WEDDING)
    other.reload()
    other.locator("#proposal").wait_for()
    page.get_by_label("Holds from chapter").fill("4")
    confirm(page)
    other.locator("#notice.shown", has_text="settled in another window").wait_for()
    assert other.locator("#proposal").count() == 0
    assert other.locator("#task-title .is-closed").count() == 1


def test_a_contradiction_has_to_be_decided_in_the_form(studio: Any, opened: Open, pictures: Path) -> None:
    page = opened(studio)
    start(page, "a doubt")
    settle(page, {"status": {"of": "Old Wen", "is": "alive"}})
    page.click("#settle-confirm")
    page.locator("#trouble", has_text="contradicts").wait_for()
    assert row(page, 1).locator(".is-contradicts").inner_text().startswith("Contradicts:")
    page.screenshot(path=str(pictures / "studio-contradiction.png"))
    page.get_by_label("The new holds").check()
    confirm(page)
    assert studio.story.facts.about("Old Wen").status == "alive"


class Inventive:
    """A chat model that offers two ways."""

    model, endpoint = "inventive", "here"

    def complete(self, request: Any) -> Any:
        from amb_core.chat_io import ChatReply

        return ChatReply("Two ways:\nOption 1: <b>By the river</b>.\nOption 2: By the gate.")


def test_all_of_it_goes_in_chinese(studio: Any, opened: Open, pictures: Path) -> None:
    page = opened(studio, locale="zh-CN")
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    page.fill("#message", "[开始新任务：设定人物“林月”]")
    page.keyboard.press("Control+Enter")
    page.locator("#task-title", has_text="设定人物").wait_for()
    settle(page, {"status": {"of": "林月", "is": "失踪"}}, {"subject": "林月", "relation": "OWNS", "object": "玉佩"})
    row(page, 2).get_by_label("关系").fill("身在")
    row(page, 2).get_by_label("对象").fill("望江城")
    page.get_by_label("自第几章起成立").fill("4")
    page.click("#language")
    assert row(page, 2).get_by_label("Relation").input_value() == "is at"
    page.click("#language")
    assert row(page, 2).get_by_label("关系").input_value() == "身在"
    page.screenshot(path=str(pictures / "studio-zh.png"))
    confirm(page)
    page.click("#tab-facts")
    page.click(".names >> text=林月")
    page.locator(".entity", has_text="望江城").wait_for()
    assert studio.story.facts.about("林月").place == "望江城"


def test_text_from_anywhere_stays_text(studio: Any, opened: Open, pictures: Path) -> None:
    attack = "<img src=x onerror=alert(1)>\u202e<script>alert(2)</script>"
    studio.story.settle(chapter=4, title=attack, statements=[{"subject": attack, "relation": "KNOWS", "object": "Wen"}])
    page = opened(studio)
    page.fill("#new-title", f"{attack} title")
    page.keyboard.press("Enter")
    page.locator("#task-title", has_text="onerror").wait_for()
    say(page, attack)
    settle(page, {"lore": attack, "text": attack}, {"entity": attack, "kind": "character"})
    for tab in ("where", "facts", "graph", "plan", "hooks", "lore", "check"):
        page.click(f"#tab-{tab}")
        page.locator(f"#tab-{tab}[aria-selected=true]").wait_for()
    assert page.locator("img, #turns script, #panel script").count() == 0
    assert "U+202E" in page.locator("h1").inner_text()
    page.screenshot(path=str(pictures / "studio-hostile.png"))


def test_everything_is_reached_with_keys_and_the_focus_is_seen(studio: Any, opened: Open) -> None:
    page = opened(studio)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.locator(":focus-visible").count() == 1
    page.keyboard.press("Enter")
    page.keyboard.type("/new by keys alone")
    page.keyboard.press("Control+Enter")
    page.locator("#task-title", has_text="by keys alone").wait_for()
    page.locator("#tab-where").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-facts"
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.id") == "tab-import"
    assert page.locator("#heard").get_attribute("aria-live") == "polite"
    assert page.locator("#heard").inner_text() != ""


NAMELESS = """() => [...document.querySelectorAll("button, input, select, textarea, [role=tab], nav, aside, summary")]
  .filter((each) => each.offsetParent !== null && !(each.labels?.length || each.ariaLabel || each.textContent.trim()))
  .map((each) => each.outerHTML)"""


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (360, "dark"), (1360, "dark")])
def test_every_width_and_scheme_shows_all_with_names_and_nothing_sticks_out(
    studio: Any, opened: Open, pictures: Path, width: int, scheme: str
) -> None:
    page = opened(studio, viewport={"width": width, "height": 740}, color_scheme=scheme)
    page.evaluate("document.body.dataset.pane = 'tasks'")
    start(page, "a task with a rather long title that has to be broken somewhere")
    settle(page, *WEDDING)
    for pane in ("tasks", "talk", "book"):
        page.evaluate(f"document.body.dataset.pane = '{pane}'")
        for tab in ("where", "facts", "graph", "plan", "hooks", "lore", "check", "import") if pane == "book" else ():
            page.click(f"#tab-{tab}")
            page.wait_for_timeout(80)
            assert page.evaluate(NAMELESS) == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(NAMELESS) == []
        page.screenshot(path=str(pictures / f"studio-{width}-{scheme}-{pane}.png"))


class Thoughtful(Inventive):
    """The same, which thinks about what it was asked for `slow` until it may answer."""

    def __init__(self) -> None:
        self.may = threading.Event()

    def complete(self, request: Any) -> Any:
        if "slow" in str(request.messages[-1]):
            self.may.wait(30)
        return super().complete(request)


def test_other_tasks_go_on_while_a_model_thinks_about_one(served: Open, opened: Open) -> None:
    chat = Thoughtful()
    page = opened(served(chat=chat, model="inventive"))
    start(page, "first")
    start(page, "second")
    page.fill("#message", "a slow question")
    page.keyboard.press("Control+Enter")
    page.locator(".working").wait_for()
    assert "a slow question" in page.locator("#turns").inner_text()
    page.click(".task-button >> text=first")
    page.locator("#task-title", has_text="first").wait_for()
    say(page, "a quick question")
    chat.may.set()
    page.locator("#notice.shown", has_text="The task you left has an answer").wait_for()
    assert "slow" not in page.locator("#turns").inner_text()
    page.click(".task-button >> text=second")
    page.locator("#task-title", has_text="second").wait_for()
    assert "a slow question" in page.locator("#turns").inner_text()
    assert page.locator(".by-desk .options").count() == 2


def test_a_manuscript_is_taken_in_and_can_be_asked_about(
    studio: Any, opened: Open, tmp_path: Path, pictures: Path
) -> None:
    scene = "Maren Tolve crossed the yard. “Where is Hob Rook?” asked Maren Tolve. Hob Rook laughed at Maren Tolve.\n\n"
    file = tmp_path / "novel.txt"
    file.write_text("".join(f"Chapter {n}: The Bell\n\n{scene * 12}" for n in range(1, 9)), encoding="utf-8")
    page = opened(studio)
    page.click("#tab-import")
    page.set_input_files("#manuscript", str(file))
    page.click("[data-key=import]")
    page.locator("#import-result", has_text="Chapters taken in: 8, from chapter 4 on").wait_for()
    page.screenshot(path=str(pictures / "studio-import.png"))
    page.locator("#stands", has_text="After chapter 11").wait_for()
    page.click("#tab-facts")
    page.click(".names >> text=Maren Tolve")
    page.locator(".entity", has_text="First told of in chapter 4").wait_for()
