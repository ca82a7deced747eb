"""Evidence on names, and the names it amounts to."""

from __future__ import annotations

from dataclasses import dataclass

from amb_book.statements import EntityKind

__all__ = ["Evidence", "FoundName"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One mention of a name at `start` of a text: the kind it speaks for, if any, and how much it weighs.

    `initial` where it opens a sentence, which capitals say nothing about; `determiner` the, a (also numbers) or my
    (also his …) where such a word stands before it.
    """

    name: str
    start: int
    kind: EntityKind | None = None
    weight: float = 0.0
    initial: bool = False
    determiner: str = ""


@dataclass(frozen=True, slots=True)
class FoundName:
    """A name with its kind: how often it was met, and in which text, from 0, it first stood, from character `start`."""

    name: str
    kind: EntityKind
    count: int
    text: int = 0
    start: int = 0
