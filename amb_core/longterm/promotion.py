"""What a finished task leaves for good: insights that were verified, with where they came from; nothing disputed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from amb_core.bank import MemoryBank
from amb_core.errors import InvalidInput
from amb_core.longterm.memory import LongTermMemory
from amb_core.longterm.records import MemoryType, Provenance, Written
from amb_core.memory.planning import finished
from amb_core.models import BankSnapshot, ConflictStatus, QueryNode

__all__ = ["LeftBehind", "Promotion", "promote"]


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """A note of the task that was not promoted, and why: `disputed`, `stale` or `unverified`."""

    node_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Promotion:
    """What became of the notes of a task: by node id what was written, and what was left behind."""

    written: Mapping[str, Written]
    left: tuple[LeftBehind, ...] = ()


def promote(
    bank: MemoryBank | BankSnapshot,
    memory: LongTermMemory,
    *,
    namespace: str,
    metadata: Mapping[str, Any] | None = None,
) -> Promotion:
    """Write the verified notes of a finished task to long-term memory, as domain facts unless `metadata` say otherwise.

    A note is verified when it settled a contradiction on evidence, or when two sources said it; a note that is still
    disputed, or stands on something taken back, stays behind. Call it before `bank.close()`, which clears the task.
    Promoting a task twice adds nothing. Raises InvalidInput for a task that is not finished.
    """
    state = bank if isinstance(bank, BankSnapshot) else bank.snapshot()
    if not finished(state.insight):
        raise InvalidInput("the task is not finished; promote it when bank.finished is true, before bank.close().")
    kept = {"type": MemoryType.DOMAIN_FACTS.value, "source": "task"} | dict(metadata or {})
    written: dict[str, Written] = {}
    left: list[LeftBehind] = []
    for node, reason in _judged(state):
        if reason:
            left.append(LeftBehind(node.id, reason))
            continue
        origin = Provenance(
            run=state.insight.doc_id,
            task=state.insight.task_goal,
            entries=tuple(dict.fromkeys(span.entry_id for span in node.sources)),
        )
        written[node.id] = memory.write(
            _told(node), namespace=namespace, metadata=kept, provenance=origin, why="promoted from a finished task"
        )
    return Promotion(written, tuple(left))


def _judged(state: BankSnapshot) -> Iterator[tuple[QueryNode, str]]:
    """Each note with why it has to stay behind; "" for those to promote."""
    unsettled = (each for each in state.conflicts if each.status is not ConflictStatus.RESOLVED)
    disputed = {node_id for conflict in unsettled for node_id in conflict.node_ids}
    settled = {event.new_node_id for event in state.merges if event.evidence and not event.undone}
    sources = _sources(state)
    for node in state.nodes:
        told_by = set().union(*(sources.get(span.entry_id, set()) for span in node.sources))
        if node.id in disputed:
            yield node, "disputed"
        elif node.stale:
            yield node, "stale"
        else:
            yield node, "" if node.id in settled or len(told_by) > 1 else "unverified"


def _sources(state: BankSnapshot) -> dict[str, set[str]]:
    """By entry, the sources that said its text: its own, and those of entries that repeat it."""
    named = {entry.entry_id: str(entry.metadata.get("source") or entry.entry_id) for entry in state.entries}
    sources = {name: {source} for name, source in named.items()}
    for digestion in state.digestions:
        if digestion.repeat_of is not None and digestion.entry_id in named:
            sources.setdefault(digestion.repeat_of, set()).add(named[digestion.entry_id])
    return sources


def _told(node: QueryNode) -> str:
    """The note so that it can be understood alone: with its topic, unless the summary names it."""
    topic, summary = node.context.strip(), node.summary.strip()
    return summary if not topic or topic.casefold() in summary.casefold() else f"{topic}: {summary}"
