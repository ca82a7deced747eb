"""Builds the messages of one run in OpenAI's chat form from messages and items in the words of any API."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from amb_core.errors import UnreadableSource

__all__ = [
    "MOST_MESSAGES",
    "ChatTranscript",
    "as_text",
    "chat_content",
    "is_item",
    "is_message",
    "plain_text",
    "reasoning_text",
    "tool_schema",
    "tool_schemas",
]

MOST_MESSAGES = 100_000
"""Messages and calls of one trace; a run of that length is nothing an agent makes."""

_OPEN_CALLS = 1_000
"""Calls without a result among which that of a result without an id is looked for."""

_ROLES = {"system": "system", "developer": "system", "user": "user", "human": "user", "assistant": "assistant"}
_ROLES |= {"ai": "assistant", "model": "assistant", "AIMessageChunk": "assistant"}
_RESULTS = frozenset({"tool", "function"})
_NAMED = {"HumanMessage": "human", "SystemMessage": "system", "AIMessage": "ai", "ToolMessage": "tool"}
_NAMED |= {"AIMessageChunk": "ai", "FunctionMessage": "function"}
_OUTPUTS = ("output", "result", "results", "outputs")
_INPUTS = ("arguments", "input", "action", "queries", "code", "query")


@dataclass(slots=True)
class _Turn:
    """One message as it grows: its texts and reasoning, the results of its calls, and what tells more of it."""

    message: dict[str, Any]
    key: str = ""
    said: list[Any] | None = None
    thought: list[str] | None = None
    results: dict[str, dict[str, Any]] | None = None

    def finished(self) -> list[dict[str, Any]]:
        """The message in OpenAI's chat form, and the results behind it in the order of the calls."""
        message = dict(self.message)
        if self.said:
            message["content"] = chat_content(self.said)
        if self.thought:
            message["reasoning_content"] = "\n".join(self.thought)
        if message.get("tool_calls") and not message["content"]:
            message["content"] = None
        results = self.results or {}
        return [message, *(results[call["id"]] for call in message.get("tool_calls", ()) if call["id"] in results)]


