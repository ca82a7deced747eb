"""What every tool here does with arguments and with what goes wrong: it answers in words, and never raises."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from amb_core import AmbError, InvalidInput
from amb_core.adapter import Tool, ToolOutput

__all__ = ["Tool", "ToolOutput", "answering", "text_list"]

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


def text_list(value: object, *, name: str, most: int) -> list[str]:
    """The non-blank strings in an argument, each once, in order; InvalidInput when there is none or one is no string.

    More than `most` are too many: it is better to ask again than to leave some out unseen.
    """
    items = _items(value)
    if not all(isinstance(item, str) for item in items):
        raise InvalidInput(f"{name} must be a list of strings.")
    texts = list(dict.fromkeys(text for item in items if (text := " ".join(str(item).split()))))
    if not texts:
        raise InvalidInput(f"{name} is empty; give a list of one to {most}.")
    if len(texts) > most:
        raise InvalidInput(f"{name} has {len(texts)} entries; give at most {most} at a time.")
    return texts


def _items(value: object) -> list[object]:
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            parsed = json.loads(value)
        except ValueError:
            return [value]
        return parsed if isinstance(parsed, list) else [value]
    return [value]
