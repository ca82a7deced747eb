"""Runs as frameworks and evaluations write them, by their published formats: one talk in each of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from amb_replay.formats import EXPERIMENTAL, read_traces
from amb_replay.trace import Trace

TASK, SAID, ANSWER = "How long are the quays?", "I look both up.", "80 and 87 metres."
CALLS = [("c1", {"harbour": "Lyness"}, "Lyness: 80 metres"), ("c2", {"harbour": "Kirkwall"}, "Kirkwall: 87 metres")]


def text(said: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": said}]


def pi() -> list[Any]:
    lines: list[Any] = [{"type": "session", "version": 3, "id": "run-1", "cwd": "/project"}]

    def add(message: dict[str, Any], *, after: str | None = None) -> None:
        parent = after or (lines[-1]["id"] if len(lines) > 1 else None)
        lines.append({"type": "message", "id": f"e{len(lines)}", "parentId": parent, "message": message})

    add({"role": "user", "content": TASK})
    add({"role": "assistant", "content": text("A way that was left.")})
    calls = [{"type": "toolCall", "id": key, "name": "look", "arguments": given} for key, given, _ in CALLS]
    add({"role": "assistant", "model": "m-1", "content": [*text(SAID), *calls]}, after="e1")
    for key, _, found in CALLS:
        add({"role": "toolResult", "toolCallId": key, "toolName": "look", "content": text(found), "isError": False})
    add({"role": "assistant", "model": "m-1", "content": text(ANSWER)})
    return lines


def opencode() -> list[Any]:
    tools = [
        {
            "type": "tool",
            "callID": key,
            "tool": "look",
            "state": {"status": "completed", "input": given, "output": found},
        }
        for key, given, found in CALLS
    ]
    messages = [
        {"info": {"role": "user"}, "parts": text(TASK)},
        {"info": {"role": "assistant", "modelID": "m-1"}, "parts": [{"type": "step-start"}, *text(SAID), *tools]},
        {"info": {"role": "assistant", "modelID": "m-1"}, "parts": text(ANSWER)},
    ]
    return [{"info": {"id": "run-1"}, "messages": messages}]


def autogen() -> list[Any]:
    calls = [{"id": key, "name": "look", "arguments": json.dumps(given)} for key, given, _ in CALLS]
    results = [{"call_id": key, "name": "look", "content": found, "is_error": False} for key, _, found in CALLS]
    messages = [
        {"source": "user", "type": "TextMessage", "content": TASK},
        {"source": "clerk", "type": "ThoughtEvent", "content": SAID},
        {"source": "clerk", "type": "ToolCallRequestEvent", "content": calls},
        {"source": "clerk", "type": "ToolCallExecutionEvent", "content": results},
        {"source": "clerk", "type": "TextMessage", "content": ANSWER},
    ]
    return [{"messages": messages, "stop_reason": None}]


def autogen_state() -> list[Any]:
    calls = [{"id": key, "name": "look", "arguments": json.dumps(given)} for key, given, _ in CALLS]
    results = [{"call_id": key, "name": "look", "content": found} for key, _, found in CALLS]
    messages = [
        {"type": "UserMessage", "source": "user", "content": TASK},
        {"type": "AssistantMessage", "source": "clerk", "content": calls},
        {"type": "FunctionExecutionResultMessage", "content": results},
        {"type": "AssistantMessage", "source": "clerk", "content": ANSWER},
    ]
    context = {"agent_state": {"type": "AssistantAgentState", "llm_context": {"messages": messages}}}
    return [{"type": "TeamState", "agent_states": {"clerk": context}}]


def ag2() -> list[Any]:
    calls = [
        {"id": key, "type": "function", "function": {"name": "look", "arguments": json.dumps(given)}}
        for key, given, _ in CALLS
    ]
    told = [{"tool_call_id": key, "role": "tool", "content": found} for key, _, found in CALLS]
    history = [
        {"role": "assistant", "name": "ann", "content": TASK},
        {"role": "user", "name": "clerk", "content": SAID, "tool_calls": calls},
        {"role": "tool", "name": "ann", "content": "\n\n".join(found for _, _, found in CALLS), "tool_responses": told},
        {"role": "user", "name": "clerk", "content": ANSWER},
    ]
    return [{"chat_id": "run-1", "chat_history": history}]


def langgraph() -> list[Any]:
    calls = [{"id": key, "name": "look", "args": given, "type": "tool_call"} for key, given, _ in CALLS]
    messages = [
        {"type": "human", "content": TASK},
        {"type": "ai", "content": SAID, "tool_calls": calls, "response_metadata": {"model_name": "m-1"}},
        *({"type": "tool", "tool_call_id": key, "name": "look", "content": found} for key, _, found in CALLS),
        {"type": "ai", "content": ANSWER, "response_metadata": {"model_name": "m-1"}},
    ]
    about = {"configurable": {"thread_id": "run-1"}}
    return [{"values": {"messages": messages[:many]}, "next": [], "config": about} for many in (5, 4, 1)]


def openhands() -> list[Any]:
    def event(number: int, source: str, **more: Any) -> dict[str, Any]:
        return {"id": number, "timestamp": "2026-01-01T00:00:00", "source": source, **more}

    events = [event(0, "user", action="message", args={"content": TASK})]
    for at, (key, given, found) in enumerate(CALLS):
        about = {"tool_call_id": key, "function_name": "look", "model_response": {"id": f"r{at}", "model": "m-1"}}
        events.append(event(2 * at + 1, "agent", action="run", args=given, tool_call_metadata=about))
        events.append(
            event(2 * at + 2, "agent", observation="run", content=found, cause=2 * at + 1, tool_call_metadata=about)
        )
    events.append(event(9, "agent", action="message", args={"content": ANSWER}))
    return [{"instance_id": "run-1", "instruction": TASK, "history": events, "metadata": {}, "test_result": {}}]


def openhands_pairs() -> list[Any]:
    (told,) = openhands()
    events = told["history"]
    return [{**told, "history": [[events[0], {}], [events[1], events[2]], [events[3], events[4]], [events[5], {}]]}]


def tau() -> list[Any]:
    messages: list[Any] = [{"role": "system", "content": "You are a clerk."}, {"role": "user", "content": TASK}]
    for key, given, found in CALLS:
        call = {"id": key, "type": "function", "function": {"name": "look", "arguments": json.dumps(given)}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": key, "name": "look", "content": found})
    messages.append({"role": "assistant", "content": ANSWER})
    return [{"task_id": 7, "trial": 0, "reward": 1.0, "info": {}, "traj": messages}]


def tau2() -> list[Any]:
    messages: list[Any] = [{"role": "user", "content": TASK}]
    for key, given, found in CALLS:
        call = {"id": key, "name": "look", "arguments": given, "requestor": "assistant"}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "id": key, "content": found, "requestor": "assistant", "error": False})
    messages.append({"role": "assistant", "content": ANSWER})
    return [{"info": {}, "tasks": [], "simulations": [{"id": "s", "task_id": "7", "trial": 0, "messages": messages}]}]


def atif() -> list[Any]:
    calls = [{"tool_call_id": key, "function_name": "look", "arguments": given} for key, given, _ in CALLS]
    seen = {"results": [{"source_call_id": key, "content": found} for key, _, found in CALLS]}
    steps = [
        {"step_id": 1, "source": "user", "message": TASK},
        {"step_id": 2, "source": "agent", "message": SAID, "tool_calls": calls, "observation": seen},
        {"step_id": 3, "source": "agent", "message": ANSWER},
    ]
    about = {"name": "clerk", "version": "1", "model_name": "m-1"}
    return [{"schema_version": "ATIF-v1.4", "session_id": "run-1", "agent": about, "steps": steps}]


WRITTEN = {
    "pi": pi,
    "opencode": opencode,
    "autogen": autogen,
    "autogen-state": autogen_state,
    "ag2": ag2,
    "langgraph": langgraph,
    "openhands-output": openhands,
    "openhands-output-pairs": openhands_pairs,
    "tau-bench": tau,
    "tau-bench-2": tau2,
    "atif": atif,
}
NAMED = {"pi", "opencode", "ag2", "langgraph", "openhands-output", "openhands-output-pairs", "atif"}
WITH_MODEL = NAMED - {"ag2"}


def read(name: str, folder: Path, *, as_list: bool = False) -> Trace:
    records = WRITTEN[name]()
    file = folder / "notes.txt"
    lines = json.dumps(records, indent=1) if as_list else "\n".join(map(json.dumps, records))
    file.write_text(lines, "utf-8")
    (trace,) = read_traces(file)
    return trace


@pytest.mark.parametrize("name", WRITTEN)
def test_a_talk_is_the_same_in_every_format(name: str, tmp_path: Path) -> None:
    trace = read(name, tmp_path)
    assert name.startswith(trace.format)
    told = [message for message in trace.messages if message["role"] != "system"]
    assert (told[0]["role"], told[0]["content"]) == ("user", TASK)
    assert (told[-1]["role"], told[-1]["content"]) == ("assistant", ANSWER)
    made = {call["id"]: call["function"] for one in told for call in one.get("tool_calls", ())}
    assert [json.loads(call["arguments"]) for call in made.values()] == [given for _, given, _ in CALLS]
    assert {call["name"] for call in made.values()} == {"look"}
    brought = {one["tool_call_id"]: one["content"] for one in told if one["role"] == "tool"}
    assert {key: str(content) for key, content in brought.items()} == {key: found for key, _, found in CALLS}
    assert trace.id == ("run-1" if name in NAMED else {"autogen-state": "clerk"}.get(name, trace.id))
    assert trace.model == ("m-1" if name in WITH_MODEL else "")
    assert read(name, tmp_path, as_list=True).messages == trace.messages


def test_what_was_written_by_hand_is_marked() -> None:
    assert {"opencode", "autogen", "ag2", "langgraph", "openhands-output", "atif"} <= set(EXPERIMENTAL)
