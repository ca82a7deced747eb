"""What tools write that watch agents: spans after `gen_ai`, OpenLLMetry and OpenInference; Langfuse, LangSmith."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from amb_replay.formats.recorded_calls import GrowingRequests, RecordedCall, opened, recorded_call
from amb_replay.formats.recorded_spans import RecordedSpan, attribute_tree, spans_in
from amb_replay.trace import Record, Trace, TraceFormat

__all__ = ["GEN_AI_SPANS", "LANGFUSE_OBSERVATIONS", "LANGSMITH_RUNS", "OPEN_INFERENCE", "traces_of_spans"]

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


def _knows_inference(record: Record) -> bool:
    return any("openinference.span.kind" in span.attributes for span in spans_in(record))


def _read_inference(records: Iterable[Record]) -> Iterator[Trace]:
    calls = ((span, _call_of_inference(span)) for record in records for span in spans_in(record))
    yield from traces_of_spans(((span, call) for span, call in calls if call), "openinference")


def _call_of_inference(span: RecordedSpan) -> RecordedCall | None:
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


OPEN_INFERENCE = TraceFormat(
    "openinference", "spans with the attribute `openinference.span.kind`", _knows_inference, _read_inference
)


_OWN = "langfuse.observation"


def _knows_langfuse(record: Record) -> bool:
    if any(f"{_OWN}.type" in span.attributes for span in spans_in(record)):
        return True
    return any(True for _ in _observations(record))


def _observations(record: Record) -> Iterator[Mapping[str, Any]]:
    if not isinstance(record, Mapping):
        return
    if "input" in record and record.get("type") in ("GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN"):
        yield record
    for name in ("observations", "data"):
        held = record.get(name)
        for one in held if isinstance(held, list) else [held]:
            yield from _observations(one)


def _read_langfuse(records: Iterable[Record]) -> Iterator[Trace]:
    made: list[tuple[RecordedSpan, RecordedCall]] = []
    for record in records:
        spans = [_of_span(span) for span in spans_in(record)] or map(_of_observation, _observations(record))
        for span in spans:
            told = span.attributes
            if str(told.get("type")).upper() == "GENERATION":
                call = recorded_call(told.get("input"), told.get("output"), model=str(told.get("model") or ""))
                made += [(span, call)] if call else []
    yield from traces_of_spans(made, "langfuse")


def _of_span(span: RecordedSpan) -> RecordedSpan:
    told = {name: span.attributes.get(f"{_OWN}.{name}") for name in ("type", "input", "output")}
    return RecordedSpan(span.trace, span.began, told | {"model": span.attributes.get(f"{_OWN}.model.name")})


def _of_observation(told: Mapping[str, Any]) -> RecordedSpan:
    began = told.get("startTime") or told.get("start_time")
    model = told.get("model") or told.get("providedModelName")
    return RecordedSpan(
        str(told.get("traceId") or told.get("trace_id") or ""), str(began or ""), {**told, "model": model}
    )


LANGFUSE_OBSERVATIONS = TraceFormat(
    "langfuse",
    "spans with `langfuse.observation.type`, or observations with `type` GENERATION and `input`",
    _knows_langfuse,
    _read_langfuse,
    experimental="the JSON of its page and its API",
)


def _knows_langsmith(record: Record) -> bool:
    if not isinstance(record, Mapping):
        return False
    return ("run_type" in record and "inputs" in record) or any(map(_knows_langsmith, _inside(record)))


def _inside(record: Mapping[str, Any]) -> list[Any]:
    """The runs that a record holds, as answers of its API do."""
    return [run for name in ("runs", "child_runs") for run in record.get(name) or () if isinstance(run, Mapping)]


def _runs(record: Record) -> Iterator[Mapping[str, Any]]:
    if isinstance(record, Mapping):
        if "run_type" in record:
            yield record
        for run in _inside(record):
            yield from _runs(run)


def _read_langsmith(records: Iterable[Record]) -> Iterator[Trace]:
    made = [(run, call) for record in records for run in _runs(record) if (call := _call_of_run(run))]
    requests = GrowingRequests("langsmith")
    for run, call in sorted(made, key=lambda pair: str(pair[0].get("start_time") or "")):
        requests.add(
            call.messages, id=str(run.get("trace_id") or run.get("id") or ""), tools=call.tools, model=call.model
        )
    yield from requests.traces()


def _call_of_run(run: Mapping[str, Any]) -> RecordedCall | None:
    if run.get("run_type") != "llm":
        return None
    extra = run.get("extra") if isinstance(run.get("extra"), Mapping) else {}
    given = extra.get("invocation_params") if isinstance(extra, Mapping) else None
    about = extra.get("metadata") if isinstance(extra, Mapping) else None
    tools = given.get("tools") if isinstance(given, Mapping) else None
    model = about.get("ls_model_name") if isinstance(about, Mapping) else None
    return recorded_call(run.get("inputs"), run.get("outputs"), tools=tools, model=str(model or ""))


LANGSMITH_RUNS = TraceFormat("langsmith", "runs with `run_type` and `inputs`", _knows_langsmith, _read_langsmith)
