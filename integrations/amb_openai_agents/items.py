"""The items of a request as the adapter sees them, and new lists of items made from old ones; none is changed in place.

An agent's transcript is a list of Responses API items, whatever model it talks to. A `Unit` is what must not be torn
apart: all that one model turn put out (reasoning, text, parallel calls), or one other item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from amb_core.adapter import text_of
from amb_core.condensing import Condensed
from amb_core.rendering import strip_block

__all__ = ["Item", "Unit", "block_item", "condensed", "history_is_elsewhere", "taken_in", "units_of", "without_blocks"]

Item = Any
_HANDOFF = "transfer_to_"
_TEXT_OUTPUT = frozenset({"function_call_output", "custom_tool_call_output", "apply_patch_call_output"})


@dataclass(frozen=True, slots=True)
class Unit:
    """Items that stay together, and the one OpenAI-style message they amount to."""

    items: tuple[Item, ...]
    chat: dict[str, Any]


def _plain(item: Item) -> dict[str, Any]:
    plain: dict[str, Any] = item.model_dump(exclude_none=True) if hasattr(item, "model_dump") else item
    return plain


def _kind(item: dict[str, Any]) -> str:
    return str(item.get("type") or "message")


def _is_result(item: dict[str, Any]) -> bool:
    return _kind(item).endswith("_output")


def _is_put_out(item: dict[str, Any]) -> bool:
    return item.get("role") == "assistant" or _kind(item) == "reasoning" or _kind(item).endswith("_call")


def units_of(items: Iterable[Item]) -> list[Unit]:
    """The units of a transcript, in order."""
    groups: list[list[Item]] = []
    in_turn = False
    for item in items:
        put_out = _is_put_out(_plain(item))
        if put_out and in_turn:
            groups[-1].append(item)
        else:
            groups.append([item])
        in_turn = put_out
    return [Unit(tuple(group), _chat([_plain(item) for item in group])) for group in groups]


def _chat(group: Sequence[dict[str, Any]]) -> dict[str, Any]:
    first = group[0]
    if _is_put_out(first):
        calls = [_call(item) for item in group if item.get("call_id") and _kind(item) != "reasoning"]
        text = "\n".join(filter(None, (_said(item) for item in group if not item.get("call_id"))))
        return {"role": "assistant", "content": text} | ({"tool_calls": calls} if calls else {})
    if _is_result(first):
        call_id = first.get("call_id") or first.get("id")
        return {"role": "tool", "tool_call_id": str(call_id), "content": _content(first.get("output"))}
    role = first.get("role")
    if role is None:  # a reference or a marker of the API: never touched
        return {"role": "system", "content": text_of(first)}
    return {"role": role, "content": _content(first.get("content"))}


def _call(item: dict[str, Any]) -> dict[str, Any]:
    asked = next((item[key] for key in ("arguments", "input", "action", "operation") if key in item), "")
    named = {"name": item.get("name") or _kind(item).removesuffix("_call"), "arguments": text_of(asked)}
    return {"id": str(item["call_id"]), "type": "function", "function": named}


def _said(item: dict[str, Any]) -> str:
    if "content" in item or "summary" in item:
        return text_of(_content(item.get("content") or item.get("summary")))
    return text_of([item[key] for key in ("name", "arguments", "output") if item.get(key)] or _kind(item))


def _content(content: Any) -> Any:
    """Content or output in the form of OpenAI-style messages."""
    if isinstance(content, dict) and "image_url" in content:
        content = [content]
    if not isinstance(content, list) or not all(isinstance(part, dict) and "type" in part for part in content):
        return text_of(content)
    return [_part(part) for part in content]


def _part(part: dict[str, Any]) -> dict[str, Any]:
    text = part.get("text") or part.get("refusal")
    if isinstance(text, str):
        return {"type": "text", "text": text}
    return {"type": "image_url" if "image" in part["type"] or "screenshot" in part["type"] else "file"}


def taken_in(units: Iterable[Unit]) -> list[dict[str, Any]]:
    """The messages in which memory looks for tool results: hosted MCP calls among them, handovers not."""
    messages: list[dict[str, Any]] = []
    handovers: set[str] = set()
    for unit in units:
        calls = unit.chat.get("tool_calls", ())
        handovers |= {call["id"] for call in calls if call["function"]["name"].startswith(_HANDOFF)}
        if unit.chat.get("tool_call_id") not in handovers:
            messages.append(unit.chat)
        for item in map(_plain, unit.items):
            if _kind(item) == "mcp_call" and item.get("output"):
                call = _call({**item, "call_id": item["id"]})
                messages.append({"role": "assistant", "tool_calls": [call]})
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": item["output"]})
    return messages


def history_is_elsewhere(units: Sequence[Unit]) -> bool:
    """Whether these are only the newest results of a talk that the server keeps."""
    asked = {call["id"] for unit in units for call in unit.chat.get("tool_calls", ())}
    answered = {unit.chat["tool_call_id"] for unit in units if "tool_call_id" in unit.chat}
    return not answered <= asked and all(unit.chat["role"] != "user" for unit in units)


def without_blocks(items: Iterable[Item]) -> list[Item]:
    """The items without AMB's blocks, wherever one is quoted; a user message that was only a block goes."""
    kept: list[Item] = []
    for item in items:
        clean = _with_texts(item, strip_block)
        content = clean.get("content", True) if isinstance(clean, dict) else True
        if content or clean is item or clean.get("role") != "user":
            kept.append(clean)
    return kept


