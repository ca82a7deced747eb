"""The file as a whole: one document, one data block, nothing from outside, the same bytes for the same bank."""

from __future__ import annotations

import base64
import hashlib
import json
from html.parser import HTMLParser
from typing import Any

import pytest

from amb_core.errors import InvalidParameter
from amb_core.models import BankSnapshot, InteractionEntry
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


def test_equal_banks_give_equal_pages(depot: BankSnapshot) -> None:
    again = BankSnapshot.model_validate_json(depot.model_dump_json())
    assert render_page(again) == render_page(depot)


def test_the_order_of_metadata_keys_does_not_change_the_page(empty: BankSnapshot) -> None:
    one, other = ({"tool": "search", "source": "a"}, {"source": "a", "tool": "search"})
    entries = [InteractionEntry(entry_id="e1", text="x", timestamp=1, metadata=meta) for meta in (one, other)]
    first, second = (render_page(empty.model_copy(update={"entries": (entry,)})) for entry in entries)
    assert first == second


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


@pytest.mark.slow
def test_a_thousand_nodes_are_all_on_the_page(large: BankSnapshot) -> None:
    bank = Parsed(render_page(large)).data["bank"]
    assert len(large.nodes) == 1000
    assert {node["id"] for node in bank["nodes"]} == {node.id for node in large.nodes}


def test_embeddings_are_left_out(depot: BankSnapshot) -> None:
    assert depot.nodes[0].embedding is not None
    assert '"embedding"' not in render_page(depot)


def test_the_page_itself_weighs_less_than_300_kilobytes(empty: BankSnapshot) -> None:
    assert len(render_page(empty).encode()) < 300_000


def test_a_title_replaces_the_goal_and_is_escaped(depot: BankSnapshot) -> None:
    assert Parsed(render_page(depot)).texts["title"][0].startswith("Which battery chemistry")
    assert Parsed(render_page(depot, title="<b>Run & 7</b>")).texts["title"][0] == "<b>Run & 7</b> · AMB"


def test_the_language_follows_browser_and_goal_unless_it_is_given(depot: BankSnapshot, bridge: BankSnapshot) -> None:
    chinese, english = Parsed(render_page(bridge)), Parsed(render_page(depot))
    assert (chinese.tags[0], chinese.data["page"]["language"]) == (("html", {"lang": "zh-CN"}), "zh")
    assert (english.tags[0], english.data["page"]["language"]) == (("html", {"lang": "en"}), "en")
    assert english.data["page"]["auto"]
    given = Parsed(render_page(depot, language="zh")).data["page"]
    assert (given["language"], given["auto"]) == ("zh", False)


def test_both_languages_are_on_every_page(depot: BankSnapshot) -> None:
    words = Parsed(render_page(depot)).data["strings"]
    assert words["en"]["nav.turns"] == "Step by step"
    assert words["zh"]["nav.turns"] == "逐步"


def test_an_unknown_language_is_refused_with_the_known_ones(depot: BankSnapshot) -> None:
    with pytest.raises(InvalidParameter, match="'auto', 'en' or 'zh'"):
        render_page(depot, language="fr")  # type: ignore[arg-type]
