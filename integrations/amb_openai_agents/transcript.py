"""The items of a request as the adapter sees them, OpenAI-style, and back; none is changed in place.

An agent's transcript is a list of Responses API items, whatever model it talks to. One message stands for what must not
be torn apart: all that one model turn put out (reasoning, text, parallel calls), or one other item.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from amb_core.adapter import arguments_in, made_from, origin_of, parts_written_back, text_of, written_back
from amb_core.rendering import strip_block

__all__ = ["ChatMessages", "Item", "chat_messages", "history_is_elsewhere", "items_of", "taken_in"]

Item = Any
ChatMessages = list[dict[str, Any]]
_HANDOFF = "transfer_to_"
_TEXT_OUTPUT = frozenset({"function_call_output", "custom_tool_call_output", "apply_patch_call_output"})


def _plain(item: Item) -> dict[str, Any]:
    plain: dict[str, Any] = item.model_dump(exclude_none=True) if hasattr(item, "model_dump") else item
    return plain


def _kind(item: dict[str, Any]) -> str:
    return str(item.get("type") or "message")


def _is_result(item: dict[str, Any]) -> bool:
    return _kind(item).endswith("_output")


def _is_put_out(item: dict[str, Any]) -> bool:
    return item.get("role") == "assistant" or _kind(item) == "reasoning" or _kind(item).endswith("_call")


def chat_messages(items: Iterable[Item]) -> ChatMessages:
    """One OpenAI-style message for each thing that stays whole, made from a list of items."""
    groups: list[list[Item]] = []
    in_turn = False
    for item in items:
        put_out = _is_put_out(_plain(item))
        if put_out and in_turn:
            groups[-1].append(item)
        else:
            groups.append([item])
        in_turn = put_out
    return [chat for group in groups for chat in made_from(group, _chat([_plain(item) for item in group]))]


def _chat(group: Sequence[dict[str, Any]]) -> dict[str, Any]:
    first = group[0]
    if _is_put_out(first):
        calls = [_call(item) for item in group if item.get("call_id") and _kind(item) != "reasoning"]
        text = "\n".join(filter(None, (_said(item) for item in group if not item.get("call_id"))))
        signed = any(_kind(item) == "reasoning" for item in group)
        return {"role": "assistant", "content": text, "signed": signed} | ({"tool_calls": calls} if calls else {})
    if _is_result(first):
        call_id = first.get("call_id") or first.get("id")
        return {"role": "tool", "tool_call_id": str(call_id), "content": _content(first.get("output"))}
    role = first.get("role")
    if role is None:  # a reference or the like
        return {"role": "marker", "content": text_of(first)}
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
    return [told for part in content for told in made_from(part, _part(part))]


def _part(part: dict[str, Any]) -> dict[str, Any]:
    text = part.get("text") or part.get("refusal")
    if isinstance(text, str):
        return {"type": "text", "text": text}
    return {"type": "image_url" if "image" in part["type"] or "screenshot" in part["type"] else "file"}


def taken_in(chat: Iterable[dict[str, Any]]) -> ChatMessages:
    """The messages in which memory looks for tool results: hosted MCP calls among them, handovers not."""
    messages: ChatMessages = []
    handovers: set[str] = set()
    for message in chat:
        handovers |= {call["id"] for call in _calls(message) if call["function"]["name"].startswith(_HANDOFF)}
        if message.get("tool_call_id") not in handovers:
            messages.append(message)
        for item in map(_plain, origin_of(message)):
            if _kind(item) == "mcp_call" and item.get("output"):
                call = _call({**item, "call_id": item["id"]})
                messages.append({"role": "assistant", "tool_calls": [call]})
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": item["output"]})
    return messages


def history_is_elsewhere(chat: Sequence[dict[str, Any]]) -> bool:
    """Whether these are only the newest results of a talk that the server keeps."""
    asked = {call["id"] for message in chat for call in _calls(message)}
    answered = {message["tool_call_id"] for message in chat if "tool_call_id" in message}
    return not answered <= asked and all(message["role"] != "user" for message in chat)


def _calls(message: dict[str, Any]) -> Any:
    return message.get("tool_calls", ())


def items_of(chat: Iterable[Mapping[str, Any]]) -> list[Item]:
    """The items that the messages were made from, with their content as it is now."""
    written: list[list[Item]] = written_back(chat, changed=_changed, new=_new)
    return list(chain.from_iterable(written))


def _changed(items: list[Item], told: Sequence[Mapping[str, Any]]) -> list[Item]:
    last, content = _plain(items[-1]), told[0]["content"]
    if _is_result(last):
        if not isinstance(content, str):
            content = _parts(content)
        return [{**last, "output": content}] if _kind(last) in _TEXT_OUTPUT else items
    if told[0].get("tool_calls"):
        given = arguments_in(told[0])
        return [_with_less(_without_block(_plain(item)), given) for item in items]
    if not _is_put_out(last):
        return [{**last, "content": content if isinstance(content, str) else _parts(content)}]
    return [{"role": "assistant", "content": content}]


def _new(told: Mapping[str, Any]) -> list[Item]:
    content = told["content"]
    return [{"role": told["role"], "content": content if isinstance(content, str) else _parts(content)}]


def _parts(content: Any) -> list[dict[str, Any]]:
    return parts_written_back(
        content,
        text=lambda text: {"type": "input_text", "text": text},
        image=lambda url: {"type": "input_image", "image_url": url, "detail": "auto"},
    )


def _with_less(item: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """A call with the arguments that are left of it; one that has them in another form stays as it is."""
    key = next((key for key in ("arguments", "input") if isinstance(item.get(key), str)), None)
    return item if key is None else {**item, key: given.get(str(item.get("call_id")), item[key])}


def _without_block(item: dict[str, Any]) -> dict[str, Any]:
    parts = item.get("content")
    if not isinstance(parts, list):
        return item
    return {
        **item,
        "content": [{**part, "text": strip_block(part["text"])} if part.get("text") else part for part in parts],
    }
