"""What users ask in the tests of own servers, the tools, and the model's double, which replies to any host.

Tests read this with `runpy`, as they are no package. Every text that belongs to a user's thread names both: a page
`ann-1-3-0`, its code `ANN130Z`. So whatever is in a request says whose it is.
"""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import zlib
from collections import Counter
from collections.abc import Callable
from typing import Any

from amb_contracts.integration_story import STATIONS
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall

SYSTEM = "You read pages for people and answer in one sentence."
TOPICS = (
    "How deep is the water in the northern harbour?",
    "Which ferries leave Thurso on a winter morning?",
    "Who repaired the fog horn at Calder after the great fire?",
    "What does a new brass lamp cost in Bergen today?",
    "How many gulls nested on the cliffs of Voe last spring?",
)
PAGES = 3
"""Pages that are read for a question: three calls and an answer, so five questions are twenty turns."""
RECALLED = len(TOPICS) + 1
TASK = re.compile(r"Task (ann|ben)-(\d)-(\d)")
_THINGS = ("brass lamp", "tide table", "coil of rope", "barometer", "tin of paint", "spare wick")
_OWNER = re.compile(r"\b(ann|ben)-(\d)-\d\b|\b(ANN|BEN)(\d)\d\dZ")


def question(user: str, thread: int, number: int) -> str:
    """The question of that number; the last one asks for what earlier ones brought."""
    if number >= RECALLED:
        asked = ", and the beacon at ".join(map(place, recalled(user, thread)))
        return f"Which code does the beacon at {asked} answer to? (Task {user}-{thread}-{number})"
    return f"{TOPICS[number - 1]} (Task {user}-{thread}-{number})"


def recalled(user: str, thread: int) -> list[str]:
    """The pages that the last question is about: the first that was read."""
    return [f"{user}-{thread}-1-0"]


def place(page: str) -> str:
    """What a page is about."""
    number, at = page.split("-")[2:]
    return STATIONS[(int(number) - 1) * PAGES + int(at)]


def code(page: str) -> str:
    """What a page says that no other one does."""
    return page.upper().replace("-", "") + "Z"


def owners(text: str) -> set[tuple[str, int]]:
    """The users and threads that a text says anything of."""
    found = _OWNER.findall(text)
    return {((user or shouted).lower(), int(thread or at)) for user, thread, shouted, at in found}


def codes(text: str) -> set[str]:
    """The codes in a text."""
    return set(re.findall(r"\b(?:ANN|BEN)\d\d\dZ", text))


def fetch(page: str) -> str:
    """Read a page.

    Args:
        page: Its name.
    """
    if page == os.environ.get("KILLED_AT"):
        os.kill(os.getpid(), signal.SIGKILL)
    start = zlib.crc32(page.encode()) % 9_000
    told = [f"Shelf {start + at} holds a {_THINGS[at % 6]} that was brought over in {1800 + at}." for at in range(60)]
    told.insert(30, f"The beacon at {place(page)} answers to the code {code(page)}.")
    return "\n\n".join(" ".join(told[at : at + 5]) for at in range(0, len(told), 5))


def tools(count: int = 40) -> list[Callable[..., Any]]:
    """`fetch`, and gauges that nobody reads."""
    return [fetch, *(_gauge(number) for number in range(1, count))]


def _gauge(number: int) -> Callable[..., str]:
    def gauge(place: str) -> str:
        """Read a gauge of a lighthouse, such as its lamp, its bell or its barometer.

        Args:
            place: The name of the lighthouse.
        """
        return f"Gauge {number} at {place} is at rest."

    gauge.__name__ = gauge.__qualname__ = f"gauge_{number}"
    return gauge


class Double:
    """Calls `fetch` for each page of the newest question it is shown, then answers; `seen` is all it received."""

    def __init__(self) -> None:
        self._made: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.seen: list[tuple[str, str]] = []
        """The newest task in a request, and the request as text."""

    def __call__(self, request: ChatRequest) -> ChatReply:
        """The next reply for that task."""
        text = json.dumps([*request.messages, *request.tools], ensure_ascii=False)
        user, thread, number = max(TASK.findall(text), key=lambda found: int(found[2]))
        task = f"{user}-{thread}-{number}"
        with self._lock:
            self.seen.append((task, text))
            at = self._made[task]
            self._made[task] += 1
        if int(number) < RECALLED and at < PAGES:
            return ChatReply("", (_call(f"{task}-call-{at}", "fetch", page=f"{task}-{at}"),), "tool_calls")
        answer = f"I have read what task {task} needs."
        if any(tool["function"]["name"] == "final_answer" for tool in request.tools):
            return ChatReply("", (_call(f"{task}-final-{at}", "final_answer", answer=answer),), "tool_calls")
        return ChatReply(answer)


def _call(call_id: str, tool: str, **arguments: str) -> ToolCall:
    return ToolCall(call_id, tool, json.dumps(arguments))
