"""Giving a memory to an agent of Microsoft Agent Framework that exists, and taking it off again."""

from __future__ import annotations

from typing import Any, Unpack

from agent_framework import Agent

from amb_agent_framework.context_provider import AMBContextProvider
from amb_core import InvalidParameter
from amb_core.adapter import AdapterOptions, BankSource

__all__ = ["attach", "detach"]


class _Attached(AMBContextProvider):
    """A memory that `attach` gave."""


def attach(agent: Agent[Any], bank: BankSource, /, **options: Unpack[AdapterOptions]) -> AMBContextProvider:
    """Give an agent that exists a memory, behind the context providers it has.

    The options are AMBContextProvider's, which is returned; `agent` is by default the agent's name. Raises
    InvalidParameter when the agent has a memory already.
    """
    if any(isinstance(each, AMBContextProvider) for each in agent.context_providers):
        raise InvalidParameter(f"the agent {agent.name!r} has a memory already; detach it first.")
    options.setdefault("agent", agent.name)
    provider = _Attached(bank, **options)
    agent.context_providers = [*agent.context_providers, provider]
    return provider


def detach(agent: Agent[Any]) -> None:
    """Undo `attach`: the agent has its own providers again. Raises InvalidParameter when nothing was attached."""
    left = [each for each in agent.context_providers if not isinstance(each, _Attached)]
    if len(left) == len(agent.context_providers):
        raise InvalidParameter(f"nothing was attached to the agent {agent.name!r}.")
    agent.context_providers = left
