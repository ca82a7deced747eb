"""Taking personal data and secrets out of a text before it is kept."""

from amb_core.redaction.kinds import ALL_KINDS, Found, RedactionKind, mark_of
from amb_core.redaction.pattern_redactor import PatternRedactor
from amb_core.redaction.presidio_redactor import PresidioRedactor

__all__ = ["ALL_KINDS", "Found", "PatternRedactor", "PresidioRedactor", "RedactionKind", "mark_of"]