def _with_texts(item: Item, change: Callable[[str], str]) -> Item:
    """The item with its texts changed; the same object when that changes nothing."""
    plain = _plain(item)
    key = "output" if _is_result(plain) else "content"
    value = plain.get(key)
    if isinstance(value, str):
        new: Any = change(value)
    elif isinstance(value, list):
        changed = [_part_with(part, change) for part in value]
        new = [part for part, old in zip(changed, value, strict=True) if part == old or part.get("text")]
    else:
        return item
    return item if new == value else {**plain, key: new}


def _part_with(part: Any, change: Callable[[str], str]) -> Any:
    text = part.get("text") if isinstance(part, dict) else None
    return {**part, "text": change(text)} if isinstance(text, str) else part


def condensed(units: Sequence[Unit], outcome: Condensed) -> list[Item]:
    """The items after condensing; the index is a user message."""
    kept: list[Item] = []
    for at, (unit, action) in enumerate(zip(units, outcome.actions, strict=False)):
        if outcome.index and at == outcome.index_at:
            kept.append({"role": "user", "content": outcome.index})
        if action.kind == "keep":
            kept += unit.items
        elif action.kind == "replace":
            kept += _replaced(unit, action.text)
    return kept


def _replaced(unit: Unit, text: str) -> Sequence[Item]:
    (*_, last) = map(_plain, unit.items)
    if not _is_result(last):
        return [{"role": unit.chat["role"], "content": text}]
    return [{**last, "output": text}] if _kind(last) in _TEXT_OUTPUT else unit.items


def block_item(items: list[Item], text: str, *, images: Sequence[str], placement: str, merge: bool) -> list[Item]:
    """The items with the block where `placement` says; `images` are data URLs, shown beside it."""
    parts: list[Item] = [{"type": "input_image", "image_url": url, "detail": "auto"} for url in images]
    shown: list[Item] = [{"role": "user", "content": parts}] if parts else []
    if placement == "system":
        return [{"role": "system", "content": text}, *items, *shown]
    users = [at for at, item in enumerate(items) if _plain(item).get("role") == "user"]
    own: list[Item] = [{"type": "input_text", "text": text}, *parts]
    if not users or (placement == "tail" and not merge):
        return [*items, {"role": "user", "content": own if parts else text}]
    user = _plain(items[users[-1]])
    content = user["content"]
    theirs = [{"type": "input_text", "text": content}] if isinstance(content, str) else list(content)
    joined = [*own, *theirs] if placement == "user_prefix" else [*theirs, *own]
    return [*items[: users[-1]], {**user, "content": joined}, *items[users[-1] + 1 :]]
