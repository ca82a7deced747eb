"""The points of a search engine that hold a record store: their ids, payloads, terms and vectors.

    kind      frame                                besides
    record    ["record", namespace, id]            data, times, place in the order, terms that can be filtered by
    version   ["version", namespace, id, number]   data and times that a kept version had
    about     ["about", namespace, id]             how many versions were kept
    journal   ["journal", opening, number]         a part of the transaction that is being written

A point's id is a digest of its frame: what is asked for by name is never searched for. Names and data are written so
that any text survives, and none can be taken for a pattern, a path or a UUID by the engine.
"""

from __future__ import annotations

import base64
import json
import math
import uuid
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from amb_core.protocols import Record, RecordQuery
from amb_core.stores.record_codec import decode, encode
from amb_core.text import index_tokens

__all__ = [
    "Payload",
    "about_payload",
    "dense_of",
    "frame_of",
    "name_of",
    "packed",
    "point_id",
    "record_of",
    "record_payload",
    "salvaged_frame",
    "sparse_of",
    "terms_of_query",
    "text_of",
    "unpacked",
    "vectors_of",
]

Payload = dict[str, Any]

_MARK = "amb:"
_TYPICAL_TERMS = 64
"""Length in terms that a text is taken to have on average; the engine knows no average."""


@dataclass(frozen=True, slots=True)
class Sparse:
    """A sparse vector: ascending indices below 2**32, and a weight for each."""

    indices: list[int]
    values: list[float]


# --- names and data ---------------------------------------------------------------------------------------------------


def name_of(text: str) -> str:
    """A namespace or id as the engine is given it: valid Unicode without control characters, and never a UUID."""
    if any(char < " " or char == "\x7f" or "\ud800" <= char <= "\udfff" for char in text):
        return f"~{base64.b64encode(text.encode('utf-8', 'surrogatepass')).decode()}"
    return f"={text}"


def text_of(name: str) -> str:
    """What `name_of` made this name of."""
    return name[1:] if name.startswith("=") else base64.b64decode(name[1:]).decode("utf-8", "surrogatepass")


def packed(data: Mapping[str, JsonValue]) -> str:
    """JSON as valid Unicode."""
    raw = encode(data)
    return raw if isinstance(raw, str) else f"~{base64.b64encode(raw).decode()}"


def unpacked(text: object) -> dict[str, JsonValue]:
    """What `packed` made this text of; ValueError when it is damaged."""
    if not isinstance(text, str):
        raise ValueError("no text")
    return decode(base64.b64decode(text[1:], validate=True) if text.startswith("~") else text.encode())


def frame_of(kind: str, *names: str, number: int | None = None) -> str:
    """What a point is: its kind, the namespace, the id and, for one of several, its number."""
    frame = [kind, *map(name_of, names), *([] if number is None else [number])]
    return _MARK + json.dumps(frame, separators=(",", ":"))


def point_id(frame: str) -> str:
    """The id of the point with this frame."""
    return str(uuid.UUID(bytes=blake2b(frame.encode(), digest_size=16).digest()))


def salvaged_frame(raw: bytes) -> list[str] | None:
    """The frame of a record whose stored bytes are damaged elsewhere, or None."""
    text = raw.decode("utf-8", "replace")
    start = text.find(f'{_MARK}["record"')
    try:
        frame, _ = json.JSONDecoder().raw_decode(text[start + len(_MARK) :] if start >= 0 else "")
    except ValueError:
        return None
    return frame if isinstance(frame, list) and len(frame) == 3 and all(isinstance(x, str) for x in frame) else None


# --- payloads ---------------------------------------------------------------------------------------------------------


def record_payload(kind: str, record: Record, data: Mapping[str, JsonValue], *, place: int, frame: str) -> Payload:
    """The payload of a record, or of a version of one."""
    held: Payload = {
        "kind": kind,
        "frame": frame,
        "id": name_of(record.id),
        "namespace": name_of(record.namespace),
        "place": place,
        "created_at": record.created_at,
        "updated_at": record.updated_at,
        "expires_at": record.expires_at,
        "data": packed(data),
    }
    if kind == "record":
        held["terms"] = sorted(set(_terms(data)))
    return {**held, "crc": _checksum(held)}


