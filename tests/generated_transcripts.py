"""Transcripts of agents with everything that makes a request large, each made from a number."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

__all__ = ["Generated", "assert_sound", "generated", "whole_turns"]

Messages = list[dict[str, Any]]
_IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
_WORDS = (
    "mill",
    "quay",
    "reactor",
    "id_4711",
    "/srv/app/conf.py",
    "橡树湖",
    "1987-05-02",
    "{",
    '"',
    "\n",
    "é🙂",
    "<b>",
)


@dataclass(frozen=True, slots=True)
class Generated:
    """A transcript, the tools its agent has, and the budget of a request."""

    messages: Messages
    tools: Messages
    budget: int
    merge: bool


def _text(random: Random, most: int) -> str:
    words = random.choices(_WORDS, k=random.choice((1, 9, 40, most // 4, most)))
    return random.choice((" ", "", "\n")).join(words)


def _content(random: Random, most: int) -> Any:
    text = _text(random, most)
    if random.random() < 0.85:
        return text
    return [{"type": "text", "text": text}, *[_IMAGE] * random.choice((1, 1, 2, 6))]


def _arguments(random: Random) -> str:
    size = 9_000 if random.random() < 0.05 else 30
    value = {"path": "a.py", "text": _text(random, size), "n": random.randrange(9), "rows": [_text(random, 9)] * 3}
    return json.dumps(value, ensure_ascii=random.random() < 0.5) if random.random() < 0.95 else "{no json " * size


def _turn(random: Random, at: int) -> Messages:
    if random.random() < 0.2:
        return [{"role": random.choice(("user", "assistant")), "content": _content(random, 1_000)}]
    parallel = random.choice((1, 1, 1, 2, 5, 12))
    ids = [f"c{at}-{number}" for number in range(parallel)]
    named = ({"name": random.choice(("read", "write_file")), "arguments": _arguments(random)} for _ in ids)
    calls = [{"id": name, "type": "function", "function": one} for name, one in zip(ids, named, strict=True)]
    asked: dict[str, Any] = {"role": "assistant", "content": random.choice((None, _text(random, 60)))}
    asked["tool_calls"] = calls
    thought = random.random()
    if thought < 0.2:
        asked["reasoning_content"] = _text(random, 2_000)
    elif thought < 0.4:
        asked["thinking_blocks"] = [{"type": "thinking", "thinking": _text(random, 1_000), "signature": "c2ln"}]
    return [asked, *({"role": "tool", "tool_call_id": name, "content": _content(random, 2_000)} for name in ids)]


def generated(number: int) -> Generated:
    """The transcript of this number, the same every time."""
    random = Random(number)
    budget = random.choice((4_000, 8_000, 32_000))
    schema = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(random.choice((2, 9)))}}
    tool = {"type": "function", "function": {"name": "read", "description": "Reads a file.", "parameters": schema}}
    tools = [tool] * random.choice((0, 1, 5, budget // 200))
    messages: Messages = [{"role": "system", "content": "Be brief. " * random.choice((1, 40))}]
    messages.append({"role": "user", "content": _content(random, random.choice((20, 20, 20, 9_000)))})
    for at in range(random.choice((1, 3, 8, 25))):
        messages += _turn(random, at)
    return Generated(messages, tools, budget, random.random() < 0.5)


def whole_turns(messages: Sequence[dict[str, Any]]) -> Messages:
    """The messages without a last turn that has not got all its results yet."""
    last = max((at for at, message in enumerate(messages) if message.get("tool_calls")), default=None)
    if last is None or len(messages) - last - 1 >= len(messages[last]["tool_calls"]):
        return list(messages)
    return list(messages[:last])


def assert_sound(request: Sequence[dict[str, Any]], came: Sequence[dict[str, Any]], *, merge: bool) -> None:
    """Calls and results in pairs, arguments valid, signed turns as they came, roles in turn where that is asked for."""
    waiting: list[str] = []
    for message in request:
        if message["role"] == "tool":
            assert message["tool_call_id"] in waiting
            waiting.remove(message["tool_call_id"])
            continue
        assert not waiting
        calls = message.get("tool_calls") or ()
        waiting = [call["id"] for call in calls]
        known = {call["function"]["arguments"] for one in came for call in one.get("tool_calls") or ()}
        for call in calls:
            assert call["function"]["arguments"] in known or set(json.loads(call["function"]["arguments"]))
        assert "thinking_blocks" not in message or message in came
    assert not waiting
    roles = [message["role"] for message in request]
    assert not merge or ("user", "user") not in pairwise(roles)
