"""Runs of LangSmith, a line or a list element each; the runs of models are what traces are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amb_replay.formats.growing_requests import GrowingRequests
from amb_replay.formats.recorded_calls import RecordedCall, recorded_call
from amb_replay.formats.trace_format import Record, TraceFormat
from amb_replay.trace import Trace

__all__ = ["LANGSMITH_RUNS"]


def _knows(record: Record) -> bool:
    if not isinstance(record, Mapping):
        return False
    return ("run_type" in record and "inputs" in record) or any(map(_knows, _inside(record)))


def _inside(record: Mapping[str, Any]) -> list[Any]:
    """The runs that a record holds, as answers of its API do."""
    return [run for name in ("runs", "child_runs") for run in record.get(name) or () if isinstance(run, Mapping)]


def _runs(record: Record) -> Iterator[Mapping[str, Any]]:
    if isinstance(record, Mapping):
        if "run_type" in record:
            yield record
        for run in _inside(record):
            yield from _runs(run)


def _read(records: Iterable[Record]) -> Iterator[Trace]:
    made = [(run, call) for record in records for run in _runs(record) if (call := _call(run))]
    requests = GrowingRequests("langsmith")
    for run, call in sorted(made, key=lambda pair: str(pair[0].get("start_time") or "")):
        requests.add(
            call.messages, id=str(run.get("trace_id") or run.get("id") or ""), tools=call.tools, model=call.model
        )
    yield from requests.traces()


def _call(run: Mapping[str, Any]) -> RecordedCall | None:
    if run.get("run_type") != "llm":
        return None
    extra = run.get("extra") if isinstance(run.get("extra"), Mapping) else {}
    given = extra.get("invocation_params") if isinstance(extra, Mapping) else None
    about = extra.get("metadata") if isinstance(extra, Mapping) else None
    tools = given.get("tools") if isinstance(given, Mapping) else None
    model = about.get("ls_model_name") if isinstance(about, Mapping) else None
    return recorded_call(run.get("inputs"), run.get("outputs"), tools=tools, model=str(model or ""))


LANGSMITH_RUNS = TraceFormat("langsmith", "runs with `run_type` and `inputs`", _knows, _read)
