"""The adapters behind one agent: a single one, or one for each user and thread that comes."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, Unpack

from amb_core.adapter.context_adapter import AdapterOptions, ContextAdapter
from amb_core.adapter.memory_tools import deep_retrieval_tool
from amb_core.adapter.tool import Tool
from amb_core.bank import MemoryBank
from amb_core.scope import Scope

__all__ = ["ScopedAdapters"]

_MOST = 256
"""So many adapters are kept beside what their banks hold; the one used longest ago is forgotten first."""


class ScopedAdapters:
    """The adapter for whoever a host works for; `bank` is a bank, or a function of the Scope that gives one.

    The function is asked at each call, so that it may close a bank and open it again. The options are ContextAdapter's.
    """

    def __init__(self, bank: MemoryBank | Callable[[Scope], MemoryBank], **options: Unpack[AdapterOptions]) -> None:
        self._bank_of = None if isinstance(bank, MemoryBank) else bank
        self._one = ContextAdapter(bank, **options) if isinstance(bank, MemoryBank) else None
        self._options = options
        self._adapters: dict[Scope, ContextAdapter] = {}
        self._lock = threading.Lock()

    def of(self, scope: Scope) -> ContextAdapter:
        """The adapter for a user and a thread, the same as long as their bank is."""
        if self._one is not None:
            return self._one
        assert self._bank_of is not None
        scope = (self._options.get("scope") or Scope()).joined(scope)
        with self._lock:
            bank, adapter = self._bank_of(scope), self._adapters.pop(scope, None)
            if adapter is None or adapter.bank is not bank:
                adapter = ContextAdapter(bank, **self._options)
            self._adapters[scope] = adapter
            if len(self._adapters) > _MOST:
                self._adapters.pop(next(iter(self._adapters)))
            return adapter

    def memory_tools(self, scope: Scope) -> list[Tool]:
        """The tools for a user and a thread: `deep_retrieval`. Their bank is asked for when one is called."""

        def opened(node_id: str = "", page: int = 0) -> str:
            return self.of(scope).deep_retrieval(node_id, page)

        return [deep_retrieval_tool(opened)]

    @property
    def failures(self) -> dict[str, int]:
        """How often memory failed, by what it was to do, over all adapters; the runs went on without it."""
        with self._lock:
            adapters: list[Any] = [self._one] if self._one is not None else [*self._adapters.values()]
        return dict(sum((Counter(adapter.failures) for adapter in adapters), start=Counter[str]()))
