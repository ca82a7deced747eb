"""What every tool here does with arguments and with what goes wrong: it answers in words, and never raises."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from amb_core import AmbError
from amb_core.adapter import Tool, ToolOutput

__all__ = ["Tool", "ToolOutput", "answering"]

_log = logging.getLogger("amb.tools")


def answering(name: str, parameters: dict[str, Any], action: Callable[..., ToolOutput]) -> Callable[..., ToolOutput]:
    """The action of the tool `name`; what is missing, and what goes wrong on the way, is text that begins `Error:`."""

    @wraps(action)
    def answer(**arguments: Any) -> ToolOutput:
        missing = [wanted for wanted in parameters.get("required", ()) if wanted not in arguments]
        if missing:
            takes = ", ".join(parameters["properties"])
            return ToolOutput(f"Error: {name} needs {' and '.join(missing)}; it takes {takes}.", is_error=True)
        try:
            return action(**arguments)
        except AmbError as error:
            return ToolOutput(f"Error: {error}", is_error=True)
        except Exception as error:  # noqa: BLE001 - whatever breaks in a tool, the agent goes on
            _log.warning("the tool %s failed (%s)", name, type(error).__name__, exc_info=True)
            return ToolOutput(f"Error: {name} failed ({type(error).__name__}); try it another way.", is_error=True)

    return answer
