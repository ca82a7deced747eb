"""AMB for smolagents: `attach(agent, bank)` gives an agent a memory, `detach(agent)` takes it off again.

Each tool result is memory before the next model call, whose messages are condensed and followed by the block.
Nothing of smolagents is loaded before the first of these names is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from amb_core import MissingExtra

if TYPE_CHECKING:
    from amb_smolagents.attaching import attach, detach
    from amb_smolagents.tools import memory_tools

__all__ = ["attach", "detach", "memory_tools"]

_HOME = {"attach": "attaching", "detach": "attaching", "memory_tools": "tools"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"{__name__}.{_HOME[name]}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "smolagents":
            raise MissingExtra("smolagents", extra="smolagents") from error
        raise
    return getattr(module, name)
