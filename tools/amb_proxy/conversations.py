"""Which conversation a request belongs to, kept in a file so that a restart or a crash does not matter."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amb_core import Scope
from amb_core.adapter import text_of
from amb_proxy.access import secret_in
from amb_proxy.bodies import InsideCall, Reply

__all__ = ["Caller", "Conversation", "Conversations", "caller_of"]

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
_SCHEMA = """
CREATE TABLE IF NOT EXISTS conversation (
  id TEXT PRIMARY KEY, user TEXT NOT NULL, main TEXT NOT NULL, begun REAL NOT NULL, used REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY, conversation TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS hidden (key TEXT PRIMARY KEY, conversation TEXT NOT NULL, told TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seen_by_conversation ON seen (conversation);
"""


@dataclass(frozen=True, slots=True)
class Caller:
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
    """The conversations of a folder: `find` before a request goes on, `register` when its reply has come.

    A call id or a reply is known by a keyed digest together with the caller, so that nobody finds another's
    conversation; the one text in the file are results of `deep_retrieval` beside calls of the client's. What two
    conversations have said alike finds the one that begins like the request, or neither. Thread-safe.
    """

    def __init__(self, folder: Path, *, most: int = 10_000) -> None:
        self._most = most
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = threading.Lock()
        file = folder / "conversations.db"
        file.touch(mode=0o600)
        self._file = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.execute("PRAGMA secure_delete=ON")
        self._file.executescript(_SCHEMA)
        self._key = bytes.fromhex(secret_in(folder / "key"))

    def close(self) -> None:
        """Close the file; all that was registered is in it."""
        with self._lock:
            self._file.close()

    def caller(self, headers: Mapping[str, str], body: Mapping[str, Any]) -> Caller:
        """Who asks, by the credential and by what the client says of its user and session."""
        user, session = caller_of(headers, body)
        credential = [headers.get(name, "") for name in _CREDENTIALS]
        return Caller(self._digest("user", *credential, user or ""), session)

    def find(self, caller: Caller, transcript: str, chat: Iterable[Mapping[str, Any]]) -> Conversation | None:
        """The conversation that the client names, else the one whose call or reply stands in `chat`, else a new one.

        `chat` are OpenAI-style messages; `transcript` is a digest of how it begins. A new conversation is not in the
        file until `keep`; None where there are too many for one more.
        """
        name = self._digest("session", caller.user, caller.session) if caller.session else uuid.uuid4().hex
        with self._lock:
            if caller.session and (known := self._known(name, "session")) is not None:
                return known
            for key, by in () if caller.session else self._keys_in(caller, transcript, list(chat)):
                found = self._file.execute("SELECT conversation FROM seen WHERE key = ?", (key,)).fetchone()
                if found and found[0] != _SEVERAL and (known := self._known(found[0], by)) is not None:
                    return known
            (kept,) = self._file.execute("SELECT count(*) FROM conversation").fetchone()
        if kept >= self._most:
            return None
        return Conversation(name, caller.user, transcript, "session" if caller.session else "new")

    def keep(self, conversation: Conversation) -> None:
        """Put a new conversation into the file; one that is there stays."""
        now = time.time()
        row = (conversation.id, conversation.user, conversation.main, now, now)
        with self._lock:
            self._file.execute("INSERT OR IGNORE INTO conversation VALUES (?, ?, ?, ?, ?)", row)

    def register(self, conversation: Conversation, caller: Caller, transcript: str, reply: Reply) -> None:
        """Keep a conversation and let the reply find it; what is another's already will find none."""
        self.keep(conversation)
        with self._lock, self._file:
            self._file.execute("BEGIN IMMEDIATE")
            for key, _ in self._keys_of(caller, transcript, reply.text, [call.id for call in reply.calls]):
                self._file.execute(
                    "INSERT INTO seen VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET conversation = "
                    "CASE WHEN conversation = excluded.conversation THEN conversation ELSE ? END",
                    (key, conversation.id, _SEVERAL),
                )

    def hide(self, conversation: Conversation, beside: str, calls: Sequence[InsideCall]) -> None:
        """Keep calls that the client is not shown, to be put back beside the call `beside` when it comes again."""
        told = json.dumps([(one.call, one.at, one.output) for one in calls])
        row = (self._digest("hidden", conversation.id, beside), conversation.id, told)
        with self._lock:
            self._file.execute("INSERT OR REPLACE INTO hidden VALUES (?, ?, ?)", row)

    def hidden(self, conversation: Conversation, beside: str) -> list[InsideCall]:
        """The calls that were hidden beside this one."""
        key = self._digest("hidden", conversation.id, beside)
        with self._lock:
            row = self._file.execute("SELECT told FROM hidden WHERE key = ?", (key,)).fetchone()
        return [InsideCall(*one) for one in json.loads(row[0])] if row else []

    def get(self, conversation: str) -> Conversation | None:
        """A conversation by its id."""
        with self._lock:
            row = self._file.execute("SELECT user, main FROM conversation WHERE id = ?", (conversation,)).fetchone()
        return None if row is None else Conversation(conversation, row[0], row[1], "id")

    def delete(self, conversation: str) -> bool:
        """Forget a conversation and what finds it; whether there was one."""
        with self._lock, self._file:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.execute("DELETE FROM seen WHERE conversation = ?", (conversation,))
            self._file.execute("DELETE FROM hidden WHERE conversation = ?", (conversation,))
            return self._file.execute("DELETE FROM conversation WHERE id = ?", (conversation,)).rowcount > 0

    def delete_before(self, moment: float) -> list[str]:
        """Forget the conversations that were not used since then, and say which."""
        with self._lock:
            old = self._file.execute("SELECT id FROM conversation WHERE used < ?", (moment,)).fetchall()
        return [name for (name,) in old if self.delete(name)]

    def all(self) -> list[dict[str, Any]]:
        """Id, user and times of every conversation, the one used last first."""
        with self._lock, closing(self._file.cursor()) as cursor:
            cursor.row_factory = sqlite3.Row
            rows = cursor.execute("SELECT id, user, begun, used FROM conversation ORDER BY used DESC").fetchall()
        return [dict(row) for row in rows]

    # --- inside ------------------------------------------------------------------------------------------------------

    def _known(self, name: str, by: str) -> Conversation | None:
        """A conversation that is there, which is used now; the lock is held."""
        self._file.execute("UPDATE conversation SET used = ? WHERE id = ?", (time.time(), name))
        row = self._file.execute("SELECT user, main FROM conversation WHERE id = ?", (name,)).fetchone()
        return None if row is None else Conversation(name, row[0], row[1], by)

    def _keys_in(self, caller: Caller, transcript: str, chat: list[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
        """The keys of a transcript, the newest first."""
        for message in reversed(chat):
            if message.get("role") == "assistant":
                ids = [str(call.get("id")) for call in message.get("tool_calls") or ()]
                yield from self._keys_of(caller, transcript, text_of(message.get("content")), ids)

    def _keys_of(self, caller: Caller, transcript: str, text: str, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
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
