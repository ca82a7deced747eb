"""The one form of a tool that a model may call, and of what it brings; every framework's own is made from it."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import PydanticUserError, TypeAdapter, validate_call

from amb_core.adapter.chat_messages import text_of
from amb_core.adapter.wire_forms import fields_of
from amb_core.attachments import Attachment, AttachmentContent
from amb_core.call_lock import raise_if_stopped
from amb_core.errors import InvalidParameter
from amb_core.models import ToolResult

__all__ = ["Tool", "ToolOutput", "tool_names"]

_log = logging.getLogger("amb.tools")
_REMARKS = frozenset({"title", "description", "default"})


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

    @classmethod
    def of(cls, value: Any) -> ToolOutput:
        """A tool's value, whatever it is: richer ones, such as a ToolResult, keep their source and files.

        Of plain text the tools of AMB say by its first word that it is an error.
        """
        if isinstance(value, ToolOutput):
            return value
        told = (getattr(value, name, None) for name in ("text", "output"))
        text = next((one for one in told if isinstance(one, str)), None)
        if text is None:
            text = text_of(value)
            return cls(text, is_error=text.startswith("Error:"))
        return cls(
            text,
            source=getattr(value, "source", None),
            attachments=tuple(getattr(value, "attachments", ())),
            contents=tuple(getattr(value, "contents", ())),
            is_error=bool(getattr(value, "is_error", False)),
        )

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
    """One tool: call it with the arguments its JSON-schema `parameters` describe for text, or `run` it for all of it.

    `function` takes these arguments and returns text or a ToolOutput. `keep`, if set, is told of every output of a
    plain call, which has no other way to hand on its files.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    function: Callable[..., Any]
    keep: Callable[[dict[str, Any], ToolOutput], None] | None = None

    @classmethod
    def of(cls, tool: Any) -> Tool:
        """A tool from an object with name, description and parameters, or from a function with type hints.

        Of an object `run`, which may return text with its source and attachments, is preferred to a plain call. Raises
        InvalidParameter for anything else.
        """
        if isinstance(tool, Tool):
            return tool
        if all(hasattr(tool, name) for name in ("name", "description", "parameters")):
            return cls(tool.name, tool.description, dict(tool.parameters), getattr(tool, "run", tool))
        try:
            schema = TypeAdapter(tool).json_schema()
            return cls(tool.__name__, inspect.getdoc(tool) or "", schema, validate_call(tool))
        except (AttributeError, NameError, PydanticUserError) as error:
            raise InvalidParameter(
                f"{tool!r} is no tool: pass a function with type hints, or an object with name, description, "
                f"parameters (a JSON schema) and a call that returns text ({type(error).__name__})."
            ) from None

    @property
    def schema(self) -> dict[str, Any]:
        """The OpenAI-style definition."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}

    def run(self, **arguments: Any) -> ToolOutput:
        """Run the tool with whatever a model passed; what it made up beside the parameters is ignored.

        A null for a parameter that takes none counts as left out. A coroutine is run to its end, so call an async tool
        in a thread without an event loop.
        """
        value = self.function(**self._known(arguments))
        return ToolOutput.of(asyncio.run(value) if inspect.iscoroutine(value) else value)

    def __call__(self, **arguments: Any) -> str:
        """Run the tool and return its text."""
        output = self.run(**arguments)
        if self.keep is not None and not output.is_error:
            try:
                self.keep(self._known(arguments), output)
            except Exception as error:  # noqa: BLE001 - the text is there all the same
                raise_if_stopped(error)
                _log.warning("what %s read could not be kept in memory (%s)", self.name, type(error).__name__)
        return output.text

    def _known(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        wanted = self.parameters.get("properties", {})
        return {
            name: value
            for name, value in arguments.items()
            if name in wanted and (value is not None or _takes_null(wanted[name]))
        }


def _takes_null(schema: Mapping[str, Any]) -> bool:
    """Whether a parameter may be null: its schema says so, or says nothing at all."""
    options = [schema, *schema.get("anyOf", ())]
    return any(option.get("type") == "null" for option in options) or not schema.keys() - _REMARKS


def tool_names(tools: Iterable[Any]) -> list[str]:
    """The names of tools, which are given as names, as definitions of any API, or as objects that have one."""
    return [tool if isinstance(tool, str) else str(_named(tool)) for tool in tools]


def _named(tool: Any) -> object:
    fields = fields_of(tool)
    return fields_of(fields.get("function", fields)).get("name") or getattr(tool, "name", "")
