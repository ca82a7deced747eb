"""What becomes of a new text among the records there are: a record of its own, nothing, or a part of another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import JsonValue

from amb_core.longterm.merging import joined
from amb_core.longterm.records import Disagreement, MemoryRecord, MemoryType, MergeStrategy, Provenance, WriteStatus
from amb_core.longterm.sameness import Sameness, compare

__all__ = ["Candidate", "Decision", "Draft", "decide", "revised"]

_MOST_ORIGINS = 20
"""How many places of origin a record names, the newest."""
_OF_A_TASK = (MemoryType.TASK_TRACES, MemoryType.TOOL_EFFECTS)
_URGENCY = {"same": 0, "conflict": 1, "adds": 2}


@dataclass(frozen=True, slots=True)
class Draft:
    """A text to be remembered, clean and checked, with the id it gets if it becomes a record of its own."""

    id: str
    namespace: str
    content: str
    at: float
    metadata: dict[str, JsonValue] = field(default_factory=dict)
    provenance: Provenance | None = None
    why: str = ""
    expires_at: float | None = None

    def record(self) -> MemoryRecord:
        """The draft as a record of its own."""
        return MemoryRecord(
            id=self.id,
            namespace=self.namespace,
            content=self.content,
            metadata=self.metadata,
            created_at=self.at,
            updated_at=self.at,
            expires_at=self.expires_at,
            provenance=() if self.provenance is None else (self.provenance,),
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that may speak of the same; `likeness` in [0, 1] as the index has it."""

    record: MemoryRecord
    likeness: float


@dataclass(frozen=True, slots=True)
class Decision:
    """The record that now holds the text, as it is to be stored, and how it came to."""

    status: WriteStatus
    record: MemoryRecord


def decide(draft: Draft, candidates: Sequence[Candidate], *, summarize: Callable[[str, str], str] | None) -> Decision:
    """Insert, skip, merge or note a conflict; nothing that tells another value is ever merged without a trace.

    Only records of the same type are joined. A candidate that says the same wins over one that says otherwise, and
    that over one the text adds to. Records with the caller's own `topic` are joined whatever they say.
    """
    new = draft.record()
    best: tuple[tuple[int, float], Candidate, Sameness] | None = None
    for candidate in candidates:
        if candidate.record.type != new.type:
            continue
        sameness = _compared(new, candidate)
        if sameness.kind == "different":
            continue
        urgency = (_URGENCY[sameness.kind], -candidate.likeness)
        if best is None or urgency < best[0]:
            best = urgency, candidate, sameness
    if best is None:
        return Decision("inserted", new)
    _, candidate, sameness = best
    if sameness.kind == "same":
        return Decision("skipped", _confirmed(candidate.record, draft))
    return _taken_in(candidate.record, draft, sameness, summarize)


def _compared(new: MemoryRecord, candidate: Candidate) -> Sameness:
    old = candidate.record
    sameness = compare(new.content, old.content, likeness=candidate.likeness, topics=(new.topic, old.topic))
    if new.type in _OF_A_TASK and new.topic and old.topic and new.topic != old.topic and sameness.kind != "same":
        return Sameness("different")  # what came of two tasks differs, and neither is wrong
    if sameness.kind == "different" and new.topic and new.topic == old.topic:
        replaces = old.strategy is MergeStrategy.REPLACE
        return Sameness("conflict" if replaces else "adds", subject=new.topic)
    return sameness


def _taken_in(
    old: MemoryRecord, draft: Draft, sameness: Sameness, summarize: Callable[[str, str], str] | None
) -> Decision:
    """The old record with the draft's text joined to it."""
    confirmed = _confirmed(old, draft)
    content = joined(confirmed.strategy, old.content, draft.content, sameness, when=_day(draft.at), summarize=summarize)
    disagreements = old.disagreements
    if sameness.kind == "conflict":
        told = Disagreement(subject=sameness.subject, values=sameness.values, at=draft.at)
        disagreements = (*old.disagreements, told)
    changed = {"content": content, "revision": old.revision + 1, "disagreements": disagreements, "embedding": None}
    return Decision("conflict" if sameness.kind == "conflict" else "merged", confirmed.model_copy(update=changed))


def _confirmed(old: MemoryRecord, draft: Draft) -> MemoryRecord:
    """The old record, seen once more: its time is renewed, and it knows where it was seen."""
    tags = dict.fromkeys((*_tags(old.metadata), *_tags(draft.metadata)))
    metadata = {**old.metadata, **draft.metadata} | ({"tags": list(tags)} if tags else {})
    if "score" in metadata:
        metadata["score"] = max(each.importance for each in (old, draft.record()) if "score" in each.metadata)
    origins = old.provenance
    if draft.provenance is not None and draft.provenance not in origins:
        origins = (*origins, draft.provenance)[-_MOST_ORIGINS:]
    changed = {
        "metadata": metadata,
        "updated_at": max(old.updated_at, draft.at),
        "expires_at": draft.expires_at,
        "provenance": origins,
    }
    return old.model_copy(update=changed)


def _tags(metadata: dict[str, JsonValue]) -> list[JsonValue]:
    tags = metadata.get("tags", [])
    return tags if isinstance(tags, list) else []


def _day(at: float) -> str:
    """A time as a date (UTC)."""
    return datetime.fromtimestamp(at, tz=UTC).date().isoformat()


def revised(
    record: MemoryRecord,
    *,
    content: str | None,
    metadata: dict[str, JsonValue] | None,
    merge: bool,
    at: float,
    expires_at: float | None,
    summarize: Callable[[str, str], str] | None,
) -> MemoryRecord:
    """A record as somebody wants it: with `merge` its strategy joins the texts and the metadata are added to.

    Without it, and with `replace`, the text is as given, and what the record was told two things about is settled.
    """
    changed = record
    if metadata is not None:
        joint = {**record.metadata, **metadata} if merge else metadata
        changed = changed.model_copy(update={"metadata": joint, "expires_at": expires_at})
    if content is not None:
        settles = not merge or changed.strategy is MergeStrategy.REPLACE
        sameness = compare(content, record.content, topics=(changed.topic, record.topic))
        text = content
        if not settles:
            text = joined(changed.strategy, record.content, content, sameness, when=_day(at), summarize=summarize)
        disagreements = () if settles else record.disagreements
        if not settles and sameness.kind == "conflict":
            told = Disagreement(subject=sameness.subject, values=sameness.values, at=at)
            disagreements = (*disagreements, told)
        changed = changed.model_copy(update={"content": text, "embedding": None, "disagreements": disagreements})
    return changed.model_copy(update={"updated_at": max(record.updated_at, at), "revision": record.revision + 1})
