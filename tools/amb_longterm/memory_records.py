"""The records of long-term memory and what its six tools give back: frozen and validated, and as a store keeps them.

In a store the metadata stand field by field, so that it can filter by them; `content` and `embedding` stand where an
engine with a search of its own looks for them.
"""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from itertools import chain
from typing import Any, Literal

from pydantic import BaseModel, Field, JsonValue, ValidationError, model_validator

from amb_core.errors import InvalidParameter
from amb_core.frozen import Frozen
from amb_core.protocols import PagedStore, Record, RecordQuery, RecordStore
from amb_longterm.sameness import told_values

__all__ = [
    "DeleteResult",
    "Disagreement",
    "MemoryHit",
    "MemoryRecord",
    "MemoryType",
    "MergeStrategy",
    "Provenance",
    "Route",
    "Summary",
    "WriteResult",
    "WriteStatus",
    "checked_metadata",
    "day_of",
    "filters_of",
    "memories_in",
    "namespace_in_store",
    "read_memory",
    "readable_memory",
    "records_in",
    "stored",
]

_log = logging.getLogger("amb.longterm")

_PREFIX = "memories:"
_FIELD = "m_"
_OWN = ("provenance", "revision", "disagreements", "group", "earlier", "wordings", "valid_from", "key")
"""Fields of a record that stand under their names in a store."""


class MemoryType(StrEnum):
    """What kind of memory a record is."""

    USER_PROFILE = "user-profile"
    DOMAIN_FACTS = "domain-facts"
    TASK_TRACES = "task-traces"
    TOOL_EFFECTS = "tool-effects"


class MergeStrategy(StrEnum):
    """How a record takes in what speaks of the same: the newer text alone, both in order of time, or one joint text."""

    REPLACE = "replace"
    APPEND = "append"
    SUMMARIZE = "summarize"


_STRATEGY_OF = {
    MemoryType.USER_PROFILE: MergeStrategy.REPLACE,
    MemoryType.DOMAIN_FACTS: MergeStrategy.SUMMARIZE,
    MemoryType.TASK_TRACES: MergeStrategy.APPEND,
    MemoryType.TOOL_EFFECTS: MergeStrategy.REPLACE,
}

_NORMAL = {"type", "strategy", "tags"}
"""Known metadata that may be given in several ways and are kept in one."""

WriteStatus = Literal["inserted", "skipped", "merged", "conflict", "updated", "queued", "forgotten", "undecided"]
"""What became of a text: `inserted` is a record of its own, `skipped` said nothing new, `updated` took the place of
what it says is over, `merged` was joined by an explicit strategy, `conflict` too and gave another value, `queued` waits
for the store to be back. Of what a user wishes in a talk, `forgotten` is a record that is gone now, and `undecided` a
wish that nothing was done for, since what it means does not follow from it."""


class Provenance(Frozen):
    """Where a record came from: the run, task and agent, and the entries of that task's memory (`e12`).

    `documents` are those that say it, `confirmed_by` is the person who did. Of a promoted fact `by_entry` says which
    entry brought which documents, and `user` and `thread` whose task it was, so that it goes when these are forgotten.
    """

    run: str = ""
    task: str = ""
    agent: str = ""
    entries: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    confirmed_by: str = ""
    by_entry: dict[str, tuple[str, ...]] = {}
    user: str = ""
    thread: str = ""


class Disagreement(Frozen):
    """That a record was told two things: what about, the earlier and the later value, and when the later one came."""

    subject: str
    values: tuple[str, ...] = ()
    at: float = 0.0


