"""Which conversation a request belongs to, kept in a store: a restart, a crash or another gateway does not matter."""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import JsonValue

from amb_core import Scope
from amb_core.adapter import text_of
from amb_core.protocols import Record, RecordQuery, RecordStore, Scrubbing
from amb_proxy.bodies import InsideCall, Reply
from amb_proxy.clients import KEYS_IN_QUERY, Client, caller_of, credential_of
from amb_proxy.gateway_store import COSTS, secret_in
from amb_proxy.prefixes import Prefixes, is_unique, prefixes_of, reply_digest

__all__ = ["KEYS_IN_QUERY", "Client", "Conversation", "Conversations", "caller_of"]

_SHORTEST_REPLY = 40
_SEVERAL = ""
_HOUR = 3600.0
_AT_ONCE = 100
"""Where there are too many, one in so many goes at once, so that few requests look at all of them."""
_CONVERSATIONS, _AT, _SEEN, _HIDDEN = "conversation", "at", "seen", "hidden"
"""Namespaces: conversations by id; those that have come to a place; the one a key leads to; calls a client is not
shown."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation that was found or begun; `by` says how, and `main` is its first transcript.

    `begun` tells it from another of the same name, and `is_new` whether the provider has not taken a request of it yet.
    """

    id: str
    user: str
    main: str
    by: str
    begun: float = 0.0
    is_new: bool = False

    @property
    def scope(self) -> Scope:
        """Whose memory its bank is."""
        return Scope(user=self.user, thread=self.id)


