"""AMB for LangChain and LangGraph: `create_agent(model, tools, middleware=[AMBMiddleware(bank)])`.

`AMBMiddleware` takes each tool result into memory as it comes, and gives every model call a bounded transcript with
the block behind it; the graph's state is not touched. Plain graphs use its `tool_node` and `pre_model_hook`. `attach`
and `detach` do the same to an agent that exists. Nothing of LangChain is loaded before the first of these names is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from amb_core import MissingExtra

if TYPE_CHECKING:
    from amb_langgraph.attaching import attach, detach
    from amb_langgraph.middleware import AMBMiddleware
    from amb_langgraph.tools import memory_tools

__all__ = ["AMBMiddleware", "attach", "detach", "memory_tools"]

_HOME = {"AMBMiddleware": "middleware", "attach": "attaching", "detach": "attaching", "memory_tools": "tools"}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = importlib.import_module(f"{__name__}.{_HOME[name]}")
    except ModuleNotFoundError as error:
        if (error.name or "").startswith(("langchain", "langgraph")):
            raise MissingExtra("LangChain", extra="langgraph") from error
        raise
    return getattr(module, name)
