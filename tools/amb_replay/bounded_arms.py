"""Plain ways to keep a request within a bound, each a function `(messages so far, bound, count) -> messages`.

`bound` is in tokens, and `count` says what a text costs. Messages are OpenAI chat messages and come back in order, a
call together with its results; no request is larger than the bound unless a few words of each pinned message and of the
newest turn are. Those that remember something of the request before are objects, one for each run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from amb_core.text.tokens import message_tokens
from amb_replay.recorded_run import CountedTexts, calls_in, message_text, role_of, turns_of
from amb_replay.result_passages import ResultPassages

__all__ = [
    "BOUNDED_ARMS",
    "AppendOnly",
    "Count",
    "Prepare",
    "WindowWithPassages",
    "clear_tool_uses",
    "masked",
    "window",
]

Message = Mapping[str, Any]
Count = Callable[[str], int]

_LEAST = 24
"""Tokens that a message keeps when it is cut."""
_LONGEST_TOKEN = 16
"""So many characters of a text may be one token where it is cut."""
_FRAME = 12
"""Tokens of an empty block with its message."""
_KEPT_RESULTS = 3
"""Results that LangChain's ClearToolUsesEdit leaves by default."""


class Prepare(Protocol):
    """Makes a request of at most `bound` tokens out of the messages so far."""

    def __call__(self, messages: Sequence[Message], bound: int, count: Count, /) -> Sequence[Message]:
        """The messages to send."""
        ...


def window(messages: Sequence[Message], bound: int, count: Count) -> Sequence[Message]:
    """System messages, the task and the newest turns that fit."""
    return _fitted(messages, bound, count) if _size(messages, count) > bound else messages


def clear_tool_uses(messages: Sequence[Message], bound: int, count: Count) -> Sequence[Message]:
    """Above the bound all results but the newest three give way to a mark, as LangChain's ClearToolUsesEdit has it."""
    if _size(messages, count) <= bound:
        return messages
    old = _results(messages)[:-_KEPT_RESULTS]
    return window(_with_marks(messages, old, "[cleared]"), bound, count)


def masked(messages: Sequence[Message], bound: int, count: Count) -> Sequence[Message]:
    """Old results give way to a line, the oldest first and no more of them than need be; the newest stays."""
    total, gone = _size(messages, count), list[int]()
    for at in _results(messages)[:-1]:
        if total <= bound:
            break
        gone.append(at)
        total -= _cost(messages[at], count=count) - _cost(_marked(messages[at], _MASK), count=count)
    return window(_with_marks(messages, gone, _MASK), bound, count) if gone else window(messages, bound, count)


_MASK = "[an older result, left out]"


