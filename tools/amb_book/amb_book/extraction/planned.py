"""What an author says of chapters to come, as parts of the plan."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from amb_book.extraction.marking import Marked
from amb_book.extraction.modality import is_request
from amb_book.extraction.passages import BLOT, Passage
from amb_book.extraction.reading import Reading
from amb_book.statements import PlanKind, PlanStatement

if TYPE_CHECKING:
    from amb_book.plan import PlanGraph

__all__ = ["belongs", "plan_reading"]

_SAYS_SO = {
    "en": re.compile(
        r"\b(?:next|later|coming|following|final|last) (?:chapters?|books?|arcs?|volumes?)\b|\b(?:in|by|for|"
        r"until) chapter \w+|\b(?:the|our|my) plan\b|\bplan (?:is|to)\b|\bplanned\b|"
        r"\b(?:I|we) (?:want|plan|intend|would like|am going|are going|will|shall)\b|\bI['’]d like\b|\b(?:I|"
        r"we)['’]ll\b|\blet['’]?s have\b|<c\d+> (?:will|shall|is going to|should|must|is to)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"下一?章|后面|之后会|以后会|接下来|打算|计划|我想|我要|将会|将要|想让|大纲|最终会|最后会|"
        r"第[一二三四五六七八九十百零\d]+章|<c\d+>(?:会|将|要|应该|必须)"
    ),
}
_NAMED = re.compile(r"<[cligah]\d+>")
_MOST = 160
_WITHIN: tuple[tuple[PlanKind, PlanKind], ...] = (
    ("short_outline", "step"),
    ("long_outline", "short_outline"),
    ("general_outline", "long_outline"),
)


def plan_reading(passage: Passage, marked: Marked, *, plan: PlanGraph | None) -> Reading | None:
    """A part of the plan for a sentence of what is to come; None when it names nobody or is not its author's plan."""
    if is_request(passage) or BLOT in passage.told or not _NAMED.search(marked.text):
        return None
    if not _SAYS_SO[passage.language].search(marked.text):
        return None
    title = " ".join(passage.text.split())
    name = title[:_MOST].rstrip(" .。!！")
    kind, within = belongs(plan)
    if plan is not None and any(part.id == name or part.title == name for part in plan.parts()):
        return None
    return Reading(PlanStatement(plan=name, kind=kind, title=name, text=title, within=within), passage.text, 0.6)


def belongs(plan: PlanGraph | None) -> tuple[PlanKind, str | None]:
    """What a new part is: a step of the outline in progress, or an outline where there is none to put a step into."""
    if plan is None:
        return "step", None
    for outer, inner in _WITHIN:
        there = plan.parts(outer)
        if there:
            begun = [part for part in there if part.status == "InProgress"]
            return inner, (begun or there)[-1].id
    return "general_outline", None
