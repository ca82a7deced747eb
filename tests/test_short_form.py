"""What others see of a tool result: its notes, or itself when that is shorter."""

from __future__ import annotations

import pytest

from amb_core import ContextAdapter, MemoryBank, ToolResult
from amb_core.adapter import TranscriptItem
from amb_team import TeamMemory

LONG = " ".join(f"Berth {n} of the harbour is {n * 3 + 20} metres long." for n in range(60))


def _item(text: str, tool: str = "read") -> TranscriptItem:
    return TranscriptItem("result", text, ("c1",), tool)


@pytest.fixture
def adapter() -> ContextAdapter:
    return ContextAdapter(MemoryBank("How long are the berths?"))


def test_a_long_result_is_named_by_its_notes(adapter: ContextAdapter) -> None:
    adapter.absorb([ToolResult(tool="read", output=LONG, call_id="c1")])
    assert adapter.short_form(_item(LONG)).startswith("Kept in memory as [n1]")


def test_a_short_result_is_shown(adapter: ContextAdapter) -> None:
    adapter.absorb([ToolResult(tool="read", output="42 metres.", call_id="c1")])
    assert adapter.short_form(_item("42 metres.")) == "42 metres."


def test_of_a_long_result_that_memory_does_not_hold_the_ends_are_shown(adapter: ContextAdapter) -> None:
    shown = adapter.short_form(_item(LONG))
    assert shown.startswith(LONG[:80])
    assert shown.endswith(LONG[-40:])
    assert len(shown) < len(LONG)


@pytest.mark.parametrize(("goal", "said"), [("How long are the berths?", "own memory"), ("泊位有多长？", "自己的记忆")])
def test_the_team_is_told_nothing_of_a_private_result_but_that_there_is_one(goal: str, said: str) -> None:
    adapter = ContextAdapter(MemoryBank(goal), shared=MemoryBank(goal), share=lambda result: result.tool != "diary")
    adapter.absorb([ToolResult(tool=name, output=LONG + name, call_id="c1") for name in ("diary", "read")])
    private = adapter.short_form(_item(LONG + "diary", "diary"), for_team=True)
    assert said in private
    assert "erth" not in private
    assert "[s1]" in adapter.short_form(_item(LONG + "read"), for_team=True)
    assert "[p1]" in adapter.short_form(_item(LONG + "diary", "diary"))


@pytest.mark.parametrize(("goal", "told", "kept"), [
    ("How long are the berths?", "What read brought is in the team's memory.", "own memory"),
    ("泊位有多长？", "read 的结果已在团队记忆中。", "自己的记忆"),
])  # fmt: skip
def test_where_each_has_its_own_bank_mates_are_told_no_ids_and_nothing_private(goal: str, told: str, kept: str) -> None:
    with TeamMemory(goal, agents=["one", "two"]) as team:
        member = team.member("one")
        adapter = ContextAdapter(MemoryBank(goal), team=member, share=lambda result: result.tool != "diary")
        texts = {"diary": "Gull is the password.", "read": LONG}
        adapter.absorb([ToolResult(tool=name, output=text, call_id="c1") for name, text in texts.items()])
        assert adapter.short_form(_item(LONG), for_team=True) == told
        for private in (_item(texts["diary"], "diary"), _item("Gull is the password.", "deep_retrieval")):
            assert kept in adapter.short_form(private, for_team=True)
            assert "Gull" not in adapter.short_form(private, for_team=True)