class WindowWithPassages:
    """The newest turns, and behind them what BM25 finds for the newest messages among the results that left.

    `share` of the bound is for these passages; they also get what the turns leave free.
    """

    def __init__(self, share: float = 0.4) -> None:
        self._share, self._passages = share, ResultPassages()

    def __call__(self, messages: Sequence[Message], bound: int, count: Count, /) -> Sequence[Message]:
        self._passages.add(messages)
        if _size(messages, count) <= bound:
            return messages
        kept = _newest(messages, bound - int(self._share * bound), count)
        shown = _cut([messages[at] for at in kept], bound - int(self._share * bound) // 4, count)
        room = bound - _size(shown, count) - _FRAME
        gone = set(range(len(messages))).difference(kept)
        while room > 0:
            block = self._passages.matching(messages, gone, tokens=room, count=count)
            made = [*shown, *([{"role": "user", "content": f"<memory>\n{block}\n</memory>"}] if block else [])]
            if (over := _size(made, count) - bound) <= 0:
                return made
            room -= over
        return shown


class AppendOnly:
    """A steady window: messages are only added until the bound is reached, then it is cut to a low mark at once."""

    def __init__(self, low: float = 0.5) -> None:
        self._low, self._start = low, 0
        self._short: dict[int, Message] = {}

    def __call__(self, messages: Sequence[Message], bound: int, count: Count, /) -> Sequence[Message]:
        kept = self._kept(messages)
        if _size((self._shown(messages, kept)), count) > bound:
            starts = [turn[0] for turn in turns_of(messages) if turn[0] > self._start]
            for self._start in starts:
                kept = self._kept(messages)
                if _size(self._shown(messages, kept), count) <= self._low * bound:
                    break
            shown = self._shown(messages, kept)
            if _size(shown, count) > bound:  # what is cut stays as it is cut, and leaves room for what comes
                cut = _cut(shown, int((1 + self._low) / 2 * bound), count)
                self._short |= {at: new for at, old, new in zip(kept, shown, cut, strict=True) if new is not old}
        return self._shown(messages, kept)

    def _kept(self, messages: Sequence[Message]) -> list[int]:
        return [*(at for at in pinned_in(messages) if at < self._start), *range(self._start, len(messages))]

    def _shown(self, messages: Sequence[Message], kept: Iterable[int]) -> list[Message]:
        return [self._short.get(at, messages[at]) for at in kept]


BOUNDED_ARMS: Mapping[str, Callable[[], Prepare]] = {
    "window": lambda: window,
    "window+bm25": WindowWithPassages,
    "append-only": AppendOnly,
    "clear-tool-uses": lambda: clear_tool_uses,
    "masked": lambda: masked,
}
"""Makes each of them for one run."""


def pinned_in(messages: Sequence[Message]) -> list[int]:
    """Places of the system messages and of the first user message."""
    first = next((at for at, message in enumerate(messages) if role_of(message) == "user"), None)
    return [at for at, each in enumerate(messages) if role_of(each) in ("system", "developer") or at == first]


def _size(messages: Iterable[Message], count: Count) -> int:
    return sum(_cost(message, count=count) for message in messages)


def _cost(message: Message, *, count: Count) -> int:
    """What a message costs; of those of a recorded run that is known."""
    known = count.known.get(id(message)) if isinstance(count, CountedTexts) else None
    return message_tokens(message, count=count) if known is None else known


def _results(messages: Sequence[Message]) -> list[int]:
    return [at for at, message in enumerate(messages) if role_of(message) == "tool"]


def _marked(message: Message, mark: str) -> Message:
    return {**message, "content": mark}


def _with_marks(messages: Sequence[Message], places: Iterable[int], mark: str) -> Sequence[Message]:
    gone = set(places)
    return [_marked(message, mark) if at in gone else message for at, message in enumerate(messages)]


def _newest(messages: Sequence[Message], bound: int, count: Count) -> list[int]:
    """Places of the pinned messages and of the newest turns that fit beside them; one turn at the least."""
    keep = set(pinned_in(messages))
    left, pinned = bound - _size((messages[at] for at in keep), count), len(keep)
    for turn in reversed(turns_of(messages)):
        inside = [at for at in turn if at not in keep]
        cost = _size((messages[at] for at in inside), count)
        if inside and cost > left and len(keep) > pinned:
            break
        keep.update(inside)
        left -= cost
    return sorted(keep)


def _fitted(messages: Sequence[Message], bound: int, count: Count) -> list[Message]:
    return _cut([messages[at] for at in _newest(messages, bound, count)], bound, count)


def _cut(messages: Sequence[Message], bound: int, count: Count) -> list[Message]:
    """The messages, the largest cut until all fit: first results and what the agent wrote, then the words of others."""
    made = list(messages)
    sizes = [_cost(message, count=count) for message in made]
    spoken = [role_of(message) not in ("tool", "assistant") for message in made]
    for words in (False, True):
        for at in sorted((at for at in range(len(made)) if spoken[at] is words), key=lambda at: -sizes[at]):
            over = sum(sizes) - bound
            if over > 0 and sizes[at] > _LEAST:
                made[at] = _shortened(made[at], max(_LEAST, sizes[at] - over), count)
                sizes[at] = _cost(made[at], count=count)
    return made


def _shortened(message: Message, tokens: int, count: Count) -> Message:
    """A message of about so many tokens: of its text and its calls' arguments the beginning and the end."""
    calls = [call for _, call in calls_in(message)]
    text = message_text({"content": message.get("content")})
    bare = {**message, "content": ""} if text else dict(message)
    bare.pop("reasoning_content", None)
    if calls and _cost(bare, count=count) > tokens // 2:
        each = max(4, tokens // (4 * len(calls)))
        bare["tool_calls"] = [_short_call(call, each, count) for call in message["tool_calls"]]
    room = tokens - _cost(bare, count=count)
    return bare | {"content": _ends(text, room, count)} if text else bare


def _short_call(call: Message, tokens: int, count: Count) -> Message:
    function = call.get("function")
    arguments = str(function.get("arguments") or "") if isinstance(function, Mapping) else ""
    if not isinstance(function, Mapping) or count(arguments) <= tokens:
        return call
    short = json.dumps({"shortened": _ends(arguments, tokens, count)}, ensure_ascii=False)
    return {**call, "function": {**function, "arguments": short}}


def _ends(text: str, tokens: int, count: Count) -> str:
    """The beginning and the end of a text, of about so many tokens together."""
    if count(text) <= tokens:
        return text
    low, high = 0, min(len(text) // 2, tokens * _LONGEST_TOKEN)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(_around(text, middle)) <= tokens else (low, middle - 1)
    return _around(text, low)


def _around(text: str, each: int) -> str:
    return f"{text[:each]} […] {text[len(text) - each :]}"
