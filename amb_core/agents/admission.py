"""What every conflict must pass, whoever found it: prose of two independent documents, two values of one kind."""

import re

from amb_core.agent_io import NodeView, Passage, Relationship
from amb_core.agents.slots import Slot, compare, find_slots
from amb_core.reading import prose_spans
from amb_core.reading.sources import SourceIdentity, identify_source
from amb_core.text import find_quote

__all__ = ["admit", "are_independent", "passages_of"]

_BOUND = re.compile(
    r"\b(?:more|less|fewer|at least|at most|over|under|up to|before|after|until)\b"
    r"|超过|至少|多于|不足|不到|至多|以[上下内前后]",
    re.IGNORECASE,
)
"""In a value of which only one end is known: "more than 300" and 340 can both be meant."""
_PLAIN = ("", "count")
"""Units of a figure that stands alone: the unit may be in the sentence around it."""


def passages_of(view: NodeView) -> tuple[Passage, ...]:
    """The prose of a node by document; where nobody told it apart, what its text or summary has, as its source's."""
    if view.passages is not None:
        return view.passages
    text = view.text if view.text.strip() else view.summary
    whose = identify_source({"source": view.source}) if view.source.strip() else SourceIdentity(view.id, view.id)
    return tuple(
        Passage(text=text[start:end], document=whose.document, site=whose.site) for start, end in prose_spans(text)
    )


def are_independent(a: Passage, b: Passage) -> bool:
    """Whether two passages are the word of two documents: a tool that is asked twice is one."""
    if not (a.site and b.site) or a.document == b.document:
        return False
    return a.site != b.site or not a.site.startswith("tool:")


def admit(relation: Relationship, *, new: NodeView, candidate: NodeView) -> Relationship:
    """The relationship itself, or "related" in place of a conflict that does not stand on two independent documents."""
    if relation.relationship != "conflict" or _stands(relation.conflict_values, candidate, new):
        return relation
    reason = relation.reasoning or relation.conflict_description
    return Relationship(existing_node=relation.existing_node, relationship="related", reasoning=reason)


def _stands(said: tuple[str, ...], candidate: NodeView, new: NodeView) -> bool:
    if len(said) != 2 or not _are_of_one_kind(*said):
        return False
    return any(
        are_independent(x, y) and find_quote(said[0], x.text) and find_quote(said[1], y.text)
        for x in passages_of(candidate)
        for y in passages_of(new)
    )


def _are_of_one_kind(a: str, b: str) -> bool:
    """Whether two values can be held against each other and differ; plain words differ by their letters."""
    left, right = _measures(a), _measures(b)
    if left and right and (_BOUND.search(a) is None) != (_BOUND.search(b) is None):
        return False
    if not left and not right:
        return bool(a.strip() and b.strip()) and a.strip().casefold() != b.strip().casefold()
    return any(_unlike(x, y) for x in left for y in right)


def _measures(text: str) -> list[Slot]:
    return [slot for slot in find_slots(text) if slot.kind != "name"]


def _unlike(x: Slot, y: Slot) -> bool:
    if x.kind == y.kind == "number" and x.unit != y.unit and (x.unit in _PLAIN or y.unit in _PLAIN):
        return (x.low, x.high) != (y.low, y.high)
    return compare(x, y) == "different"
