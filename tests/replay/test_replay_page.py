"""The report is one file: what traces say is text in it, in both languages, and nothing points outside."""

from __future__ import annotations

import json
import re
import runpy
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from amb_core import Settings
from amb_replay import ReplayReport, Trace, render_replay_page, replay_trace, report_of

Orders = Callable[..., Trace]
PAGES = runpy.run_path(str(Path(__file__).parents[1] / "page_contents.py"))
tags, data = (PAGES[name] for name in ("tags", "data"))
TEMPLATE = Path(str(resources.files("amb_replay"))) / "template"
SCRIPTS = {file.name: file.read_text("utf-8") for file in sorted((TEMPLATE / "scripts").glob("*.js"))}
WORDS = {name: json.loads((TEMPLATE / "words" / f"{name}.json").read_text("utf-8")) for name in ("en", "zh")}
ATTACK = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e\ud800\u2028{{7*7}}<!--"


def report(trace: Trace) -> ReplayReport:
    settings = Settings(prompt_budget_tokens=700, block_tokens=200)
    return report_of([replay_trace(trace, settings=settings, arms=("full", "window", "window+bm25", "amb"))])


@pytest.mark.slow
def test_hostile_traces_add_no_tag_and_reach_the_page_as_text(orders: Orders) -> None:
    plain, attacked = (render_replay_page(report(orders(8, said=said))) for said in ("", ATTACK))
    assert tags(attacked) == tags(plain)
    assert data(attacked)["replay"]["traces"][0]["id"] == f"orders-8{ATTACK}"
    attacked.encode("utf-8")


def test_nothing_on_the_page_points_outside_and_its_policy_allows_nothing(orders: Orders) -> None:
    page = render_replay_page(report(orders(4)))
    assert re.findall(r'(?:src|href)="([^"]*)"', page.partition('id="amb-data"')[0]) == ["data:,"]
    assert "default-src 'none'" in page


@pytest.mark.slow
def test_every_call_has_its_sizes_what_it_used_and_what_amb_wrote(orders: Orders) -> None:
    found = data(render_replay_page(report(orders(12))))["replay"]
    [run] = found["traces"]
    assert len(run["steps"]) == len(run["tokens"]["amb"]) == 14
    [used] = [one for one in run["steps"][12]["used"] if one["text"] == "card_7000"]
    assert (used["from"], used["near"]) == ([[1, "get_order"]], False)
    assert "full" in used["there"]
    assert "window" not in used["there"]
    assert all(place < len(found["texts"]) for step in run["steps"] for _, place, _ in step["made"])


def test_every_word_that_is_asked_for_exists_and_every_word_is_asked_for() -> None:
    shared = Path(str(resources.files("amb_inspector"))) / "template"
    frames = [shared / "scripts" / "frame.js", shared / "team" / "scripts" / "parts_frame.js"]
    sources = "".join([*SCRIPTS.values(), *(frame.read_text("utf-8") for frame in frames)])
    sources += (TEMPLATE.parent / "replay_report.py").read_text("utf-8")
    sources += (TEMPLATE.parent / "replay_verdict.py").read_text("utf-8")
    asked = set(re.findall(r'"([a-z]+\.[\w.]+)"', sources))
    prefixes = ("arm.", "kind.", "part.", "reason.", "sum.", "table.", "verdict.", "figure.")
    explained = {key for key in WORDS["en"] if key.endswith(".note")}
    assert {key.removesuffix(".note") for key in explained} - WORDS["en"].keys() == {"cost", "curve", "limits"}
    assert {key for key in asked if key.startswith(("call.", "cost.", "failed.", "head.", "nav."))} <= WORDS[
        "en"
    ].keys()
    bare = {key.removesuffix(".one") for key in WORDS["en"] if not key.startswith((*prefixes, "text."))}
    assert bare - asked == set()


@pytest.mark.parametrize(
    "means", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch(",
              "XMLHttpRequest", "WebSocket", "import(", "localStorage", "</script", "<!--"],
)  # fmt: skip
def test_no_script_makes_markup_from_text_or_reaches_out(means: str) -> None:
    assert [name for name, text in SCRIPTS.items() if means in text] == []
