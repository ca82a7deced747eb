"""Runs as frameworks, harnesses and coding agents beside those of `agent_sessions` write them down.

pi and opencode: sessions. AutoGen and AG2: messages of a task, a chat or a saved state. LangGraph: states of a thread.
OpenHands' output.jsonl, tau-bench and ATIF (Harbor): results of an evaluation, a run each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from amb_replay.formats.agent_sessions import OPENHANDS_EVENTS
from amb_replay.formats.chat_transcript import ChatTranscript, as_text, is_message
from amb_replay.trace import Record, Trace, TraceFormat

__all__ = [
    "AG2_CHATS",
    "ATIF",
    "AUTOGEN_MESSAGES",
    "LANGGRAPH_STATES",
    "OPENCODE",
    "OPENHANDS_OUTPUT",
    "PI",
    "TAU_BENCH",
]

Fields = Mapping[str, Any]
_BY_HAND = "all of it: the samples it is tested on were written by hand after the published format"


def _fields(value: Any) -> Fields:
    return value if isinstance(value, Mapping) else {}


def _all(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


# --- pi ---------------------------------------------------------------------------------------------------------------

_OF_PI = ("toolResult", "bashExecution", "branchSummary", "compactionSummary")


def _knows_pi(record: Record) -> bool:
    told = _fields(record)
    if told.get("type") == "session":
        return "cwd" in told
    message = _fields(told.get("message"))
    return told.get("type") == "message" and (message.get("role") in _OF_PI or "parentId" in told)


def _read_pi(records: Iterable[Record]) -> Iterator[Trace]:
    """The branch that ends in the newest message; one of version 1 has no branches."""
    name, model, newest = "", "", ""
    entries: dict[str, Fields] = {}
    for number, record in enumerate(records):
        told = _fields(record)
        if told.get("type") == "session":
            name = as_text(told.get("id"))
        elif told.get("type") in ("message", "custom_message"):
            entries[newest := as_text(told.get("id")) or f"#{number}"] = told
        elif "parentId" in told:
            entries[as_text(told.get("id"))] = told
    transcript = ChatTranscript()
    for entry in _branch(entries, newest):
        message = _fields(entry.get("message")) or entry
        model = as_text(message.get("model")) or model
        _add_of_pi(transcript, message)
    yield Trace(name, transcript.messages, model=model, format=PI.name)


def _branch(entries: Mapping[str, Fields], newest: str) -> list[Fields]:
    if not any(entry.get("parentId") for entry in entries.values()):
        return list(entries.values())
    chain: dict[str, Fields] = {}
    while newest in entries and newest not in chain:
        chain[newest] = entries[newest]
        newest = as_text(entries[newest].get("parentId"))
    return list(chain.values())[::-1]


def _add_of_pi(transcript: ChatTranscript, message: Fields) -> None:
    role = message.get("role")
    if role == "toolResult":
        transcript.answer(message.get("toolCallId"), message.get("toolName"), message.get("content"))
    elif role == "bashExecution":
        transcript.add({"role": "user", "content": f"$ {message.get('command')}\n{as_text(message.get('output'))}"})
    elif role in ("user", "assistant"):
        parts = message.get("content")
        calls = [{**part, "type": "tool_use", "input": part.get("arguments")} for part in _calls_of_pi(parts)]
        others = [part for part in _all(parts) if _fields(part).get("type") != "toolCall"]
        transcript.add({"role": role, "content": [*others, *calls] if isinstance(parts, list) else parts})
    elif message.get("type") == "custom_message":
        transcript.add({"role": "user", "content": message.get("content")})


def _calls_of_pi(parts: Any) -> list[Fields]:
    return [part for part in _all(parts) if _fields(part).get("type") == "toolCall"]


PI = TraceFormat("pi", "a line of `type` session with `cwd`, then lines of `type` message", _knows_pi, _read_pi)


# --- opencode ---------------------------------------------------------------------------------------------------------


def _knows_opencode(record: Record) -> bool:
    told = _fields(record)
    return any("role" in _fields(one.get("info")) and isinstance(one.get("parts"), list) for one in _said_in(told))


def _said_in(record: Fields) -> list[Fields]:
    """The messages of an export, or the one that a record is."""
    return [record] if "parts" in record else [one for one in _all(record.get("messages")) if isinstance(one, Mapping)]


def _read_opencode(records: Iterable[Record]) -> Iterator[Trace]:
    alone = ChatTranscript()
    model = ""
    for record in records:
        told = _fields(record)
        if "parts" in told:
            model = _add_of_opencode(alone, told) or model
            continue
        transcript, named = ChatTranscript(), ""
        for message in _said_in(told):
            named = _add_of_opencode(transcript, message) or named
        name = as_text(_fields(told.get("info")).get("id"))
        yield Trace(name, transcript.messages, model=named, format=OPENCODE.name)
    if alone.messages:
        yield Trace("", alone.messages, model=model, format=OPENCODE.name)


def _add_of_opencode(transcript: ChatTranscript, told: Fields) -> str:
    """Add a message; its model, where it names one."""
    info, parts = _fields(told.get("info")), list(map(_fields, _all(told.get("parts"))))
    texts = [part.get("text") for part in parts if part.get("type") == "text"]
    if info.get("role") != "assistant":
        transcript.add({"role": "user", "content": "\n".join(filter(None, texts))})
        return ""
    thought = [as_text(part.get("text")) for part in parts if part.get("type") == "reasoning"]
    transcript.begin()
    transcript.say("\n".join(filter(None, texts)), "\n".join(thought))
    called = [part for part in parts if part.get("type") == "tool"]
    for part in called:
        transcript.call(part.get("callID"), part.get("tool"), _fields(part.get("state")).get("input"))
    for part in called:
        state = _fields(part.get("state"))
        if (output := state.get("output", state.get("error"))) is not None:
            transcript.answer(part.get("callID"), part.get("tool"), output)
    return as_text(info.get("modelID"))


OPENCODE = TraceFormat(
    "opencode", "messages with `info` and `parts`", _knows_opencode, _read_opencode, experimental=_BY_HAND
)


# --- AutoGen and AG2 --------------------------------------------------------------------------------------------------

_SPOKEN = (
    *("TextMessage", "MultiModalMessage", "StopMessage", "HandoffMessage", "ToolCallSummaryMessage"),
    *("StructuredMessage", "UserMessage", "SystemMessage", "AssistantMessage"),
)
_CALLS, _RESULTS = ("ToolCallRequestEvent",), ("ToolCallExecutionEvent", "FunctionExecutionResultMessage")


def _knows_autogen(record: Record) -> bool:
    return any(_is_of_autogen(message) for messages in _of_autogen(record).values() for message in messages)


def _is_of_autogen(message: Any) -> bool:
    told = _fields(message)
    return told.get("type") in (*_SPOKEN, *_CALLS, *_RESULTS) and "content" in told


def _of_autogen(record: Record) -> Mapping[str, list[Any]]:
    """The messages of a record by the agent that has them: a task's result, one message, the state of agents."""
    told = _fields(record)
    if _is_of_autogen(told):
        return {"": [told]}
    if isinstance(told.get("agent_states"), Mapping):
        states = {
            name: _of_autogen(_fields(state).get("agent_state", state)) for name, state in told["agent_states"].items()
        }
        return {name: found[""] for name, found in states.items() if found.get("")}
    context = _fields(told.get("llm_context"))
    return {"": _all(context.get("messages", told.get("messages")))}


