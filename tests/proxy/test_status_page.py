"""The gateway's page for a browser: the same figures as its JSON, for the operator alone, in two languages."""

from __future__ import annotations

import json
import re
import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx2
import pytest

from amb_proxy.status import render_status

pytestmark = pytest.mark.slow

TEMPLATE = Path(getattr(find_spec("amb_proxy"), "origin", None) or "").parent / "template"
WORDS = {name: json.loads((TEMPLATE / "words" / f"{name}.json").read_text("utf-8")) for name in ("en", "zh")}
PAGES = runpy.run_path(str(Path(__file__).parents[1] / "page_contents.py"))
tags, data = PAGES["tags"], PAGES["data"]


def test_a_browser_gets_a_page_and_a_program_the_same_as_json(begin: Any, gateway: Any) -> None:
    begin(gateway.url, "none", {}).go_on(lambda _: "The lamp burns oil. " * 30, turns=2)
    headers = {"x-amb-token": gateway.app.operator_token, "accept": "text/html,*/*;q=0.8"}
    page = httpx2.get(f"{gateway.url}/amb/status", headers=headers)
    told = gateway.operator("GET", "/amb/status").json()
    assert page.headers["content-type"].startswith("text/html")
    assert data(page.text)["gateway"] == told
    assert told["conversations"][0]["requests"] > 0


def test_nobody_but_the_operator_gets_the_page(gateway: Any) -> None:
    answer = httpx2.get(f"{gateway.url}/amb/status", headers={"accept": "text/html"})
    assert answer.status_code == 401


def test_hostile_names_add_no_tag_to_the_page() -> None:
    attack = "</script><script>alert(1)</script>"
    hostile = {"upstream": attack, "bypassed": {attack: 1}, "conversations": []}
    assert tags(render_status(hostile)) == tags(render_status({**hostile, "upstream": "x", "bypassed": {}}))


def test_both_languages_have_the_words_the_page_asks_for() -> None:
    assert {key for key in WORDS["en"] if not key.endswith(".one")} == WORDS["zh"].keys()
    script = (TEMPLATE / "scripts" / "gateway.js").read_text("utf-8")
    asked = set(re.findall(r'"((?:head|figure|conversations|table|open)\.[\w.]+)"', script))
    assert len(asked) > 8
    assert asked - WORDS["en"].keys() == set()
