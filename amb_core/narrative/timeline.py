"""When facts end because others begin: slots that hold one value at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from amb_core.graphs import GraphEdge
from amb_core.narrative.entities import HAS, HAS_STATUS

__all__ = ["ENDED", "SYMMETRIC", "Slot", "alone", "as_of", "merged", "rescheduled", "same_fact", "slot_of"]

Slot = tuple[str, str, str]
"""Relation, whose it is, and which attribute."""

ENDED = "ended"
"""The property with the chapter in which an author said that a fact ended; without it, it ends when another begins."""

SYMMETRIC = frozenset({"MARRIED_TO", "SIBLING_OF", "ALLY_OF", "ENEMY_OF"})
"""Relations that say the same in either direction."""

_ONE_PER_SUBJECT = frozenset({"IS_AT", "LOCATED_IN", HAS_STATUS, HAS})
_ONE_PER_OBJECT = frozenset({"OWNS"})


def slot_of(edge: GraphEdge) -> Slot | None:
    """The slot a fact stands in: one place and one state a person, one value an attribute, one owner a thing.

    None for a fact beside which others may hold.
    """
    if edge.kind in _ONE_PER_SUBJECT:
        return (edge.kind, edge.start, str(edge.properties.get("attribute", "")))
    if edge.kind in _ONE_PER_OBJECT:
        return (edge.kind, edge.end, "")
    return None


def rescheduled(slot: Sequence[GraphEdge]) -> list[GraphEdge]:
    """The facts of one slot that end elsewhere than they say, corrected; those of one chapter follow their order.

    A fact ends in the chapter in which the next begins, or where an author ended it before that.
    """
    placed = sorted(slot, key=lambda edge: edge.since or 0)
    changed: list[GraphEdge] = []
    for edge, following in zip_longest(placed, placed[1:]):
        ends = [end for end in (_ended(edge), following.since if following else None) if end is not None]
        until = min(ends, default=None)
        if until != edge.until:
            changed.append(replace(edge, until=until))
    return changed


def alone(edges: Iterable[GraphEdge]) -> list[GraphEdge]:
    """The same for facts that stand beside others: they end where an author ended them."""
    return [replace(edge, until=_ended(edge)) for edge in edges if edge.until != _ended(edge)]


def same_fact(one: GraphEdge, other: GraphEdge) -> bool:
    """Whether two edges say the same, at whatever time."""
    return _said(one) == _said(other)


def as_of(edge: GraphEdge, at: int) -> GraphEdge:
    """A fact as one knew it in a chapter: what ends it later is not known yet."""
    return edge if edge.until is None or edge.until <= at else replace(edge, until=None)


def merged(edges: Iterable[GraphEdge], *, at: int) -> list[GraphEdge]:
    """What was said up to a chapter, as it was known then; what was said again while it held is one fact."""
    runs: dict[tuple[str, ...], list[GraphEdge]] = {}
    for edge in sorted((each for each in edges if (each.since or 0) <= at), key=lambda each: each.since or 0):
        known = runs.setdefault(_said(edge), [])
        last = known[-1] if known else None
        if last is not None and (last.until is None or (edge.since or 0) <= last.until):
            ends = None if last.until is None or edge.until is None else max(last.until, edge.until)
            known[-1] = replace(last, until=ends)
        else:
            known.append(edge)
    return [as_of(edge, at) for known in runs.values() for edge in known]


def _said(edge: GraphEdge) -> tuple[str, ...]:
    ends = sorted((edge.start, edge.end)) if edge.kind in SYMMETRIC else [edge.start, edge.end]
    return (edge.kind, *ends, str(edge.properties.get("attribute", "")))


def _ended(edge: GraphEdge) -> int | None:
    found: Any = edge.properties.get(ENDED)
    return None if found is None else int(found)
