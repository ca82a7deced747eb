"""Messages in the words of any API become OpenAI's chat form: pairs kept, turns joined, requests made one run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from amb_replay.formats import read_traces
from amb_replay.trace import Trace


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Reads the traces of a file with these values, a line each."""

    def traces(*values: Any) -> list[Trace]:
        file = tmp_path / "run"
        file.write_text("".join(json.dumps(value) + "\n" for value in values))
        return list(read_traces(file))

    return traces


def call(name: str = "find", id: str = "c1", **arguments: Any) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def says(*calls: dict[str, Any], text: str | None = None) -> dict[str, Any]:
    return {"role": "assistant", "content": text, "tool_calls": list(calls)}


def result(text: str, id: str = "c1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": text}


ASKED = {"role": "user", "content": "Find it."}


def outline(trace: Trace) -> list[str]:
    """Each message as its role, and its calls or its text."""
    calls = [",".join(c["id"] for c in message.get("tool_calls", ())) for message in trace.messages]
    return [f"{m['role']}:{ids or m['content']}" for m, ids in zip(trace.messages, calls, strict=True)]


def test_a_result_that_comes_late_is_put_behind_its_call(read: Any) -> None:
    (trace,) = read(says(call()), {"role": "user", "content": "Are you there?"}, result("here"))
    assert outline(trace) == ["assistant:c1", "tool:here", "user:Are you there?"]


def test_results_stand_in_the_order_of_the_calls(read: Any) -> None:
    (trace,) = read(says(call(id="a"), call(id="b")), result("2", "b"), result("1", "a"))
    assert outline(trace) == ["assistant:a,b", "tool:1", "tool:2"]


def test_an_id_that_comes_again_is_made_another(read: Any) -> None:
    (trace,) = read(says(call(n=1)), result("one"), says(call(n=2)), result("two"))
    assert outline(trace) == ["assistant:c1", "tool:one", "assistant:c1~2", "tool:two"]
    assert [m["tool_call_id"] for m in trace.messages if m["role"] == "tool"] == ["c1", "c1~2"]


def test_calls_and_results_without_ids_are_paired_by_their_tool_and_order(read: Any) -> None:
    first, second = call("find", id=""), call("open", id="")
    (trace,) = read(
        says(first, second), {"role": "tool", "name": "open", "content": "o"}, {"role": "tool", "content": "f"}
    )
    assert outline(trace) == ["assistant:call_1,call_2", "tool:f", "tool:o"]


def test_a_result_whose_call_is_not_in_the_file_gets_one(read: Any) -> None:
    (trace,) = read(ASKED, {**result("here", "lost"), "name": "find"})
    assert outline(trace) == ["user:Find it.", "assistant:lost", "tool:here"]
    assert trace.messages[1]["tool_calls"][0]["function"] == {"name": "find", "arguments": "{}"}


def test_the_older_function_call_is_a_call(read: Any) -> None:
    made = {"role": "assistant", "content": None, "function_call": {"name": "find", "arguments": '{"n": 1}'}}
    (trace,) = read(ASKED, made, {"role": "function", "name": "find", "content": "here"})
    assert outline(trace) == ["user:Find it.", "assistant:call_1", "tool:here"]


def test_half_a_surrogate_pair_becomes_a_text_that_can_be_stored(read: Any) -> None:
    (trace,) = read({"role": "user", "content": "a\ud800b😀\\ud800"}, {"role": "assistant", "content": "\ude00"})
    assert [message["content"] for message in trace.messages] == ["a\ufffdb😀\\ud800", "\ufffd"]


def test_a_custom_tool_and_a_search_of_the_server_are_calls(read: Any) -> None:
    custom = {"type": "custom_tool_call", "call_id": "c1", "name": "patch", "input": "*** Begin"}
    search = {"type": "web_search_call", "id": "w1", "action": {"query": "quay"}, "status": "completed"}
    (trace,) = read(ASKED, custom, search, {"type": "custom_tool_call_output", "call_id": "c1", "output": "done"})
    assert outline(trace) == ["user:Find it.", "assistant:c1,w1", "tool:done"]
    given = [json.loads(c["function"]["arguments"]) for c in trace.messages[1]["tool_calls"]]
    assert given == [{"input": "*** Begin"}, {"query": "quay"}]


def test_messages_of_langchain_are_read_in_a_run(read: Any) -> None:
    def message(kind: str, **kwargs: Any) -> dict[str, Any]:
        return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": kwargs}

    called = message("AIMessage", content="", tool_calls=[{"id": "c1", "name": "find", "args": {"n": 1}}])
    asked = [
        [message("HumanMessage", content="Find it."), called, message("ToolMessage", content="here", tool_call_id="c1")]
    ]
    said = {"generations": [[{"text": "There.", "message": message("AIMessage", content="There.")}]]}
    (trace,) = read({"run_type": "llm", "inputs": {"messages": asked}, "outputs": said, "trace_id": "t"})
    assert outline(trace) == ["user:Find it.", "assistant:c1", "tool:here", "assistant:There."]


