"""What the first request of an agent gets that comes back to a bank which knows things."""

from __future__ import annotations

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings, ToolResult


@pytest.mark.parametrize("budget", [4_000, 32_000])
def test_an_empty_transcript_gets_what_the_bank_knows(budget: int) -> None:
    bank = MemoryBank("Book a flight", settings=Settings(prompt_budget_tokens=budget))
    assert ContextAdapter(bank).prepare([]) == []
    bank.absorb(ToolResult(tool="look_up", arguments={"flight": 71}, output='{"flight": "HAT71", "price": 120}'))
    (message,) = ContextAdapter(bank).prepare([])
    assert message["role"] == "user"
    assert "HAT71" in message["content"]
