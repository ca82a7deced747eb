"""Checks of what a caller passes to a bank; each error says what to pass instead."""

from __future__ import annotations

import operator
import os
from collections.abc import Collection
from pathlib import Path

from amb_core.errors import InvalidInput, InvalidParameter, UnknownId
from amb_core.models import AttachmentType

__all__ = ["attachment_type", "file_path", "require_id", "require_text", "require_type", "whole_number"]


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


def attachment_type(value: object) -> AttachmentType:
    """The attachment type of that name; InvalidParameter lists those there are."""
    for known in AttachmentType:
        if value == known:
            return known
    raise InvalidParameter(f"{str(value)[:80]!r} is no attachment type; use one of {', '.join(AttachmentType)}")


def file_path(value: object) -> Path:
    """The value as the path of a file; InvalidInput when it cannot name one."""
    if not isinstance(value, str | os.PathLike) or "\0" in os.fspath(value) or not Path(value).name:
        shown = ascii(os.fspath(value))[:80] if isinstance(value, str | os.PathLike) else type(value).__name__
        raise InvalidInput(f"a file path is needed, such as 'memory.json', not {shown}")
    return Path(value)
