"""AMB for LangChain and LangGraph: `create_agent(model, tools, middleware=[AMBMiddleware(bank)])`.

Each tool result is memory as it comes, and each model call gets a bounded transcript with the block behind it; the
graph's state is not touched. Nothing of LangChain is loaded before one of these names is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from amb_core import MissingExtra

if TYPE_CHECKING:
    from amb_langgraph.attaching import attach, detach
    from amb_langgraph.middleware import AMBMiddleware, memory_tools

__all__ = ["AMBMiddleware", "attach", "detach", "memory_tools"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "attaching" if name in ("attach", "detach") else "middleware"
    try:
        return getattr(importlib.import_module(f"{__name__}.{home}"), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith(("langchain", "langgraph")):
            raise MissingExtra("LangChain", extra="langgraph") from error
        raise
