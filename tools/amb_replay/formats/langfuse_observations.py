"""Observations of Langfuse: the spans its library sends, and the JSON that its page and its API give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amb_replay.formats.gen_ai_spans import traces_of_spans
from amb_replay.formats.recorded_calls import RecordedCall, recorded_call
from amb_replay.formats.recorded_spans import RecordedSpan, spans_in
from amb_replay.formats.trace_format import Record, TraceFormat
from amb_replay.trace import Trace

__all__ = ["LANGFUSE_OBSERVATIONS"]

_OWN = "langfuse.observation"


def _knows(record: Record) -> bool:
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


def _read(records: Iterable[Record]) -> Iterator[Trace]:
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
    _knows,
    _read,
    experimental="the JSON of its page and its API",
)