def _read_autogen(records: Iterable[Record]) -> Iterator[Trace]:
    alone = ChatTranscript()
    for record in records:
        if _is_of_autogen(record):
            _add_of_autogen(alone, record)
            continue
        for name, messages in _of_autogen(record).items():
            transcript = ChatTranscript()
            for message in filter(_is_of_autogen, messages):
                _add_of_autogen(transcript, message)
            yield Trace(name, transcript.messages, format=AUTOGEN_MESSAGES.name)
    if alone.messages:
        yield Trace("", alone.messages, format=AUTOGEN_MESSAGES.name)


def _add_of_autogen(transcript: ChatTranscript, message: Fields) -> None:
    kind, content = message["type"], message["content"]
    parts = list(map(_fields, _all(content)))
    if kind in _RESULTS:
        for part in parts:
            transcript.answer(part.get("call_id"), part.get("name"), part.get("content"))
    elif kind in _CALLS or any("arguments" in part for part in parts):
        transcript.begin()
        transcript.say("", as_text(message.get("thought")))
        for part in parts:
            transcript.call(part.get("id"), part.get("name"), part.get("arguments"))
    else:
        role = {"UserMessage": "user", "SystemMessage": "system", "AssistantMessage": "assistant"}.get(kind)
        said = [part if isinstance(part, str) else {"type": "text", "text": as_text(part)} for part in _all(content)]
        transcript.add({"role": role or ("user" if message.get("source") == "user" else "assistant"),
                        "content": said or content})  # fmt: skip


