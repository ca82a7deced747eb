"""AMB for AutoGen: `AssistantAgent("a", client, **with_memory(bank, tools=[search]))`.

`AMBContext` is the agent's model context: it takes each tool result into memory as it comes, and before each model
call it condenses the transcript and puts the block behind it. `attach` and `detach` do the same to an agent that
exists; `AMBMemory` is what AutoGen's Memory protocol allows. Nothing of AutoGen is loaded before one of them is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from amb_core import MissingExtra

if TYPE_CHECKING:
    from amb_autogen.attaching import attach, detach, with_memory
    from amb_autogen.context import AMBContext, summary_formatter
    from amb_autogen.memory import AMBMemory
    from amb_autogen.tools import memory_tools

__all__ = ["AMBContext", "AMBMemory", "attach", "detach", "memory_tools", "summary_formatter", "with_memory"]

_HOME = {
    "AMBContext": "context",
    "AMBMemory": "memory",
    "attach": "attaching",
    "detach": "attaching",
    "memory_tools": "tools",
    "summary_formatter": "context",
    "with_memory": "attaching",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"{__name__}.{_HOME[name]}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("autogen"):
            raise MissingExtra("AutoGen", extra="autogen") from error
        raise
    return getattr(module, name)
