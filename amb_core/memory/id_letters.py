"""Ids where two banks are shown together: the letter says which bank a note is in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from amb_core.models import Receipt
from amb_core.rendering import MemoryItem

__all__ = ["OWN", "TEAM", "lettered", "of_own_bank", "with_letter"]

OWN, TEAM = "p", "s"
"""`p12` is a note of the agent's own (private) bank, `s12` one of the shared bank."""


def with_letter(node_id: str, letter: str) -> str:
    """The id with another letter: `n12` → `s12`."""
    return f"{letter}{node_id[1:]}"


def lettered(items: Iterable[MemoryItem], letter: str) -> list[MemoryItem]:
    """Notes whose ids, and those of what they are disputed with, carry the letter of their bank."""
    return [_lettered(item, letter) for item in items]


def _lettered(item: MemoryItem, letter: str) -> MemoryItem:
    disputes = tuple(
        replace(one, others=tuple(with_letter(other, letter) for other in one.others)) for one in item.disputes
    )
    node = item.node.model_copy(update={"id": with_letter(item.node.id, letter)})
    state = item.state
    if state is not None and state.newer:
        state = replace(state, newer=with_letter(state.newer, letter))
    return replace(item, node=node, hit=replace(item.hit, id=node.id), disputes=disputes, state=state)


def of_own_bank(receipts: Iterable[Receipt]) -> tuple[Receipt, ...]:
    """Receipts by the ids of the agent's own bank; those of shared notes keep their letter."""
    return tuple(
        one.model_copy(update={"node_id": with_letter(one.node_id, "n")}) if one.node_id.startswith(OWN) else one
        for one in receipts
    )
