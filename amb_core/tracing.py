"""OpenTelemetry spans around what a bank does, when the OpenTelemetry API is installed; otherwise nothing.

Spans carry ids, counts and the names of roles. No text of a user, a tool or a model is ever in one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

__all__ = ["traced"]

_NAME = "amb"


@cache
def _tracer() -> Any:
    """The tracer, or None without the API; the provider may be set later."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace.get_tracer(_NAME)


@contextmanager
def traced(operation: str, **attributes: str | int | float | bool) -> Iterator[dict[str, str | int | float | bool]]:
    """A span `amb.<operation>`; what is put into the dict it gives becomes attributes `amb.<name>` when it ends.

    An exception marks the span as failed by its type and goes on.
    """
    found = dict(attributes)
    tracer = _tracer()
    if tracer is None:
        yield found
        return
    from opentelemetry.trace import StatusCode

    with tracer.start_as_current_span(
        f"{_NAME}.{operation}", record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield found
        except BaseException as error:
            span.set_status(StatusCode.ERROR, type(error).__name__)
            raise
        finally:
            if span.is_recording():
                span.set_attributes({f"{_NAME}.{name}": value for name, value in found.items()})
