"""Small recorded runs: an agent that looks orders up and comes back to the first one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amb_replay import Trace

Message = dict[str, Any]
SYSTEM = {"en": "You are a clerk.", "zh": "你是一名店员。"}
TASK = {"en": "Look at the orders and refund the wrong one.", "zh": "请查看订单，并退掉错误的那一张。"}


def call(number: int, name: str, **arguments: Any) -> Message:
    """A message with one call."""
    told = json.dumps(arguments, ensure_ascii=False)
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": told}}],
    }


def result(number: int, text: str) -> Message:
    """The result of that call."""
    return {"role": "tool", "tool_call_id": f"c{number}", "content": text}


def order(number: int, language: str) -> str:
    """One order as JSON: its number, its payment, and enough beside them to fill a window."""
    filler = "The parcel waits. " * 12 if language == "en" else "包裹在仓库等待发货。" * 14
    payment = f"card_{7_000 + number}"
    return json.dumps({"order": f"W-{90_000 + number}", "payment": payment, "note": filler}, ensure_ascii=False)


def told(orders: int, language: str = "en", *, said: str = "") -> Trace:
    """A run that reads so many orders, then refunds the first by its payment; `said` stands in every result."""
    messages: list[Message] = [
        {"role": "system", "content": SYSTEM[language]},
        {"role": "user", "content": TASK[language] + said},
    ]
    for number in range(orders):
        messages += [call(number, "get_order", position=number), result(number, order(number, language) + said)]
    messages += [
        call(orders, "refund", payment="card_7000"),
        result(orders, "done"),
        {"role": "assistant", "content": "ok"},
    ]
    return Trace(f"orders-{orders}{said}", tuple(messages), format="openai-chat")


@pytest.fixture
def orders() -> Callable[..., Trace]:
    """Runs by the number of orders, and their language."""
    return told


@pytest.fixture
def trace_file(tmp_path: Path) -> Callable[..., Path]:
    """A file of JSON Lines with these traces."""

    def written(*traces: Trace, name: str = "run.jsonl") -> Path:
        rows = [{"id": trace.id, "messages": trace.messages} for trace in traces]
        file = tmp_path / name
        file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return file

    return written