class Conversations:
    """The conversations of a store: `find` before a request goes on, `keep` when the provider took it, `register` its
    reply.

    A request belongs to the conversation that stands where its transcript was before the newest reply: known by a
    keyed digest of all before it, together with the caller, so that nobody finds another's conversation and two that
    begin alike part where they differ. Clients that change what they sent are found by ids of calls, or texts, that no
    other conversation has. The one text in the store are results of `deep_retrieval` beside calls of the client's.
    Thread-safe, and safe for several gateways where the store is one for several processes. The store stays the
    caller's to close.
    """

    def __init__(self, store: RecordStore, *, most: int = 10_000) -> None:
        self._store, self._most = store, most
        self._key = bytes.fromhex(secret_in(store, "key"))

    def caller(self, headers: Mapping[str, str], body: Mapping[str, Any]) -> Client:
        """Who asks, by the credential and by what the client says of its user and session."""
        user, session = caller_of(headers, body)
        credential = credential_of(headers)
        key, named = self._digest("credential", *credential), self._named(user) if user else ""
        return Client(self._digest("user", *credential, user or ""), session, key, named)

    def _named(self, user: str) -> str:
        return self._digest("named", user)

    def find(
        self, caller: Client, transcript: str, chat: Iterable[Mapping[str, Any]], *, beside: str = ""
    ) -> Conversation | None:
        """The conversation that the client names, else the one that `chat` goes on with, else a new one.

        `chat` are OpenAI-style messages, `beside` the instructions and tools of the request; `transcript` is a digest
        of how it begins. A new conversation is shown to nobody until `keep`; None where there are too many for one
        more.
        """
        messages = list(chat)
        at = prefixes_of(messages, key=self._key, whose=caller.user, beside=beside)
        with self._store.transaction():
            found, by = self._found(caller, transcript, messages, at)
            if found is None:
                if self.room_for(caller) is None:
                    return None
                name = self._digest("session", caller.user, caller.session) if caller.session else uuid.uuid4().hex
                data: dict[str, JsonValue] = {"user": caller.user, "key": caller.key, "main": transcript}
                data |= {"named": caller.named} if caller.named else {}
                found = Record(_CONVERSATIONS, name, data | {"begun": time.time(), "kept": False, "asked": 0})
            claimed = self._claim(found, at, named=caller.session is not None)
        return _conversation(claimed, by)

    def keep(self, conversation: Conversation) -> bool:
        """Keep a new conversation, for the provider took its request; false for one that was deleted meanwhile."""
        with self._store.transaction():
            found = self._standing(conversation)
            if found is not None and not found.data.get("kept", True):
                self._store.put([replace(found, data={**found.data, "kept": True})])
        return found is not None

    def withdraw(self, conversation: Conversation) -> bool:
        """Take back a conversation that was not kept and nobody else asked for; whether it is gone now."""
        with self._store.transaction():
            found = self._standing(conversation)
            if found is None or found.data.get("kept", True):
                return False
            if (others := _requests(found) - 1) > 0:
                self._store.put([replace(found, data={**found.data, "asked": others})])
                return False
            return self._forget(found)

    def register(self, conversation: Conversation, caller: Client, transcript: str, reply: Reply) -> None:
        """Let the reply find its conversation, where that is still there; what is another's already will find none."""
        ids = [call.id for call in reply.calls]
        with self._store.transaction():
            found = self._standing(conversation)
            if found is None:
                return
            said: dict[str, JsonValue] = {"reply": reply_digest(reply.text, ids), "calls": bool(ids), "kept": True}
            self._store.put([replace(found, data={**found.data, **said})])
            for key, _ in self._keys_of(caller, transcript, reply.text, filter(is_unique, ids)):
                leads = self._leads_to(key)
                if leads not in (conversation.id, _SEVERAL):
                    to = conversation.id if leads is None else _SEVERAL
                    self._store.put([Record(_SEEN, key, {"conversation": to}), _of(conversation.id, _SEEN, key)])

    def hide(self, conversation: Conversation, beside: str, calls: Sequence[InsideCall]) -> None:
        """Keep calls that the client is not shown, to be put back beside the call `beside` when it comes again."""
        key = self._digest("hidden", conversation.id, beside)
        told: Any = [[one.call, one.at, one.output] for one in calls]
        with self._store.transaction():
            if self._standing(conversation) is not None:
                self._store.put([Record(_HIDDEN, key, {"told": told}), _of(conversation.id, _HIDDEN, key)])

    def hidden(self, conversation: Conversation, beside: str) -> list[InsideCall]:
        """The calls that were hidden beside this one."""
        found = self._store.get(_HIDDEN, self._digest("hidden", conversation.id, beside))
        told: Any = [] if found is None else found.data["told"]
        return [InsideCall(*one) for one in told]

    def get(self, conversation: str) -> Conversation | None:
        """A conversation by its id."""
        found = self._store.get(_CONVERSATIONS, conversation)
        return None if found is None else _conversation(found, "id")

    def holds(self, conversation: Conversation) -> bool:
        """Whether a conversation is still there, and not another that began later under the same name."""
        return self._standing(conversation) is not None

    def delete(self, conversation: str) -> bool:
        """Forget a conversation and what finds it; whether there was one."""
        with self._store.transaction():
            found = self._store.get(_CONVERSATIONS, conversation)
            deleted = found is not None and self._forget(found)
        if isinstance(self._store, Scrubbing):
            self._store.scrub(vacuum=False)
        return deleted

    def of_user(self, user: str) -> list[Conversation]:
        """The conversations of a user, by the digest that is shown or the name that clients give; unkept ones too."""
        found = [
            *self._store.search(RecordQuery(_CONVERSATIONS, where={"user": user})),
            *self._store.search(RecordQuery(_CONVERSATIONS, where={"named": self._named(user)})),
        ]
        return [_conversation(one, "user") for one in found]

    def unused_since(self, moment: float) -> list[str]:
        """The conversations that were not used since then, and those that a gateway which ended did not keep."""
        left = time.time() - _HOUR
        return [
            one.id
            for one in self._store.search(RecordQuery(_CONVERSATIONS))
            if _number(one, "used") < (moment if one.data.get("kept", True) else max(moment, left))
        ]

    def room_for(self, caller: Client) -> list[str] | None:
        """The conversations that have to give way to a new one of this caller: none as a rule; None: there is no room.

        They are of credentials with more than their share, those with one request first, then those not used for
        longest. A caller who has a share gets another one for what was not used for an hour.
        """
        if self._store.count(_CONVERSATIONS) < self._most:
            return []
        kept = [one for one in self._store.search(RecordQuery(_CONVERSATIONS)) if one.data.get("kept", True)]
        if len(kept) < self._most:
            return []
        holders = Counter(map(_holder, kept))
        share, mine = self._most / len({*holders, caller.key}), holders[caller.key]
        now, others = time.time(), [one for one in kept if _holder(one) != caller.key and holders[_holder(one)] > share]
        idle = [one for one in kept if _holder(one) == caller.key and now - _number(one, "used") > _HOUR]
        may_go = others if mine < share else idle
        may_go.sort(key=lambda one: (_requests(one) > 1, _number(one, "used")))
        return [one.id for one in may_go[: max(1, len(kept) // _AT_ONCE)]] or None

    def all(self) -> list[dict[str, Any]]:
        """Id, user and times of every conversation that is kept, the one used last first."""
        names = ("user", "begun", "used")
        found = [one for one in self._store.search(RecordQuery(_CONVERSATIONS)) if one.data.get("kept", True)]
        told: list[dict[str, Any]] = [{"id": one.id, **{name: one.data[name] for name in names}} for one in found]
        return sorted(told, key=lambda one: -one["used"])

    # --- inside ------------------------------------------------------------------------------------------------------

    def _standing(self, conversation: Conversation) -> Record | None:
        """The record of a conversation, unless it was deleted and its name is another's now."""
        found = self._store.get(_CONVERSATIONS, conversation.id)
        return found if found is not None and _number(found, "begun") == conversation.begun else None

    def _found(
        self, caller: Client, transcript: str, chat: Sequence[Mapping[str, Any]], at: Prefixes
    ) -> tuple[Record | None, str]:
        """The record of the conversation a request belongs to, and how it was found."""
        if caller.session:
            name = self._digest("session", caller.user, caller.session)
            return self._store.get(_CONVERSATIONS, name), "session"
        if at.before and (known := self._that_goes_on(at)) is not None:
            return known, "call-id" if at.ids else "reply"
        for key, by, is_old in self._keys_in(caller, transcript, chat):
            found = self._leads_to(key)
            known = self._store.get(_CONVERSATIONS, found) if found else None
            if known is not None and not (is_old and "at" in known.data):
                return known, by
        return None, "new"

    def _that_goes_on(self, at: Prefixes) -> Record | None:
        """The conversation that has come as far as a transcript: asked again, gone on with, or some turns behind."""
        again, newest, *older = self._come_to(at.whole), self._come_to(at.before[0]), *at.before[1:]
        unanswered = [one for one in again if not one.data.get("reply")]
        found = _last_used(unanswered) or _likeliest(newest, at) or _last_used(again)
        for place in older if found is None and not newest else ():
            if came := self._come_to(place):
                return came[0] if len(came) == 1 else None
        return found

    def _come_to(self, place: str) -> list[Record]:
        """The conversations that have come to a place: whose last request had this digest."""
        found = self._store.get(_AT, place)
        names: Any = [] if found is None else found.data["conversations"]
        known = [self._store.get(_CONVERSATIONS, name) for name in names]
        return [one for one in known if one is not None]

    def _claim(self, found: Record, at: Prefixes, *, named: bool) -> Record:
        """Note that a conversation has come to where a request is; one that its client names needs no place."""
        told: dict[str, JsonValue] = {"used": time.time(), "asked": _requests(found) + 1, "beside": at.beside}
        place = "" if named else at.whole
        if (before := found.data.get("at")) != place:
            self._leave(found.id, before)
            told |= {"at": place, "reply": ""}
            if place:
                there: Any = [one.id for one in self._come_to(place)]
                self._store.put([Record(_AT, place, {"conversations": [*there, found.id]})])
        claimed = replace(found, data={**found.data, **told})
        self._store.put([claimed])
        return claimed

    def _leave(self, conversation: str, place: object) -> None:
        if not isinstance(place, str) or not place:
            return
        left: Any = [one.id for one in self._come_to(place) if one.id != conversation]
        if left:
            self._store.put([Record(_AT, place, {"conversations": left})])
        else:
            self._store.delete(_AT, [place])

    def _forget(self, found: Record) -> bool:
        """Delete a conversation, what finds it and what it cost (inside a transaction)."""
        self._leave(found.id, found.data.get("at"))
        known = self._store.search(RecordQuery(_own(found.id)))
        for record in known:
            self._store.delete(str(record.data["namespace"]), [str(record.data["key"])])
        self._store.delete(_own(found.id), [record.id for record in known])
        self._store.delete(COSTS, [found.id])
        return self._store.delete(_CONVERSATIONS, [found.id]) > 0

    def _leads_to(self, key: str) -> str | None:
        """The conversation that a key leads to, "" for one that several have said; None for an unknown key."""
        found = self._store.get(_SEEN, key)
        return None if found is None else str(found.data["conversation"])

    def _keys_in(
        self, caller: Client, transcript: str, chat: Sequence[Mapping[str, Any]]
    ) -> Iterator[tuple[str, str, bool]]:
        """The keys of a transcript, the newest first, and whether only older versions of the gateway made such."""
        for message in reversed(chat):
            if message.get("role") == "assistant":
                ids = [str(call.get("id")) for call in message.get("tool_calls") or ()]
                text, unique = text_of(message.get("content")), filter(is_unique, ids)
                yield from ((key, by, False) for key, by in self._keys_of(caller, transcript, text, unique))
                for one in ids:
                    yield self._digest("call-id", caller.user, one, transcript), "call-id", True

    def _keys_of(self, caller: Client, transcript: str, text: str, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The keys of a reply that no other would have by chance: with the beginning of the transcript, and alone."""
        told = [("call-id", one) for one in ids]
        if len(said := " ".join(text.split())) >= _SHORTEST_REPLY:
            told.append(("reply", said))
        for by, one in told:
            yield self._digest(by, caller.user, one, transcript), by
            yield self._digest(by, caller.user, one), by

    def _digest(self, *texts: str) -> str:
        told = json.dumps(texts).encode()
        return hashlib.blake2b(told, key=self._key, digest_size=16).hexdigest()


def _likeliest(known: Sequence[Record], at: Prefixes) -> Record | None:
    """Of conversations that have come equally far the one a request goes on with.

    They all hold what stands before the newest reply and no more. That reply and the instructions tell them apart,
    then whether they were used of late. Agents that called a tool come back in turn, so it is the one that waited
    longest; after words alone nobody can tell.
    """
    now = time.time()

    def fits(one: Record) -> tuple[bool, ...]:
        told = one.data
        return told.get("reply") == at.said, told.get("beside") == at.beside, now - _number(one, "used") < _HOUR

    best = max(map(fits, known), default=())
    left = [one for one in known if fits(one) == best]
    if len(left) > 1 and not at.ids:
        return None
    return min(left, key=lambda one: _number(one, "used"), default=None)


def _last_used(known: Sequence[Record]) -> Record | None:
    return max(known, key=lambda one: _number(one, "used"), default=None)


def _number(record: Record, name: str) -> float:
    value = record.data.get(name)
    return float(value) if isinstance(value, int | float) else 0.0


def _requests(record: Record) -> int:
    """How many requests a conversation had; older ones were not counted, and had several."""
    return int(_number(record, "asked")) if "asked" in record.data else 2


def _holder(record: Record) -> str:
    """The credential a conversation was begun with; older ones know their user only."""
    return str(record.data.get("key") or record.data["user"])


def _conversation(record: Record, by: str) -> Conversation:
    told = record.data
    is_new = not told.get("kept", True)
    return Conversation(record.id, str(told["user"]), str(told["main"]), by, _number(record, "begun"), is_new)


def _own(conversation: str) -> str:
    """The namespace of what is to go with a conversation."""
    return f"of/{conversation}"


def _of(conversation: str, namespace: str, key: str) -> Record:
    return Record(_own(conversation), f"{namespace}/{key}", {"namespace": namespace, "key": key})
