"""What an agent works with for each user and thread, where its bank is a function of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from amb_core.bank import MemoryBank
from amb_core.errors import InvalidParameter
from amb_core.scope import Scope
from amb_core.user_banks import BankSource

__all__ = ["PerScope", "bank_for"]

_MOST = 128
_IDLE = 300.0
"""Seconds after which what was made for a scope is let go, so that whoever gave its bank may close it."""


class _Connected(Protocol):
    @property
    def bank(self) -> MemoryBank: ...


Made = TypeVar("Made", bound=_Connected)


def bank_for(bank: BankSource, scope: Scope | None) -> MemoryBank:
    """The bank itself, or what a function gives for a scope; InvalidParameter for what is neither."""
    made = bank(scope or Scope()) if callable(bank) else bank
    if not isinstance(made, MemoryBank):
        raise InvalidParameter(
            f"memory is a MemoryBank, or a function of a Scope that gives one, not {type(made).__name__}."
        )
    return made


class PerScope(Generic[Made]):
    """Makes what works with a bank, once for each name, and where the bank is a function for each scope as well.

    `make` gets the bank, the name, and the scope the bank is for (None where the bank is one and the same). `fixed` is
    a scope of the owner's, which stands for whoever comes. Thread-safe.
    """

    def __init__(
        self,
        bank: BankSource,
        make: Callable[[MemoryBank, str, Scope | None], Made],
        *,
        fixed: Scope | None = None,
    ) -> None:
        self._bank, self._make, self._fixed = bank, make, fixed
        self._made: dict[tuple[str, Scope | None], tuple[Made, float]] = {}
        self._lock = threading.Lock()

    @property
    def varies(self) -> bool:
        """Whether each scope has a bank of its own."""
        return not isinstance(self._bank, MemoryBank) and self._fixed is None

    @property
    def one(self) -> Made:
        """What works for whoever comes; InvalidParameter where each user and thread has its own."""
        if self.varies:
            raise InvalidParameter("each user and thread has an adapter here; ask for memory.adapters.of(Scope(…)).")
        return self.of(Scope())

    @property
    def made(self) -> list[Made]:
        """What there is now, the one used last at the end."""
        with self._lock:
            return [made for made, _ in self._made.values()]

    def of(self, scope: Scope, name: str = "") -> Made:
        """What works for this user and thread; whatever the function of the banks raises."""
        asked = scope if self.varies else None
        bank = bank_for(self._bank, asked or self._fixed)
        now = time.monotonic()
        with self._lock:
            made, _ = self._made.pop((name, asked), (None, now))
            if made is None or made.bank is not bank:
                made = self._make(bank, name, self._fixed if asked is None else bank.scope or asked)
            self._made[name, asked] = (made, now)
            old = [key for key, (_, used) in self._made.items() if self.varies and now - used > _IDLE]
            for key in old or list(self._made)[:-_MOST]:
                del self._made[key]
            return made
