"""How a point of a record store is a row of a Chroma collection, for AMB and for Chroma's own client.

AMB's own fields begin with `amb:`. Besides, a record shows those top-level fields whose name is a word as native
metadata, where Chroma has a form for them, and its text as the document. So Chroma's own client can filter and read:
`{"$and": [{"entity_list": {"$contains": "A"}}, {"entity_list": {"$contains": "B"}}]}`.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from amb_vector_stores.points import Payload, frame_of, name_of, sparse_of, text_of, unpacked

__all__ = ["WordIndex", "document_of", "metadata_of", "payload_of", "without"]

Metadata = Mapping[str, Any]
_REST, _DATA, _KIND, _NAMESPACE, _ID = "amb:point", "amb:data", "amb:kind", "amb:namespace", "amb:id"
_TEXTS = ("content", "text")
_HIDDEN = {*_TEXTS, "embedding"}
_LONGEST = 1_000
"""Characters of a text that is worth filtering by."""


def metadata_of(payload: Payload) -> dict[str, Any]:
    """The metadata of a point."""
    rest = {name: value for name, value in payload.items() if name != "data"}
    held: dict[str, Any] = {_REST: json.dumps(rest, ensure_ascii=False, separators=(",", ":")), _KIND: payload["kind"]}
    if "data" in payload:
        held[_DATA] = payload["data"]
    if payload["kind"] != "record":
        return held
    for name, key in ((_NAMESPACE, "namespace"), (_ID, "id")):
        held[name] = text_of(payload[key]) if payload[key].startswith("=") else payload[key]
    return {**_native(_data(payload)), **held}


def document_of(payload: Payload) -> str:
    """The text of a record, for reading and for Chroma's filters on documents; empty where there is none."""
    data = _data(payload) if payload["kind"] == "record" else {}
    return next((data[name] for name in _TEXTS if _plain_text(data.get(name))), "")


def payload_of(metadata: Metadata) -> Payload | None:
    """The point a row holds; one that is damaged only says which record it was, and None stands for no point at all."""
    try:
        rest = json.loads(metadata[_REST])
        if rest["kind"] in ("record", "version", "about", "journal") and isinstance(rest["frame"], str):
            return {**rest, "data": metadata[_DATA]} if _DATA in metadata else rest
    except (KeyError, ValueError, TypeError):
        pass
    namespace, key = metadata.get(_NAMESPACE), metadata.get(_ID)
    if metadata.get(_KIND) != "record" or not isinstance(namespace, str) or not isinstance(key, str):
        return None
    frame = frame_of("record", namespace, key)
    names = {"namespace": name_of(namespace), "id": name_of(key)}
    return {"kind": "record", "frame": frame, **names, "place": 0, "data": "", "crc": -1, "expires_at": None}


def without(old: Metadata, new: dict[str, Any]) -> dict[str, Any]:
    """What makes Chroma replace old metadata by new, which it would only add to."""
    return {**dict.fromkeys(name for name in old if name not in new), **new}


def _data(payload: Payload) -> dict[str, Any]:
    try:
        return unpacked(payload["data"])
    except (KeyError, ValueError):
        return {}


def _native(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields Chroma has a form for; no empty or mixed lists, and no numbers beyond 64 bits."""
    found: dict[str, Any] = {}
    for name, value in data.items():
        if name in _HIDDEN or not name.isidentifier():  # Chroma keeps $, # and its own prefix for itself
            continue
        if _is_native([value]):
            found[name] = value
        elif isinstance(value, list) and value and _is_native(value):
            found[name] = list(value)
    return found


def _is_native(values: Iterable[object]) -> bool:
    kinds = {type(value) for value in values}
    if kinds == {str}:
        return all(_plain_text(value) and len(str(value)) <= _LONGEST for value in values)
    if kinds == {int}:
        return all(isinstance(value, int) and -(2**63) <= value < 2**63 for value in values)
    return kinds in ({bool}, {float})


def _plain_text(text: object) -> bool:
    """Whether it is text that can be stored as it is."""
    return isinstance(text, str) and "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


class WordIndex:
    """The words of texts by id, weighted as BM25 does."""

    def __init__(self) -> None:
        self._weights: dict[int, dict[str, float]] = defaultdict(dict)
        self._terms: dict[str, list[int]] = {}

    def put(self, id: str, text: str) -> None:
        """Index a text in the place of what the id had."""
        self.remove(id)
        words = sparse_of(text)
        if words is None:
            return
        self._terms[id] = words.indices
        for term, weight in zip(words.indices, words.values, strict=True):
            self._weights[term][id] = weight

    def remove(self, id: str) -> None:
        """Forget an id; no error when it is unknown."""
        for term in self._terms.pop(id, ()):
            del self._weights[term][id]

    def ranked(self, text: str, allowed: Collection[str]) -> dict[str, float]:
        """How well the allowed texts fit, those without a common word left out; rare words weigh more."""
        found: dict[str, float] = defaultdict(float)
        words = sparse_of(text)
        for term, asked in zip(words.indices, words.values, strict=True) if words is not None else ():
            having = self._weights.get(term, {})
            rare = math.log(1 + (len(self._terms) - len(having) + 0.5) / (len(having) + 0.5))
            for each, weight in having.items():
                if each in allowed:
                    found[each] += asked * weight * rare
        return found
