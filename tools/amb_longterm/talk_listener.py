"""What a talk leaves in long-term memory: statements that are kept, and what the user wants forgotten or put right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, Protocol

from amb_core.protocols import ChatModel
from amb_longterm.collection import Collection
from amb_longterm.failover import Failover
from amb_longterm.granted_wishes import Granted, granted
from amb_longterm.known_names import Known, known_in
from amb_longterm.memory_records import DeleteResult, MemoryRecord, WriteResult, WriteStatus
from amb_longterm.namespaces import namespace_of
from amb_longterm.remembering import ROOM, Heard, heard_in, home_of, kept_of, most_read, namespaces_of
from amb_longterm.sameness import denies
from amb_longterm.unread_statements import UNREAD
from amb_longterm.user_statements import Clause
from amb_longterm.user_wishes import Act, acts_of

__all__ = ["TalkListener"]

_WISHED = "the user wished it"
_OVER = "not read, and beyond the newest"
_MOST_UNREAD, _UNREAD_SCORE = 24, 0.2
"""So many sentences are kept of a user that nothing here reads and that do not say "I", and how much they matter."""
_NAMED = ("this", "all")
"""Wishes that name what they are about, so that it is told where nothing of it is there."""


class _Memory(Protocol):
    settings: Any

    def write_many(
        self, items: Sequence[str | Mapping[str, Any]], *, namespace: str, why: str = ""
    ) -> list[WriteResult]: ...


class TalkListener:
    """Takes in what one user says; what the assistant and tools say changes nothing."""

    def __init__(
        self,
        memory: _Memory,
        places: Failover,
        *,
        user: str,
        chat: ChatModel | None,
        now: Callable[[], float],
        spaces: Sequence[str] = (),
        keep: Callable[[str], list[WriteResult]] | None = None,
    ) -> None:
        """`spaces` are further namespaces in which wishes hold, `keep` what keeps a text in place of the profile."""
        self._memory, self._places, self._chat, self._now = memory, places, chat, now
        self._profile = namespace_of("user_profile", user)
        self._home = home_of(user, memory.settings)
        self._spaces = tuple(dict.fromkeys((self._home, *namespaces_of(user, memory.settings), *spaces)))
        self._keep = keep or self._keep_at_home

    def listen(self, messages: str | Sequence[Any]) -> list[WriteResult]:
        """What each new message of the user leaves, in their order."""
        marks, said, last = self._places.read(lambda place: place.heard(self._profile))
        done: list[WriteResult] = []
        for message in (new := heard_in(messages, known=frozenset(marks))):
            is_next = not message.before or _digest(message.before) == said
            told = self._take_in(message, last if is_next else None)
            done += told
            said, last = _digest(message.text), [each.id for each in told if each.id and each.status != "forgotten"]
        if new:
            named = [message.mark for message in new if message.mark]
            standby = self._places.standby
            self._places.attempt(
                "write",
                lambda place: place.note_heard(self._profile, named, said=said, last=last),
                lambda: standby.note_heard(self._profile, named, said=said, last=last),
            )
        return done

    def _take_in(self, message: Heard, last: Sequence[str] | None) -> list[WriteResult]:
        done: list[WriteResult] = []
        before, denied = self._said_before(message, last), ""
        for act in acts_of(message.text):
            if act.kind == "tells":
                told = self._keep(act.text)
                before = [each.id for each in told if each.id] or before
                denied = act.text if denies(act.text) else ""
            else:
                told = self._grant(act, before, message.answered, denied)
            done += told
        return done

    def _said_before(self, message: Heard, last: Sequence[str] | None) -> list[str]:
        """The ids of the records that the user's words before this message left."""
        if last is not None:
            return [*last]
        now = self._now()
        newest = self._places.read(lambda place: place.newest(self._home, now=now, limit=16))
        return [record.id for record in newest if record.content in message.before]

    def _keep_at_home(self, text: str) -> list[WriteResult]:
        kept = kept_of(text, chat=self._chat, known=cache(self._known))
        items = [{"content": each.text, "metadata": _metadata(each)} for each in kept]
        written = self._memory.write_many(items, namespace=self._home, why="said by the user")
        if any(each.cue == UNREAD for each in kept):
            self._thin_out()
        return written

    def _thin_out(self) -> None:
        """Delete the oldest of what nobody read and may be a request, beyond a number."""
        now = self._now()
        unread = self._places.read(lambda place: [*place.records(self._home, now=now, filters={"tags": [UNREAD]})])
        oldest = sorted(unread, key=lambda record: record.updated_at)[: max(0, len(unread) - _MOST_UNREAD)]
        if oldest:
            self._delete([record.id for record in oldest], self._home, why=_OVER)

    def _known(self) -> Known:
        now = self._now()
        told = self._places.read(lambda place: place.newest(self._home, now=now, limit=most_read(ROOM)))
        return known_in(record.content for record in told)

    def _grant(self, act: Act, before: Sequence[str], answered: str, denied: str) -> list[WriteResult]:
        """What comes of a wish: what was forgotten or put right, or that it is undecided."""
        records = self._records()
        by_id = {record.id: record for record in records}
        last = [by_id[name] for name in before if name in by_id]
        found = granted(act, records, last=last[::-1], answered=answered, denied=denied)
        if found.is_telling:
            return self._keep(act.text)
        if found.changed is not None:
            return self._put_right(found)
        if found.forgotten:
            return self._forget(found.forgotten)
        if found.is_idle and act.kind not in _NAMED:
            return []
        ids = tuple(record.id for record in found.candidates)
        return [WriteResult(id="", status="undecided", text=act.text, candidates=ids)]

    def _records(self) -> list[MemoryRecord]:
        """The user's records, the newest first."""
        now = self._now()

        def read(place: Collection) -> list[MemoryRecord]:
            return [record for space in self._spaces for record in place.records(space, now=now)]

        found = enumerate(self._places.read(read))  # of those told at one moment, the one made last first
        return [record for _, record in sorted(found, key=lambda each: (-each[1].updated_at, -each[0]))]

    def _put_right(self, found: Granted) -> list[WriteResult]:
        """The record says what is meant; what it said is its history."""
        record = found.changed
        assert record is not None
        item: dict[str, Any] = {"content": found.content, "metadata": record.metadata}
        item |= {"key": record.key} if record.key else {"supersedes": record.id}
        return self._memory.write_many([item], namespace=record.namespace, why="put right by the user")

    def _forget(self, records: Sequence[MemoryRecord]) -> list[WriteResult]:
        done: list[WriteResult] = []
        for space in dict.fromkeys(record.namespace for record in records):
            here = [record for record in records if record.namespace == space]
            gone = self._delete([record.id for record in here], space)
            status: WriteStatus = "forgotten" if gone.deleted else "queued"
            done += [WriteResult(id=each.id, status=status, text=each.content) for each in here]
        return done

    def _delete(self, ids: list[str], namespace: str, *, why: str = _WISHED) -> DeleteResult:
        return self._places.delete(lambda _: ids, namespace=namespace, at=self._now(), why=why, vacuum=False)


def _metadata(clause: Clause) -> dict[str, Any]:
    known = {"type": clause.type.value, "source": "user"}
    return {**known, "tags": [UNREAD], "score": _UNREAD_SCORE} if clause.cue == UNREAD else known


def _digest(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()[:16]
