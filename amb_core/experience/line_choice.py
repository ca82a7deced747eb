"""Which calls of earlier runs, and which parts of their results, are told within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from amb_core.experience.experience_block import ToldLine, parts_of, step_line
from amb_core.experience.run_steps import RunStep
from amb_core.memory.passage_terms import identifiers
from amb_core.rendering import Language
from amb_core.text import estimate_tokens

__all__ = ["Candidate", "choose_lines"]

_USED, _ASKED, _ELSE = 3.0, 1.5, 0.3
"""What a string is worth that later calls of its run used, that is about what is asked now, or neither."""
_CALL = 1.5
"""What a string in a call is worth: the same call is likely to be made again."""
_ANY = 0.1
"""What any other part is worth, such as a name of one word."""
_FRAME = 14
"""Tokens of a line beside its call and its parts."""


@dataclass(slots=True)
class Candidate:
    """A call of an earlier run: its record, the rank of its run, and which parts of its result are to be told."""

    step: RunStep
    record: str
    rank: int
    chosen: dict[int, str] = field(default_factory=dict)
    begun: bool = False

    def cost(self, part: str | None) -> int:
        """Tokens of a part, or of the call itself."""
        opening = 0 if self.begun else _FRAME + estimate_tokens(f"{self.step.tool} {self.step.arguments}")
        return opening + (estimate_tokens(part) + 2 if part else 0)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A call (without `part`) or a part of its result, with the strings it would bring."""

    of: Candidate
    number: int
    part: str | None
    strings: frozenset[str]

    def worth(self, known: frozenset[str], brought: Mapping[str, object]) -> float:
        used = {*self.of.step.used}
        new = [one for one in self.strings if one not in brought]
        if self.part is None:
            return _CALL * len(new) / (2 if self.of.step.failed else 1)
        about = _ASKED if self.strings & known else _ELSE
        return _ANY + sum(_USED if one in used else about for one in new)


def choose_lines(
    found: Iterable[Candidate], *, request: str, known: frozenset[str], budget: int, language: Language
) -> list[ToldLine]:
    """The lines that bring most of what the request does not hold, the best run first, in the order of the calls."""
    candidates = [*found]
    pieces = [piece for each in candidates for piece in _pieces(each, request)]
    brought: dict[str, None] = {}
    left = budget
    for piece in sorted(pieces, key=partial(_order, known=known)):
        cost = piece.of.cost(piece.part)
        if cost > left or piece.worth(known, brought) <= 0:
            continue
        left -= cost
        piece.of.begun = True
        if piece.part is not None:
            piece.of.chosen[piece.number] = piece.part
        brought |= dict.fromkeys(piece.strings)
    told = sorted((each for each in candidates if each.begun), key=lambda each: (each.rank, each.step.number))
    return [step_line(each.step, each.record, _in_order(each), language=language) for each in told]


def _pieces(each: Candidate, request: str) -> list[_Piece]:
    texts: Sequence[str | None] = [None, *parts_of(each.step)]
    found = []
    for number, part in enumerate(texts):
        text = part if part is not None else each.step.arguments
        if part is None or part not in request:
            new = frozenset(one for one in identifiers(text) if one not in request)
            found.append(_Piece(each, number, part, new))
    return found


def _order(piece: _Piece, *, known: frozenset[str]) -> tuple[int, bool, float]:
    worth = piece.worth(known, {}) * (1 + bool(piece.of.step.helped))
    return (piece.of.rank, not piece.of.step.helped and worth <= 0, -worth / max(piece.of.cost(piece.part), 1))


def _in_order(each: Candidate) -> list[str]:
    return [each.chosen[number] for number in sorted(each.chosen)]