AUTOGEN_MESSAGES = TraceFormat(
    "autogen",
    "messages of `type` TextMessage or ToolCallRequestEvent, or a saved `llm_context`",
    _knows_autogen,
    _read_autogen,
    experimental=_BY_HAND,
)


def _knows_ag2(record: Record) -> bool:
    return any("tool_responses" in _fields(message) for message in _of_ag2(record))


def _of_ag2(record: Record) -> list[Any]:
    told = _fields(record)
    return [told] if "role" in told else _all(told.get("chat_history", told.get("messages")))


def _read_ag2(records: Iterable[Record]) -> Iterator[Trace]:
    alone: list[Any] = []
    for record in records:
        if "role" in _fields(record):
            alone.append(record)
        else:
            yield _trace_of_ag2(_of_ag2(record), as_text(_fields(record).get("chat_id")))
    if alone:
        yield _trace_of_ag2(alone, "")


def _trace_of_ag2(messages: list[Any], name: str) -> Trace:
    """A chat, whose roles are those that its beginner sees: whoever calls tools is the assistant."""
    told = [_fields(message) for message in messages]
    agents = {message.get("name") for message in told if message.get("tool_calls")} - {None}
    transcript = ChatTranscript()
    for message in told:
        if "tool_responses" in message:
            for response in map(_fields, _all(message["tool_responses"])):
                transcript.answer(response.get("tool_call_id"), "", response.get("content"))
        elif is_message(message):
            role = "assistant" if message.get("tool_calls") or message.get("name") in agents else "user"
            transcript.add(message, role=role if agents and message.get("role") != "system" else "")
    return Trace(name, transcript.messages, format=AG2_CHATS.name)


AG2_CHATS = TraceFormat(
    "ag2", "messages with `tool_responses`, alone or in `chat_history`", _knows_ag2, _read_ag2, experimental=_BY_HAND
)


# --- LangGraph --------------------------------------------------------------------------------------------------------


def _knows_langgraph(record: Record) -> bool:
    return any(map(is_message, _all(_values_of(record).get("messages"))))


def _values_of(record: Record) -> Fields:
    told = _fields(record)
    return _fields(told.get("values", _fields(told.get("checkpoint")).get("channel_values")))


def _read_langgraph(records: Iterable[Record]) -> Iterator[Trace]:
    """The longest state of each thread: a history has one for each step."""
    longest: dict[str, list[Any]] = {}
    for record in records:
        told = _fields(record)
        about = _fields(_fields(told.get("config")).get("configurable"))
        name = as_text(told.get("thread_id") or about.get("thread_id"))
        messages = _all(_values_of(record).get("messages"))
        if len(messages) > len(longest.get(name, ())):
            longest[name] = messages
    for name, messages in longest.items():
        model = next((_model_of(message) for message in reversed(messages) if _model_of(message)), "")
        yield Trace(name, ChatTranscript(messages).messages, model=model, format=LANGGRAPH_STATES.name)


def _model_of(message: Any) -> str:
    about = _fields(_fields(message).get("response_metadata"))
    return as_text(about.get("model_name") or about.get("model"))


