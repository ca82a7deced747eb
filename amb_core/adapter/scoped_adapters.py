"""The adapters of one agent that serves many: one for each user and thread, made when they come."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Unpack

from amb_core.adapter.context_adapter import AdapterOptions, ContextAdapter
from amb_core.adapter.memory_tools import deep_retrieval_tool
from amb_core.adapter.scope_guard import Caller
from amb_core.adapter.tool import Tool
from amb_core.bank import MemoryBank
from amb_core.scope import Scope

__all__ = ["BankSource", "ScopedAdapters"]

BankSource = MemoryBank | Callable[[Scope], MemoryBank]
_MOST = 256
"""So many adapters are kept beside what their banks hold; the one used longest ago is forgotten first."""


class ScopedAdapters:
    """The ContextAdapter for whoever an agent works for: the same over a bank, one for each scope over a function.

    The function is asked at each call, so that it may close a bank and open it again. `whose` says for whom a tool is
    called just now. The options are ContextAdapter's.
    """

    def __init__(
        self, bank: BankSource, *, whose: Callable[[], Scope] = Scope, **options: Unpack[AdapterOptions]
    ) -> None:
        self._bank_of = None if isinstance(bank, MemoryBank) else bank
        self._one = ContextAdapter(bank, **options) if isinstance(bank, MemoryBank) else None
        self._whose, self._options = whose, options
        self._adapters: dict[Scope, ContextAdapter] = {}
        self._lock = threading.Lock()

    def of(self, caller: Caller | None = None) -> ContextAdapter:
        """The adapter for the user and thread of a caller."""
        if self._one is not None:
            return self._one
        assert self._bank_of is not None
        scope = (self._options.get("scope") or Scope()).joined(Scope() if caller is None else caller.scope)
        with self._lock:
            bank, adapter = self._bank_of(scope), self._adapters.pop(scope, None)
            if adapter is None or adapter.bank is not bank:
                adapter = ContextAdapter(bank, **self._options)
            self._adapters[scope] = adapter
            if len(self._adapters) > _MOST:
                self._adapters.pop(next(iter(self._adapters)))
            return adapter

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed, by what it was to do, over all users and threads that are remembered."""
        with self._lock:
            adapters = [self._one] if self._one is not None else [*self._adapters.values()]
        return dict(sum((Counter(adapter.failures) for adapter in adapters), start=Counter[str]()))

    def memory_tools(self) -> list[Tool]:
        """The tools to give to the agent, which open the memory of whoever they are called for."""

        def opened(node_id: str = "", page: int = 0) -> str:
            return self.of(Caller(self._whose())).deep_retrieval(node_id, page)

        return [deep_retrieval_tool(opened)]
