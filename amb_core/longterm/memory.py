"""LongTermMemory: what a supervisor remembers from one session to the next."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from amb_core.clock import CheckedClock, SystemClock
from amb_core.embedders import open_embedder
from amb_core.errors import InvalidInput, InvalidParameter, UnknownId, WritesWaiting
from amb_core.longterm.calls import Calls
from amb_core.longterm.cleaning import Cleaner
from amb_core.longterm.collection import Collection, Search
from amb_core.longterm.deciding import Draft
from amb_core.longterm.exports import read_export
from amb_core.longterm.looking import MemoryView, checked_id
from amb_core.longterm.metrics import Metrics, Stats
from amb_core.longterm.namespaces import checked_namespace
from amb_core.longterm.opening import opened_collection, store_url
from amb_core.longterm.outbox import Waiting
from amb_core.longterm.places import Places
from amb_core.longterm.records import AuditEntry, Deleted, MemoryHit, MemoryRecord, Provenance, Route, Summary, Written
from amb_core.longterm.routing import route
from amb_core.longterm.settings import LongTermSettings
from amb_core.longterm.summarizing import summarize
from amb_core.protocols import ChatModel, Clock, Embedder, RecordStore, Redactor
from amb_core.redaction import PatternRedactor

__all__ = ["LongTermMemory"]

_PATTERNS = PatternRedactor()
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
_ID_CHARS = 10


class LongTermMemory:
    """Records that outlive a task, in namespaces such as `user_profile/u1`; without a namespace there is no call.

    `store` is a URL (`memory://`, `sqlite:///file.db`, `json:///folder`, `qdrant:///folder`,
    `qdrant+http://host:6333`), a RecordStore, or None for `settings.backend`. `embedder` is one or its name; without
    one records are found by their words. `chat` is asked to summarize and, lightly, to route; without it both are done
    here. Every text is redacted before it is embedded or stored (`redactor=None` keeps it as it is).
    While the store is down, writes wait in `fallback` (a URL or store) and are carried over when it is back;
    `dual_write` keeps both in step, so that searches go on too. `actor` stands in the audit log.
    Thread-safe, and several processes may use one SQLite file or Qdrant server. Raises EmbedderMismatch when the
    records were written with another embedder, unless `reembed`.
    """

    def __init__(
        self,
        store: str | RecordStore | None = None,
        *,
        embedder: Embedder | str | None = None,
        chat: ChatModel | None = None,
        redactor: Redactor | None = _PATTERNS,
        settings: LongTermSettings | None = None,
        clock: Clock | None = None,
        actor: str = "supervisor",
        fallback: str | RecordStore | None = None,
        dual_write: bool | None = None,
        reembed: bool = False,
    ) -> None:
        self.settings = settings or LongTermSettings()
        self._chat = chat
        self._clock = CheckedClock(clock or SystemClock())
        self._metrics = Metrics()
        self._cleaner = Cleaner(redactor, max_chars=self.settings.max_content_chars, metrics=self._metrics)
        self._lock = threading.Lock()
        used = open_embedder(embedder) if isinstance(embedder, str | None) else embedder
        self._calls = Calls(embedder=used, chat=chat, settings=self.settings, metrics=self._metrics)

        def opened(place: str | RecordStore, *, anew: bool) -> Collection:
            return opened_collection(place, embedder=used, settings=self.settings, actor=actor, reembed=anew)

        wanted = store_url(self.settings) if store is None else store
        self._places = Places(
            lambda: opened(wanted, anew=reembed),
            opened(self.settings.fallback if fallback is None else fallback, anew=True),
            carry=self._calls.carry,
            clock=self._clock,
            retry_after=self.settings.retry_after,
            dual_write=self.settings.dual_write if dual_write is None else dual_write,
            metrics=self._metrics,
        )
        self._view = MemoryView(self._places, metrics=self._metrics, clock=self._clock)

    # --- the six tools -----------------------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        namespace: str,
        top_k: int | None = None,
        min_score: float | None = None,
        filters: Mapping[str, Any] | None = None,
    ) -> list[MemoryHit]:
        """The records of a namespace that speak of what is asked, best first; few or none when little is near.

        `min_score` is the least similarity; `filters` are metadata fields that must be equal.
        """
        self._view.check_open()
        within = checked_namespace(namespace)
        if not isinstance(query, str) or not query.strip():
            raise InvalidInput("a search needs a query; records() shows everything in a namespace.")
        search = Search(
            query=query,
            namespace=within,
            now=self._view.now(),
            top_k=self.settings.top_k if top_k is None else _checked_count(top_k),
            min_score=self.settings.min_score if min_score is None else _checked_share(min_score),
            vector=self._calls.vector(query, role="query"),
            filters=dict(filters or {}),
        )
        standby = self._places.standby

        def found(primary: Collection) -> list[MemoryHit]:
            hits = primary.search(search)
            return _joint(standby.search(search), hits)[: search.top_k] if self._places.queued else hits

        hits = self._places.attempt("read", found, lambda: standby.search(search))
        self._metrics.count(searches=1, found=int(bool(hits)), hits=len(hits))
        return hits

    def write(
        self,
        content: str,
        *,
        namespace: str,
        metadata: Mapping[str, Any] | None = None,
        provenance: Provenance | None = None,
        why: str = "",
    ) -> Written:
        """Remember a text: as a record of its own, or as part of one that speaks of the same (see `Written`)."""
        self._view.check_open()
        within = checked_namespace(namespace)
        text, redacted = self._cleaner.content(content)
        kept, also = self._cleaner.metadata(metadata)
        now = self._view.now()
        draft = Draft(
            id=_new_id(),
            namespace=within,
            content=text,
            at=now,
            metadata=kept,
            provenance=provenance,
            why=self._cleaner.plain(why),
            expires_at=self._calls.expiry(kept, now),
        )

        def done(primary: Collection) -> Written:
            change = self._calls.write(primary, draft)
            self._places.followed(change, namespace=within, at=now)
            return change.written

        def queued() -> Written:
            self._places.queue(Waiting.of(draft))
            self._calls.write(self._places.standby, draft)
            return Written(id=draft.id, status="queued")

        written = self._places.attempt("write", done, queued)
        found = dict(redacted + also)
        self._metrics.count(**{written.status: 1}, evicted=written.evicted, redacted=sum(found.values()))
        return written.model_copy(update={"redacted": found})

    def update(
        self,
        id: str,
        *,
        namespace: str,
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        merge: bool = True,
        why: str = "",
    ) -> Written:
        """Change a record: with `merge` its strategy joins the texts and metadata are added, else both are replaced.

        Raises UnknownId for a record that is not there.
        """
        self._view.check_open()
        within = checked_namespace(namespace)
        if content is None and metadata is None:
            raise InvalidInput("nothing to update: pass content, metadata or both.")
        text, redacted = (None, {}) if content is None else self._cleaner.content(content)
        kept, also = ({}, {}) if metadata is None else self._cleaner.metadata(metadata)
        now = self._view.now()
        call = Waiting(
            kind="update",
            namespace=within,
            record_id=checked_id(id),
            at=now,
            content=text,
            metadata=None if metadata is None else kept,
            merge=merge,
            why=self._cleaner.plain(why),
        )

        def done(primary: Collection) -> Written:
            change = self._calls.update(primary, call)
            self._places.followed(change, namespace=within, at=now)
            return change.written

        def queued() -> Written:
            self._places.queue(call)
            if self._places.standby.get(call.record_id, namespace=within) is not None:
                self._calls.update(self._places.standby, call)
            return Written(id=call.record_id, status="queued")

        written = self._places.attempt("write", done, queued)
        found = {**redacted, **also}
        self._metrics.count(**{written.status: 1}, redacted=sum(found.values()))
        return written.model_copy(update={"redacted": found})

    def delete(
        self,
        id: str | None = None,
        *,
        namespace: str,
        filters: Mapping[str, Any] | None = None,
        why: str = "",
        vacuum: bool = False,
    ) -> Deleted:
        """Delete one record, or all whose metadata match `filters`, with history, vectors and every trace in files.

        `vacuum` rewrites the store's file as well, which takes longer in large ones.
        """
        self._view.check_open()
        within = checked_namespace(namespace)
        if (id is None) == (not filters):
            raise InvalidInput("delete takes an id or (not empty) filters, one of the two.")
        now, reason, standby = self._view.now(), self._cleaner.plain(why), self._places.standby

        def deleted_in(place: Collection, names: Sequence[str]) -> Deleted:
            gone = place.delete(names, namespace=within, at=now, why=reason)
            unreachable = self._calls.erase(place, gone, namespace=within, vacuum=vacuum) if gone else []
            return Deleted(deleted=len(gone), unreachable=tuple(unreachable))

        def done(primary: Collection) -> Deleted:
            names = _named(primary, id, filters, namespace=within, now=now)
            first, second = deleted_in(primary, names), deleted_in(standby, names)
            return Deleted(deleted=first.deleted, unreachable=first.unreachable + second.unreachable)

        def queued() -> Deleted:
            names = _named(standby, id, filters, namespace=within, now=now)
            for name in names:
                self._places.queue(Waiting("delete", within, name, now, why=reason))
            later = "the store is down; the record is deleted there when it is back"
            first = deleted_in(standby, names)
            return Deleted(deleted=first.deleted, unreachable=(*first.unreachable, later))

        deleted = self._places.attempt("write", done, queued)
        self._metrics.count(deleted=deleted.deleted)
        return deleted

    def summarize(self, items: Sequence[str], *, goal: str, namespace: str | None = None) -> Summary:
        """Several memories in one text for a goal; `items` are ids of a namespace, or texts when none is given."""
        self._view.check_open()
        if isinstance(items, str) or not all(isinstance(item, str) for item in items):
            raise InvalidInput("items is a list of ids or of texts.")
        if namespace is None:
            return Summary(summary=summarize(items, goal=goal, chat=self._chat))
        records = [self._there(item, namespace=namespace) for item in items]
        text = summarize([record.content for record in records], goal=goal, chat=self._chat)
        return Summary(summary=text, ids=tuple(record.id for record in records))

    def route(self, message: str, *, user: str = "", policy: str = "default") -> Route:
        """Whether a message is worth a look into memory or a place in it, and in which namespaces of a user."""
        self._view.check_open()
        return route(message, user=user, policy=policy, chat=self._chat, settings=self.settings)

    # --- what can be seen --------------------------------------------------------------------------------------------

    def get(self, id: str, *, namespace: str) -> MemoryRecord | None:
        """One record, or None when it is not there or its time has passed."""
        return self._view.get(id, namespace=namespace)

    def records(
        self, namespace: str, *, filters: Mapping[str, Any] | None = None, limit: int | None = None
    ) -> list[MemoryRecord]:
        """The records of a namespace in the order they were made, without the expired."""
        return self._view.records(namespace, filters=filters, limit=limit)

    def namespaces(self) -> list[str]:
        """The namespaces that hold records."""
        return self._view.namespaces()

    def history(self, id: str, *, namespace: str) -> list[MemoryRecord]:
        """All versions of a record, oldest first, the current one last."""
        return self._view.history(id, namespace=namespace)

    def audit(self, *, namespace: str | None = None, limit: int | None = None) -> list[AuditEntry]:
        """The newest lines of the audit log, newest first."""
        return self._view.audit(namespace=namespace, limit=limit)

    def stats(self) -> Stats:
        """What memory holds now, and what was asked of it and came of it since it was made."""
        return self._view.stats()

    @property
    def queued(self) -> int:
        """How many calls wait for the store to be back."""
        return self._places.queued

    def export(self, path: str | Path, *, namespace: str) -> Path:
        """Write a namespace to a file, one record a line with its history; what is deleted later leaves that file."""
        return self._view.export(path, namespace=namespace)

    def load(self, path: str | Path) -> int:
        """Take in the records of an export that are not here yet, each in its namespace; returns how many.

        Raises InvalidExport for a file that is none, and StoreError while the store is down.
        """
        self._view.check_open()
        return self._places.adopt(list(read_export(path)), at=self._view.now())

    def note_use(self, *, injected: int, used: int = 0) -> None:
        """Count memories that were put before an agent, and those of them that its answer drew on."""
        self._metrics.count(injected=injected, used=used)

    # --- the end -----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Carry over what waits, keep the counters and release the stores; calling twice is no error.

        What waits in a fallback on disk stays there for the next opening. Raises WritesWaiting when the store is down
        and the fallback is `memory://`: nothing is closed then, and close() can be called again.
        """
        with self._lock:
            if not self._view.closed:
                self._places.close()
                self._view.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except WritesWaiting as waiting:
            if error is None:
                raise
            error.add_note(str(waiting))

    def _there(self, id: str, *, namespace: str) -> MemoryRecord:
        record = self.get(id, namespace=namespace)
        if record is None:
            raise UnknownId("memory", id)
        return record