# --- requests that repeat the transcript ------------------------------------------------------------------------------


def growing(*turns: dict[str, Any]) -> list[dict[str, Any]]:
    """A request for each message of the assistant, with all that came before it."""
    return [{"messages": [ASKED, *turns[:at]]} for at in range(len(turns) + 1)]


def test_requests_that_repeat_the_transcript_are_one_trace(read: Any) -> None:
    (trace,) = read(*growing(says(call()), result("here"), says(call(id="c2")), result("there", "c2")))
    assert outline(trace) == ["user:Find it.", "assistant:c1", "tool:here", "assistant:c2", "tool:there"]


def test_two_runs_side_by_side_are_two_traces(read: Any) -> None:
    one, two = growing(says(call(id="a")), result("1", "a")), growing(says(call(id="b")), result("2", "b"))
    made = read(*(request for pair in zip(one, two, strict=True) for request in pair))
    assert [outline(trace)[-1] for trace in made] == ["tool:1", "tool:2"]


def test_a_helper_with_a_question_of_its_own_is_a_trace_of_its_own(read: Any) -> None:
    helper = {"messages": [{"role": "user", "content": "Read page 2."}], "model": "small"}
    main, then = growing(says(call()), result("here"))[0], growing(says(call()), result("here"))[2]
    assert [len(trace.messages) for trace in read(main, helper, then)] == [3, 1]


def test_results_that_were_shortened_later_keep_their_first_text(read: Any) -> None:
    turns = [says(call()), result("a long page"), says(call(id="c2")), result("there", "c2")]
    short = [turns[0], result("(cleared)"), *turns[2:]]
    (trace,) = read({"messages": [ASKED, *turns[:2]]}, {"messages": [ASKED, *short]})
    assert outline(trace)[2] == "tool:a long page"
    assert outline(trace)[-1] == "tool:there"


def test_the_answer_that_is_logged_beside_a_request_is_its_last_message(read: Any) -> None:
    answer = {"choices": [{"message": says(call())}]}
    first = {"request": {"messages": [ASKED], "model": "m"}, "response": answer}
    then = {
        "request": {"messages": [ASKED, says(call()), result("here")]},
        "response": {"choices": [{"message": says(text="There.")}]},
    }
    (trace,) = read(first, then)
    assert outline(trace) == ["user:Find it.", "assistant:c1", "tool:here", "assistant:There."]
    assert trace.model == "m"


# --- what no product wrote for us ------------------------------------------------------------------------------------


def test_events_of_openhands_before_version_1(read: Any) -> None:
    about = {"tool_call_id": "c1", "function_name": "execute_bash", "model_response": {"id": "r1"}}
    own = {"timestamp": "2025-01-01T00:00:00"}
    (trace,) = read(
        {**own, "id": 0, "source": "user", "action": "message", "args": {"content": "Find it."}},
        {
            **own,
            "id": 1,
            "source": "agent",
            "action": "run",
            "args": {"command": "ls", "thought": "So."},
            "tool_call_metadata": about,
        },
        {
            **own,
            "id": 2,
            "source": "agent",
            "cause": 1,
            "observation": "run",
            "content": "here",
            "tool_call_metadata": about,
        },
    )
    assert (trace.format, outline(trace)) == ("openhands", ["user:Find it.", "assistant:c1", "tool:here"])


def test_the_json_of_langfuses_api(read: Any) -> None:
    asked = {"messages": [ASKED], "tools": [{"type": "function", "function": {"name": "find"}}]}
    tool = {"type": "TOOL", "input": {"n": 1}, "output": "here", "startTime": "2"}
    first = {
        "type": "GENERATION",
        "input": asked,
        "output": says(call()),
        "model": "m",
        "traceId": "t",
        "startTime": "1",
    }
    then = {**first, "input": {"messages": [ASKED, says(call()), result("here")]}, "output": "There.", "startTime": "3"}
    (trace,) = read({"id": "t", "observations": [then, tool, first]})
    assert outline(trace) == ["user:Find it.", "assistant:c1", "tool:here", "assistant:There."]
    assert (trace.id, trace.format, trace.model, len(trace.tools)) == ("t", "langfuse", "m", 1)


def test_what_claude_code_took_back_is_not_in_the_trace(read: Any) -> None:
    def line(uuid: str, parent: str | None, role: str, text: str) -> dict[str, Any]:
        told = {"role": role, "content": text}
        return {"sessionId": "s", "uuid": uuid, "parentUuid": parent, "type": role, "message": told}

    taken_back = line("b", "a", "assistant", "Wrong."), line("c", "b", "user", "No.")
    (trace,) = read(line("a", None, "user", "Find it."), *taken_back, line("d", "a", "assistant", "There."))
    assert outline(trace) == ["user:Find it.", "assistant:There."]
