"""The adapters of one agent that serves many, as a framework's hooks ask for them: by their caller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Unpack

from amb_core.adapter.context_adapter import AdapterOptions, ContextAdapter
from amb_core.adapter.memory_tools import agent_tools
from amb_core.adapter.per_scope import PerScope
from amb_core.adapter.scope_guard import Caller
from amb_core.adapter.tool import Tool
from amb_core.scope import Scope
from amb_core.user_banks import BankSource

__all__ = ["ScopedAdapters", "adapters_of"]


def adapters_of(bank: BankSource, options: AdapterOptions | None = None) -> PerScope[ContextAdapter]:
    """The adapter of a bank, or where that is a function, one for each user and thread."""
    given: dict[str, Any] = {**(options or {})}
    fixed: Scope | None = given.pop("scope", None)
    adapters = PerScope(bank, lambda bank, name, scope: ContextAdapter(bank, scope=scope, **given), fixed=fixed)
    if not adapters.varies:
        adapters.of(Scope())  # now, so that wrong options are told at once
    return adapters


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
    def failures(self) -> dict[str, int]:
        """How often memory failed, by what it was to do, over all users and threads that are remembered."""
        return dict(sum((Counter(adapter.failures) for adapter in self._adapters.made), start=Counter[str]()))

    def memory_tools(self) -> list[Tool]:
        """The tools to give to the agent, which open the memory of whoever they are called for."""

        def opened(node_id: str = "", page: int = 0) -> str:
            return self.of(Caller(self._whose())).deep_retrieval(node_id, page)

        def settled(id: str = "", holds: str = "", because: str = "") -> str:
            return self.of(Caller(self._whose())).settle_dispute(id, holds, because)

        return agent_tools(opened, settled, settles=self._settles)
