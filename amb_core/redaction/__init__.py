"""Taking personal data and secrets out of a text before it is kept."""

from amb_core.deferred import deferred
from amb_core.redaction.kinds import ALL_KINDS, Found, RedactionKind, mark_of
from amb_core.redaction.pattern_redactor import PatternRedactor

__all__ = ["ALL_KINDS", "Found", "PatternRedactor", "RedactionKind", "mark_of"]

__getattr__ = deferred(__name__, {"PresidioRedactor": ":presidio"})
