"""What each conversation cost with the gateway and would have cost without, with the provider's cache counted."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from amb_core.protocols import Record, RecordQuery, RecordStore
from amb_proxy.bodies.body_form import as_json
from amb_proxy.gateway_store import COSTS

__all__ = ["Cost", "GatewayCosts", "PrefixCost"]

_NOW = ("entries", "disputes")
_CACHED_SHARE = 0.1
"""What a cached token costs of a new one."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens of requests: as the client sent them (`raw`) and as they went on (`sent`), in all and as billed.

    `entries` and `disputes` are what the bank holds now, all else is a sum.
    """

    requests: int = 0
    raw_tokens: int = 0
    sent_tokens: int = 0
    raw_billed: float = 0.0
    sent_billed: float = 0.0
    failures: int = 0
    entries: int = 0
    disputes: int = 0


class PrefixCost:
    """Tokens of one transcript's requests; what begins as the request before is cached, the rest of the last is `new`.

    `count` gives the tokens of a text. `grew` says whether all of the request before stands in the last.
    """

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count
        self._last: list[tuple[bytes, int]] = []
        self.new, self.grew = 0, False

    @property
    def each(self) -> list[int]:
        """The tokens of the last request: what stands beside its messages, then every message."""
        return [tokens for _, tokens in self._last]

    def copy(self) -> PrefixCost:
        """The same, to go on by itself."""
        made = PrefixCost(self._count)
        made._last, made.new, made.grew = self._last, self.new, self.grew
        return made

    def request(self, beside: str, messages: Iterable[Any]) -> tuple[int, float]:
        """Tokens of the next request, in all and as billed."""
        known = dict(self._last)
        parts = [self._part(known, text) for text in (beside, *map(as_json, messages))]
        shared = sum(1 for _ in _common(parts, self._last))
        self.grew = shared == len(self._last)
        self._last = parts
        cached, whole = sum(tokens for _, tokens in parts[:shared]), sum(tokens for _, tokens in parts)
        self.new = whole - cached
        return whole, whole - (1 - _CACHED_SHARE) * cached

    def _part(self, known: dict[bytes, int], text: str) -> tuple[bytes, int]:
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        tokens = known.get(digest)
        return digest, self._count(text) if tokens is None else tokens


@dataclass(slots=True)
class GatewayCosts:
    """The costs of all conversations of a store; of this process `bypassed` counts requests by their reason, and
    `worked_on` are its conversations.
    """

    store: RecordStore
    bypassed: dict[str, int] = field(default_factory=dict)
    worked_on: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, conversation: str, cost: Cost) -> None:
        """Count what one request cost."""
        with self.store.transaction():
            before = asdict(self.of(conversation))
            now = {name: value + (0 if name in _NOW else before[name]) for name, value in asdict(cost).items()}
            self.store.put([Record(COSTS, conversation, now)])
        self.worked_on.add(conversation)

    def bypass(self, why: str) -> None:
        """Count a request that went through unchanged."""
        with self._lock:
            self.bypassed[why] = self.bypassed.get(why, 0) + 1

    def of(self, conversation: str) -> Cost:
        """What a conversation has cost so far."""
        found = self.store.get(COSTS, conversation)
        return Cost() if found is None else _cost(found)

    def all(self) -> dict[str, Cost]:
        """What each conversation has cost."""
        return {record.id: _cost(record) for record in self.store.search(RecordQuery(COSTS))}


def _cost(record: Record) -> Cost:
    told: Any = record.data
    return Cost(**told)


def _common(parts: Sequence[tuple[bytes, int]], last: Sequence[tuple[bytes, int]]) -> Iterable[tuple[bytes, int]]:
    for one, before in zip(parts, last, strict=False):
        if one != before:
            return
        yield one
