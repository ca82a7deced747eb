"""A real run through the hooks: an agent opens doors, and comes back to the code that only the first one told."""

from __future__ import annotations

import json
from typing import Any

from amb_core import ContextAdapter, ManualClock, MemoryBank, Settings
from amb_core.models import BankSnapshot

__all__ = ["doors_run"]

GOALS = {"en": "Find the code of every door, then open the first one.", "zh": "查出每扇门的密码，然后打开第一扇门。"}


def doors_run(*, calls: int = 12, asks_first: bool = True, language: str = "en", budget: int = 1_500) -> BankSnapshot:
    """The bank after `calls` calls and one more that uses the first door's code.

    With `asks_first` the agent looks at door_0 again before, so that memory knows what it is about; else it does not.
    """
    settings = Settings(prompt_budget_tokens=budget, block_tokens=300)
    with MemoryBank(GOALS[language], settings=settings, clock=ManualClock(1_700_000_000, step=1)) as bank:
        adapter = ContextAdapter(bank)
        messages: list[dict[str, Any]] = [{"role": "user", "content": GOALS[language]}]

        def call(number: int, arguments: dict[str, str], said: str = "") -> None:
            adapter.next_request(messages)
            function = {"name": "open", "arguments": json.dumps(arguments)}
            asked = {"id": f"c{number}", "type": "function", "function": function}
            text = f"door_{number} has the code K-{4000 + number}.\n" + _walls(number)
            messages.append({"role": "assistant", "content": said or None, "tool_calls": [asked]})
            messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": text})

        for number in range(calls):
            last = number == calls - 1
            call(number, {"door": f"door_{number}"}, "Now back to door_0 and its code." if last and asks_first else "")
        call(calls, {"code": "K-4000"})
        adapter.next_request(messages)
        return bank.snapshot()


def _walls(number: int) -> str:
    return "\n".join(f"The wall {at} is grey and long, made of brick {at * 7 + number}." for at in range(20))
