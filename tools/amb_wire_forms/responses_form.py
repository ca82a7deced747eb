"""OpenAI Responses: a list of items, in which reasoning, text and parallel calls of one model turn stay together."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from amb_core.adapter.chat_messages import text_of
from amb_core.adapter.origins import made_from, written_back
from amb_core.adapter.wire_forms import ANSWERED_INSIDE, ChatMessage, Fields, fields_of
from amb_wire_forms.form_parts import answered_inside, blocks_from, plain_fields, readable_text, told_part, with_fields

__all__ = ["ResponsesForm"]

_ROLES = frozenset({"user", "assistant", "system", "developer"})
_INPUT = frozenset({"input_text", "input_image", "input_file", "input_audio"})
_PARTS = _INPUT | {"output_text", "refusal", "summary_text", "reasoning_text"}
_FOREIGN = frozenset({"text", "image", "image_url", "tool_use", "tool_result", "thinking", "document"})
"""Parts of other forms; any other part may be one that this form has had since."""
_KINDS = frozenset({"reasoning", "item_reference", "program", "mcp_list_tools", "mcp_approval_request"})
_TURN = frozenset({"reasoning", "program", "mcp_approval_request"})
"""What a model puts out beside messages and calls."""
_REPLAYED = frozenset({"reasoning", "program"})
_APPROVAL = "mcp_approval_response"
_ASKED = ("arguments", "input", "action", "operation", "code", "queries")
_INSIDE = {
    "mcp_call": "output",
    "file_search_call": "results",
    "code_interpreter_call": "outputs",
    "tool_search_output": "tools",
}
"""Where items that their provider answers have the answer."""
_MEDIA = frozenset({"image_generation_call", "computer_call_output"})


class ResponsesForm:
    """Items with a `type`, and messages; a `function_call_output` answers the call of its `call_id`."""

    name = "openai-responses"

    def is_own(self, item: Fields) -> bool:
        """Whether the item is of a type, or has a part of a type, that no other form has."""
        kind = _kind(item)
        if "role" not in item:
            return kind in _KINDS or kind == _APPROVAL or kind.endswith(("_call", "_call_output", "_output"))
        message = item.get("type") == "message" and "stop_reason" not in item
        return self.allows(item) and (message or any(_kind(fields_of(part)) in _PARTS for part in _parts(item)))

    def allows(self, item: Fields) -> bool:
        """Whether the item has a type, or is a message of the right role, of text or of parts that this form has."""
        if "role" not in item:
            return isinstance(item.get("type"), str)
        if item["role"] not in _ROLES or any(item.get(key) is not None for key in ("tool_calls", "tool_call_id")):
            return False
        if "content" not in item:  # an item that names a role beside its type
            return "type" in item and "parts" not in item
        content = item["content"]
        if content is None or isinstance(content, str):
            return True
        kinds = [fields_of(part).get("type") for part in content] if isinstance(content, list | tuple) else [None]
        return all(isinstance(kind, str) and kind not in _FOREIGN for kind in kinds)

    def read(self, items: Sequence[Any]) -> list[ChatMessage]:
        """One message for each thing that stays whole: what a model turn put out, or one other item."""
        return self.begin()(items) or []

    def begin(self) -> Callable[[Sequence[Any]], list[ChatMessage] | None]:
        """What reads the items of one transcript, some after others; None where a turn of the model goes on."""
        in_turn, reasoned = False, False

        def read(items: Sequence[Any]) -> list[ChatMessage] | None:
            nonlocal in_turn, reasoned
            groups: list[list[Any]] = []
            for item in items:
                fields = fields_of(item)
                put_out = _is_put_out(fields) or (reasoned and _is_unknown(fields))
                if not (put_out and in_turn):
                    groups.append([item])
                elif groups:
                    groups[-1].append(item)
                else:
                    return None
                in_turn, reasoned = put_out, _kind(fields) == "reasoning"
            return [told for group in groups for told in made_from(tuple(group), _told(group, put_out=_leads(group)))]

        return read

    def write(self, chat: Iterable[Mapping[str, Any]]) -> list[Any]:
        """The items that are left, and messages of the user for what AMB adds."""
        written: list[tuple[Any, ...]] = written_back(chat, changed=_changed, new=_new)
        return list(chain.from_iterable(written))


# --- reading ----------------------------------------------------------------------------------------------------------


def _kind(item: Fields) -> str:
    return text_of(item.get("type") or "message")


def _parts(item: Fields) -> Sequence[Any]:
    content = item.get("content")
    return content if isinstance(content, list | tuple) else ()


def _answered_id(item: Fields) -> Any:
    """The id of the call that an item answers; None for one that answers nothing of its own."""
    kind = _kind(item)
    if kind == _APPROVAL:
        return item.get("approval_request_id")
    if not kind.endswith("_output"):
        return None
    return item.get("call_id") or (item.get("id") if kind == "local_shell_call_output" else None)


def _is_put_out(item: Fields) -> bool:
    """Whether a model, or its provider beside it, has put out an item."""
    kind = _kind(item)
    if kind == "message":
        return item.get("role") == "assistant"
    inside = kind.endswith("_output") and _answered_id(item) is None and kind != "function_call_output"
    return kind in _TURN or kind.endswith("_call") or inside


def _is_unknown(item: Fields) -> bool:
    """Whether an item is of a type that came later than this code."""
    kind = _kind(item)
    return "role" not in item and not (kind in _KINDS or kind == _APPROVAL or kind.endswith("_output"))


def _leads(group: Sequence[Any]) -> bool:
    return _is_put_out(fields_of(group[0]))


def _told(group: Sequence[Any], *, put_out: bool) -> ChatMessage:
    first = fields_of(group[0])
    if put_out:
        return _turn([fields_of(item) for item in group])
    call_id = _answered_id(first)
    if call_id is not None or _kind(first) == "function_call_output":
        return {"role": "tool", "tool_call_id": text_of(call_id or first.get("id")), "content": _result_of(first)}
    if _kind(first) != "message" or "content" not in first:
        return {"role": "marker", "content": readable_text(first)}
    return {"role": first["role"], "content": _content(first["content"])}


def _turn(group: Sequence[Fields]) -> ChatMessage:
    """What a model put out: what it says, the calls it makes, and apart from both what only its provider reads."""
    texts, calls, carried, inside = list[str](), list[ChatMessage](), list[str](), list[ChatMessage]()
    for item in group:
        if _kind(item) == "message":
            texts.append(_said(item))
        elif (call_id := _asks(item)) is not None:
            calls.append(_call(item, text_of(call_id)))
        elif _kind(item) not in _MEDIA:
            carried.append(json.dumps(plain_fields(item), ensure_ascii=False, default=str))
        if item.get(_INSIDE.get(_kind(item), "")):
            inside += _inside(item)
    signed = any(_kind(item) in _REPLAYED or item.get("encrypted_content") for item in group)
    told: ChatMessage = {"role": "assistant", "content": "\n".join(filter(None, texts)), "signed": signed}
    told["reasoning_content"] = "\n".join(carried)
    return told | ({"tool_calls": calls} if calls else {}) | ({ANSWERED_INSIDE: inside} if inside else {})


def _asks(item: Fields) -> Any:
    """The id under which an item waits for an answer in another one."""
    if _kind(item) == "mcp_approval_request":
        return item.get("id")
    return item.get("call_id") if not _kind(item).endswith("_output") else None


def _call(item: Fields, call_id: str) -> ChatMessage:
    asked = next((item[key] for key in _ASKED if key in item), "")
    name = text_of(item.get("name") or _kind(item).removesuffix("_call"))
    arguments = asked if isinstance(asked, str) else json.loads(json.dumps(plain_fields(asked), default=str))
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _inside(item: Fields) -> list[ChatMessage]:
    call = _call(item, text_of(item.get("id")))["function"]
    output = item[_INSIDE[_kind(item)]]
    failed = bool(item.get("error")) or item.get("status") == "failed"
    return answered_inside(call["name"], text_of(item.get("id")), call["arguments"], output, failed=failed)


def _said(item: Fields) -> str:
    if not isinstance(item.get("content"), list | tuple):
        return text_of(item.get("content") or "")
    return "\n".join(text_of(part.get("text") or part.get("refusal") or "") for part in map(fields_of, _parts(item)))


def _result_of(item: Fields) -> Any:
    """What an item answers; nothing for an approval, which is no result of a tool."""
    if _kind(item) == _APPROVAL:
        return ""
    return _content(item.get("output", item.get("result", item.get("tools"))))


def _content(content: Any) -> Any:
    """Content or output in the form of OpenAI-style messages."""
    if fields_of(content).get("type") in ("computer_screenshot", "input_image"):
        content = [content]
    if not isinstance(content, list | tuple) or not all(isinstance(fields_of(p).get("type"), str) for p in content):
        return readable_text(content)
    return [_part(part) for part in content]


def _part(part: Any) -> ChatMessage:
    fields = fields_of(part)
    text = fields.get("text") or fields.get("refusal")
    image = "image" in _kind(fields) or "screenshot" in _kind(fields)
    if text is None and _kind(fields) not in _PARTS and not image:
        return told_part(part, readable_text(fields))
    return told_part(part, text, image=image, url=text_of(fields.get("image_url") or ""))


# --- writing ----------------------------------------------------------------------------------------------------------


def _changed(items: tuple[Any, ...], told: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    now = told[0]
    content = now["content"]
    if now["role"] == "tool":
        return (_result(items[0], content),)
    if now["role"] != "assistant":
        return (with_fields(items[0], content=_written(content)),)
    if "tool_calls" not in now:
        return ({"role": "assistant", "content": content},) if content else ()
    if now.get("signed"):
        return items
    asked = {call["id"]: call["function"]["arguments"] for call in now["tool_calls"]}
    own = "\n".join(filter(None, (_said(fields_of(item)) for item in items if _kind(fields_of(item)) == "message")))
    spoken = () if content == own or not content else ({"role": "assistant", "content": content},)
    kept = items if content == own else [item for item in items if _kind(fields_of(item)) != "message"]
    return (*spoken, *(_asking(item, asked) for item in kept))


def _result(item: Any, content: Any) -> Any:
    """A result with other content, in the shape its type has; what is no text, such as a screenshot, as it came."""
    fields = fields_of(item)
    kind, own = _kind(fields), fields.get("output")
    text = content if isinstance(content, str) else readable_text(content)
    if kind == "shell_call_output" and isinstance(own, list | tuple) and own:
        return with_fields(item, output=[with_fields(own[0], stdout=text, stderr="")])
    if kind == "program_output":
        return with_fields(item, result=text)
    if kind in ("computer_call_output", "tool_search_output", _APPROVAL):
        return item
    if isinstance(content, str) and isinstance(own, list | tuple):
        return with_fields(item, output=[{"type": "input_text", "text": content}])
    return with_fields(item, output=_written(content))


def _asking(item: Any, asked: Mapping[str, Any]) -> Any:
    """A call with other arguments, under the key it has them."""
    fields = fields_of(item)
    call_id = _asks(fields)
    key = next((key for key in _ASKED if key in fields), "")
    if call_id is None or text_of(call_id) not in asked or not key:
        return item
    given = asked[text_of(call_id)]
    before = _call(fields, text_of(call_id))["function"]["arguments"]
    return item if given == before else with_fields(item, **{key: given})


def _new(told: Mapping[str, Any]) -> tuple[Any, ...]:
    return ({"role": told["role"], "content": _written(told["content"])},)


def _written(content: Any) -> Any:
    if isinstance(content, str):
        return content
    return blocks_from(
        content,
        text=lambda text: {"type": "input_text", "text": text},
        image=lambda url: {"type": "input_image", "image_url": url, "detail": "auto"},
    )
