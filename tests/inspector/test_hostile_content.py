"""Memory text is untrusted: whatever it says, it stays text inside the data block."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

from amb_core.models import BankSnapshot, InsightDoc, InteractionEntry
from amb_inspector import render_page

PAGES = runpy.run_path(str(Path(__file__).parents[1] / "page_contents.py"))
tags, data_block = (PAGES[name] for name in ("tags", "data_block"))


def test_hostile_text_adds_no_tag_to_the_page(hostile: BankSnapshot, empty: BankSnapshot) -> None:
    assert tags(render_page(hostile)) == tags(render_page(empty))


def test_a_hostile_title_adds_no_tag_to_the_page(empty: BankSnapshot) -> None:
    attack = "</title><script>alert(1)</script>\u202e\x00\ud800"
    page = render_page(empty, title=attack)
    assert tags(page) == tags(render_page(empty))
    assert "\u202e" not in page.split("</title>")[0]


def test_hostile_text_reaches_the_page_unchanged(hostile: BankSnapshot) -> None:
    bank = json.loads(data_block(render_page(hostile)))["bank"]
    assert [entry["text"] for entry in bank["entries"]] == [entry.text for entry in hostile.entries]
    assert [node["id"] for node in bank["nodes"]] == [node.id for node in hostile.nodes]


def test_times_that_json_cannot_hold_become_null() -> None:
    entries = [InteractionEntry(entry_id=f"e{at}", text="x", timestamp=at) for at in (float("nan"), float("inf"))]
    odd = BankSnapshot(insight=InsightDoc(doc_id="d", task_goal="g"), entries=tuple(entries))
    bank = json.loads(data_block(render_page(odd)))["bank"]
    assert [entry["timestamp"] for entry in bank["entries"]] == [None, None]
