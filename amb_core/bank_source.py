"""Where an adapter has its bank from: it is given one, or what gives each user and thread theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from amb_core.bank import MemoryBank
from amb_core.errors import InvalidParameter
from amb_core.scope import Scope

__all__ = ["ANY_GOAL", "BankOf", "BankSource", "bank_of"]

BankOf: TypeAlias = Callable[[Scope], MemoryBank]
"""Gives the bank of a user and thread."""
BankSource: TypeAlias = MemoryBank | BankOf
"""One bank, or what gives each user and thread theirs, such as `amb_users.Banks`."""
ANY_GOAL = "Help the user with what they ask."
"""The goal of a new bank, until the user has asked something."""


def bank_of(bank: BankSource, scope: Scope | None) -> MemoryBank:
    """The bank itself, or what a function gives for a scope; InvalidParameter for what is neither."""
    made = bank(scope or Scope()) if callable(bank) else bank
    if not isinstance(made, MemoryBank):
        raise InvalidParameter(
            f"memory is a MemoryBank, or a function of a Scope that gives one, not {type(made).__name__}."
        )
    return made