def record_of(payload: Payload) -> Record | None:
    """The record a payload holds; None when it cannot be read back."""
    try:
        if payload["crc"] != _checksum(payload):
            return None
        data = unpacked(payload["data"])
        names = (text_of(payload["namespace"]), text_of(payload["id"]))
        return Record(*names, data, payload["created_at"], payload["updated_at"], payload["expires_at"])
    except (KeyError, ValueError, TypeError, AttributeError):
        return None


def about_payload(namespace: str, id: str, *, versions: int) -> Payload:
    """The payload that says how many versions of a record were kept."""
    return {"kind": "about", "frame": frame_of("about", namespace, id), "versions": versions, "place": 0}


def _checksum(payload: Payload) -> int:
    """Of what a reader trusts; the engine may write 1.0 as 1, so numbers are compared as numbers."""
    times = [float(at) if isinstance(at, int | float) else at for at in map(payload.get, _TIMES)]
    return zlib.crc32(repr((payload.get("frame"), times, payload.get("data"))).encode("utf-8", "surrogatepass"))


_TIMES = ("created_at", "updated_at", "expires_at")


# --- what can be filtered and ranked by -------------------------------------------------------------------------------


def terms_of_query(query: RecordQuery) -> list[str]:
    """A term for each plain value that a query compares; what has none is left to `matches`."""
    found = [_term([field], value) for field, value in query.where.items() if _is_plain(value)]
    for outer, fields in query.within.items():
        found += [_term([outer, field], value) for field, value in fields.items() if _is_plain(value)]
    return found


def _terms(data: Mapping[str, JsonValue]) -> Iterator[str]:
    for field, value in data.items():
        if _is_plain(value):
            yield _term([field], value)
        elif isinstance(value, dict):
            yield from (_term([field, inner], each) for inner, each in value.items() if _is_plain(each))


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def _term(path: list[str], value: JsonValue) -> str:
    """A digest of a field and its value: equal numbers have equal ones, whatever their type."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = json.dumps([path, value])
    return blake2b(text.encode(), digest_size=8).hexdigest()


def vectors_of(payload: Payload) -> tuple[Sparse | None, NDArray[np.float32] | None]:
    """The sparse vector of a record's field `content` and the vector in its field `embedding`, where it has these."""
    try:
        data = unpacked(payload["data"]) if payload.get("kind") == "record" else {}
    except ValueError:
        return None, None
    content = data.get("content")
    return sparse_of(content) if isinstance(content, str) else None, dense_of(data.get("embedding"))


def sparse_of(text: str) -> Sparse | None:
    """The terms of a text, weighted as BM25 does but for how rare they are, which the engine knows; None for none."""
    counts = Counter(_index(term) for term in index_tokens(text))
    if not counts:
        return None
    long = 1.2 * (0.25 + 0.75 * counts.total() / _TYPICAL_TERMS)
    ordered = sorted(counts.items())
    return Sparse([index for index, _ in ordered], [2.2 * count / (count + long) for _, count in ordered])


def _index(term: str) -> int:
    return int.from_bytes(blake2b(term.encode("utf-8", "surrogatepass"), digest_size=4).digest(), "big")


def dense_of(encoded: object) -> NDArray[np.float32] | None:
    """The vector in base64 of little-endian float32; None for anything else, and for a vector without a direction."""
    if not isinstance(encoded, str):
        return None
    try:
        vector = np.frombuffer(base64.b64decode(encoded, validate=True), dtype="<f4").astype(np.float32)
    except ValueError:
        return None
    length = math.sqrt(float(vector @ vector)) if vector.size else 0.0
    return vector if math.isfinite(length) and length > 0 else None
