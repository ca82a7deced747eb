"""Which state a part of a book is in, by name: so that an opening notices what another one wrote, or rolled back."""

from __future__ import annotations

import hashlib

from amb_core.errors import StoreCorrupt
from amb_core.protocols import Record, RecordStore

__all__ = ["Revision"]


class Revision:
    """The name of a state, kept as one record: a digest over all that was ever done, so that equal names are equal."""

    def __init__(self, store: RecordStore, namespace: str, id: str) -> None:
        self._store, self._namespace, self._id = store, namespace, id

    def current(self) -> str:
        """The name of what the store holds, "" before the first change."""
        try:
            found = self._store.get(self._namespace, self._id)
        except StoreCorrupt:
            return ""
        return "" if found is None else str(found.data.get("digest", ""))

    def advance(self, change: bytes) -> str:
        """Name the state after a change; inside the transaction that writes it."""
        digest = hashlib.sha256(self.current().encode() + b"\n" + change).hexdigest()[:32]
        self._store.put([Record(self._namespace, self._id, {"digest": digest})])
        return digest