class MemoryRecord(Frozen):
    """One thing remembered for long.

    `metadata` has the keys `type`, `source`, `tags`, `topic`, `score` ([0, 1], how much it matters), `ttl` (seconds)
    and `strategy`, and any others of the caller's. Times are seconds since the epoch. `embedding` is little-endian
    float32 of unit length over `content`. `revision` counts from 1; the earlier ones are its history; `earlier` is what
    the text said before it was changed last. `wordings` are texts that a judge called the same. `group` is the id of
    the first record that it is near to, "" for that one itself. `disagreements` are
    what it was told two things about; they stay until `update` settles the record. Its text was so from `valid_from`
    on, and in its history until `valid_to`. `key` is the caller's own name for it, unique in the namespace, or "".
    """

    id: str
    namespace: str
    content: str
    metadata: dict[str, JsonValue] = {}
    created_at: float
    updated_at: float
    expires_at: float | None = None
    embedding: bytes | None = Field(default=None, repr=False)
    provenance: tuple[Provenance, ...] = ()
    revision: int = 1
    disagreements: tuple[Disagreement, ...] = ()
    group: str = ""
    earlier: str = ""
    wordings: tuple[str, ...] = ()
    valid_from: float = 0.0
    valid_to: float | None = None
    key: str = ""

    @model_validator(mode="before")
    @classmethod
    def _so_since_it_was_made(cls, data: Any) -> Any:
        """Records that were kept before `valid_from` was."""
        if isinstance(data, dict) and "valid_from" not in data:
            return {**data, "valid_from": data.get("created_at", 0.0)}
        return data

    @property
    def otherwise(self) -> str:
        """What it said before and how else it was told, one text a line: it is found by that as well."""
        return "\n".join(filter(None, (self.earlier, *self.wordings)))

    @property
    def type(self) -> MemoryType:
        """What kind of memory it is; domain facts where the metadata does not say."""
        return MemoryType(str(self.metadata.get("type", MemoryType.DOMAIN_FACTS)))

    @property
    def is_of_user(self) -> bool:
        """Whether it tells of the user himself: as its type says, else as it stands in his profile."""
        if "type" in self.metadata:
            return self.type == MemoryType.USER_PROFILE
        return self.namespace.partition("/")[0] == "user_profile"

    @property
    def strategy(self) -> MergeStrategy:
        """How it takes in what speaks of the same: as its metadata say, else as its type has it."""
        chosen = self.metadata.get("strategy")
        return _STRATEGY_OF[self.type] if chosen is None else MergeStrategy(str(chosen))

    @property
    def source(self) -> str:
        """Who said it, or ""."""
        return str(self.metadata.get("source", ""))

    @property
    def importance(self) -> float:
        """How much it matters in [0, 1]; 1 where the metadata do not say."""
        found = self.metadata.get("score", 1.0)
        return float(found) if isinstance(found, int | float) else 1.0

    @property
    def topic(self) -> str:
        """The caller's name for what it is about, or ""."""
        return str(self.metadata.get("topic", ""))


def _told_two_things(record: MemoryRecord, older: Iterable[MemoryHit]) -> Iterator[Disagreement]:
    """The values in which a record differs from those near it that it stands for; which holds is for the reader."""
    for one in older:
        if (pair := told_values(one.content, record.content)) is not None:
            yield Disagreement(subject="", values=pair, at=record.updated_at)


class MemoryHit(Frozen):
    """What a search shows of one thing: its newest record, with what was told of it before.

    `similarity` in [0, 1] is the share of the question that the record holds, `score` in [0, 1] how likely a first hit
    like it answers; both can be compared between questions, and neither is a rank: the hits' order is. `earlier` is
    what was said before, the newest first, one text a line: by this record until it was changed, and by the records
    that are near-equal to it, which stand in `older` (at most 16; `unlisted` counts the others). Hits of one `group`
    are near each other; `updated_at` says when each was told last, `wordings` how else; the text was so from
    `valid_from` to `valid_to` (None: it still is). `sure` says whether the record holds what is asked for at all (its
    names, the kind of value, its matter), as far as words tell: where no hit is sure, memory may well not know.
    """

    id: str
    content: str
    metadata: dict[str, JsonValue]
    score: float
    similarity: float
    namespace: str
    updated_at: float
    disagreements: tuple[Disagreement, ...] = ()
    group: str = ""
    earlier: str = ""
    wordings: tuple[str, ...] = ()
    valid_from: float = 0.0
    valid_to: float | None = None
    key: str = ""
    older: tuple[MemoryHit, ...] = ()
    unlisted: int = 0
    sure: bool = False

    @classmethod
    def of(
        cls,
        record: MemoryRecord,
        *,
        score: float = 0.0,
        similarity: float = 0.0,
        older: Sequence[MemoryHit] = (),
        unlisted: int = 0,
        sure: bool = False,
    ) -> MemoryHit:
        """The record as a search shows it, with those that it stands for as well."""
        both = cls.model_fields.keys() & MemoryRecord.model_fields.keys()
        known: dict[str, Any] = {name: getattr(record, name) for name in both}
        known["group"] = record.group or record.id
        known["disagreements"] = record.disagreements or tuple(_told_two_things(record, older))
        known["earlier"] = "\n".join(filter(None, (record.earlier, *(each.content for each in older))))
        return cls(**known, score=score, similarity=similarity, older=tuple(older), unlisted=unlisted, sure=sure)

    @property
    def replaced(self) -> str:
        """What this very record said before it was changed last, or ""."""
        beside = sum(len(each.content) + 1 for each in self.older)
        return self.earlier[: max(0, len(self.earlier) - beside)] if self.older else self.earlier


class WriteResult(Frozen):
    """What `write` or `update` did; `redacted` counts what was taken out of the text, by kind.

    `id` is the record that now holds the text: for `skipped`, `updated` and `merged` one that was there before. Of a
    user's wish in a talk, `text` is what was forgotten, or the words of the wish that is undecided; `candidates` are
    the ids of records that these may mean.
    """

    id: str
    status: WriteStatus
    redacted: dict[str, int] = {}
    evicted: int = 0
    text: str = ""
    candidates: tuple[str, ...] = ()


