"""What a record store asks of an engine that keeps points: by id, in order, counted, written and ranked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from amb_vector_stores.points import Payload

__all__ = ["PointEngine", "Wanted"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which points: of one kind, of a namespace, with all of these terms, not expired by `now`, and not these ids."""

    kind: str
    namespace: str | None = None
    terms: Sequence[str] = ()
    now: float | None = None
    besides: Collection[str] = ()


class PointEngine(Protocol):
    """Points with payloads (see `points`), in an engine that need not know transactions.

    Every error is a StoreError with what to do. It need not be thread-safe: its owner holds a lock.
    """

    place: str
    """Where it is, for messages."""

    @property
    def is_server(self) -> bool:
        """Whether the engine is another process, which others may use, too."""
        ...

    def payloads(self, ids: Iterable[str]) -> dict[str, Payload]:
        """The payloads of those points that are there."""
        ...

    def ordered(self, wanted: Wanted, *, newest_first: bool = False, limit: int | None = None) -> Iterator[Payload]:
        """The payloads of the wanted points by their place; those of one place in the order of their ids.

        `limit` is how many will do: a hint that keeps the first answer small.
        """
        ...

    def count(self, wanted: Wanted) -> int:
        """How many points are wanted."""
        ...

    def namespaces(self, wanted: Wanted) -> set[str]:
        """The namespaces of the wanted points."""
        ...

    def last_place(self) -> int:
        """The highest place of a record or version, 0 where there is none."""
        ...

    def ranked(
        self, wanted: Wanted, *, text: str, vector: NDArray[np.float32] | None, limit: int
    ) -> list[tuple[Payload, float]]:
        """The wanted points that a text or a vector finds, best first."""
        ...

    def writes_whole(self, changes: Mapping[str, Payload | None]) -> bool:
        """Whether `write` makes these changes all or not at all, whatever happens to the process."""
        ...

    def write(self, changes: Mapping[str, Payload | None]) -> None:
        """Put or, for None, delete points; one point is written whole or not at all, several one after the other."""
        ...

    def close(self) -> None:
        """Let go of files or connections; calling twice is no error."""
        ...
