"""A trace with what every arm asks of it again and again computed once."""

from __future__ import annotations

import html
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from amb_core.text import estimate_tokens
from amb_core.text.tokens import message_tokens
from amb_replay.trace import Trace

__all__ = [
    "CountedTexts",
    "FlatText",
    "RecordedRun",
    "as_sent",
    "calls_in",
    "flatten",
    "message_text",
    "role_of",
    "turns_of",
]

_IMAGES = {"image", "image_url", "input_image"}
_BLANKS = re.compile(r"\s+")
_ESCAPED = re.compile(r'\\([ntr"/])')
_MEANS = {"n": "\n", "t": "\t", "r": "\n", '"': '"', "/": "/"}


def role_of(message: Mapping[str, Any]) -> str:
    """Who wrote a message, "" where it does not say."""
    return str(message.get("role") or "")


def _content(message: Mapping[str, Any]) -> Iterator[str]:
    content = message.get("content")
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list | tuple) else ():
        if isinstance(part, str):
            yield part
        elif isinstance(part, Mapping) and part.get("type") not in _IMAGES:
            yield str(part.get("text") or part.get("content") or "")


def calls_in(message: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The calls that a message makes: the id, and what is called with `name` and `arguments` (or `input`)."""
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list | tuple) else ():
        if isinstance(call, Mapping):
            named = call.get("function") or call.get("custom")
            yield str(call.get("id") or ""), named if isinstance(named, Mapping) else {}


def message_text(message: Mapping[str, Any]) -> str:
    """What a message brings into a request as text: its words, its reasoning, its calls with their arguments."""
    parts = [*_content(message), str(message.get("reasoning_content") or "")]
    parts += [
        f"{call.get('name', '')} {call.get('arguments') or call.get('input') or ''}" for _, call in calls_in(message)
    ]
    return "\n".join(part for part in parts if part)


class CountedTexts(dict[str, int]):
    """What texts cost by a counter; each text is counted once. `known` are costs of messages by their `id`."""

    def __init__(self, count: Callable[[str], int] = estimate_tokens) -> None:
        self.count = count
        self.known: dict[int, int] = {}

    def __missing__(self, text: str) -> int:
        self[text] = cost = self.count(text)
        return cost

    def __call__(self, text: str) -> int:
        return self[text]


def turns_of(messages: Sequence[Mapping[str, Any]]) -> list[list[int]]:
    """Places of messages that belong together: calls with their results, also where those of several mix."""
    turns: list[list[int]] = []
    waiting: set[str] = set()
    for at, message in enumerate(messages):
        role = role_of(message)
        if role == "tool":
            waiting.discard(str(message.get("tool_call_id") or ""))
        elif role != "assistant":
            waiting.clear()
        inside = role == "tool" or (waiting and role == "assistant")
        if inside and turns:
            turns[-1].append(at)
        else:
            turns.append([at])
        waiting.update(number for number, _ in calls_in(message) if number)
    return turns


@dataclass(frozen=True, slots=True)
class FlatText:
    """A text in one line, escapes of JSON and HTML undone, white space as one blank; `starts` are its lines'."""

    text: str
    starts: tuple[int, ...]

    def line_at(self, place: int) -> tuple[int, int]:
        """Where the line that holds the character begins and ends."""
        number = bisect_right(self.starts, place) - 1
        end = self.starts[number + 1] - 1 if number + 1 < len(self.starts) else len(self.text)
        return self.starts[number], end


def flatten(text: str) -> FlatText:
    """The text as texts are compared: what a JSON string or an escaped block says counts as what was said."""
    plain = html.unescape(_ESCAPED.sub(lambda found: _MEANS[found[1]], text))
    lines = [line for line in (_BLANKS.sub(" ", line).strip() for line in plain.splitlines()) if line]
    starts = tuple(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
    return FlatText(" ".join(lines), starts)


class RecordedRun:
    """The messages of a trace with their sizes by `count`, their groups and their model calls.

    `calls` are the places of the messages that a model wrote, each of which is a request with all messages before it;
    `pinned` are the system messages and the first user message; a call and its results are one of `groups`.
    """

    def __init__(self, trace: Trace, *, count: Callable[[str], int] = estimate_tokens) -> None:
        self.trace = trace
        self.messages = trace.messages
        self.count = CountedTexts(count)
        self.roles = [role_of(message) for message in self.messages]
        self.sizes = [message_tokens(message, count=self.count) for message in self.messages]
        self.wire = [as_sent(message) for message in self.messages]
        self._own = {id(message): at for at, message in enumerate(self.messages)}
        self.count.known = dict(zip(map(id, self.messages), self.sizes, strict=True))
        self.sums = [0, *accumulate(self.sizes)]
        first = next((at for at, role in enumerate(self.roles) if role == "user"), None)
        self.pinned = [at for at, role in enumerate(self.roles) if role in ("system", "developer") or at == first]
        self.calls = [at for at, role in enumerate(self.roles) if role == "assistant" and at > 0]
        self.results = [at for at, role in enumerate(self.roles) if role == "tool"]
        self.tools_tokens = count(json.dumps(trace.tools, ensure_ascii=False)) if trace.tools else 0
        self.goal = (message_text(self.messages[first]) if first is not None else "").strip()[:4_000] or "task"

    @cached_property
    def groups(self) -> list[list[int]]:
        """Places of messages that belong together: a call with its results."""
        return turns_of(self.messages)

    @cached_property
    def flat(self) -> list[FlatText]:
        """Each message as texts are compared."""
        return [flatten(message_text(message)) for message in self.messages]

    @cached_property
    def tool_names(self) -> dict[int, str]:
        """By the place of a result, the name of the tool that gave it."""
        calls = (call for message in self.messages for call in calls_in(message))
        named = {number: str(called.get("name") or "") for number, called in calls}
        return {at: named.get(str(self.messages[at].get("tool_call_id") or ""), "") for at in self.results}

    @cached_property
    def _places(self) -> dict[str, int]:
        return {sent: at for at, sent in reversed(list(enumerate(self.wire)))}

    def sent(self, message: Mapping[str, Any]) -> tuple[str, int | None]:
        """A message as it is sent, and where it stands so in the trace; None for one that an arm made or changed."""
        place = self._own.get(id(message))
        wire = as_sent(message) if place is None else self.wire[place]
        return wire, self._places.get(wire) if place is None else place

    def tokens_of(self, message: Mapping[str, Any]) -> int:
        """What a message costs; those of the trace are counted once."""
        place = self._own.get(id(message))
        return message_tokens(message, count=self.count) if place is None else self.sizes[place]

    def size_of(self, places: Iterable[int]) -> int:
        """Tokens of several messages."""
        return sum(self.sizes[at] for at in places)

    def results_before(self, call: int) -> list[int]:
        """Places of the tool results before a model call."""
        return [at for at in self.results if at < call]

    def newest_turns(self, call: int, *, turns: int = 2) -> int:
        """Where the results of the newest so many turns in which tools were called begin, before a model call."""
        begins = self._turn_results[: bisect_left(self._turn_results, call)]
        return begins[-turns:][0] if begins else call

    @cached_property
    def _turn_results(self) -> list[int]:
        """The place of the first result of each turn that has one."""
        firsts = (next((at for at in turn if self.roles[at] == "tool"), None) for turn in self.groups)
        return [first for first in firsts if first is not None]

    def window(self, call: int, tokens: int) -> list[int]:
        """The pinned messages and the newest groups before a call that fit into so many tokens; one at the least."""
        keep = {at for at in self.pinned if at < call}
        left, pinned = tokens - self.size_of(keep), len(keep)
        for group in reversed(self.groups):
            inside = [at for at in group if at < call and at not in keep]
            cost = self.size_of(inside)
            if inside and cost > left and len(keep) > pinned:
                break
            keep.update(inside)
            left -= cost
        return sorted(keep)


def as_sent(message: Mapping[str, Any]) -> str:
    """A message as one text, as a prompt cache would compare it."""
    return json.dumps(message, ensure_ascii=False, sort_keys=True, default=str)
