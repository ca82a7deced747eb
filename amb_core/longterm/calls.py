"""Writes, updates and deletions as they are carried out in one collection, now or once its store is back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from amb_core.errors import StoreError, UnknownId
from amb_core.longterm.collection import Change, Collection, Vector
from amb_core.longterm.deciding import Draft, revised
from amb_core.longterm.erasing import erase
from amb_core.longterm.exports import Exports
from amb_core.longterm.metrics import Metrics
from amb_core.longterm.outbox import Waiting
from amb_core.longterm.records import Written
from amb_core.longterm.settings import LongTermSettings
from amb_core.longterm.summarizing import summarize
from amb_core.protocols import ChatModel, Embedder

__all__ = ["Calls"]

_log = logging.getLogger("amb.longterm")


class Calls:
    """Does in any collection what a call asks for; an embedder that fails leaves a text without a vector."""

    def __init__(
        self, *, embedder: Embedder | None, chat: ChatModel | None, settings: LongTermSettings, metrics: Metrics
    ) -> None:
        self._embedder = embedder
        self._chat = chat
        self._settings = settings
        self._metrics = metrics

    def vector(self, text: str, *, role: Literal["query", "document"] = "document") -> Vector | None:
        """The vector of a text; None without an embedder, and when it fails."""
        if self._embedder is None:
            return None
        try:
            return np.asarray(self._embedder.embed([text], role=role)[0], dtype=np.float32)
        except Exception as error:  # noqa: BLE001 - it may be anybody's, and words are left
            self._metrics.count(failed_embedding=1)
            _log.warning("the embedder failed (%s); a text goes on by its words alone", type(error).__name__)
            return None

    def write(self, place: Collection, draft: Draft) -> Change:
        """Take in a draft."""
        return place.write(draft, vector=self.vector(draft.content), embed=self.vector, summarize=self._summarizer())

    def update(self, place: Collection, call: Waiting) -> Change:
        """Change a record; UnknownId when it is not there."""
        name = place.current_id(call.record_id, namespace=call.namespace)
        record = place.get(name, namespace=call.namespace)
        if record is None:
            raise UnknownId("memory", call.record_id)
        changed = revised(
            record,
            content=call.content,
            metadata=call.metadata,
            merge=call.merge,
            at=call.at,
            expires_at=self.expiry(call.metadata, call.at) if call.metadata is not None else record.expires_at,
            summarize=self._summarizer(),
        )
        if changed.embedding is None and (vector := self.vector(changed.content)) is not None:
            changed = changed.model_copy(update={"embedding": vector.astype("<f4").tobytes()})
        return place.replace(changed, at=call.at, why=call.why)

    def erase(self, place: Collection, gone: list[str], *, namespace: str, vacuum: bool) -> list[str]:
        """Take deleted records out of exports, caches and files; returns what could not be reached."""
        unreachable = Exports(place.store).without(gone, namespace=namespace)
        try:
            erase(place.store, embedder=self._embedder, vacuum=vacuum)
        except StoreError as error:
            self._metrics.count(failed_erasing=1)
            unreachable.append(f"{error} What was deleted is erased from the files when the memory is opened next.")
        return unreachable

    def carry(self, place: Collection, call: Waiting) -> Change:
        """Carry out a call that waited."""
        match call.kind:
            case "write":
                change = self.write(place, call.draft)
                place.name_current(call.record_id, change.written.id, namespace=call.namespace)
                return change
            case "update":
                return self.update(place, call)
            case "delete":
                name = place.current_id(call.record_id, namespace=call.namespace)
                gone = place.delete([name], namespace=call.namespace, at=call.at, why=call.why)
                self.erase(place, gone, namespace=call.namespace, vacuum=False)
                return Change(Written(id=name, status="updated"), (), tuple(gone))

    def expiry(self, metadata: Mapping[str, Any], now: float) -> float | None:
        """When a record with these metadata is over; None for never."""
        ttl = metadata.get("ttl", self._settings.default_ttl)
        return None if ttl is None else now + float(ttl)

    def _summarizer(self) -> Callable[[str, str], str] | None:
        """How a model joins two texts; None leaves it to the program."""
        chat = self._chat
        if chat is None:
            return None

        return lambda old, new: summarize([old, new], goal="", chat=chat)
