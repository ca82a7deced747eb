"""Giving a memory to a Strands agent that exists, and taking it off again."""

from __future__ import annotations

from typing import Unpack
from weakref import WeakKeyDictionary

from strands import Agent

from amb_core import InvalidParameter
from amb_core.adapter import AdapterOptions, BankSource
from amb_strands.plugin import AMBPlugin

__all__ = ["attach", "detach"]

_attached: WeakKeyDictionary[Agent, AMBPlugin] = WeakKeyDictionary()


def attach(agent: Agent, bank: BankSource, /, **options: Unpack[AdapterOptions]) -> AMBPlugin:
    """Give an agent that exists a memory; what its messages hold is taken in before its next model call.

    The options are AMBPlugin's, which is returned; `agent` is by default the agent's name. Raises InvalidParameter when
    the agent has a memory already.
    """
    options.setdefault("agent", agent.name)
    plugin = AMBPlugin(bank, **options)
    plugin.init_agent(agent)
    _attached[agent] = plugin
    return plugin


def detach(agent: Agent) -> None:
    """Undo `attach`: its own tools and window are back. Raises InvalidParameter when nothing was attached."""
    if agent not in _attached:
        raise InvalidParameter(f"nothing was attached to the agent {agent.name!r}.")
    _attached.pop(agent).leave(agent)
