"""Pydantic models as JSON schemas that endpoints enforce and small models can follow.

Strict endpoints want every property required, no property beyond them, and no defaults; every string and every array
has a bound, because a model that has lost its way otherwise writes on until the limit tears the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from amb_core.errors import InvalidParameter

__all__ = ["answer_schema"]

_DROPPED = frozenset({"title", "default", "description"})


def answer_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of an answer, with references resolved; InvalidParameter for an open map or an unbounded part."""
    raw = model.model_json_schema()
    found = _closed(raw, raw.get("$defs", {}), model.__name__)
    assert isinstance(found, dict)
    return found


def _closed(part: Any, definitions: Mapping[str, Any], where: str) -> Any:
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _closed(definitions[part["$ref"].rpartition("/")[2]], definitions, where)
    kept = {key: value for key, value in part.items() if key not in _DROPPED and key != "$defs"}
    kind = kept.get("type")
    if kind == "object":
        if "properties" not in kept or kept.get("additionalProperties"):
            raise InvalidParameter(f"{where} is an open map; name its fields")
        properties = {name: _closed(one, definitions, f"{where}.{name}") for name, one in kept["properties"].items()}
        return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    if kind == "array":
        if "maxItems" not in kept:
            raise InvalidParameter(f"{where} is a list without a bound; give it max_length")
        return {**kept, "items": _closed(kept["items"], definitions, f"{where}[]")}
    if kind == "string" and "enum" not in kept and "const" not in kept and "maxLength" not in kept:
        raise InvalidParameter(f"{where} is a text without a bound; give it max_length")
    for key in ("anyOf", "allOf", "oneOf"):
        if key in kept:
            kept[key] = [_closed(one, definitions, where) for one in kept[key]]
    return kept
