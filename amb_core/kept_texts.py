"""What is kept of a text or of JSON with texts: what a redactor leaves of it, also when the redactor fails."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, cast

from amb_core.call_lock import raise_if_stopped
from amb_core.protocols import Redaction, Redactor

__all__ = ["map_texts", "redact_safely"]

_log = logging.getLogger("amb.redaction")


def map_texts(value: Any, change: Callable[[str], str]) -> Any:
    """JSON with every text in it changed, keys as well."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [map_texts(each, change) for each in value]
    if isinstance(value, dict):
        return {change(key): map_texts(each, change) for key, each in value.items()}
    return value


def redact_safely(text: str, redactor: Redactor, *, failed: Callable[[], None] = lambda: None) -> Redaction:
    """What a redactor leaves of a text; where it raises, `failed` is called and what the patterns leave.

    How many things of which kind were taken out is logged.
    """
    redaction = _redacted(text, redactor, failed)
    if redaction.found:
        kinds = ", ".join(f"{count} {kind}" for kind, count in redaction.found.items())
        _log.info("taken out of a text before it is kept: %s", kinds)
    return redaction


def _redacted(text: str, redactor: Redactor, failed: Callable[[], None]) -> Redaction:
    try:
        return redactor.redact(text)
    except Exception as error:  # noqa: BLE001 - it may be anybody's
        raise_if_stopped(error)
        from amb_core.registry import find_extra  # here, for most banks have no redactor

        _log.warning("the redactor failed (%s); the patterns stand in for it", type(error).__name__)
        failed()
        return cast(Redactor, find_extra("patterns")()).redact(text)
