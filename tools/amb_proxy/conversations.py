"""Which conversation a request belongs to, kept in a store: a restart, a crash or another gateway does not matter."""

from __future__ import annotations

import hashlib
import json
import re
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from amb_core import Scope
from amb_core.adapter import text_of
from amb_core.protocols import Record, RecordQuery, RecordStore, Scrubbing
from amb_proxy.bodies import InsideCall, Reply
from amb_proxy.gateway_store import secret_in

__all__ = ["Client", "Conversation", "Conversations", "caller_of"]

SESSION_HEADERS = (
    "x-amb-conversation",
    "x-claude-code-session-id",
    "session_id",
    "session-id",
    "conversation_id",
    "x-session-id",
)
"""Headers in which clients name their conversation, ours first."""
KEYS_IN_QUERY = ("key", "api-key", "api_key", "subscription-key")
"""Names under which a credential may stand in the query; `caller` gets them as headers with a `?` before the name."""
_CREDENTIALS = (
    "authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "ocp-apim-subscription-key",
    *(f"?{name}" for name in KEYS_IN_QUERY),
)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_UNIQUE = re.compile(r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{8,}$")
"""How the ids of calls end that a provider makes for one call alone; some servers only count: `call_0`."""
_SHORTEST_REPLY = 40
_SEVERAL = ""
_PAUSE = 60.0
"""Seconds between two notes of when a conversation was used."""
_CONVERSATIONS, _SEEN, _HIDDEN = "conversation", "seen", "hidden"
"""Namespaces: conversations by id; the conversation that a key leads to; calls that a client is not shown."""


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks: a digest of the credential and of the user it names, and the session where the client names one."""

    user: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation that was found or begun; `by` says how, and `main` is its first transcript."""

    id: str
    user: str
    main: str
    by: str

    @property
    def scope(self) -> Scope:
        """Whose memory its bank is."""
        return Scope(user=self.user, thread=self.id)


class Conversations:
    """The conversations of a store: `find` before a request goes on, `register` when its reply has come.

    A call id or a reply is known by a keyed digest together with the caller, so that nobody finds another's
    conversation; the one text in the store are results of `deep_retrieval` beside calls of the client's. What two
    conversations have said alike finds the one that begins like the request, or neither. Thread-safe, and safe for
    several gateways where the store is one for several processes. The store stays the caller's to close.
    """

    def __init__(self, store: RecordStore, *, most: int = 10_000) -> None:
        self._store, self._most = store, most
        self._key = bytes.fromhex(secret_in(store, "key"))

    def caller(self, headers: Mapping[str, str], body: Mapping[str, Any]) -> Client:
        """Who asks, by the credential and by what the client says of its user and session."""
        user, session = caller_of(headers, body)
        credential = [headers.get(name, "") for name in _CREDENTIALS]
        return Client(self._digest("user", *credential, user or ""), session)

    def find(self, caller: Client, transcript: str, chat: Iterable[Mapping[str, Any]]) -> Conversation | None:
        """The conversation that the client names, else the one whose call or reply stands in `chat`, else a new one.

        `chat` are OpenAI-style messages; `transcript` is a digest of how it begins. A new conversation is not in the
        store until `keep`; None where there are too many for one more.
        """
        name = self._digest("session", caller.user, caller.session) if caller.session else uuid.uuid4().hex
        if caller.session and (known := self._known(name, "session")) is not None:
            return known
        for key, by in () if caller.session else self._keys_in(caller, transcript, list(chat)):
            found = self._leads_to(key)
            if found and (known := self._known(found, by)) is not None:
                return known
        if self._store.count(_CONVERSATIONS) >= self._most:
            return None
        return Conversation(name, caller.user, transcript, "session" if caller.session else "new")

    def keep(self, conversation: Conversation) -> None:
        """Put a new conversation into the store; one that is there stays."""
        if self._store.get(_CONVERSATIONS, conversation.id) is None:
            with self._store.transaction():
                if self._store.get(_CONVERSATIONS, conversation.id) is None:
                    now = time.time()
                    data: dict[str, JsonValue] = {
                        "user": conversation.user,
                        "main": conversation.main,
                        "begun": now,
                        "used": now,
                    }
                    self._store.put([Record(_CONVERSATIONS, conversation.id, data)])

    def register(self, conversation: Conversation, caller: Client, transcript: str, reply: Reply) -> None:
        """Keep a conversation and let the reply find it; what is another's already will find none."""
        self.keep(conversation)
        ids = [call.id for call in reply.calls]
        with self._store.transaction():
            for key, _ in self._keys_of(caller, transcript, reply.text, ids):
                found = self._leads_to(key)
                if found not in (conversation.id, _SEVERAL):
                    to = conversation.id if found is None else _SEVERAL
                    self._store.put([Record(_SEEN, key, {"conversation": to}), _of(conversation.id, _SEEN, key)])

    def hide(self, conversation: Conversation, beside: str, calls: Sequence[InsideCall]) -> None:
        """Keep calls that the client is not shown, to be put back beside the call `beside` when it comes again."""
        key = self._digest("hidden", conversation.id, beside)
        told: Any = [[one.call, one.at, one.output] for one in calls]
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

    def delete(self, conversation: str) -> bool:
        """Forget a conversation and what finds it; whether there was one."""
        with self._store.transaction():
            known = self._store.search(RecordQuery(_own(conversation)))
            for record in known:
                self._store.delete(str(record.data["namespace"]), [str(record.data["key"])])
            self._store.delete(_own(conversation), [record.id for record in known])
            deleted = self._store.delete(_CONVERSATIONS, [conversation]) > 0
        if isinstance(self._store, Scrubbing):
            self._store.scrub(vacuum=False)
        return deleted

    def delete_before(self, moment: float) -> list[str]:
        """Forget the conversations that were not used since then, and say which."""
        return [one["id"] for one in self.all() if one["used"] < moment and self.delete(one["id"])]

    def all(self) -> list[dict[str, Any]]:
        """Id, user and times of every conversation, the one used last first."""
        names = ("user", "begun", "used")
        found = self._store.search(RecordQuery(_CONVERSATIONS))
        told: list[dict[str, Any]] = [{"id": one.id, **{name: one.data[name] for name in names}} for one in found]
        return sorted(told, key=lambda one: -one["used"])

    # --- inside ------------------------------------------------------------------------------------------------------

    def _known(self, name: str, by: str) -> Conversation | None:
        """A conversation that is there, which is used now."""
        found = self._store.get(_CONVERSATIONS, name)
        if found is None:
            return None
        now = time.time()
        if now - float(str(found.data["used"])) > _PAUSE:
            with self._store.transaction():  # another one may have deleted it meanwhile
                if self._store.get(_CONVERSATIONS, name) is None:
                    return None
                self._store.put([Record(_CONVERSATIONS, name, {**found.data, "used": now})])
        return _conversation(found, by)

    def _leads_to(self, key: str) -> str | None:
        """The conversation that a key leads to, "" for one that several have said; None for an unknown key."""
        found = self._store.get(_SEEN, key)
        return None if found is None else str(found.data["conversation"])

    def _keys_in(self, caller: Client, transcript: str, chat: list[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        """The keys of a transcript, the newest first."""
        for message in reversed(chat):
            if message.get("role") == "assistant":
                ids = [str(call.get("id")) for call in message.get("tool_calls") or ()]
                yield from self._keys_of(caller, transcript, text_of(message.get("content")), ids)

    def _keys_of(self, caller: Client, transcript: str, text: str, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The keys of a reply: with the beginning of the transcript, and alone what no other would have by chance."""
        told = [("call-id", one, _UNIQUE.search(one) is not None) for one in ids]
        if len(said := " ".join(text.split())) >= _SHORTEST_REPLY:
            told.append(("reply", said, True))
        for by, one, is_unique in told:
            yield self._digest(by, caller.user, one, transcript), by
            if is_unique:
                yield self._digest(by, caller.user, one), by

    def _digest(self, *texts: str) -> str:
        told = json.dumps(texts).encode()
        return hashlib.blake2b(told, key=self._key, digest_size=16).hexdigest()


def _conversation(record: Record, by: str) -> Conversation:
    return Conversation(record.id, str(record.data["user"]), str(record.data["main"]), by)


def _own(conversation: str) -> str:
    """The namespace of what is to go with a conversation."""
    return f"of/{conversation}"


def _of(conversation: str, namespace: str, key: str) -> Record:
    return Record(_own(conversation), f"{namespace}/{key}", {"namespace": namespace, "key": key})


def caller_of(headers: Mapping[str, str], body: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The user and the session that a client names, each None where it names none.

    A `prompt_cache_key` counts where it is a UUID, as agents send it: others may be one for all users of a program.
    """
    user, session = headers.get("x-amb-user"), next((headers[one] for one in SESSION_HEADERS if headers.get(one)), None)
    given = body.get("metadata")
    told = given.get("user_id") if isinstance(given, Mapping) else None
    if isinstance(told, str) and (found := _session_in(told)):
        session = session or found
    elif isinstance(told, str):
        user = user or told
    named = body.get("safety_identifier") or body.get("user")
    user = user or (named if isinstance(named, str) else None)
    key = body.get("prompt_cache_key")
    if isinstance(key, str) and _UUID.fullmatch(key.casefold()):
        session = session or key
    return user, session


def _session_in(user_id: str) -> str | None:
    """The session in the `user_id` of a coding agent, which is text with a session or JSON; None in any other's."""
    if user_id.startswith("{"):
        try:
            found = json.loads(user_id).get("session_id")
        except ValueError:
            return None
        return found if isinstance(found, str) else None
    _, mark, session = user_id.rpartition("_session_")
    return session if mark and _UUID.fullmatch(session.casefold()) else None