class ChatTranscript:
    """Takes messages and items as they come, and gives them with each result behind its call.

    A call without an id gets one, an id that comes again is made another, and a result whose call the file does not
    hold gets a call of its tool's name without arguments.
    """

    def __init__(self, messages: Iterable[Any] = ()) -> None:
        self._turns: list[_Turn] = []
        self._open: dict[str, deque[tuple[_Turn, str, str]]] = {}
        """The id of calls without a result, as the file has it → the turn of each, its id here, and its tool."""
        self._calls = 0
        self._used: dict[str, int] = {}
        self._answered: dict[tuple[str, str], str] = {}
        for message in messages:
            self.add(message)

    @property
    def messages(self) -> tuple[dict[str, Any], ...]:
        """What was built, in OpenAI's chat form."""
        return tuple(message for turn in self._turns for message in turn.finished())

    def waits(self, id: object = None) -> bool:
        """Whether this call, or any, has no result yet."""
        return bool(self._open) if id is None else as_text(id) in self._open

    def add(self, raw: Any, *, key: str = "", role: str = "") -> None:
        """Take in a message of OpenAI, Anthropic, LangChain or OpenTelemetry, or an item of OpenAI's Responses.

        Messages of the assistant with the same `key` are parts of one. `role` stands in place of the message's own.
        Raises UnreadableSource for what is none of these.
        """
        raw = _unwrapped(raw)
        if is_item(raw):
            self._add_item(raw)
            return
        role = role or _role_of(raw)
        if role in _RESULTS:
            self._add_result_message(raw)
            return
        parts = raw.get("parts", raw.get("content"))
        said: list[Any] = []
        thought = [reasoning_text(raw)] if reasoning_text(raw) else []
        calls = [*self._calls_in(raw)]
        told = {call[0] for call in calls}
        answers: list[Mapping[str, Any]] = []
        for part in parts if isinstance(parts, list) else [parts]:
            kind = str(part.get("type") or "") if isinstance(part, Mapping) else ""
            if kind in ("thinking", "redacted_thinking", "reasoning"):
                thought.append(as_text(part.get("thinking") or part.get("content") or _summary(part)))
            elif kind.endswith("tool_use") or kind == "tool_call":
                given = part.get("input", part.get("arguments", part.get("args")))
                if as_text(part.get("id")) not in told:
                    calls.append((as_text(part.get("id")), as_text(part.get("name")), given))
            elif kind.endswith("tool_result") or kind == "tool_call_response":
                answers.append(part)
            elif part is not None:
                said.append(part)
        self._add_parts(role, said, thought, calls, answers, key=key)

    def _add_parts(
        self,
        role: str,
        said: list[Any],
        thought: list[str],
        calls: list[tuple[str, str, Any]],
        answers: list[Mapping[str, Any]],
        *,
        key: str,
    ) -> None:
        mine = role == "assistant"
        if mine:
            self._extend_or_begin(key)
            self.say(said, "\n".join(filter(None, thought)))
            for call in calls:
                self.call(*call)
        for part in answers:
            content = part.get("content", part.get("response", part.get("result")))
            self.answer(part.get("tool_use_id") or part.get("id"), part.get("name"), content)
        if not mine and (said or not answers):
            self._append({"role": role, "content": chat_content(said)})

    # --- the pieces --------------------------------------------------------------------------------------------------

    def begin(self, key: str = "") -> None:
        """A new message of the assistant."""
        self._append({"role": "assistant", "content": ""}, key or "\0")

    def _append(self, message: dict[str, Any], key: str = "") -> None:
        self._turns.append(_Turn(message, key))
        self._check_length()

    def _check_length(self) -> None:
        if len(self._turns) + self._calls > MOST_MESSAGES:
            raise UnreadableSource(f"a trace has more than {MOST_MESSAGES:,} messages and calls; split the file.")

    def _extend_or_begin(self, key: str) -> None:
        last = self._turns[-1] if self._turns else None
        if not key or last is None or last.key != key:
            self.begin(key)

    def say(self, content: Any, reasoning: str = "") -> None:
        """Text and reasoning in the assistant's newest message."""
        turn = self._turns[-1]
        if content:
            turn.said = turn.said or []
            turn.said += content if isinstance(content, list) else [content]
        if reasoning:
            turn.thought = turn.thought or []
            turn.thought.append(reasoning)

    def call(self, id: object, name: object, arguments: object) -> None:
        """A call in the assistant's newest message."""
        self._calls += 1
        self._check_length()
        given = as_text(id) or f"call_{self._calls}"
        times = self._used[given] = self._used.get(given, 0) + 1
        made = given if times == 1 else f"{given}~{times}"
        turn = self._turns[-1]
        about = {"name": as_text(name) or "tool", "arguments": _arguments(arguments)}
        turn.message.setdefault("tool_calls", []).append({"id": made, "type": "function", "function": about})
        self._open.setdefault(given, deque()).append((turn, made, about["name"]))

    def answer(self, id: object, name: object, content: object) -> None:
        """The result of a call."""
        given, told = as_text(id), chat_content(content)
        if given not in self._open:
            given = self._open_call(given, as_text(name))
        if not given and (as_text(id), plain_text(told)) in self._answered:
            return
        if not given:
            self.begin()
            self.call(id, name, "{}")
            given = next(reversed(self._open))
        turn, made, tool = self._open[given].popleft()
        if not self._open[given]:
            del self._open[given]
        self._answered[given, plain_text(told)] = made
        turn.results = turn.results or {}
        turn.results[made] = {"role": "tool", "tool_call_id": made, "name": tool, "content": told}

    def _open_call(self, id: str, name: str) -> str:
        """The oldest open call that a result without an id can belong to."""
        if id:
            return ""
        oldest = islice(self._open.items(), _OPEN_CALLS)
        return next((given for given, calls in oldest if not name or name == calls[0][2]), "")

    def _calls_in(self, raw: Mapping[str, Any]) -> Iterable[tuple[str, str, Any]]:
        for call in raw.get("tool_calls") or ():
            if not isinstance(call, Mapping):
                continue
            named = call.get("function") or call.get("custom") or call
            given = named.get("arguments", named.get("args"))
            given = {"input": named["input"]} if given is None and "input" in named else given
            yield as_text(call.get("id")), as_text(named.get("name")), given
        legacy = raw.get("function_call")
        if isinstance(legacy, Mapping) and not raw.get("tool_calls"):
            yield "", as_text(legacy.get("name")), legacy.get("arguments")

    def _add_result_message(self, raw: Mapping[str, Any]) -> None:
        parts = raw.get("parts")
        for part in parts if isinstance(parts, list) else [raw]:
            ids = raw.get("tool_call_ids")
            given = part.get("tool_call_id") or part.get("id" if part is not raw else "") or (ids[0] if ids else "")
            content = part.get("content", part.get("response", part.get("result")))
            self.answer(given, part.get("name"), content)

    # --- items of Responses ------------------------------------------------------------------------------------------

    def _add_item(self, item: Mapping[str, Any]) -> None:
        kind = str(item["type"])
        if kind.endswith("_output"):
            content = next((item[name] for name in _OUTPUTS if name in item), item.get("tools"))
            self.answer(item.get("call_id") or item.get("id"), "", content)
            return
        if kind.endswith(("compaction", "compaction_summary", "item_reference")):
            return
        if not self._turns or self._turns[-1].message["role"] != "assistant" or self._turns[-1].results:
            self.begin()
        if kind == "reasoning":
            self.say("", _summary(item))
            return
        given = next((item[name] for name in _INPUTS if item.get(name) is not None), None)
        given = {"input": given} if kind.startswith("custom") else given
        self.call(item.get("call_id") or item.get("id"), item.get("name") or kind.removesuffix("_call"), given)
        done = next((item[name] for name in _OUTPUTS if item.get(name) is not None), None)
        if done is not None:
            self.answer(item.get("call_id") or item.get("id"), "", done)

    def add_said(self, item: Mapping[str, Any]) -> None:
        """A message among Responses items: one of the assistant joins the turn that its reasoning began."""
        last = self._turns[-1] if self._turns else None
        if _role_of(item) == "assistant" and last and last.message["role"] == "assistant" and not last.results:
            self.say(item.get("content"))
        else:
            self.add(item)


