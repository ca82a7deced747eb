"""What every store checks on the way in and agrees on: JSON values, their equality, and their bytes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from amb_core.errors import InvalidParameter
from amb_core.protocols import Record, RecordQuery

__all__ = ["checked_data", "checked_query", "checked_record", "decode", "encode", "json_copy", "matches", "storable"]

_PLAIN = frozenset((str, int, bool, type(None)))
"""What is its own copy."""
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def json_copy(value: object) -> JsonValue:
    """A copy that shares nothing but its strings; tuples become lists; ValueError for what JSON has no form for."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value if type(value) is str else str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no JSON number")
        return float(value)
    if type(value) is dict or isinstance(value, Mapping):
        return _mapping_copy(value)
    if isinstance(value, (list, tuple)):
        return [cast("JsonValue", item) if type(item) in _PLAIN else json_copy(item) for item in value]
    raise ValueError(f"a {type(value).__name__} is no JSON value")


def _mapping_copy(value: Mapping[object, object]) -> dict[str, JsonValue]:
    copy: dict[str, JsonValue] = {}
    for key, item in value.items():
        if type(key) is not str:
            if not isinstance(key, str):
                raise ValueError(f"the key {key!r} is not text")
            key = str.__str__(key)
        copy[key] = cast("JsonValue", item) if type(item) in _PLAIN else json_copy(item)
    return copy


def checked_data(data: Mapping[str, JsonValue], *, of: str) -> dict[str, JsonValue]:
    """A private copy of `data`; InvalidParameter naming `of` when it is not JSON."""
    try:
        return _mapping_copy(cast("Mapping[object, object]", data))
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InvalidParameter(
            f"the data of {of} cannot be stored: {reason}. Pass a dict of JSON values (text, finite numbers, lists)."
        ) from None


def checked_record(record: Record) -> dict[str, JsonValue]:
    """A private copy of the record's data; InvalidParameter when the data or a time cannot be stored."""
    name, ends = f"record {record.id!r} in {record.namespace!r}", record.expires_at or 0.0
    if not (math.isfinite(record.created_at) and math.isfinite(record.updated_at) and math.isfinite(ends)):
        raise InvalidParameter(f"{name} has a time that is no finite number; pass seconds since the epoch.")
    return checked_data(record.data, of=name)


def checked_query(query: RecordQuery) -> RecordQuery:
    """The query itself; InvalidParameter when its limit is negative."""
    if query.limit is not None and query.limit < 0:
        raise InvalidParameter(f"limit is {query.limit}; pass 0 or more, or None for all records.")
    return query


def encode(data: Mapping[str, JsonValue]) -> str | bytes:
    """JSON text; bytes instead when a lone surrogate keeps it from being UTF-8 (exact both ways, see `decode`)."""
    text = _ENCODER.encode(data)
    return storable(text)


def storable(text: str) -> str | bytes:
    """The text, or its bytes with surrogates passed through when it is not valid Unicode."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def decode(raw: bytes) -> dict[str, JsonValue]:
    """The data `encode` made these bytes of; ValueError when they are damaged."""
    try:
        data = json.loads(raw.decode("utf-8", "surrogatepass"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    return cast("dict[str, JsonValue]", data)


def _same_json(left: JsonValue, right: JsonValue) -> bool:
    """Equality of JSON values: 1 equals 1.0, but true is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same_json(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(_same_json, left, right))
    return left == right


def matches(data: Mapping[str, JsonValue], query: RecordQuery) -> bool:
    """Whether `data` has every field the query asks for, with an equal value, at the top or one level down."""
    return _has(data, query.where) and all(_has(data.get(key), fields) for key, fields in query.within.items())


def _has(data: object, fields: Mapping[str, JsonValue]) -> bool:
    """Whether `data` is an object with these values; a missing field equals nothing, not even null."""
    return isinstance(data, Mapping) and all(key in data and _same_json(data[key], fields[key]) for key in fields)
