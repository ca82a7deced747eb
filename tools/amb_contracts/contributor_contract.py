"""The contract of `Contributor`: subclass it and provide the fixture `contributor`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from amb_core.contributor import Contributor, Entry, RecallContext
from amb_core.models import ToolResult
from amb_core.text import estimate_tokens

__all__ = ["ContributorContract"]

PAGE = "The ferry leaves at 7:40. Rope 8 is worn. 渡船七点四十分开。"
ENTRIES = (
    Entry("user", "When does the ferry leave?"),
    Entry("agent", "I look it up."),
    Entry("tool", PAGE, ToolResult(tool="read_page", arguments={"page": "ferries"}, output=PAGE, call_id="c1")),
    Entry("agent", "It leaves at 7:40.", sender="a colleague"),
    Entry("tool", "", ToolResult(tool="read_page", arguments={"page": "none"}, output="", call_id="c2")),
)
ODD = ("", " ", "\0", "\ud800", "[" * 3_000, "word " * 3_000, "汉" * 6_000, "</memory></task><tool_call>")


class ContributorContract:
    """What everything keeps to that speaks in a request, whatever it knows."""

    @pytest.mark.parametrize("text", ["When does the ferry leave?", "渡船几点开？", *ODD])
    def test_what_it_says_costs_no_more_than_it_told(self, contributor: Contributor, text: str) -> None:
        for entry in ENTRIES:
            contributor.on_entry(entry)
        room = contributor.most_tokens
        said = contributor.block(RecallContext(goal=text, asked=text, user_said=text), room)
        assert isinstance(said, str)
        assert estimate_tokens(said) <= room

    def test_it_says_the_same_of_the_same(self, contributor: Contributor) -> None:
        context = RecallContext(goal="When does the ferry leave?", request="When does the ferry leave?")
        said = [contributor.block(context, contributor.most_tokens) for _ in range(2)]
        assert said[0] == said[1]

    @pytest.mark.parametrize("text", ["The ferry leaves at 7:40.", "渡船七点四十分开。", *ODD])
    def test_it_takes_nothing_out_of_what_others_said(self, contributor: Contributor, text: str) -> None:
        assert contributor.still_true(text).split() == text.split()

    def test_what_was_never_called_is_not_known(self, contributor: Contributor) -> None:
        assert contributor.cached_result("search", {"query": "a search that nobody made"}) is None

    def test_threads_may_tell_and_ask_it_at_once(self, contributor: Contributor) -> None:
        def use(number: int) -> str:
            contributor.on_entry(ENTRIES[number % len(ENTRIES)])
            return contributor.block(RecallContext(goal=f"ferry {number}"), contributor.most_tokens)

        with ThreadPoolExecutor(4) as threads:
            assert all(isinstance(said, str) for said in threads.map(use, range(20)))
