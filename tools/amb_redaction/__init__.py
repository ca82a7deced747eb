"""Taking personal data and secrets out of a text before it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amb_core.deferred import deferred

if TYPE_CHECKING:
    from amb_redaction.kinds import ALL_KINDS, Found, RedactionKind, mark_of
    from amb_redaction.pattern_redactor import PatternRedactor

__all__ = ["ALL_KINDS", "Found", "PatternRedactor", "RedactionKind", "mark_of"]

__getattr__ = deferred(
    __name__,
    {
        "ALL_KINDS": "kinds",
        "Found": "kinds",
        "PatternRedactor": "pattern_redactor",
        "PresidioRedactor": ":presidio",
        "RedactionKind": "kinds",
        "mark_of": "kinds",
    },
)