def _named(
    place: Collection, id: str | None, filters: Mapping[str, Any] | None, *, namespace: str, now: float
) -> list[str]:
    if id is not None:
        return [place.current_id(checked_id(id), namespace=namespace)]
    return [record.id for record in place.records(namespace, now=now, filters=filters)]


def _joint(first: list[MemoryHit], second: list[MemoryHit]) -> list[MemoryHit]:
    """The hits of two stores, best first; of one id the first store's."""
    by_id = {hit.id: hit for hit in (*second, *first)}
    return sorted(by_id.values(), key=lambda hit: -hit.score)


def _new_id() -> str:
    """An id that no other process will give out."""
    return "r" + "".join(secrets.choice(_ALPHABET) for _ in range(_ID_CHARS))


def _checked_count(top_k: int) -> int:
    if isinstance(top_k, bool) or not isinstance(top_k, int) or top_k < 1:
        raise InvalidParameter(f"top_k is a whole number from 1 on, not {top_k!r:.60}.")
    return top_k


def _checked_share(min_score: float) -> float:
    if isinstance(min_score, bool) or not isinstance(min_score, int | float) or not 0 <= min_score <= 1:
        raise InvalidParameter(f"min_score is between 0 and 1, not {min_score!r:.60}.")
    return float(min_score)
