"""The file as a whole: one document, one data block, nothing from outside, the same bytes for the same bank."""

from __future__ import annotations

import base64
import hashlib
import json
from html.parser import HTMLParser
from typing import Any

import pytest

from amb_core.errors import InvalidParameter
from amb_core.models import BankSnapshot
from amb_inspector import render_page


class Parsed(HTMLParser):
    """The tags of a page with their attributes, and the text of each element by tag."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.texts.setdefault(tag, []).append("")
        self.open = tag

    def handle_endtag(self, tag: str) -> None:
        self.open = ""

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open][-1] += data

    @property
    def data(self) -> Any:
        return json.loads(self.texts["script"][0])

    @property
    def policy(self) -> str:
        return next(a["content"] or "" for tag, a in self.tags if tag == "meta" and "http-equiv" in a)


def test_a_page_is_one_document_with_one_data_block(depot: BankSnapshot) -> None:
    parsed = Parsed(render_page(depot))
    scripts = [attributes for tag, attributes in parsed.tags if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "amb-data"}, {}]
    assert [tag for tag, _ in parsed.tags].count("body") == 1


def test_nothing_on_the_page_points_outside(depot: BankSnapshot) -> None:
    parsed = Parsed(render_page(depot))
    pointing = {"src", "href", "action", "srcset", "data", "poster"}
    links = [(tag, name, value) for tag, attrs in parsed.tags for name, value in attrs.items() if name in pointing]
    assert links == [("link", "href", "data:,")]


def test_the_policy_allows_exactly_this_style_and_this_script(depot: BankSnapshot) -> None:
    parsed = Parsed(render_page(depot))
    rules = dict(rule.strip().split(" ", 1) for rule in parsed.policy.split(";"))
    for directive, text in (("style-src", parsed.texts["style"][0]), ("script-src", parsed.texts["script"][1])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[directive] == f"'sha256-{digest}'"
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"


def test_the_page_holds_every_record_of_the_bank(depot: BankSnapshot) -> None:
    bank = Parsed(render_page(depot)).data["bank"]
    assert [node["id"] for node in bank["nodes"]] == [node.id for node in depot.nodes]
    assert [kept["node"]["id"] for kept in bank["archive"]] == [kept.node.id for kept in depot.archive]
    assert [entry["text"] for entry in bank["entries"]] == [entry.text for entry in depot.entries]
    assert [turn["block"] for turn in bank["injections"]] == [turn.block for turn in depot.injections]
    assert {"conflicts", "merges", "links", "digestions", "waiting", "insight"} <= bank.keys()


def test_the_page_itself_weighs_less_than_300_kilobytes(empty: BankSnapshot) -> None:
    assert len(render_page(empty).encode()) < 300_000


def test_an_unknown_language_is_refused_with_the_known_ones(depot: BankSnapshot) -> None:
    with pytest.raises(InvalidParameter, match="'auto', 'en' or 'zh'"):
        render_page(depot, language="fr")  # type: ignore[arg-type]
