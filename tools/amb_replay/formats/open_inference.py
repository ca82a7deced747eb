"""Spans after OpenInference's conventions, as Phoenix and its instrumentations write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amb_replay.formats.gen_ai_spans import traces_of_spans
from amb_replay.formats.recorded_calls import RecordedCall, opened, recorded_call
from amb_replay.formats.recorded_spans import RecordedSpan, attribute_tree, spans_in
from amb_replay.formats.trace_format import Record, TraceFormat
from amb_replay.trace import Trace

__all__ = ["OPEN_INFERENCE"]


def _knows(record: Record) -> bool:
    return any("openinference.span.kind" in span.attributes for span in spans_in(record))


def _read(records: Iterable[Record]) -> Iterator[Trace]:
    calls = ((span, _call(span)) for record in records for span in spans_in(record))
    yield from traces_of_spans(((span, call) for span, call in calls if call), "openinference")


def _call(span: RecordedSpan) -> RecordedCall | None:
    told = span.attributes
    if told.get("openinference.span.kind") != "LLM":
        return None
    asked = [_message(one) for one in opened(attribute_tree(told, "llm.input_messages")) or ()]
    said = [_message(one) for one in opened(attribute_tree(told, "llm.output_messages")) or ()]
    if not asked:
        return recorded_call(
            told.get("input.value"), told.get("output.value"), model=str(told.get("llm.model_name") or "")
        )
    tools = [_inner(tool, "json_schema", "tool") for tool in opened(attribute_tree(told, "llm.tools")) or ()]
    return recorded_call({"messages": asked}, said, tools=tools, model=str(told.get("llm.model_name") or ""))


def _inner(value: Any, *names: str) -> Any:
    """What is below the names, with and without their prefix, where they are there."""
    for name in reversed(names):
        if isinstance(value, Mapping):
            value = value.get(name, value.get(f"{names[-1]}.{name}", value))
    return opened(value)


def _message(told: Any) -> dict[str, Any]:
    told = _inner(told, "message")
    told = (
        {str(name).removeprefix("message."): value for name, value in told.items()} if isinstance(told, Mapping) else {}
    )
    contents = [_part(one) for one in told.get("contents") or ()]
    calls = [_tool_call(one) for one in told.get("tool_calls") or ()]
    return {**told, "content": contents or told.get("content"), "tool_calls": calls}


def _part(told: Any) -> Any:
    told = _inner(told, "message_content")
    image = _inner(told.get("image"), "image") if isinstance(told, Mapping) else None
    url = _inner(image, "url") if isinstance(image, Mapping) else None
    return {"type": "image_url", "image_url": {"url": url}} if isinstance(url, str) else told


def _tool_call(told: Any) -> dict[str, Any]:
    told = _inner(told, "tool_call")
    named = {f"tool_call.{name}": value for name, value in told.items()} if isinstance(told, Mapping) else {}
    named |= told if isinstance(told, Mapping) else {}
    function = named.get("tool_call.function")
    if not isinstance(function, Mapping):
        function = {name: named.get(f"tool_call.function.{name}") for name in ("name", "arguments")}
    return {"id": named.get("tool_call.id"), "function": function}


OPEN_INFERENCE = TraceFormat("openinference", "spans with the attribute `openinference.span.kind`", _knows, _read)
