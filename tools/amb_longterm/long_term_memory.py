"""LongTermMemory: what a supervisor remembers from one session to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from amb_core.bank import MemoryBank
from amb_core.call_lock import CallLock
from amb_core.clock import CheckedClock, SystemClock
from amb_core.errors import BankClosed, InvalidInput, InvalidParameter, StoreUnreachable, UnknownId, WritesWaiting
from amb_core.memory.arguments import named_arguments
from amb_core.memory.forgetting import Forgotten, follow_forgetting, unfollow_forgetting
from amb_core.protocols import ChatModel, Clock, Embedder, Judge, RecordStore, Redactor
from amb_core.stores.store_log import AuditEntry
from amb_core.text import detect_language
from amb_embedders import open_embedder
from amb_longterm.call_arguments import (
    checked_count,
    checked_filters,
    checked_id,
    checked_ids,
    checked_key,
    checked_share,
    checked_why,
    id_of_key,
    named_id,
    new_id,
)
from amb_longterm.calls import Call
from amb_longterm.cleaner import Cleaner, is_of_user
from amb_longterm.collection import Collection
from amb_longterm.collection_opener import open_collection, store_url
from amb_longterm.collection_parts import CollectionParts
from amb_longterm.failover import Failover
from amb_longterm.hit_groups import joined_lists
from amb_longterm.hit_search import Search
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_records import (
    DeleteResult,
    MemoryHit,
    MemoryRecord,
    Provenance,
    Route,
    Summary,
    WriteResult,
)
from amb_longterm.metrics import Metrics, Stats
from amb_longterm.namespaces import checked_namespace
from amb_longterm.profile_view import ProfileView
from amb_longterm.remembering import (
    ROOM,
    awaited,
    known_of,
    least_room,
    most_read,
    namespaces_of,
    newest_words,
)
from amb_longterm.routing import route
from amb_longterm.summary import summarize
from amb_longterm.talk_listener import TalkListener
from amb_longterm.user_profile import KnownOfUser
from amb_redaction import PatternRedactor

__all__ = ["LongTermMemory"]

_PATTERNS = PatternRedactor()
_WRITTEN = frozenset({"content", "metadata", "provenance", "why", "key", "supersedes", "history"})
"""What a record is written with."""


class LongTermMemory:
    """Records that outlive a task, in namespaces such as `user_profile/u1`; without a namespace there is no call.

    `store` is a URL (`memory://`, `sqlite:///file.db`, `json:///folder`, `qdrant:///folder`,
    `qdrant+http://host:6333`), a RecordStore, or None for `settings.backend`. `embedder` is one or its name; without
    one records are found by their words. `chat` is asked to summarize and, lightly, to route; without it both are done
    here. `judge` says of each written text whether it repeats, changes or contradicts what is there, one call for a
    text; without one, words alone tell.
    Every text is redacted before it is embedded or stored (`redactor=None` keeps it as it is), and `redacted` of the
    result says what was taken out; see `write` for what the user wants to be kept.
    While the store is down, writes wait in `fallback` (a URL or store) and are carried over when it is back;
    the setting `dual_write` keeps both in step, so that searches go on too. `actor` stands in the audit log.
    Thread-safe, and several processes may use one SQLite file or Qdrant server. Raises EmbedderMismatch when the
    records were written with another embedder, unless `reembed`.
    """

    @named_arguments
    def __init__(
        self,
        store: str | RecordStore | None = None,
        *,
        embedder: Embedder | str | None = None,
        chat: ChatModel | None = None,
        judge: Judge | None = None,
        redactor: Redactor | None = _PATTERNS,
        settings: LongTermSettings | None = None,
        clock: Clock | None = None,
        actor: str = "supervisor",
        fallback: str | RecordStore | None = None,
        reembed: bool = False,
    ) -> None:
        self.settings = settings or LongTermSettings()
        self._clock = CheckedClock(clock or SystemClock())
        self._metrics = Metrics()
        self._cleaner = Cleaner(redactor, max_chars=self.settings.max_content_chars, metrics=self._metrics)
        used = open_embedder(embedder) if isinstance(embedder, str | None) else embedder
        self._parts = CollectionParts(used, chat, self.settings, self._metrics, actor, judge)
        wanted = store_url(self.settings) if store is None else store
        standby = self.settings.fallback if fallback is None else fallback
        self._places = Failover(
            lambda: open_collection(wanted, self._parts, reembed=reembed),
            open_collection(standby, self._parts, reembed=True),
            clock=self._clock,
            retry_after=self.settings.retry_after,
            dual_write=self.settings.dual_write,
            metrics=self._metrics,
        )
        self._latest = 0.0
        self._closed = False
        self._lock = CallLock()
        follow_forgetting(self)

    # --- for a chat ---------------------------------------------------------------------------------------------------

    def remember(self, messages: str | Sequence[Any], *, user: str) -> list[WriteResult]:
        """Keep what the user says of himself in a talk, and what he wishes for good, word for word with its time.

        `messages` are a list in any provider's form, new ones or the whole talk each time: what was remembered is not
        remembered twice. Or one text of the user. With a `chat` model it says which of his words these are; what it
        says is believed only where it quotes him. Keys and passwords are not kept, his own addresses and numbers are.
        What the assistant or a tool says is never kept as his. Returns one result for each statement.

        His wishes about what is remembered are granted, in English and Chinese: "forget my address", "scratch that",
        "no, I meant Tuesday", 忘掉我的地址. A result names each record that was `forgotten`, with its `text`, so that
        you can write it again; a correction is `updated`, and the older text its history. A wish that may mean several
        records, or finds none, is `undecided` and changes nothing.
        """
        return self.listener(user).listen(messages)

    def add(self, messages: str | Sequence[Any], *, user: str) -> list[WriteResult]:
        """The same as `remember`."""
        return self.remember(messages, user=user)

    def listener(
        self,
        user: str,
        *,
        spaces: Sequence[str] = (),
        keep: Callable[[str], list[WriteResult]] | None = None,
    ) -> TalkListener:
        """What takes in a user's words; wishes hold in further `spaces` too, and texts go where `keep` puts them."""
        self._check_open()
        return TalkListener(
            self, self._places, user=user, chat=self._parts.chat, now=self._now, spaces=spaces, keep=keep
        )

    def profile(self, user: str, *, room: int = ROOM) -> str:
        """What is known of a user, in a `<memory>` block of at most `room` tokens; "" when nothing is.

        All of it where it fits, the newest first with its date, and behind it what was said of the same before. It is
        read from the namespaces of the setting `namespaces`. InvalidParameter for a room in which nothing fits.
        """
        return self.known_of(user, room=room).block(room=room).text

    def block_for(self, messages: str | Sequence[Any], *, user: str, room: int = ROOM) -> str:
        """What a request of a user needs of memory, as a `<memory>` block of at most `room` tokens; "" for nothing.

        The whole profile where it fits; else what answers the user's newest words, and then what is newest. Put it
        into the system message, or in front of the newest words.
        """
        asked = newest_words(messages)
        known = self.known_of(user, room=room, asked=asked)
        return known.block(room=room, language=detect_language(asked) if asked else None).text

    def known_of(self, user: str, *, room: int = ROOM, asked: str = "") -> KnownOfUser:
        """What `profile` is made of, or `block_for` for what is `asked`: as much as may fit, and a little more."""
        now, most = self._now(), most_read(least_room(room))
        spaces = dict.fromkeys(namespaces_of(user, self.settings))

        def read(place: Collection) -> tuple[list[MemoryRecord], int]:
            newest = [record for space in spaces for record in place.newest(space, now=now, limit=most)]
            return newest, sum(map(place.count, spaces))

        newest, many = self._places.read(read)
        if not asked.strip() or many <= len(newest):
            known = known_of(newest, many=many)
            if not asked.strip() or known.block(room=room).is_whole:
                return known
        hits = self.search(asked, user=user)
        found = [record for hit in hits if (record := self.get(hit.id, namespace=hit.namespace)) is not None]
        every = {record.id: record for record in (*newest, *found)}
        return known_of(every.values(), many=many, first=[each.id for each in found])

    @property
    def is_of_one_user(self) -> bool:
        """Yes: an adapter that several users work with does not take it."""
        return True

    def join(self, bank: MemoryBank, *, agent: str = "") -> ProfileView:
        """What a run is told of the user whose bank it works with: `ContextAdapter(bank, memories=memory)`."""
        self._check_open()
        return ProfileView(self, bank, room=ROOM)

    # --- the six tools -----------------------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        namespace: str | None = None,
        user: str | None = None,
        top_k: int | None = None,
        min_score: float | None = None,
        filters: Mapping[str, Any] | None = None,
        as_of: float | None = None,
        offset: int = 0,
    ) -> list[MemoryHit]:
        """What a namespace holds, what answers the question best first; nothing is left out but by `min_score`.

        With `user` instead of a namespace everything that is kept of him: in all namespaces of the setting.
        Near-equal records are one hit, the newest of them, with the others in its `earlier`; `top_k` counts hits.
        `search(…, top_k=k, offset=o)` is `search(…, top_k=o + k)[o:]`, and what k hits begin with k + 1 do. `min_score`
        is the least similarity; `filters` are metadata fields that must be equal. `as_of` (seconds
        since the epoch) asks for what was so then, and reads the whole namespace with its history; of one that is too
        large to load, what the store's engine chooses by what its records say now.
        """
        if (user is None) == (namespace is None):
            raise InvalidParameter("a search is in one namespace or of one user: pass namespace= or user=.")
        spaces = (checked_namespace(namespace),) if user is None else namespaces_of(user, self.settings)
        now = self._now()
        if not isinstance(query, str) or not query.strip():
            raise InvalidInput("a search needs a query; records() shows everything in a namespace.")
        search = Search(
            query=query,
            namespace=spaces[0],
            now=now,
            top_k=self.settings.top_k if top_k is None else checked_count("top_k", top_k, least=1),
            offset=checked_count("offset", offset, least=0),
            min_score=self.settings.min_score if min_score is None else checked_share(min_score),
            vector=self._parts.vector(query, role="query"),
            filters=checked_filters(filters),
            as_of=as_of,
        )
        hits = self._places.search(search) if len(spaces) == 1 else self._of_all(search, spaces)
        self._metrics.count(searches=1, found=int(bool(hits)), hits=len(hits))
        return hits

    def _of_all(self, search: Search, spaces: Sequence[str]) -> list[MemoryHit]:
        """The hits of several namespaces in one order; of each as many are asked for as might be shown."""
        most = search.offset + search.top_k
        each = (replace(search, namespace=space, offset=0, top_k=most) for space in spaces)
        found = [self._places.search(one) for one in each]
        joined = joined_lists(found)
        return joined[search.offset : most]

    def write(
        self,
        content: str,
        *,
        namespace: str,
        metadata: Mapping[str, Any] | None = None,
        provenance: Provenance | None = None,
        why: str = "",
        key: str | None = None,
        supersedes: str | Sequence[str] = (),
        history: bool = True,
    ) -> WriteResult:
        """Remember a text: as a record of its own, or as part of one that speaks of the same (see `WriteResult`).

        A text that is known already never replaces labels: where its `metadata` say otherwise, it is a record beside.
        `key` is your own name for the record, unique in the namespace: a write under a known key is its newer state,
        and the same text under two keys is two records. `supersedes` are ids of records that this one takes the place
        of: they become its history and its `earlier`, and their ids lead to it. Without `history` nothing is kept of
        what a record of that key said before. With `metadata={"source": "user"}` you say that it is the user's own
        word: a phone number that the user wants remembered is kept then, keys and passwords are not. Never say so of a
        text that a model or a tool has written. Raises UnknownId for a record that is not there, InvalidParameter for a
        key that is blank or too long, or a store that cannot keep keys unique.
        """
        item: dict[str, Any] = {"content": content, "metadata": metadata, "provenance": provenance, "why": why}
        item |= {"key": key, "supersedes": supersedes, "history": history}
        return self.write_many([item], namespace=namespace)[0]

    def write_many(
        self, items: Sequence[str | Mapping[str, Any]], *, namespace: str, why: str = ""
    ) -> list[WriteResult]:
        """Remember many texts, all or none, in one transaction and with one time: each a text, or what `write` takes.

        An item may be a mapping with `content` and the other arguments of `write` but the namespace; `why` is for
        those without one. While the store is down each waits. Raises InvalidInput for anything else, and what `write`
        raises.
        """
        within, now = checked_namespace(namespace), self._now()
        fits = (isinstance(item, str) or (isinstance(item, Mapping) and "content" in item) for item in items)
        if isinstance(items, str) or not all(fits):
            raise InvalidInput("items is a list of texts, or of mappings with content and other arguments of write.")
        given = [{"why": why, **({"content": item} if isinstance(item, str) else item)} for item in items]
        if unknown := {name for item in given for name in item} - _WRITTEN:
            raise InvalidInput(f"write has no argument {min(unknown)!r}; it takes {', '.join(sorted(_WRITTEN))}.")
        asked = [self._write(within, now, **item) for item in given]
        written = self._places.carry_out(*(call for call, _ in asked)) if asked else []
        return [self._counted(each, redacted) for each, (_, redacted) in zip(written, asked, strict=True)]

    def update(
        self,
        id: str,
        *,
        namespace: str,
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        merge: bool = True,
        why: str = "",
    ) -> WriteResult:
        """Change a record: with `merge` its strategy joins the texts and metadata are added, else both are replaced.

        Raises UnknownId for a record that is not there.
        """
        within, now = checked_namespace(namespace), self._now()
        if content is None and metadata is None:
            raise InvalidInput("nothing to update: pass content, metadata or both.")
        text, redacted = (
            (None, Counter[str]()) if content is None else self._cleaner.content(content, of_user=is_of_user(metadata))
        )
        kept, also = (None, Counter[str]()) if metadata is None else self._cleaner.metadata(metadata)
        call = Call(
            kind="update",
            namespace=within,
            record_id=checked_id(id),
            at=now,
            content=text,
            metadata=kept,
            merge=merge,
            why=self._cleaner.plain(checked_why(why)),
        )
        return self._counted(self._places.carry_out(call)[0], redacted + also)

    def delete(
        self,
        id: str | None = None,
        *,
        namespace: str,
        filters: Mapping[str, Any] | None = None,
        why: str = "",
        vacuum: bool = False,
        key: str | None = None,
    ) -> DeleteResult:
        """Delete one record by its id or key, or all whose metadata match `filters`, with every trace in files.

        Their history and vectors go with them. `vacuum` rewrites the store's file as well, which takes longer.
        """
        within, now = checked_namespace(namespace), self._now()
        one, where = id is not None or key is not None, checked_filters(filters)
        if one == bool(where):
            raise InvalidInput("delete takes an id or a key, or (not empty) filters: one of these.")
        name = named_id(id, key, namespace=within) if one else ""

        def named(place: Collection) -> list[str]:
            if name:
                return [place.current_id(name, namespace=within)]
            return [record.id for record in place.records(within, now=now, filters=where)]

        reason = self._cleaner.plain(checked_why(why))
        deleted = self._places.delete(named, namespace=within, at=now, why=reason, vacuum=vacuum)
        self._metrics.count(deleted=deleted.deleted)
        return deleted

    def forget_promoted(self, gone: Forgotten) -> int:
        """Take what a task forgot out of the facts that were promoted from it; returns how many records that concerned.

        A fact that stands on nothing else is deleted, another one stays with its other sources. `bank.forget` and
        `Banks.delete` call it for every memory that is open in their process. Raises StoreUnreachable while the store
        is down.
        """
        now = self._now()

        def forgotten(primary: Collection) -> int:
            return primary.forget(gone, at=now) + self._places.standby.forget(gone, at=now)

        def refused() -> int:
            raise StoreUnreachable("the store of the long-term memory does not answer; try again when it does.")

        return self._places.attempt("write", forgotten, refused)

    def summarize(self, items: Sequence[str], *, goal: str, namespace: str | None = None) -> Summary:
        """Several memories in one text for a goal; `items` are ids of a namespace, or texts when none is given."""
        self._check_open()
        if isinstance(items, str) or not all(isinstance(item, str) for item in items):
            raise InvalidInput("items is a list of ids or of texts.")
        if namespace is None:
            return Summary(summary=summarize(items, goal=goal, chat=self._parts.chat))
        records = [self._there(item, namespace=namespace) for item in items]
        text = summarize([record.content for record in records], goal=goal, chat=self._parts.chat)
        return Summary(summary=text, ids=tuple(record.id for record in records))

    def route(self, message: str, *, user: str = "", policy: str = "default") -> Route:
        """Whether a message is worth a look into memory or a place in it, and in which namespaces of a user."""
        self._check_open()
        return route(message, user=user, policy=policy, chat=self._parts.chat, settings=self.settings)

    aremember, aadd = awaited(remember), awaited(add)
    aprofile, ablock_for = awaited(profile), awaited(block_for)
    asearch, aupdate, adelete = awaited(search), awaited(update), awaited(delete)
    awrite, awrite_many = awaited(write), awaited(write_many)
    asummarize, aroute = awaited(summarize), awaited(route)

    # --- what can be seen --------------------------------------------------------------------------------------------

    def get(self, id: str | None = None, *, namespace: str, key: str | None = None) -> MemoryRecord | None:
        """One record by its id or its key, or None when it is not there or its time has passed."""
        within, now = checked_namespace(namespace), self._now()
        name = named_id(id, key, namespace=within)

        def found(place: Collection) -> MemoryRecord | None:
            return place.get(place.current_id(name, namespace=within), namespace=within)

        standby = self._places.standby
        record = self._places.attempt("read", lambda primary: found(primary) or found(standby), lambda: found(standby))
        over = record is not None and record.expires_at is not None and record.expires_at <= now
        return None if over else record

    def records(
        self, namespace: str, *, filters: Mapping[str, Any] | None = None, limit: int | None = None
    ) -> list[MemoryRecord]:
        """The records of a namespace in the order they were made, without the expired."""
        within, now, where = checked_namespace(namespace), self._now(), checked_filters(filters)
        most = None if limit is None else checked_count("limit", limit, least=0)
        return self._places.read(lambda place: [*place.records(within, now=now, filters=where, limit=most)])

    def namespaces(self) -> list[str]:
        """The namespaces that hold records."""
        self._check_open()
        return self._places.read(Collection.namespaces)

    def history(self, id: str | None = None, *, namespace: str, key: str | None = None) -> list[MemoryRecord]:
        """All versions of a record by its id or key, oldest first, the current one last."""
        self._check_open()
        within = checked_namespace(namespace)
        name = named_id(id, key, namespace=within)
        return self._places.read(
            lambda place: place.history(place.current_id(name, namespace=within), namespace=within)
        )

    def audit(self, *, namespace: str | None = None, limit: int | None = None) -> list[AuditEntry]:
        """The newest lines of the audit log, newest first."""
        self._check_open()
        within = None if namespace is None else checked_namespace(namespace)
        return self._places.read(lambda place: place.audit.entries(namespace=within, limit=limit))

    def stats(self) -> Stats:
        """What memory holds now, and what was asked of it and came of it since it was made."""
        self._check_open()

        def counted(place: Collection) -> Stats:
            return self._metrics.stats(place.store, records={name: place.count(name) for name in place.namespaces()})

        return self._places.read(counted)

    @property
    def queued(self) -> int:
        """How many calls wait for the store to be back."""
        return self._places.queued

    def redacted(self, text: str) -> str:
        """A text as it would be kept: without personal data, unless there is no redactor."""
        return self._cleaner.plain(text)

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
            if not self._closed:
                self._places.close()
                self._closed = True
                unfollow_forgetting(self)

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

    def _check_open(self) -> None:
        if self._closed:
            raise BankClosed("this memory was closed; open it again.")

    def _now(self) -> float:
        """The time of a call to an open memory: the clock's, and never before what the records already know."""
        self._check_open()
        known = [place.latest_time for place in (self._places.primary, self._places.standby) if place is not None]
        self._latest = max(self._latest, *known, self._clock.now())
        return self._latest

    def _write(
        self,
        namespace: str,
        at: float,
        *,
        content: str,
        metadata: Mapping[str, Any] | None = None,
        provenance: Provenance | None = None,
        why: str = "",
        key: str | None = None,
        supersedes: str | Sequence[str] = (),
        history: bool = True,
    ) -> tuple[Call, Counter[str]]:
        """What `write` asks of the store, checked and redacted, and how much of what was taken out."""
        name, replaced = checked_key(key), checked_ids(supersedes)
        text, redacted = self._cleaner.content(content, of_user=is_of_user(metadata))
        kept, also = self._cleaner.metadata(metadata)
        call = Call(
            kind="write",
            namespace=namespace,
            record_id=new_id() if name is None else id_of_key(name, namespace=namespace),
            at=at,
            content=text,
            metadata=kept,
            provenance=provenance,
            expires_at=self._parts.expiry(kept, at),
            why=self._cleaner.plain(checked_why(why)),
            key="" if name is None else self._cleaner.plain(name),
            supersedes=replaced,
            history=history,
        )
        return call, redacted + also

    def _counted(self, written: WriteResult, redacted: Counter[str]) -> WriteResult:
        self._metrics.count(**{written.status: 1}, evicted=written.evicted, redacted=redacted.total())
        return written.model_copy(update={"redacted": dict(redacted)})

    def _there(self, id: str, *, namespace: str) -> MemoryRecord:
        record = self.get(id, namespace=namespace)
        if record is None:
            raise UnknownId("memory", id)
        return record
