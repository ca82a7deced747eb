"""Records in the order in which they were told last, kept while they come and go; and those that were read lately."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TypeAlias

from amb_longterm.memory_records import MemoryRecord

__all__ = ["NewestFirst", "ReadLately"]

_Key: TypeAlias = tuple[float, int, str]
_MOST, _LONGEST = 8_192, 4_000
"""So many records are remembered as they were read, of at most so many characters each."""


class NewestFirst:
    """Ids of records, the newest first; of those told at one moment the one made last comes first."""

    def __init__(self) -> None:
        self._keys: list[_Key] = []

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return (name for _, _, name in self._keys)

    def add(self, key: _Key) -> None:
        """Take in a record that is not there, by its key."""
        insort(self._keys, key)

    def discard(self, key: _Key) -> None:
        """Take a record out; one that is not there is no error."""
        at = bisect_left(self._keys, key)
        if at < len(self._keys) and self._keys[at] == key:
            del self._keys[at]


class ReadLately:
    """The records of one store that were read lately, so that a search does not ask for each again. Not thread-safe."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], MemoryRecord] = OrderedDict()

    def get(self, namespace: str, id: str, read: Callable[[], MemoryRecord | None]) -> MemoryRecord | None:
        """The record, which is `read` when it is not known; None when it is not there."""
        known = self._known.get((namespace, id))
        if known is None:
            known = read()
            if known is not None and len(known.content) <= _LONGEST:
                self._known[namespace, id] = known
                while len(self._known) > _MOST:
                    self._known.popitem(last=False)
        else:
            self._known.move_to_end((namespace, id))
        return known

    def drop(self, namespace: str, id: str) -> None:
        """Forget a record that was changed or deleted."""
        self._known.pop((namespace, id), None)

    def clear(self) -> None:
        """Forget all of them."""
        self._known.clear()
