"""What an agent that serves many works with, for each user and thread; the adapters are asked for by their caller."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar, Unpack, runtime_checkable

from amb_core.adapter.adapter_options import AdapterOptions, check_options
from amb_core.adapter.context_adapter import ContextAdapter
from amb_core.adapter.memory_tools import agent_tools
from amb_core.adapter.scope_guard import Caller
from amb_core.adapter.tool import Tool
from amb_core.bank import MemoryBank
from amb_core.bank_source import BankSource, bank_of
from amb_core.call_lock import CallLock
from amb_core.errors import InvalidParameter
from amb_core.scope import Scope

__all__ = ["AttachedMemory", "PerScope", "ScopedAdapters", "ScopedMemory", "adapters_of"]


def adapters_of(bank: BankSource, options: AdapterOptions | None = None) -> PerScope[ContextAdapter]:
    """The adapter of a bank, or where that is a function, one for each user and thread."""
    given: dict[str, Any] = {**(options or {})}
    fixed: Scope | None = given.pop("scope", None)
    adapters = PerScope(bank, lambda bank, name, scope: ContextAdapter(bank, scope=scope, **given), fixed=fixed)
    if adapters.varies:
        check_options(**given)  # as below, without a bank
    else:
        adapters.of(Scope())  # now, so that wrong options are told at once
    return adapters


@runtime_checkable
class AttachedMemory(Protocol):
    """What `attach` gives back in every integration: the memory of an agent, until `detach`.

    What the framework itself needs to know of it, such as a middleware or a plugin, the same object has beside these.
    """

    @property
    def bank(self) -> MemoryBank:
        """The bank; InvalidParameter where each user and thread has one."""
        ...

    @property
    def adapter(self) -> ContextAdapter:
        """The adapter of that bank; InvalidParameter where each user and thread has one."""
        ...

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed, by what it was to do, over all users and threads; the runs went on without it."""
        ...

    def adapter_of(self, scope: Scope) -> ContextAdapter:
        """The adapter of a user and thread, with their bank; the same for all of them where there is one bank."""
        ...


class ScopedMemory:
    """An AttachedMemory over its `adapters`."""

    adapters: Any  # a PerScope or ScopedAdapters; each framework says which

    @property
    def adapter(self) -> ContextAdapter:
        """The adapter of the one bank; InvalidParameter where each user and thread has one."""
        one: ContextAdapter = self.adapters.one
        return one

    @property
    def bank(self) -> MemoryBank:
        """The one bank; InvalidParameter where each user and thread has one."""
        return self.adapter.bank

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed, by what it was to do; the runs went on without it."""
        return dict(sum((Counter(adapter.failures) for adapter in self.adapters.made), start=Counter[str]()))

    def adapter_of(self, scope: Scope) -> ContextAdapter:
        """The adapter of a user and thread, with their bank."""
        adapters: PerScope[ContextAdapter] | ScopedAdapters = self.adapters
        return adapters.of(Caller(scope)) if isinstance(adapters, ScopedAdapters) else adapters.of(scope)


class ScopedAdapters:
    """The ContextAdapter for whoever an agent works for: the same over a bank, one for each scope over a function.

    `whose` says for whom a tool is called just now. The options are ContextAdapter's; a `scope` of theirs stands for
    whoever comes.
    """

    def __init__(
        self, bank: BankSource, *, whose: Callable[[], Scope] = Scope, **options: Unpack[AdapterOptions]
    ) -> None:
        self._adapters = adapters_of(bank, options)
        self._whose, self._settles = whose, options.get("settles", False)

    def of(self, caller: Caller | None = None) -> ContextAdapter:
        """The adapter for the user and thread of a caller."""
        return self._adapters.of(Scope() if caller is None else caller.scope)

    @property
    def one(self) -> ContextAdapter:
        """The adapter for whoever comes; InvalidParameter where each user and thread has one."""
        return self._adapters.one

    @property
    def made(self) -> list[ContextAdapter]:
        """The adapters there are now."""
        return self._adapters.made

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed, by what it was to do, over all users and threads that are remembered."""
        return dict(sum((Counter(adapter.failures) for adapter in self.made), start=Counter[str]()))

    def memory_tools(self) -> list[Tool]:
        """The tools to give to the agent, which open the memory of whoever they are called for."""

        def opened(node_id: str = "", page: int = 0) -> str:
            return self.of(Caller(self._whose())).deep_retrieval(node_id, page)

        def settled(id: str = "", holds: str = "", because: str = "") -> str:
            return self.of(Caller(self._whose())).settle_dispute(id, holds, because)

        return agent_tools(opened, settled, settles=self._settles)


_MOST = 128
_IDLE = 300.0
"""Seconds after which what was made for a scope is let go, so that whoever gave its bank may close it."""


class _Connected(Protocol):
    @property
    def bank(self) -> MemoryBank: ...


Made = TypeVar("Made", bound=_Connected)


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
        self._lock = CallLock()

    @property
    def varies(self) -> bool:
        """Whether each scope has a bank of its own."""
        return not isinstance(self._bank, MemoryBank) and self._fixed is None

    @property
    def one(self) -> Made:
        """What works for whoever comes; InvalidParameter where each user and thread has its own."""
        if self.varies:
            raise InvalidParameter("each user and thread has an adapter here; ask for memory.adapter_of(Scope(…)).")
        return self.of(Scope())

    @property
    def made(self) -> list[Made]:
        """What there is now, the one used last at the end."""
        with self._lock:
            return [made for made, _ in self._made.values()]

    def of(self, scope: Scope, name: str = "") -> Made:
        """What works for this user and thread; whatever the function of the banks raises."""
        asked = scope if self.varies else None
        bank = bank_of(self._bank, asked or self._fixed)
        now = time.monotonic()
        with self._lock:
            made, _ = self._made.pop((name, asked), (None, now))
            if made is None or made.bank is not bank:
                made = self._make(bank, name, self._fixed if asked is None else bank.host.scope or asked)
            self._made[name, asked] = (made, now)
            old = [key for key, (_, used) in self._made.items() if self.varies and now - used > _IDLE]
            for key in old or list(self._made)[:-_MOST]:
                del self._made[key]
            return made
