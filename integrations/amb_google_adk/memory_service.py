"""AMBMemoryService: ADK's memory of users over AMB's long-term memory."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from google.adk.events import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import Session
from google.genai import types

from amb_core.adapter import fingerprint_of
from amb_core.call_lock import CallLock
from amb_longterm import LongTermMemory

__all__ = ["AMBMemoryService"]


class AMBMemoryService(BaseMemoryService):
    """What outlives a session, for each app and user: `Runner(…, memory_service=AMBMemoryService(memory))`.

    ADK's own `load_memory` and `preload_memory` tools read it. `scope` is the first part of the namespaces, by default
    the app's name; with "user_profile" a supervisor of AMB's sees the same records. What was said is kept, what tools
    returned is not: that is a bank's.
    """

    def __init__(self, memory: LongTermMemory, *, scope: str | None = None) -> None:
        self.memory = memory
        self._scope = scope
        self._seen: dict[str, set[str]] = {}
        self._lock = CallLock()

    async def add_session_to_memory(self, session: Session) -> None:
        """Keep what was said in a session; an event that was kept once, by its id, is not kept again."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep what was said in some events, each once by its id."""
        said = [(_text(event.content), {"author": event.author, "event": event.id}) for event in events]
        about = {"source": "google-adk", "session": session_id or ""} | dict(custom_metadata or {})
        await asyncio.to_thread(self._write, self._namespace(app_name, user_id), said, about)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Keep some memories as they are told."""
        said = [(_text(one.content), {"author": one.author or "", **one.custom_metadata}) for one in memories]
        about = {"source": "google-adk"} | dict(custom_metadata or {})
        await asyncio.to_thread(self._write, self._namespace(app_name, user_id), said, about)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """The memories of a user that speak of what is asked, best first."""
        namespace = self._namespace(app_name, user_id)
        hits = await asyncio.to_thread(lambda: self.memory.search(query, namespace=namespace))
        found = [
            MemoryEntry(
                id=hit.id,
                content=types.Content(role="user", parts=[types.Part(text=hit.content)]),
                author=str(hit.metadata.get("author") or "") or None,
                timestamp=datetime.fromtimestamp(hit.updated_at, UTC).isoformat(),
            )
            for hit in hits
        ]
        return SearchMemoryResponse(memories=found)

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Delete one memory of a user, with every trace in files; without an id nothing is."""
        if memory_id:
            namespace = self._namespace(app_name, user_id)
            await asyncio.to_thread(lambda: self.memory.delete(memory_id, namespace=namespace))

    def _write(self, namespace: str, said: Sequence[tuple[str, dict[str, Any]]], about: Mapping[str, Any]) -> None:
        with self._lock:
            for text, more in said:
                event = str(more.get("event") or "")
                if text and not (event and self._has_seen(event, namespace)):
                    why = _mark(event) if event else ""
                    self.memory.write(text, namespace=namespace, metadata={**about, **more}, why=why)
                    self._seen.setdefault(namespace, set()).add(why)

    def _has_seen(self, event: str, namespace: str) -> bool:
        """Whether an event was written ever, here or by another process.

        The log of the memory says so even where its text has become part of another record, or was deleted since.
        """
        seen, mark = self._seen.setdefault(namespace, set()), _mark(event)
        if mark not in seen:
            seen.update(line.why for line in self.memory.audit(namespace=namespace))
        return mark in seen

    def _namespace(self, app_name: str, user_id: str) -> str:
        return f"{self._scope or _part(app_name)}/{_part(user_id)}"


def _part(name: str) -> str:
    """A name as one part of a namespace, whatever is in it."""
    return name.replace("%", "%25").replace("/", "%2F")


_LETTERS = str.maketrans("0123456789", "ghijklmnop")


def _mark(event: str) -> str:
    """What stands in the log of the memory for an event: letters alone, which no redactor takes for somebody's data."""
    return f"event {fingerprint_of(event).translate(_LETTERS)}"


def _text(content: types.Content | None) -> str:
    """What was said, without thoughts, calls and results."""
    parts = (content.parts if content else None) or ()
    return "\n".join(part.text for part in parts if part.text and not part.thought).strip()