LANGGRAPH_STATES = TraceFormat(
    "langgraph",
    "states of a thread with `values` and their `messages`",
    _knows_langgraph,
    _read_langgraph,
    experimental=_BY_HAND,
)


# --- results of evaluations -------------------------------------------------------------------------------------------


def _events_of(record: Record) -> list[Any]:
    """The events of a result of OpenHands, those that stand in pairs one after the other."""
    history = _all(_fields(record).get("history"))
    return [event for one in history for event in (one if isinstance(one, list) else [one])]


def _knows_output(record: Record) -> bool:
    return "instance_id" in _fields(record) and any(map(OPENHANDS_EVENTS.knows, _events_of(record)[:50]))


def _read_output(records: Iterable[Record]) -> Iterator[Trace]:
    for record in records:
        for trace in OPENHANDS_EVENTS.read(_events_of(record)):
            named = as_text(_fields(_fields(_fields(record).get("metadata")).get("llm_config")).get("model"))
            name = as_text(_fields(record).get("instance_id"))
            yield Trace(name, trace.messages, trace.tools, trace.model or named, OPENHANDS_OUTPUT.name)


OPENHANDS_OUTPUT = TraceFormat(
    "openhands-output",
    "`instance_id` and `history` with events of OpenHands",
    _knows_output,
    _read_output,
    experimental=_BY_HAND,
)


def _knows_tau(record: Record) -> bool:
    told = _fields(record)
    return (isinstance(told.get("traj"), list) and "reward" in told) or bool(_simulations(told))


def _simulations(record: Fields) -> list[Fields]:
    """The runs of tau2-bench."""
    return [one for one in _all(record.get("simulations")) if isinstance(one, Mapping) and "messages" in one]


def _read_tau(records: Iterable[Record]) -> Iterator[Trace]:
    for record in records:
        told = _fields(record)
        for one in _simulations(told) or [told]:
            name = "-".join(as_text(one.get(key)) for key in ("task_id", "trial") if one.get(key) is not None)
            transcript = ChatTranscript()
            for message in map(_fields, _all(one.get("traj", one.get("messages")))):
                called = message.get("tool_call_id") or message.get("id")
                known = {"tool_call_id": called} if message.get("role") == "tool" else {}
                if is_message(message) and message.get("requestor") != "user":
                    transcript.add({**message, **known})
            yield Trace(name, transcript.messages, format=TAU_BENCH.name)


TAU_BENCH = TraceFormat("tau-bench", "`traj` with `reward`, or `simulations`", _knows_tau, _read_tau)


def _knows_atif(record: Record) -> bool:
    told = _fields(record)
    return str(told.get("schema_version", "")).startswith("ATIF") and isinstance(told.get("steps"), list)


def _read_atif(records: Iterable[Record]) -> Iterator[Trace]:
    for record in records:
        yield from _traces_of_atif(_fields(record))


def _traces_of_atif(told: Fields) -> Iterator[Trace]:
    agent, transcript = _fields(told.get("agent")), ChatTranscript()
    for step in map(_fields, _all(told.get("steps"))):
        if step.get("source") != "agent":
            transcript.add(
                {"role": "user" if step.get("source") == "user" else "system", "content": step.get("message")}
            )
            continue
        transcript.begin()
        transcript.say(step.get("message"), as_text(step.get("reasoning_content")))
        for call in map(_fields, _all(step.get("tool_calls"))):
            transcript.call(call.get("tool_call_id"), call.get("function_name"), call.get("arguments"))
        for result in map(_fields, _all(_fields(step.get("observation")).get("results"))):
            transcript.answer(result.get("source_call_id"), "", result.get("content"))
    name = as_text(told.get("session_id") or told.get("trajectory_id"))
    tools = tuple(one for one in _all(agent.get("tool_definitions")) if isinstance(one, dict))
    yield Trace(name, transcript.messages, tools, as_text(agent.get("model_name")), ATIF.name)
    for helper in map(_fields, _all(told.get("subagent_trajectories"))):
        yield from _traces_of_atif(helper)


ATIF = TraceFormat("atif", "`schema_version` ATIF with `steps`", _knows_atif, _read_atif, experimental=_BY_HAND)
