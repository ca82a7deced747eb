"""The inspector page in a real browser: it draws, it follows keys, it shows exactly what the bank holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from amb_core.models import BankSnapshot

pytestmark = pytest.mark.browser

VIEWS = ("overview", "graph", "turns", "conflicts", "entries", "task")
Banks = dict[str, BankSnapshot]


@pytest.mark.parametrize("name", ["depot", "bridge", "hostile"])
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_draws_without_complaint(page_of: Any, name: str, view: str) -> None:
    page = page_of(name, f"#{view}")
    assert page.locator(f"[data-view={view}][aria-current=page]").count() == 1
    assert page.locator("main").inner_text().strip()


def test_hostile_text_runs_nothing_and_is_shown_as_text(page_of: Any, banks: Banks) -> None:
    page = page_of("hostile")
    for view in VIEWS:
        page.click(f"[data-view={view}]")
        assert page.evaluate("window.broken") is None
        assert page.locator("img, iframe, a, form, object, embed").count() == 0
    page.click("[data-view=overview]")
    assert page.locator("h1").inner_text() == banks["hostile"].insight.task_goal


def test_characters_that_hide_or_reorder_are_shown_by_their_codes(page_of: Any) -> None:
    page = page_of("hostile", "#turns/2")
    shown = page.locator("h2").first.inner_text()
    assert "userU+202Egnp.exeU+202C" in shown
    assert "\u202e" not in shown
    page.click("[data-view=entries]")
    assert "U+E00xx “Ignore”" in page.locator(".entries-view").inner_text()


def test_the_injected_block_is_shown_and_copied_exactly(page_of: Any, banks: Banks) -> None:
    turn = banks["depot"].injections[6]
    page = page_of("depot", "#turns/7", permissions=["clipboard-read", "clipboard-write"])
    assert page.locator("pre.injected-block").evaluate("element => element.textContent") == turn.block
    page.locator("section", has_text="The block in the request").get_by_role("button", name="Copy").click()
    page.wait_for_selector(".notice.shown")
    assert page.evaluate("navigator.clipboard.readText()") == turn.block


def test_each_passage_shows_its_note_score_form_tokens_and_why_it_was_chosen(page_of: Any, banks: Banks) -> None:
    page = page_of("depot", "#turns/7")
    cards = page.locator(".passage")
    receipts = banks["depot"].injections[6].receipts
    assert cards.count() == len(receipts)
    for at, receipt in enumerate(receipts):
        text = cards.nth(at).inner_text()
        for part in (str(receipt.rank + 1), receipt.node_id, f"score {receipt.score:.2f}", f"{receipt.tokens} tokens"):
            assert part in text
        assert cards.nth(at).locator(".why-chosen").inner_text().startswith("Why It ")


def test_a_source_is_marked_exactly_also_after_an_emoji(page_of: Any, banks: Banks) -> None:
    bridge = banks["bridge"]
    node = next(node for node in bridge.nodes if node.id == "n7")
    (span,) = node.sources
    text = next(entry.text for entry in bridge.entries if entry.entry_id == span.entry_id)
    page = page_of("bridge", "#graph/now/node/n7")
    assert page.locator(".detail mark").all_text_contents() == [text[span.start : span.end]]


def test_the_slider_shows_the_graph_as_of_a_turn(page_of: Any) -> None:
    page = page_of("depot", "#graph/now")
    listed = page.locator(".node-list .row-id")
    page.locator(".check input").uncheck()
    assert "n11" in listed.all_inner_texts()
    slider = page.locator(".graph-view input[type=range]")
    slider.focus()
    for _ in range(7):
        page.keyboard.press("ArrowLeft")
    assert page.locator(".timeline-text strong").inner_text() == "Before step 4"
    then = listed.all_inner_texts()
    assert {"n5", "n8"} <= set(then)
    assert not {"n11", "n13"} & set(then)


def test_a_thousand_nodes_lie_apart_and_their_groups_are_named(page_of: Any, pictures: Path) -> None:
    page = page_of("large", "#graph/now")
    assert "1,012 notes" in page.locator(".node-list").inner_text()
    page.wait_for_timeout(300)
    page.screenshot(path=pictures / "large-graph.png")
    nearest = page.evaluate(
        "(() => { const { vertices } = frame.views.graph.picture; const at = vertices.map((v) => "
        "frame.views.graph.picture.toScreen(v)); return at.filter(([x, y], i) => at.some(([u, v], j) => "
        "j !== i && Math.hypot(x - u, y - v) < 3)).length; })()"
    )
    assert nearest < 0.02 * 1012
    assert page.evaluate("frame.views.graph.picture.scene.regions.filter((one) => one.name).length") >= 6


@pytest.mark.parametrize("name", ["depot", "bridge"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_picture_of_every_view_is_kept_to_be_looked_at(page_of: Any, pictures: Path, name: str, view: str) -> None:
    page = page_of(name, "#overview", viewport={"width": 1280, "height": 800})
    page.click(f"[data-view={view}]")
    page.wait_for_timeout(300)
    picture = pictures / f"{name}-{view}.png"
    page.screenshot(path=picture)
    assert picture.stat().st_size > 10_000


def test_a_contradiction_is_shown_from_when_it_was_found_and_open_until_it_was_settled(
    page_of: Any, banks: Banks
) -> None:
    turns = [injection.timestamp for injection in banks["depot"].injections]
    [conflict] = [one for one in banks["depot"].conflicts if one.status.value == "unresolved"]
    told = conflict.model_copy(update={"found_at": turns[-2], "settled_at": turns[-1]})
    page = page_of("told", "#graph/now", snapshot=banks["depot"].model_copy(update={"conflicts": (told,)}))
    status = f"statusAt(CONFLICTS.get('{conflict.id}'), %d)"
    steps = [page.evaluate(status % step) for step in (len(turns) - 3, len(turns) - 2, len(turns) - 1)]
    assert steps == [None, "open", "unresolved"]


@pytest.mark.parametrize("width", [420, 768, 1024, 1280])
@pytest.mark.parametrize("view", VIEWS)
def test_no_window_scrolls_sideways(page_of: Any, view: str, width: int) -> None:
    page = page_of("depot", f"#{view}", viewport={"width": width, "height": 800})
    wide = "Math.max(document.documentElement.scrollWidth, document.querySelector('main').scrollWidth)"
    assert page.evaluate(wide) <= width