# --- telling what is what ---------------------------------------------------------------------------------------------


def is_message(value: object) -> bool:
    """Whether a value is a message of any API."""
    value = _unwrapped(value)
    if not isinstance(value, Mapping):
        return False
    role = value.get("role", value.get("type"))
    return isinstance(role, str) and (role in _ROLES or role in _RESULTS) and bool(value.keys() & _CONTENTS)


_CONTENTS = {"content", "parts", "tool_calls", "function_call"}


def is_item(value: object) -> bool:
    """Whether a value is an item of OpenAI's Responses that is no message."""
    if not isinstance(value, Mapping) or not isinstance(value.get("type"), str) or "role" in value:
        return False
    kind = value["type"]
    return kind in ("reasoning", "item_reference", "compaction") or kind.endswith(("_call", "_call_output"))


def _unwrapped(raw: Any) -> Any:
    """A message of LangChain as its constructor's arguments, with its kind as its type."""
    if isinstance(raw, Mapping) and raw.get("type") == "constructor" and isinstance(raw.get("kwargs"), Mapping):
        kind = str((raw.get("id") or [""])[-1])
        return {**raw["kwargs"], "type": _NAMED.get(kind, kind)}
    if isinstance(raw, Mapping) and isinstance(raw.get("data"), Mapping) and raw.get("type") in ("human", "ai", "tool"):
        return {**raw["data"], "type": raw["type"]}
    if isinstance(raw, Mapping) and isinstance(raw.get("message"), Mapping) and "role" not in raw:
        return _unwrapped(raw["message"])
    return raw


