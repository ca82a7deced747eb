"""The parts a message is made of, in the words of each API, as OpenAI's chat form has them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["as_text", "chat_content", "plain_text", "reasoning_text", "tool_schema", "tool_schemas"]

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
