"""What a step of a smolagents agent brought: each tool result by itself, and where it stands in the observation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from smolagents.memory import ActionStep
from smolagents.utils import AgentExecutionError

from amb_core import ToolResult
from amb_core.adapter import fingerprint_of, text_of

__all__ = ["Piece", "pieces_of", "result_of", "results_of"]

Piece = tuple[str, ToolResult, str]
"""A result with the text of the message right before and after it."""
_FINAL = "final_answer"
_NOTHING = "None"
"""What smolagents writes for a tool that returns nothing."""
_LOG, _VALUE = "Execution logs:\n", "Last output from code snippet:\n"
_APART = 40
"""Characters from which a tool result is looked for in an execution log, and a piece of log is condensed by itself."""


def result_of(tool: str, arguments: object, output: object, call_id: str | None = None) -> ToolResult:
    """One tool result as memory takes it, whatever Python objects the call was about.

    Calls in code have no id: the same call with the same result is one.
    """
    written = json.dumps(arguments if isinstance(arguments, Mapping) else {}, default=str, sort_keys=True)
    plain, call_id = json.loads(written), call_id or f"{tool}-{fingerprint_of(written)[:12]}"
    text = text_of(output) if isinstance(output, str | bytes) else str(output)
    return ToolResult(tool=tool, arguments=plain, output=text.strip(), call_id=call_id)


def results_of(step: ActionStep, found: Sequence[ToolResult]) -> list[ToolResult]:
    """All that a step brought: the results that were caught, what code printed besides, and the error it ended with."""
    results = [result for result in found if result.output != _NOTHING]
    name, call_id = _whole(step)
    if (step.code_action is not None or not found) and name != _FINAL:
        results.append(ToolResult(tool=name, output=_besides(step, found), call_id=call_id))
    if isinstance(step.error, AgentExecutionError):
        results.append(_failed(step, found))
    return results


def pieces_of(step: ActionStep, found: Sequence[ToolResult]) -> list[Piece]:
    """The observation of a step, cut into the results it is made of; what is left over goes with its neighbours."""
    text = step.observations or ""
    ordered = sorted(found, key=lambda result: result.call_id or "")
    if found and "\n".join(result.output for result in ordered).rstrip("\n") == text:
        return [("\n" if at else "", result, "") for at, result in enumerate(ordered)]
    name, call_id = _whole(step)
    pieces: list[Piece] = []
    left = ""
    for part in _cut(text, found):
        if isinstance(part, str) and len(part) < _APART:
            left += part
            continue
        pieces.append((left, part if isinstance(part, ToolResult) else _log(name, part, call_id), ""))
        left = ""
    if not pieces:
        return [("", _log(name, text, call_id), "")]
    before, last, _ = pieces[-1]
    return [*pieces[:-1], (before, last, left)]


def error_of(step: ActionStep, found: Sequence[ToolResult], text: str) -> ToolResult:
    """The error message of a step, as the result of the call that failed."""
    return _failed(step, found).model_copy(update={"output": text})


def _failed(step: ActionStep, found: Sequence[ToolResult]) -> ToolResult:
    """The error as a result of the first call that brought none."""
    answered = {result.call_id for result in found}
    asked = getattr(step.model_output_message, "tool_calls", None) or ()
    for call in asked:
        if call.id not in answered:
            failed = result_of(call.function.name, call.function.arguments, str(step.error), call.id)
            return failed.model_copy(update={"is_error": True})
    name, call_id = _whole(step)
    return ToolResult(tool=name, output=str(step.error), call_id=f"{call_id}-error", is_error=True)


def _whole(step: ActionStep) -> tuple[str, str]:
    """Tool and call id for an observation as a whole; smolagents numbers pieces of code anew in each run."""
    if not step.tool_calls:
        return "step", f"step-{fingerprint_of(f'{step.model_output} {step.error}')[:12]}"
    call = step.tool_calls[0]
    if step.code_action is None:
        return call.name, call.id
    return call.name, f"{call.name}-{fingerprint_of(f'{step.code_action} {step.observations}')[:12]}"


def _log(tool: str, text: str, call_id: str) -> ToolResult:
    return ToolResult(tool=tool, output=text, call_id=call_id)


def _cut(text: str, found: Iterable[ToolResult]) -> list[str | ToolResult]:
    """The text with every place where a long result stands in it made a part of its own, the longest results first."""
    parts: list[str | ToolResult] = [text]
    long = [result for result in found if len(result.output) >= _APART]
    # Inside a list or a dict a text is written as Python writes it.
    wanted = {form: result for result in long for form in (result.output, repr(result.output)[1:-1])}
    for output in sorted(wanted, key=len, reverse=True):
        cut: list[str | ToolResult] = []
        for part in parts:
            if isinstance(part, ToolResult):
                cut.append(part)
                continue
            between = [piece for rest in part.split(output) for piece in (wanted[output], rest)]
            cut += [piece for piece in between[1:] if piece != ""]
        parts = cut
    return parts


def _besides(step: ActionStep, found: Sequence[ToolResult]) -> str:
    """What code printed or ended with, without what tools returned to it and without the final answer."""
    text = step.observations or ""
    if step.code_action is not None and text.startswith(_LOG):
        logs, named, value = text.removeprefix(_LOG).rpartition(_VALUE)
        text = logs if named and (step.is_final_answer or value == _NOTHING) else "".join((logs, value))
    left = [part.strip() for part in _cut(text, found) if isinstance(part, str)]
    return "\n".join(part for part in left if any(map(str.isalnum, part)))