def _role_of(raw: object) -> str:
    role = raw.get("role", raw.get("type")) if isinstance(raw, Mapping) else None
    if isinstance(role, str) and role in _RESULTS:
        return role
    if not isinstance(role, str) or role not in _ROLES:
        shown = as_text(raw)[:80]
        raise UnreadableSource(f"{shown} is no message: its role is none of {', '.join(sorted({*_ROLES, *_RESULTS}))}.")
    return _ROLES[role]


def _summary(item: Mapping[str, Any]) -> str:
    return "\n".join(filter(None, (plain_text(item.get(name)) for name in ("summary", "content"))))


def _arguments(arguments: object) -> str:
    if arguments is None or arguments == "":
        return "{}"
    return as_text(arguments)


_TEXTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal", "summary_text": "text"}
_TEXTS |= {"reasoning_text": "text"}
_OF_CHAT = frozenset({"image_url", "input_audio", "file", "video_url"})


def as_text(value: object) -> str:
    """The value as text: a text as it is, None as "", anything else as JSON."""
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def chat_content(content: object) -> str | list[dict[str, Any]]:
    """A message's content: one text where it is only text, else a list of parts. What is not known becomes text."""
    if not isinstance(content, list):
        return as_text(content)
    parts = [_part(part) for part in content]
    if all(part["type"] == "text" for part in parts):
        return "\n".join(part["text"] for part in parts if part["text"])
    return parts


def plain_text(content: object) -> str:
    """The texts of a content, a line each."""
    made = chat_content(content)
    return made if isinstance(made, str) else "\n".join(part["text"] for part in made if part["type"] == "text")


def _part(part: object) -> dict[str, Any]:
    if not isinstance(part, Mapping):
        return _text_part(as_text(part))
    kind = part.get("type")
    if kind in _TEXTS:
        return _text_part(as_text(part.get(_TEXTS[kind], part.get("content"))))
    if kind in _OF_CHAT:
        return dict(part)
    url = _image_url(part)
    return {"type": "image_url", "image_url": {"url": url}} if url else _text_part(as_text(part))


def _text_part(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _image_url(part: Mapping[str, Any]) -> str:
    """Where the image of a part is, as an address or as data; "" for what is no image."""
    if part.get("type") == "input_image":
        return str(part.get("image_url") or "")
    source = part.get("source")
    if part.get("type") != "image":
        return ""
    if not isinstance(source, Mapping):
        urls = part.get("image_urls")
        return str(part.get("url") or (urls[0] if isinstance(urls, list) and urls else ""))
    if source.get("type") == "base64":
        return f"data:{source.get('media_type')};base64,{source.get('data')}"
    return str(source.get("url") or "")


def reasoning_text(message: Mapping[str, Any]) -> str:
    """The reasoning that a chat message carries beside its content."""
    for name in ("reasoning_content", "reasoning", "thinking"):
        if isinstance(message.get(name), str) and message[name]:
            return as_text(message[name])
    blocks = message.get("thinking_blocks")
    return "\n".join(as_text(b.get("thinking")) for b in blocks or () if isinstance(b, Mapping) and b.get("thinking"))


def tool_schemas(tools: object) -> tuple[dict[str, Any], ...]:
    """The tools of a request in OpenAI's chat form."""
    return (
        tuple(map(tool_schema, tools)) if isinstance(tools, Iterable) and not isinstance(tools, str | Mapping) else ()
    )


def tool_schema(tool: object) -> dict[str, Any]:
    """One tool in OpenAI's chat form; what has no name of its own is named by its type."""
    if not isinstance(tool, Mapping):
        return {"type": "function", "function": {"name": as_text(tool)}}
    if isinstance(tool.get("function"), Mapping):
        return {"type": "function", "function": dict(tool["function"])}
    about = {"name": str(tool.get("name") or tool.get("type") or ""), "description": tool.get("description")}
    about["parameters"] = tool.get("parameters") or tool.get("input_schema") or tool.get("inputSchema")
    return {"type": "function", "function": {name: value for name, value in about.items() if value is not None}}
