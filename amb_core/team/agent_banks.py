"""A memory bank of its own for each agent of a team."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack

from amb_core.bank import MemoryBank
from amb_core.errors import InvalidParameter

__all__ = ["own_banks"]


def own_banks(
    names: Iterable[str], *, task: str, bank: Callable[[str], MemoryBank] | None, undo: ExitStack
) -> dict[str, MemoryBank]:
    """A bank for each agent by name: the one that `bank` opens for it, or one in memory that `undo` closes.

    Raises InvalidParameter when two agents get the same one.
    """
    banks: dict[str, MemoryBank] = {}
    for name in names:
        own = bank(name) if bank is not None else undo.enter_context(MemoryBank(task))
        if any(own is other for other in banks.values()):
            raise InvalidParameter(f"each agent has a bank of its own; open another for {name!r}.")
        banks[name] = own
    return banks
