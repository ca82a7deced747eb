"""A tool as every framework can take it: a name, a JSON schema, and a call that always answers with text."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from amb_core import AmbError, Attachment, ToolResult
from amb_core.models import AttachmentContent

__all__ = ["Tool", "ToolOutput"]

_log = logging.getLogger("amb.tools")


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool returns: text for the model, where it comes from, and files for memory.

    `attachments` are files to be absorbed with the text; `contents` are files of memory opened for the model, images
    as base64 with their media type.
    """

    text: str
    source: str | None = None
    attachments: tuple[Attachment, ...] = ()
    contents: tuple[AttachmentContent, ...] = ()
    is_error: bool = False

    def as_result(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        call_id: str | None = None,
        run: str = "",
        agent: str | None = None,
    ) -> ToolResult:
        """What `MemoryBank.absorb` takes."""
        return ToolResult(
            tool=tool,
            arguments=dict(arguments),
            output=self.text,
            call_id=call_id,
            run=run,
            agent=agent,
            source=self.source,
            is_error=self.is_error,
            attachments=self.attachments,
        )


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: call it with keyword arguments for text, or `run` it for the text with source and files.

    It never raises for what a model or a page did: errors come back as text that begins with `Error:`. `keep`, if set,
    is told of every output of a plain call, which has no other way to hand on its files.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    action: Callable[..., ToolOutput]
    keep: Callable[[dict[str, Any], ToolOutput], None] | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """The OpenAI-style tool definition."""
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": self.parameters},
        }

    def run(self, **arguments: Any) -> ToolOutput:
        """Run the tool; what is wrong with the arguments or goes wrong on the way is in the text."""
        problem = self._problem(arguments)
        if problem:
            return ToolOutput(f"Error: {problem}", is_error=True)
        try:
            return self.action(**arguments)
        except AmbError as error:
            return ToolOutput(f"Error: {error}", is_error=True)
        except Exception as error:  # noqa: BLE001  whatever breaks in a tool, the agent goes on
            _log.warning("the tool %s failed (%s)", self.name, type(error).__name__, exc_info=True)
            return ToolOutput(f"Error: {self.name} failed ({type(error).__name__}); try it another way.", is_error=True)

    def __call__(self, **arguments: Any) -> str:
        """Run the tool and return its text."""
        output = self.run(**arguments)
        if self.keep is not None and not output.is_error:
            try:
                self.keep(arguments, output)
            except Exception as error:  # noqa: BLE001  the text is there all the same
                _log.warning("what %s read could not be kept in memory (%s)", self.name, type(error).__name__)
        return output.text

    def _problem(self, arguments: Mapping[str, Any]) -> str | None:
        known = self.parameters["properties"]
        unknown = [name for name in arguments if name not in known]
        if unknown:
            return f"{self.name} has no argument {unknown[0][:80]!r}; it takes {', '.join(known)}."
        missing = [name for name in self.parameters.get("required", ()) if name not in arguments]
        return f"{self.name} needs {' and '.join(missing)}." if missing else None
