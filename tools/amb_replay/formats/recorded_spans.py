"""Spans of OpenTelemetry as they are kept in files: OTLP in JSON, the console exporter's, and tables of spans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["RecordedSpan", "attribute_tree", "spans_in"]

_VALUES = ("stringValue", "boolValue", "intValue", "doubleValue", "bytesValue")


@dataclass(frozen=True, slots=True)
class RecordedSpan:
    """One span: its attributes by their full name, those of its events beside them, and when it began."""

    trace: str
    began: str
    attributes: Mapping[str, Any]


def spans_in(record: Any) -> Iterator[RecordedSpan]:
    """The spans that a record is or holds, and events in logs as spans; none for a record of another kind."""
    if not isinstance(record, Mapping):
        return
    for of_resource in _list(record, "resourceSpans", "resource_spans"):
        for scope in _list(of_resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            for span in _list(scope, "spans"):
                yield _span(span)
    for of_resource in _list(record, "resourceLogs", "resource_logs"):
        for scope in _list(of_resource, "scopeLogs", "scope_logs"):
            for event in _list(scope, "logRecords", "log_records"):
                yield _span(event)
    for span in _list(record, "spans"):
        yield _span(span)
    if "attributes" in record and ("context" in record or record.keys() & {"trace_id", "traceId", "context.trace_id"}):
        yield _span(record)
    elif any(isinstance(name, str) and name.startswith("attributes.") for name in record):
        named = {name.removeprefix("attributes."): value for name, value in record.items() if value is not None}
        yield RecordedSpan(str(record.get("context.trace_id") or ""), str(record.get("start_time") or ""), _flat(named))


def _span(span: Mapping[str, Any]) -> RecordedSpan:
    attributes = _flat(_attributes(span.get("attributes")))
    for event in _list(span, "events"):
        attributes |= _flat(_attributes(event.get("attributes")))
    context = span.get("context") if isinstance(span.get("context"), Mapping) else {}
    trace = span.get("traceId") or span.get("trace_id") or context.get("trace_id") or ""  # type: ignore[union-attr]
    began = span.get("startTimeUnixNano") or span.get("start_time_unix_nano") or span.get("start_time")
    began = began or span.get("timeUnixNano") or span.get("observedTimeUnixNano") or ""
    return RecordedSpan(str(trace).removeprefix("0x"), str(began), attributes)


def _list(record: Any, *names: str) -> Iterable[Any]:
    for name in names:
        if isinstance(record, Mapping) and isinstance(record.get(name), list):
            return [part for part in record[name] if isinstance(part, Mapping)]
    return ()


def _attributes(attributes: Any) -> dict[str, Any]:
    if isinstance(attributes, list):
        return {str(a.get("key")): _value(a.get("value")) for a in attributes if isinstance(a, Mapping)}
    return dict(attributes) if isinstance(attributes, Mapping) else {}


def _value(value: Any) -> Any:
    """The value that OTLP wraps in the name of its type."""
    if not isinstance(value, Mapping):
        return value
    for name in _VALUES:
        if name in value:
            return value[name]
    if isinstance(value.get("arrayValue"), Mapping):
        return [_value(part) for part in value["arrayValue"].get("values") or ()]
    if isinstance(value.get("kvlistValue"), Mapping):
        return _attributes(value["kvlistValue"].get("values"))
    return None


def _flat(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes that are nested by the dots of their names, as some exports have them, by their full names."""
    made: dict[str, Any] = {}
    for name, value in attributes.items():
        if isinstance(value, Mapping) and name.partition(".")[0] in (
            "llm",
            "gen_ai",
            "openinference",
            "langfuse",
            "input",
        ):
            made |= _flat({f"{name}.{inner}": part for inner, part in value.items()})
        else:
            made[name] = value
    return made


def attribute_tree(attributes: Mapping[str, Any], prefix: str) -> Any:
    """The attributes below a prefix, whose names hold numbers, as lists and objects; None when there are none."""
    if prefix in attributes:
        return attributes[prefix]
    tree: dict[str, Any] = {}
    for name, value in attributes.items():
        if name.startswith(f"{prefix}."):
            *path, last = name[len(prefix) + 1 :].split(".")
            at = tree
            for step in path:
                at = at.setdefault(step, {}) if isinstance(at, dict) else {}
            if isinstance(at, dict):
                at[last] = value
    return _as_lists(tree) or None


def _as_lists(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    made = {name: _as_lists(part) for name, part in tree.items()}
    if made and all(name.isdecimal() and name.isascii() and len(name) < 9 for name in made):
        return [made[name] for name in sorted(made, key=int)]
    return made