class DeleteResult(Frozen):
    """What `delete` did; `unreachable` are files and stores that could not be cleaned and have to be by hand."""

    deleted: int
    unreachable: tuple[str, ...] = ()


class Summary(Frozen):
    """Several memories in one text, made from `ids` or from texts that were given."""

    summary: str
    ids: tuple[str, ...] = ()


class Route(Frozen):
    """Whether a message is worth a look into memory, or a place in it, and which namespaces that concerns.

    `writes` are the namespaces to write to with the type of record each takes; `reasons` say which cue decided.
    `said` is what a model quoted that is to be kept, in the user's words.
    """

    should_read: bool
    should_write: bool
    namespaces: tuple[str, ...] = ()
    writes: dict[str, MemoryType] = {}
    reasons: tuple[str, ...] = ()
    said: tuple[tuple[MemoryType, str], ...] = ()


class _KnownMetadata(BaseModel):
    """What the known keys of metadata may hold; any others are the caller's own."""

    type: MemoryType | None = None
    strategy: MergeStrategy | None = None
    source: str = ""
    topic: str = ""
    tags: list[str] = []
    score: float = Field(default=1.0, ge=0, le=1, strict=True, allow_inf_nan=False)
    ttl: float = Field(default=1.0, gt=0, strict=True, allow_inf_nan=False)


def checked_metadata(metadata: Mapping[str, Any] | None) -> dict[str, JsonValue]:
    """A copy of the metadata; InvalidParameter for a known key with a value it cannot have."""
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidParameter(f"metadata is a mapping such as {{'type': 'user-profile'}}, not {metadata!r:.60}.")
    found = {str(key): value for key, value in (metadata or {}).items() if value is not None}
    try:
        json.dumps(found)
        known = _KnownMetadata.model_validate(found).model_dump(mode="json", include=_NORMAL & found.keys())
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise InvalidParameter(f"metadata {first['loc'][0]}: {first['msg']}.") from None
    except (TypeError, ValueError, RecursionError):
        raise InvalidParameter("metadata are JSON: texts, numbers, lists and mappings of them.") from None
    if "tags" in known:
        known["tags"] = list(dict.fromkeys(known["tags"]))
    return found | known


def day_of(at: float) -> str:
    """The day of a moment (seconds since the epoch), as records show it."""
    return datetime.fromtimestamp(at, tz=UTC).date().isoformat()


def namespace_in_store(namespace: str) -> str:
    """The store's name for a namespace of long-term memory; `namespace_in_store("")` is what they begin with."""
    return f"{_PREFIX}{namespace}"


def filters_of(metadata: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Filters on metadata as a store's `where`."""
    return {f"{_FIELD}{key}": value for key, value in metadata.items()}


def stored(record: MemoryRecord) -> Record:
    """The record as a store takes it."""
    data: dict[str, JsonValue] = {"content": record.content}
    if record.embedding is not None:
        data["embedding"] = base64.b64encode(record.embedding).decode("ascii")
    data |= record.model_dump(mode="json", include=set(_OWN)) | filters_of(record.metadata)
    namespace = namespace_in_store(record.namespace)
    return Record(namespace, record.id, data, record.created_at, record.updated_at, record.expires_at)


def readable_memory(record: Record) -> MemoryRecord | None:
    """The memory in a stored record; None for one that cannot be read back, which is logged."""
    data = dict(record.data)
    embedding = data.get("embedding")
    try:
        return MemoryRecord(
            id=record.id,
            namespace=record.namespace.removeprefix(_PREFIX),
            content=data["content"],  # type: ignore[arg-type]
            metadata={key.removeprefix(_FIELD): data[key] for key in data if key.startswith(_FIELD)},
            created_at=record.created_at,
            updated_at=record.updated_at,
            expires_at=record.expires_at,
            embedding=None if embedding is None else base64.b64decode(str(embedding)),
            **{key: data[key] for key in _OWN if key in data},  # type: ignore[arg-type]
        )
    except (KeyError, ValueError) as error:
        _log.warning(
            "record %r is no long-term memory (%s); delete it or restore a backup", record.id, type(error).__name__
        )
        return None


def read_memory(store: RecordStore, id: str, *, namespace: str) -> MemoryRecord | None:
    """The memory of that id, or None; one that cannot be read back is logged and left out."""
    found = store.get(namespace_in_store(namespace), id)
    return None if found is None else readable_memory(found)


def records_in(store: RecordStore, query: RecordQuery) -> Iterator[Record]:
    """The records of a query, a page at a time where the store can read so; else all of them at once."""
    return chain.from_iterable(store.pages(query)) if isinstance(store, PagedStore) else iter(store.search(query))


def memories_in(store: RecordStore, query: RecordQuery) -> Iterator[MemoryRecord]:
    """The memories of a query that can be read back; the others are logged."""
    return (memory for record in records_in(store, query) if (memory := readable_memory(record)) is not None)
