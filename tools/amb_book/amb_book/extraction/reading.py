"""What was read off a text."""

from __future__ import annotations

from dataclasses import dataclass

from amb_book.statements import Statement

__all__ = ["Reading"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement, the sentence it was read off, word for word, and how sure that is in [0, 1]."""

    statement: Statement
    evidence: str
    confidence: float = 0.8
