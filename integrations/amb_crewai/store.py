"""AMBMemory: a bank in the place of CrewAI's own memory, without a call to a model or an embedding service."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from crewai.memory.types import MemoryMatch, MemoryRecord, ScopeInfo
from crewai.memory.unified_memory import Memory
from pydantic import PrivateAttr

from amb_core import InvalidParameter, MemoryBank
from amb_core.models import InteractionEntry, Receipt

__all__ = ["AMBMemory"]

_RESULT = "\nResult: "


class AMBMemory(Memory):
    """`Crew(memory=AMBMemory(bank))`: CrewAI recalls from the bank once a task and stores each task's result in it.

    Its tools `search_memory` and `save_to_memory` work on the bank as well. A bank has one level: scopes, categories
    and importance are not kept. This does not bound prompts; `memory(bank)` does, and the two go together.
    """

    _bank: MemoryBank = PrivateAttr()

    def __init__(self, bank: MemoryBank, **options: Any) -> None:
        entries: Any = _Entries(bank)
        super().__init__(storage=entries, **options)
        self._bank = bank

    def recall(self, query: str, *_: Any, limit: int = 10, **__: Any) -> list[MemoryMatch]:
        """What the bank's notes on the query stand on, best first; [] for a blank query."""
        if not query.strip():
            return []
        return [self._match(receipt) for receipt in self._bank.recall(query, k=limit).receipts[:limit]]

    def remember(self, content: str, *_: Any, source: str | None = None, **more: Any) -> MemoryRecord | None:
        """Take a text in; None when this memory is read-only or the text is blank."""
        if self.read_only or not content.strip():
            return None
        report = self._bank.read(content, source=source or more.get("agent_role") or "crewai")
        return MemoryRecord(id=report.entry_ids[0], content=content)

    def remember_many(self, contents: list[str], *arguments: Any, **named: Any) -> list[MemoryRecord]:
        """Take texts in, in order; done when this returns."""
        kept = (self.remember(content, *arguments, **named) for content in contents)
        return [record for record in kept if record is not None]

    def extract_memories(self, content: str) -> list[str]:
        """The result of a task as one text; the bank finds the topics in it when it takes it in."""
        text = content.partition(_RESULT)[2] or content
        return [text] if text.strip() else []

    def forget(self, *_: Any, record_ids: list[str] | None = None, **criteria: Any) -> int:
        """Delete records, and all that stands on them, by the ids of `list_records`; InvalidParameter without ids."""
        if record_ids is None or any(value is not None for value in criteria.values()) or any(_):
            raise InvalidParameter("a bank forgets by id: forget(record_ids=[…]) with ids from list_records().")
        for record_id in record_ids:
            self._bank.forget(record_id)
        return len(record_ids)

    def update(self, record_id: str, *_: Any, **__: Any) -> MemoryRecord:
        """Refused: what a bank has taken in is never changed."""
        raise InvalidParameter("what a bank has taken in is never changed: forget the record, remember the new text.")

    def reset(self, scope: str | None = None) -> None:
        """Refused: one bank is one task's memory."""
        raise InvalidParameter("a bank is one task's memory: close it and begin a new MemoryBank instead.")

    def reset_all(self) -> None:
        """Refused like `reset`."""
        self.reset()

    def _match(self, receipt: Receipt) -> MemoryMatch:
        text = self._bank.open(receipt)
        record = MemoryRecord(
            id=receipt.node_id,
            content=text or self._bank.host.node(receipt.node_id).summary,
            metadata={"disputed": True} if receipt.disputed else {},
        )
        return MemoryMatch(record=record, score=receipt.score, match_reasons=[receipt.reason])


class _Entries:
    """What CrewAI reads of a storage to list a memory: one record for each text the bank has taken in."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        return [_record(entry) for entry in self._kept()[offset : offset + limit]]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        return ScopeInfo(path=scope, record_count=len(self._kept()))

    def _kept(self) -> list[InteractionEntry]:
        return [entry for entry in reversed(self._bank.snapshot().entries) if not entry.forgotten]

    def list_scopes(self, parent: str = "/") -> list[str]:
        return []

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        return {}


def _record(entry: InteractionEntry) -> MemoryRecord:
    source = entry.metadata.get("source")
    when = datetime.fromtimestamp(entry.timestamp, UTC).replace(tzinfo=None)
    return MemoryRecord(id=entry.entry_id, content=entry.text, source=str(source) if source else None, created_at=when)
