"""The ids of what a bank keeps: a letter and a number, given out once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_core.models import BankSnapshot, Frozen

__all__ = ["LETTERS", "Counters", "highest", "id_number", "is_id", "is_message", "link_id"]

LETTERS = "aecgmntw"
"""The letters of ids: attachment, entry, conflict, an earlier goal, merge, node, the turn of an injection, words."""

_ID = re.compile(r"[a-z][1-9][0-9]{0,17}")


class Counters(Frozen):
    """The last number given out per id letter; numbers are never given out twice."""

    last: dict[str, int] = {}


def is_id(identifier: str, letter: str) -> bool:
    """Whether this is an id of that letter: the letter and a number from 1 on."""
    return identifier.startswith(letter) and _ID.fullmatch(identifier) is not None


def id_number(identifier: str) -> int:
    """The number in an id: 12 for `n12`."""
    return int(identifier[1:])


def is_message(entry_id: str) -> bool:
    """Whether an entry is what the agent or the user said, which is no step of its own."""
    return entry_id.startswith("w")


def link_id(a: str, b: str) -> str:
    """The identity of an undirected link."""
    return f"{a}-{b}" if a <= b else f"{b}-{a}"


def highest(snapshot: BankSnapshot) -> dict[str, int]:
    """The counters of a snapshot, each at least as high as the highest number of its letter in use."""
    last = dict(snapshot.counters)
    for identifier in _identifiers(snapshot):
        if identifier[:1] in LETTERS and _ID.fullmatch(identifier):
            last[identifier[0]] = max(last.get(identifier[0], 0), id_number(identifier))
    return last


def _identifiers(snapshot: BankSnapshot) -> Iterator[str]:
    """Every id that occurs in a snapshot, as a thing that is there or as one that was."""
    for entry in snapshot.entries:
        yield entry.entry_id
        yield from (attachment.id for attachment in entry.attachments)
    for digestion in snapshot.digestions:
        yield digestion.entry_id
        yield from digestion.node_ids
    yield from (node.id for node in snapshot.nodes)
    for link in (*snapshot.links, *(link for kept in snapshot.archive for link in kept.links)):
        yield from (link.a, link.b)
    for conflict in snapshot.conflicts:
        yield from (conflict.id, *conflict.node_ids)
    for event in snapshot.merges:
        yield from (event.event_id, event.new_node_id, *event.merged_node_ids, *event.conflict_ids)
    for kept in snapshot.archive:
        yield from (kept.node.id, kept.event_id)
    yield from (f"t{injection.turn}" for injection in snapshot.injections)
    yield from (attachment.id for attachment in snapshot.waiting)
    yield from (doc.id for doc in snapshot.earlier)
