"""What an agent and its user say in a transcript: messages and long arguments of calls, each recognised later."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from amb_core.adapter.chat_messages import MATE, answered_call, calls_of, fingerprint_of, strip_blocks, text_of
from amb_core.adapter.message_facts import FEW, Grown, ReadMessage
from amb_core.call_lock import CallLock
from amb_core.memory.spoken_entries import Speaker, SpokenText
from amb_core.rendering.short_forms import is_short_form
from amb_core.text import estimate_tokens
from amb_core.text.text_spans import known_text

__all__ = ["Said", "SpokenTexts", "text_reader"]

_LEAST: Mapping[Speaker, int] = {"agent": 9, "user": 3}
"""Tokens from which a message is worth an entry: an agent's "Done, next." is not, a user's "use port 8080" is."""
_LONG = 60
"""Tokens from which an argument of a call is an entry of its own; shorter ones are found with the result."""
_IMAGE = "[image]"
_Key = tuple[Speaker, str, str, int]
"""Speaker, tool, fingerprint of the text, and how often the same came before it."""
Said = tuple[_Key, str]
"""What a text is known by, and the text."""
_Id = tuple[str, str]
"""Run and id, by which memory knows a text as it knows a result."""


class SpokenTexts:
    """Tells what was said in the transcript of one run from what memory has of it. Thread-safe."""

    def __init__(self, *, run: str, agent: str | None) -> None:
        self._run, self._agent = run, agent or ""
        self._kept: dict[_Key, _Id | None] = {}
        self._said, self._sure = Grown(text_reader), 0
        self._sent = Grown(text_reader)
        self._lock = CallLock()

    def fresh(self, messages: Iterable[Mapping[str, Any]]) -> dict[_Key, SpokenText]:
        """What memory does not have of it yet; AMB's own words and what is hardly a word are left out."""
        plain: list[Any] = list(messages)
        if not {*map(type, plain)} <= {ReadMessage}:
            plain = strip_blocks([dict(message) for message in plain])
        with self._lock:
            few = len(plain) <= FEW
            said = [*map(text_reader(), plain)] if few else self._said.of(plain)
            start = 0 if few else min(self._sure, self._said.before)
            tail = ((at, *one) for at in range(start, len(plain)) for one in said[at])
            new = [one for one in tail if self._is_new(one[1], one[2])]
            if not few:
                self._sure = new[0][0] if new else len(plain)
        first = next(filter(None, map(answered_call, plain)), "") if new else ""
        found: dict[_Key, SpokenText] = {}
        for at, key, text in new:
            calls = calls_of(plain[at])
            places = range(at - 1, -1, -1) if first else ()
            last = next((place for place in places if answered_call(plain[place])), -1)
            found[key] = SpokenText(
                text,
                key[0],
                nth=key[3],
                tool=key[1],
                arguments=_short_arguments(calls, key[1], text) if key[1] else {},
                calls=tuple(calls),
                after="" if last < 0 else answered_call(plain[last]),
                asked=any(message["role"] == "user" for message in plain[last + 1 : at + 1]),
                before=first,
                run=self._run,
                agent=str(plain[at]["name"]) if plain[at].get(MATE) else self._agent,
            )
        return found

    def keep(self, ids: Mapping[_Key, _Id]) -> None:
        """From now on memory has these."""
        with self._lock:
            self._kept.update(ids)

    def held(self, messages: Sequence[Mapping[str, Any]], whole: Sequence[int]) -> frozenset[_Id]:
        """What memory has of the messages that a request holds `whole`, by their places."""
        with self._lock:
            said = self._said.known_of(messages) or self._sent.of(messages)
            keys = [key for at in whole for key, _ in said[at]]
            found = (self._kept.get(key) or self._kept.get((*key[:3], 0)) for key in keys)
            return frozenset(one for one in found if one is not None)

    def known(self, key: _Key) -> _Id | None:
        """By which run and id memory has a text; None where it does not."""
        with self._lock:
            return self._kept.get(key)

    def _is_new(self, key: _Key, text: str) -> bool:
        """Whether memory is to have a text and does not yet (hold the lock)."""
        if key in self._kept:
            return False
        speaker, tool, _, _ = key
        least = _LONG if tool else _LEAST[speaker]
        if estimate_tokens(text) < least or is_short_form(text) or text == _IMAGE:
            self._kept[key] = None
        return key not in self._kept


def text_reader() -> Callable[[Mapping[str, Any]], list[Said]]:
    """What gives of each message all that the agent or the user said, and the arguments of calls that may be long."""
    seen: Counter[tuple[Speaker, str, str]] = Counter()

    def read(message: Mapping[str, Any]) -> list[Said]:
        found: list[Said] = []
        for speaker, tool, text in _texts_of(message):
            if text.strip():
                name = (speaker, tool, fingerprint_of(known_text(text)))
                found.append(((*name, seen[name]), text))
                seen[name] += 1
        return found

    return read


def _texts_of(message: Mapping[str, Any]) -> Iterator[tuple[Speaker, str, str]]:
    role = message["role"]
    if role == "user":
        yield "agent" if message.get(MATE) else "user", "", text_of(message.get("content"))
    elif role == "assistant":
        yield "agent", "", text_of(message.get("content"))
        for tool, arguments in calls_of(message).values():
            for text in map(_argument, arguments.values()):
                if len(text) > _LONG:
                    yield "agent", tool, text


def _argument(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _short_arguments(calls: Mapping[str, tuple[str, dict[str, Any]]], tool: str, text: str) -> dict[str, Any]:
    """What a call was asked beside its long argument: the path of a file that it writes."""
    beside = next(
        (given for name, given in calls.values() if name == tool and text in map(_argument, given.values())), {}
    )
    return {name: value for name, value in beside.items() if estimate_tokens(_argument(value)) < _LONG}
