"""Which calls of earlier runs are told within a budget, each as a line of a prompt with the time it is as of.

Lines are escaped, and never more than data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import UTC, datetime
from heapq import heapify, heappop, heappush

from amb_core.memory.passage_terms import identifiers
from amb_core.reading.layout_passages import read_passages
from amb_core.rendering import Language, escape_line, quoted_name
from amb_core.rendering.labels import EXPERIENCE_CLOSE, EXPERIENCE_HEADS, EXPERIENCE_OPEN
from amb_core.text import clip_tokens, estimate_tokens
from amb_experience.run_steps import RunStep

__all__ = [
    "Candidate",
    "ToldLine",
    "choose_lines",
    "experience_block",
    "insight_line",
    "parts_of",
    "step_line",
    "strip_empty",
]

_SHORT, _CALL_TOKENS = 60, 260
_AS_OF: dict[Language, str] = {"en": "as of {} · {}", "zh": "截至 {} · {}"}
_FAILED: dict[Language, str] = {"en": "failed: ", "zh": "失败："}
_RESULT = "→"
"""What stands between a call and its result, and nowhere before."""
_INSIGHT: dict[Language, str] = {
    "en": "as of {} · a model's conclusion, {}: {}",
    "zh": "截至 {} · 模型的推断（{}）：{}",
}
_PROVEN: dict[Language, tuple[str, str]] = {
    "en": ("which has not helped yet", "which helped in {} later runs"),
    "zh": ("尚未见效", "之后在 {} 次运行中见效"),
}
_CALL, _USED, _ASKED, _ELSE = 4.0, 3.0, 1.5, 1.0
"""What a string is worth that stands in a call, that later calls of its run used, that is about what is asked now, or
neither: of recorded runs, later ones of the same task used 4, 3 and 1 in ten (of those asked about: not known). A call
is worth one more, for it says what was done."""
_ANY = 0.1
"""What a part of a result without strings is worth, such as a name of one word."""
_FRAME = 14
"""Tokens of a line beside its call and its parts."""


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of the block, the record it comes from, and the parts of a result that it shows."""

    text: str
    record: str
    parts: tuple[str, ...] = ()


def experience_block(lines: Iterable[str], language: Language) -> str:
    """The block of some lines; "" for none."""
    told = [*lines]
    return "\n".join([EXPERIENCE_OPEN, EXPERIENCE_HEADS[language], *told, EXPERIENCE_CLOSE]) if told else ""


def strip_empty(text: str) -> str:
    """A text without blocks that have no line left."""
    for head in EXPERIENCE_HEADS.values():
        text = text.replace(f"{EXPERIENCE_OPEN}\n{head}\n{EXPERIENCE_CLOSE}", "")
    return text


def parts_of(step: RunStep) -> tuple[str, ...]:
    """The source text of a result in parts that can be told alone; a short one whole, of an error its beginning."""
    output = step.output.strip()
    if not output or estimate_tokens(output) <= _SHORT:
        return (output,) if output else ()
    if step.failed:
        return (clip_tokens(output, _SHORT),)
    return tuple(output[each.start : each.end].strip() for each in read_passages(output))


def step_line(step: RunStep, record: str, parts: Sequence[str], *, language: Language) -> ToldLine:
    """A call with some parts of its result."""
    tool = quoted_name(clip_tokens(step.tool, _CALL_TOKENS))
    asked = escape_line(clip_tokens(step.arguments, max(_CALL_TOKENS - estimate_tokens(tool), 1)))
    told = f"{tool} {asked.replace(_RESULT, '->')}".rstrip()
    if parts:
        mark = _FAILED[language] if step.failed else ""
        told = f"{told} {_RESULT} {mark}{escape_line(' … '.join(parts))}"
    return ToldLine(_dated(_AS_OF[language], step.at, told), record, tuple(parts))


def insight_line(text: str, record: str, *, at: float, helped: int, language: Language) -> ToldLine:
    """What a model concluded from a run, with how often that helped since."""
    proven = _PROVEN[language][helped > 0].format(helped)
    return ToldLine(_dated(_INSIGHT[language], at, proven, escape_line(text)), record)


def _dated(form: str, at: float, *told: str) -> str:
    return form.format(datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%d %H:%M"), *told)


@dataclass(slots=True)
class Candidate:
    """A call of an earlier run: its record, the rank of its run, and which parts of its result are to be told."""

    step: RunStep
    record: str
    rank: int
    chosen: dict[int, str] = field(default_factory=dict)
    """By their numbers; 0 stands for the call itself."""

    def cost(self, part: str) -> int:
        """Tokens of a part, or ("") of the call itself."""
        opening = 0 if self.chosen else _FRAME + estimate_tokens(f"{self.step.tool} {self.step.arguments}")
        return opening + (estimate_tokens(part) + 2 if part else 0)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A call (0, "") or a part of its result, with the strings it would bring."""

    of: Candidate
    number: int
    part: str
    strings: frozenset[str]

    def order(self, known: frozenset[str], brought: AbstractSet[str]) -> tuple[int, float]:
        """What sorts the best first: the better run, then what brings most for each of its tokens; 0 for nothing."""
        new = self.strings - brought
        if not self.part:
            worth = _ELSE + _CALL * len(new) / (2 if self.of.step.failed else 1)
        else:
            used = len(new.intersection(self.of.step.used))
            worth = _ANY + _USED * used + (_ASKED if self.strings & known else _ELSE) * (len(new) - used)
        worth *= 1 + bool(self.of.step.helped)
        return (self.of.rank, -worth / max(self.of.cost(self.part), 1))


def choose_lines(
    found: Iterable[Candidate], *, request: str, known: frozenset[str], budget: int, language: Language
) -> list[ToldLine]:
    """The lines that bring most of what the request does not hold, the best run first, in the order of the calls."""
    candidates = [*found]
    _choose([piece for each in candidates for piece in _pieces(each, request)], known=known, left=budget)
    told = sorted((each for each in candidates if each.chosen), key=lambda each: (each.rank, each.step.number))
    parts = [[each.chosen[number] for number in sorted(each.chosen) if number] for each in told]
    return [step_line(each.step, each.record, of, language=language) for each, of in zip(told, parts, strict=True)]


def _choose(pieces: Sequence[_Piece], *, known: frozenset[str], left: int) -> None:
    """Mark in their calls the pieces that are told; each is weighed anew when its turn comes."""
    brought: set[str] = set()
    waiting = [(*piece.order(known, brought), at) for at, piece in enumerate(pieces)]
    heapify(waiting)
    while waiting:
        at = heappop(waiting)[-1]
        piece = pieces[at]
        order = (*piece.order(known, brought), at)
        if waiting and order > waiting[0]:
            heappush(waiting, order)
            continue
        cost = piece.of.cost(piece.part)
        if piece.number in piece.of.chosen or cost > left or order[1] >= 0:
            continue
        left -= cost
        brought |= piece.strings
        is_first = not piece.of.chosen
        piece.of.chosen |= {0: "", piece.number: piece.part}
        for other in [at for at, one in enumerate(pieces) if is_first and one.of is piece.of]:
            heappush(waiting, (*pieces[other].order(known, brought), other))


def _pieces(each: Candidate, request: str) -> list[_Piece]:
    found = []
    for number, part in enumerate(["", *parts_of(each.step)]):
        text = part or each.step.arguments
        if text not in request:
            new = frozenset(one for one in identifiers(text) if one not in request)
            found.append(_Piece(each, number, part, new))
    return found
