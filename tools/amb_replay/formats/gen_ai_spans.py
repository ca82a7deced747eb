"""Spans after OpenTelemetry's `gen_ai` conventions, and those that OpenLLMetry wrote before there were any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from amb_replay.formats.growing_requests import GrowingRequests
from amb_replay.formats.recorded_calls import RecordedCall, opened, recorded_call
from amb_replay.formats.recorded_spans import RecordedSpan, attribute_tree, spans_in
from amb_replay.formats.trace_format import Record, TraceFormat
from amb_replay.trace import Trace

__all__ = ["GEN_AI_SPANS", "traces_of_spans"]

_OF_AGENTS = frozenset({"invoke_agent", "invoke_workflow"})
"""Spans of whole runs, which repeat what those of their models say; they count where there are no others."""

_OF_OTHERS = frozenset({"create_agent", "execute_tool", "embeddings", "retrieval"})


def traces_of_spans(calls: Iterable[tuple[RecordedSpan, RecordedCall]], format: str) -> list[Trace]:
    """The traces that the calls of models in spans are, in the order in which the spans began."""
    requests = GrowingRequests(format)
    for span, call in sorted(calls, key=lambda made: (len(made[0].began), made[0].began)):
        requests.add(call.messages, id=span.trace, tools=call.tools, model=call.model)
    return requests.traces()


def _knows(record: Record) -> bool:
    return any(name.startswith(("gen_ai.", "llm.request.")) for span in spans_in(record) for name in span.attributes)


def _read(records: Iterable[Record]) -> Iterator[Trace]:
    of_models: list[tuple[RecordedSpan, RecordedCall]] = []
    of_agents: list[tuple[RecordedSpan, RecordedCall]] = []
    for span in (span for record in records for span in spans_in(record)):
        call = _call(span)
        if call:
            made = of_agents if span.attributes.get("gen_ai.operation.name") in _OF_AGENTS else of_models
            made.append((replace(span, attributes={}), call))
    yield from traces_of_spans(of_models or of_agents, "gen-ai-spans")


def _call(span: RecordedSpan) -> RecordedCall | None:
    told = span.attributes
    if told.get("gen_ai.operation.name") in _OF_OTHERS:
        return None
    asked = opened(told.get("gen_ai.input.messages")) or attribute_tree(told, "gen_ai.prompt")
    said = opened(told.get("gen_ai.output.messages")) or attribute_tree(told, "gen_ai.completion")
    if not asked:
        return None
    system = opened(told.get("gen_ai.system_instructions"))
    request = {"messages": _told(asked), "system": _contents(system)}
    tools = opened(told.get("gen_ai.tool.definitions")) or attribute_tree(told, "llm.request.functions")
    model = told.get("gen_ai.request.model") or told.get("gen_ai.response.model")
    return recorded_call(request, _told(said), tools=opened(tools), model=str(model or ""))


def _told(messages: Any) -> Any:
    """Messages whose numbered parts are a list again."""
    if not isinstance(messages, list):
        return messages
    return [
        {**m, "content": opened(m["content"])} if isinstance(m, Mapping) and "content" in m else m for m in messages
    ]


def _contents(system: Any) -> Any:
    if not isinstance(system, list):
        return system
    return [part.get("content", part.get("text")) if isinstance(part, Mapping) else part for part in system]


GEN_AI_SPANS = TraceFormat("gen-ai-spans", "spans with attributes `gen_ai.…`", _knows, _read)
