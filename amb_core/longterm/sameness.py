"""Whether a new text says what a remembered one says: the same, more, otherwise, or something else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from amb_core.agents.contradiction import contradictions
from amb_core.text import value_signature, word_key

__all__ = ["Sameness", "SamenessKind", "compare"]

SamenessKind = Literal["same", "adds", "conflict", "different"]


@dataclass(frozen=True, slots=True)
class Sameness:
    """`same`: nothing new; `adds`: the same matter and more, nothing contradicts; `conflict`: another value for it.

    A conflict says what about (`subject`) and names the `values`, the old one first.
    """

    kind: SamenessKind
    subject: str = ""
    values: tuple[str, ...] = ()


def compare(new: str, old: str, *, likeness: float | None = None, topics: tuple[str, str] = ("", "")) -> Sameness:
    """How a new text stands to an old one; texts whose values differ are never `same` or `adds`.

    `likeness` in [0, 1] is an embedder's, None without one; `topics` name what the new and the old text are about.
    """
    if word_key(new) == word_key(old) and value_signature(new) == value_signature(old):
        return Sameness("same")
    found = contradictions(old, new, topics=(topics[1], topics[0]))
    if found:
        return Sameness("conflict", found[0].subject, found[0].values)
    return Sameness("different")
