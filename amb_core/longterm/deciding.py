"""What becomes of a new text among the records there are: a record of its own, nothing, or the new state of another.

Only what says the same, word for word, is joined. Only what says itself that something changed takes the place of what
was said before. Everything else is added, and shown together with what is near.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import JsonValue

from amb_core.longterm.changes import content_terms, of_one_attribute, replaces, tells_of_change
from amb_core.longterm.merging import joined, replaced
from amb_core.longterm.records import Disagreement, MemoryRecord, MergeStrategy, Provenance, WriteStatus
from amb_core.longterm.remarks import plain
from amb_core.longterm.sameness import other_values, same
from amb_core.text import sentences

__all__ = ["Candidate", "Decision", "Draft", "decide", "revised"]

_MOST_ORIGINS = 20
"""How many places of origin a record names, the newest."""
_NEAR, _NEAR_CHANGE = 0.5, 0.25
"""From which likeness on a record is near a text, and near one that tells of a change."""
_EARLIER = 1_000
"""Characters of an earlier version that a record is also found by."""


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
    """Skip what was said before, obey an explicit strategy, replace what the text says is over, and else insert.

    Only records of the same type are looked at, the most alike first. A strategy in the draft's metadata is the
    caller's word: it joins the text to the record of the same `topic`, or without a topic to the nearest one.
    """
    new = draft.record()
    known = [each for each in candidates if each.record.type == new.type]
    for each in candidates:
        if each.record.id == new.id or (each in known and _is_same(new, each.record)):
            return Decision("skipped", _confirmed(each.record, draft))
    if "strategy" in draft.metadata and (target := _target(new, known)) is not None:
        return _join(target, draft, summarize)
    over = [each.record for each in known if _one_topic(new, each.record) and _left_of(each.record, new.content)]
    if over:
        return Decision("updated", _beside(_renew(over[0], draft, _left_of(over[0], new.content)), over[1:]))
    return Decision("inserted", _beside(new, [each.record for each in known if _is_near(new, each)]))


def _beside(record: MemoryRecord, near: Sequence[MemoryRecord]) -> MemoryRecord:
    """The record in the group of the first of those near it, named after the first record of that group."""
    return record.model_copy(update={"group": near[0].group or near[0].id}) if near and not record.group else record


def _left_of(old: MemoryRecord, new: str) -> str:
    """The new text with what it leaves of the old record; "" when it takes the place of nothing in it."""
    return replaced(old.content, new, over=replaces)


def _is_same(new: MemoryRecord, old: MemoryRecord) -> bool:
    return _one_topic(new, old) and same(new.content, old.content)


def _one_topic(new: MemoryRecord, old: MemoryRecord) -> bool:
    """Whether two records may speak of one thing: not where the caller gave each a topic of its own."""
    return not new.topic or not old.topic or new.topic == old.topic


def _target(new: MemoryRecord, known: Sequence[Candidate]) -> MemoryRecord | None:
    """The record that an explicit strategy means."""
    of_topic = [each.record for each in known if new.topic and each.record.topic == new.topic]
    near = [each.record for each in known if not new.topic and each.likeness >= _NEAR]
    return max(of_topic, key=lambda record: record.updated_at, default=None) or next(iter(near), None)


def _is_near(new: MemoryRecord, each: Candidate) -> bool:
    old = each.record
    if new.topic and old.topic:
        return new.topic == old.topic
    if each.likeness >= _NEAR:
        return True
    if not tells_of_change(new.content):
        return False
    shared = content_terms(new.content) & content_terms(old.content)
    return of_one_attribute(new.content, old.content) or (bool(shared) and each.likeness >= _NEAR_CHANGE)


def _renew(old: MemoryRecord, draft: Draft, text: str) -> MemoryRecord:
    """The old record with what is so now; what it said before stays in its history, and it can be found by it."""
    changed = {"content": text, "earlier": old.content[:_EARLIER], "revision": old.revision + 1, "embedding": None}
    return _confirmed(old, draft).model_copy(update=changed)


def _join(old: MemoryRecord, draft: Draft, summarize: Callable[[str, str], str] | None) -> Decision:
    """The old record with the draft's text joined to it by the draft's strategy."""
    confirmed = _confirmed(old, draft)
    if confirmed.strategy is MergeStrategy.REPLACE:
        text = replaced(old.content, draft.content, over=_says_otherwise) or draft.content
        return Decision("updated", _renew(old, draft, text))
    text = joined(confirmed.strategy, old.content, draft.content, when=_day(draft.at), summarize=summarize)
    told = _disagreement(draft.content, old.content, at=draft.at)
    changed = {"content": text, "revision": old.revision + 1, "embedding": None}
    record = confirmed.model_copy(update={**changed, "disagreements": (*old.disagreements, *told)})
    return Decision("conflict" if told else "merged", record)


def _says_otherwise(new: str, old: str) -> bool:
    return replaces(new, old) or other_values(new, old) is not None


def _disagreement(new: str, old: str, *, at: float) -> tuple[Disagreement, ...]:
    """That a text gives another value in the same words as one of the sentences of a record."""
    found = (other_values(new, sentence) for sentence in sentences(plain(old)))
    values = next((pair for pair in found if pair is not None), None)
    return () if values is None else (Disagreement(subject="", values=(values[1], values[0]), at=at),)


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
        text, told = content, record.disagreements
        if not settles:
            text = joined(changed.strategy, record.content, content, when=_day(at), summarize=summarize)
            told += _disagreement(content, record.content, at=at)
        disagreements = () if settles else told
        changed = changed.model_copy(update={"content": text, "embedding": None, "disagreements": disagreements})
    return changed.model_copy(update={"updated_at": max(record.updated_at, at), "revision": record.revision + 1})
