"""What a redactor takes out, and the mark that stands in its place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["ALL_KINDS", "SECRETS", "Found", "RedactionKind", "mark_of"]


class RedactionKind(StrEnum):
    """A kind of personal data or secret; its value is the word in its mark and the key in `Redaction.found`."""

    EMAIL = "e-mail"
    PHONE = "phone"
    ID_CARD = "id-card"
    BANK_CARD = "bank-card"
    IBAN = "iban"
    IP = "ip"
    KEY = "key"
    PASSWORD = "password"


ALL_KINDS = frozenset(RedactionKind)
SECRETS = frozenset({RedactionKind.KEY, RedactionKind.PASSWORD})
"""What is never kept, whoever asks for it."""


@dataclass(frozen=True, slots=True)
class Found:
    """Something to take out: `text[start:end]`."""

    kind: RedactionKind
    start: int
    end: int


def mark_of(kind: RedactionKind) -> str:
    """What stands in the place of everything of that kind, in any language: `[e-mail]`."""
    return f"[{kind.value}]"
