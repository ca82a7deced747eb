"""Runs of an agent that looks orders up and refunds them, for the tests of what later runs are told."""

import json
from itertools import count

from amb_core import ContextAdapter, ManualClock, MemoryBank
from amb_core.scope import Scope

GOAL = "Refund order OR-5521 to the customer."
ORDER = '{"order_id": "OR-5521", "total": 118, "card": "card_7781"}'
DAY = 86_400
BEGUN = count()
"""No two runs begin at the same moment."""


def ask(goal=GOAL):
    return {"role": "user", "content": goal}


def turn(number, tool, arguments, output):
    call = {"id": f"c{number}", "type": "function", "function": {"name": tool, "arguments": json.dumps(arguments)}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"c{number}", "content": output},
    ]


REFUND = [
    ask(),
    *turn(1, "get_order", {"order": "OR-5521"}, ORDER),
    *turn(2, "refund", {"card": "card_7781", "amount": 118}, '{"refund_id": "RF-1"}'),
]


def shown(messages):
    return "\n".join(str(each["content"]) for each in messages if "<experience>" in str(each["content"]))


def run(experience, messages=REFUND, *, user="u1", agent=None, at=0, goal=GOAL, end=True):
    """One run of an agent; returns what was told of earlier ones before each call."""
    bank = MemoryBank(goal, clock=ManualClock(1_700_000_000 + at + next(BEGUN) / 1000, step=0.001))
    adapter = ContextAdapter(bank, scope=Scope(user=user) if user else None, agent=agent, experience=experience)
    told = [shown(adapter.next_request(messages[:at])) for at in range(1, len(messages) + 1, 2)]
    if end:
        bank.close()
    return told
