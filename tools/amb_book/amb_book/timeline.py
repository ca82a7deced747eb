"""When facts end because others begin: slots that hold one value at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from amb_book.entities import HAS, HAS_STATUS
from amb_book.graphs import GraphEdge

__all__ = [
    "ENDED",
    "ONE_PER_OBJECT",
    "ONE_PER_SUBJECT",
    "OUR_OWN",
    "STORY_TIME",
    "SYMMETRIC",
    "Slot",
    "as_of",
    "merged",
    "only_ends",
    "rescheduled",
    "said_by",
    "same_fact",
    "slot_of",
]

Slot = tuple[str, str, str]
"""Relation, whose it is, and which attribute."""

ENDED = "ended"
"""The property of an edge that says only that a fact ended; it lasts no chapter, and ends what said the same before."""

STORY_TIME = "story_time"
"""The property of an edge that says when in the story it is."""

OUR_OWN = frozenset({"settlement", "evidence", "attribute", ENDED, STORY_TIME})
"""The properties of an edge that are none of the relation itself."""

SYMMETRIC = frozenset({"MARRIED_TO", "SIBLING_OF", "ALLY_OF", "ENEMY_OF"})
"""Relations that say the same in either direction."""

ONE_PER_SUBJECT = frozenset({"IS_AT", "LOCATED_IN", HAS_STATUS, HAS})
ONE_PER_OBJECT = frozenset({"OWNS"})


def slot_of(edge: GraphEdge) -> Slot | None:
    """The slot a fact stands in: one place and one state a person, one value an attribute, one owner a thing.

    None for a fact beside which others may hold.
    """
    if edge.kind in ONE_PER_SUBJECT:
        return (edge.kind, edge.start, str(edge.properties.get("attribute", "")))
    if edge.kind in ONE_PER_OBJECT:
        return (edge.kind, edge.end, "")
    return None


def only_ends(edge: GraphEdge) -> bool:
    """Whether an edge says that a fact ended, and not that it holds."""
    return bool(edge.properties.get(ENDED))


def rescheduled(edges: Iterable[GraphEdge]) -> list[GraphEdge]:
    """The facts that end elsewhere than they say, corrected; of all that was ever said in their slots.

    A fact ends in the chapter in which the next of its slot begins, or where an author ended it before that; those of
    one chapter follow the order in which they come.
    """
    changed: list[GraphEdge] = []
    begins: dict[Slot, int | None] = {}
    ends: dict[tuple[str, ...], int | None] = {}
    for edge in sorted(edges, key=lambda each: each.since or 0)[::-1]:
        said, slot = said_by(edge), slot_of(edge)
        if only_ends(edge):
            ends[said] = edge.since
            continue
        known = [ends.get(said), begins.get(slot) if slot is not None else None]
        until = min((end for end in known if end is not None), default=None)
        if until != edge.until:
            changed.append(replace(edge, until=until))
        if slot is not None:
            begins[slot] = edge.since
    return changed[::-1]


def same_fact(one: GraphEdge, other: GraphEdge) -> bool:
    """Whether two edges say the same, at whatever time."""
    return said_by(one) == said_by(other)


def as_of(edge: GraphEdge, at: int) -> GraphEdge:
    """A fact as one knew it in a chapter: what ends it later is not known yet."""
    return edge if edge.until is None or edge.until <= at else replace(edge, until=None)


def merged(edges: Iterable[GraphEdge], *, at: int) -> list[GraphEdge]:
    """What was said up to a chapter, as it was known then; what was said again while it held is one fact, with the
    newest of its properties.

    That something ended of which nobody had said that it held is a fact of no length.
    """
    told = sorted((each for each in edges if (each.since or 0) <= at), key=lambda each: each.since or 0)
    runs: dict[tuple[str, ...], list[GraphEdge]] = {}
    for edge in (each for each in told if not only_ends(each)):
        known = runs.setdefault(said_by(edge), [])
        last = known[-1] if known else None
        if last is not None and (last.until is None or (edge.since or 0) <= last.until):
            ends = None if last.until is None or edge.until is None else max(last.until, edge.until)
            newer = {name: value for name, value in edge.properties.items() if name not in OUR_OWN}
            known[-1] = replace(last, until=ends, properties={**last.properties, **newer})
        else:
            known.append(edge)
    for edge in (each for each in told if only_ends(each)):
        known = runs.setdefault(said_by(edge), [])
        if not any(_touches(run, edge.since or 0) for run in known):
            known.append(edge)
    return [as_of(edge, at) for known in runs.values() for edge in known]


def _touches(run: GraphEdge, chapter: int) -> bool:
    return (run.since or 0) <= chapter and (run.until is None or chapter <= run.until)


def said_by(edge: GraphEdge) -> tuple[str, ...]:
    """What an edge says, without when: equal for edges that say the same."""
    ends = sorted((edge.start, edge.end)) if edge.kind in SYMMETRIC else [edge.start, edge.end]
    return (edge.kind, *ends, str(edge.properties.get("attribute", "")))
