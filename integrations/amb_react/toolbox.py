"""The tools of an agent: any of several shapes made alike, their arguments checked, and called side by side."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextvars import copy_context
from threading import Thread
from typing import Any

from pydantic import ValidationError

from amb_chat.replies import encodable
from amb_core.adapter import Tool, ToolOutput
from amb_core.chat_io import ToolCall
from amb_core.errors import InvalidParameter
from amb_core.rendering import Language
from amb_core.tracing import tool_call
from amb_react.words import say

__all__ = ["Toolbox"]

_PROBLEM_CHARS = 500


class Toolbox:
    """Tools by name. `timeout` are seconds for one call, `parallel` is how many run at once."""

    def __init__(self, tools: Sequence[Any], *, language: Language, timeout: float, parallel: int) -> None:
        found = [Tool.of(tool) for tool in tools]
        self.tools = {tool.name: tool for tool in found}
        if len(self.tools) < len(found):
            raise InvalidParameter("two tools have the same name; give each a name of its own")
        self._language: Language = language
        self._timeout, self._parallel = timeout, parallel

    def arguments(self, call: ToolCall) -> dict[str, Any] | ToolOutput:
        """The arguments of a call, or what is wrong with it."""
        if not call.name:
            return self._wrong("bad_call")
        tool = self.tools.get(call.name)
        if tool is None:
            return self._wrong("unknown_tool", tool=repr(call.name[:80]), tools=", ".join(self.tools))
        try:
            given = encodable(json.loads(call.arguments or "{}"))
        except (ValueError, RecursionError) as error:
            problem = error.msg if isinstance(error, json.JSONDecodeError) else "no JSON"
            return self._wrong("bad_arguments", problem=problem)
        if not isinstance(given, dict):
            return self._wrong("bad_arguments", problem="a JSON object is needed")
        missing = [name for name in tool.parameters.get("required", ()) if name not in given]
        closed = tool.parameters.get("additionalProperties") is False
        unknown = [name for name in given if closed and name not in tool.parameters.get("properties", {})]
        if missing or unknown:
            wrong = [*(f"{name} is missing" for name in missing), *(f"{name[:80]} is unknown" for name in unknown)]
            return self._wrong("bad_arguments", problem=f"{'; '.join(wrong)}. {json.dumps(dict(tool.parameters))}")
        return given

    def call_all(self, calls: Sequence[tuple[str, str, Mapping[str, Any]]]) -> list[ToolOutput]:
        """The outputs of calls (id, tool, arguments) in their order; a few run at a time, in copies of this context.

        A call that takes too long is left to itself: its thread dies with the program, its result is dropped.
        """
        outputs: list[ToolOutput] = []
        for start in range(0, len(calls), self._parallel):
            outputs += self._together(calls[start : start + self._parallel])
        return outputs

    def _together(self, calls: Sequence[tuple[str, str, Mapping[str, Any]]]) -> list[ToolOutput]:
        found: dict[int, ToolOutput] = {}

        def call(at: int, call_id: str, name: str, arguments: Mapping[str, Any]) -> None:
            found[at] = self._called(call_id, self.tools[name], arguments)

        threads = [
            Thread(target=copy_context().run, args=(call, at, *wanted), daemon=True, name=f"amb-tool-{wanted[1]}")
            for at, wanted in enumerate(calls)
        ]
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + self._timeout
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        late = ToolOutput(say(self._language, "timed_out", seconds=f"{self._timeout:g}"), is_error=True)
        return [found.get(at, late) for at in range(len(calls))]

    def _called(self, call_id: str, tool: Tool, arguments: Mapping[str, Any]) -> ToolOutput:
        try:
            with tool_call(tool.name, call_id=call_id):
                return tool.run(**arguments)
        except ValidationError as error:  # of the arguments, before a function was called
            problem = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
            return self._wrong("bad_arguments", problem=problem[:_PROBLEM_CHARS])
        except Exception as error:  # noqa: BLE001 - a tool that fails must not end the run
            said = f"{type(error).__name__}: {error}"[:_PROBLEM_CHARS]
            return ToolOutput(say(self._language, "tool_failed", problem=said), is_error=True)

    def _wrong(self, phrase: str, **values: object) -> ToolOutput:
        return ToolOutput(say(self._language, phrase, **values), is_error=True)
