"""What a finished task leaves for good: what two independent sources say or a person confirmed, with their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from amb_core.bank import MemoryBank
from amb_core.errors import InvalidInput, UnknownId
from amb_core.memory.steps import finished
from amb_core.models import BankSnapshot, QueryNode
from amb_core.reading import SourceIdentity, identify_source
from amb_core.scope import Scope
from amb_longterm.long_term_memory import LongTermMemory
from amb_longterm.memory_records import MemoryType, Provenance, WriteResult
from amb_notes.conflict_states import is_disputed
from amb_notes.witnesses import shown_document

__all__ = ["LeftBehind", "Promotion", "promote"]


@dataclass(frozen=True, slots=True)
class LeftBehind:
    """A note of the task that was not promoted: `disputed`, `stale`, or `unverified` with the documents that say it.

    An unverified note stands on fewer than two independent sources; `promote(…, nodes=…, confirmed_by=…)` promotes it.
    """

    node_id: str
    reason: str
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Promotion:
    """What became of the notes of a task: by node id what was written, and what was left behind."""

    written: Mapping[str, WriteResult]
    left: tuple[LeftBehind, ...] = ()


class RunKeeper(Protocol):
    """Keeps what a run did: `amb_experience.Experience` is one."""

    def keep(self, bank: MemoryBank, *, agent: str = "") -> int:
        """Keep what an agent did in a bank; returns the number of its calls."""
        ...


def promote(
    bank: MemoryBank | BankSnapshot,
    memory: LongTermMemory,
    *,
    namespace: str,
    nodes: Collection[str] = (),
    confirmed_by: str = "",
    experience: RunKeeper | None = None,
) -> Promotion:
    """Write the verified notes of a finished task to long-term memory, as domain facts.

    A note is verified when two independent sources (documents of two sites) say it; one that is still disputed, or
    stands on something taken back, stays behind. A person may confirm some `nodes` by id, whatever stands behind them:
    `confirmed_by` is kept with the record. With an `experience` what the run did is kept there as well. Call it before
    `bank.close()`, which may clear the task. Promoting a task twice adds nothing. Raises InvalidInput for a task that
    is not finished, for confirmed nodes without a person, for a snapshot with an experience, and UnknownId for a node
    that is not there.
    """
    state = bank if isinstance(bank, BankSnapshot) else bank.snapshot()
    if not finished(state.insight):
        raise InvalidInput("the task is not finished; promote it when bank.host.finished is true, before bank.close().")
    if experience is not None and isinstance(bank, BankSnapshot):
        raise InvalidInput("a snapshot does not say whose run it was; promote the bank itself to keep its experience.")
    if bool(nodes) != bool(confirmed_by.strip()):
        raise InvalidInput("to confirm notes give both: nodes=(their ids) and confirmed_by=(the person's name).")
    known = [node.id for node in state.nodes]
    for node_id in nodes:
        if node_id not in known:
            raise UnknownId("node", node_id, near=known[-3:])
    kept = {"type": MemoryType.DOMAIN_FACTS.value, "source": "task"}
    scope = (bank.host.scope if isinstance(bank, MemoryBank) else None) or Scope()
    written: dict[str, WriteResult] = {}
    left: list[LeftBehind] = []
    for node, documents, reason in _judged(state):
        confirmed = node.id in nodes
        if reason and not confirmed:
            left.append(LeftBehind(node.id, reason, documents))
            continue
        origin = Provenance(
            run=state.insight.doc_id,
            task=state.insight.task_goal,
            entries=_behind(node) or tuple(dict.fromkeys(span.entry_id for span in node.sources)),
            documents=documents,
            confirmed_by=confirmed_by.strip() if confirmed else "",
            by_entry=_by_entry(state, _behind(node)),
            user=scope.user or "",
            thread=scope.thread or "",
        )
        written[node.id] = memory.write(
            _told(node), namespace=namespace, metadata=kept, provenance=origin, why="promoted from a finished task"
        )
    if experience is not None and isinstance(bank, MemoryBank):
        for agent in dict.fromkeys(str(entry.metadata.get("agent", "")) for entry in state.entries):
            experience.keep(bank, agent=agent)
    return Promotion(written, tuple(left))


def _judged(state: BankSnapshot) -> Iterator[tuple[QueryNode, tuple[str, ...], str]]:
    """Each note with the documents that say it, and why it has to stay behind; "" for those to promote."""
    disputed = {node_id for conflict in state.conflicts if is_disputed(conflict) for node_id in conflict.node_ids}
    told_by = _sources(state)
    for node in state.nodes:
        sources = {source for entry_id in _behind(node) for source in told_by[entry_id] if source.is_witness}
        documents = tuple(sorted({shown_document(source) for source in sources}))
        if node.id in disputed:
            yield node, documents, "disputed"
        elif node.stale:
            yield node, documents, "stale"
        else:
            yield node, documents, "" if len({source.site for source in sources}) > 1 else "unverified"


def _behind(node: QueryNode) -> tuple[str, ...]:
    """The entries that say what a note says, without those that were refuted."""
    refuted = {span.entry_id for span in node.refuted}
    return tuple(dict.fromkeys(span.entry_id for span in node.sources if span.entry_id not in refuted))


def _by_entry(state: BankSnapshot, behind: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Which documents each entry behind a note brought, those included that say the same as one of them."""
    repeats = [each.entry_id for each in state.digestions if each.repeat_of in behind]
    named = {each.entry_id: identify_source(each.metadata, each.text) for each in state.entries}
    found = {entry: named[entry] for entry in (*behind, *repeats) if entry in named}
    return {entry: (shown_document(source),) if source.is_witness else () for entry, source in found.items()}


def _sources(state: BankSnapshot) -> defaultdict[str, set[SourceIdentity]]:
    """By entry, whose word it is: its own source, and those of entries that say the same."""
    named = {entry.entry_id: identify_source(entry.metadata, entry.text) for entry in state.entries}
    sources: defaultdict[str, set[SourceIdentity]] = defaultdict(set)
    for name, identity in named.items():
        sources[name].add(identity)
    for digestion in state.digestions:
        if digestion.repeat_of is not None and digestion.entry_id in named:
            sources[digestion.repeat_of].add(named[digestion.entry_id])
    return sources


def _told(node: QueryNode) -> str:
    """The note so that it can be understood alone: with its topic, unless the summary names it."""
    topic, summary = node.context.strip(), node.summary.strip()
    return summary if not topic or topic.casefold() in summary.casefold() else f"{topic}: {summary}"
