"""`ReActAgent` on a real bank with local agents and a scripted model: how runs go and how they end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from amb_chat import Budget, ScriptedChatModel, UsageMeter, metered
from amb_core import BankClosed, InvalidParameter, ManualClock, MemoryBank, Settings, ToolResult
from amb_core.adapter import TokenCounter
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall
from amb_core.errors import ModelRefused, ModelUnavailable
from amb_react import Ended, ModelAnswered, ReActAgent, ReActEvent, ReActRun, ToolAnswered, ToolCalled, TurnStarted

FACT = "The reactor of Birkdale was shut down in 1987."
FACT_ZH = "比克代尔的反应堆于1987年关闭。"
GOALS = {"en": "When was the reactor of Birkdale shut down?", "zh": "比克代尔的反应堆是哪一年关闭的？"}


def visit(page: str) -> str:
    """Open a page."""
    return FACT


def calling(tool: str = "visit", **arguments: Any) -> ChatReply:
    return ChatReply("", (ToolCall("", tool, json.dumps(arguments)),), "tool_calls")


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with MemoryBank(GOALS["en"], clock=ManualClock(1e9, step=1)) as opened:
        yield opened


def run(bank: MemoryBank, *answers: Any, tools: Any = (visit,), **options: Any) -> tuple[ReActRun, ScriptedChatModel]:
    chat = ScriptedChatModel(answers)
    return ReActAgent(bank, chat, tools, **options).run(), chat


def results(chat: ScriptedChatModel, number: int) -> list[str]:
    return [str(message["content"]) for message in chat.requests[number].messages if message["role"] == "tool"]


def test_progress_is_told_turn_by_turn(bank: MemoryBank) -> None:
    events: list[ReActEvent] = []
    done, _ = run(bank, calling(page="a"), "Done.", "1987 [n1]", on_event=events.append)
    assert [type(event) for event in events[:4]] == [TurnStarted, ModelAnswered, ToolCalled, ToolAnswered]
    answered = next(event for event in events if isinstance(event, ToolAnswered))
    assert (answered.tool, answered.node_ids, answered.repeat, answered.is_error) == ("visit", ("n1",), False, False)
    assert answered.total.calls == 1
    assert events[-1] == Ended(done)
    assert [event.turn for event in events if isinstance(event, TurnStarted)] == [1, 2, 3]


def test_a_listener_that_fails_does_not_end_the_run(bank: MemoryBank) -> None:
    def broken(event: ReActEvent) -> None:
        raise RuntimeError("no terminal")

    assert run(bank, calling(page="a"), "Done.", "1987", on_event=broken)[0].termination == "answered"


# --- tools that do not do what they should -------------------------------------------------------------------------


def raising(page: str) -> str:
    """Open a page."""
    raise OSError("the cable is cut")


def hanging(page: str) -> str:
    """Open a page."""
    time.sleep(30)
    return FACT


@pytest.mark.parametrize(("call", "said"), [
    (calling("visit", pages="a"), "page"),
    (calling("visit", page=3), "page"),
    (calling("fetch", page="a"), "there is no tool 'fetch'. The tools are: visit, raising, hanging, deep_retrieval"),
    (calling("raising", page="a"), "OSError: the cable is cut"),
    (calling("hanging", page="a"), "no result within 0.2 seconds"),
    (calling("deep_retrieval", node_id="n9"), "no node with the id 'n9'"),
    (calling("deep_retrieval", node="n9"), "node_id is missing; node is unknown"),
    (ChatReply("", (ToolCall("x", "visit", '{"page": '),), "tool_calls"), "the arguments do not fit"),
    (ChatReply("", (ToolCall("x", "visit", "[1]"),), "tool_calls"), "a JSON object is needed"),
    (ChatReply("", (ToolCall("x", "", ""),), "tool_calls"), "this tool call cannot be read"),
])  # fmt: skip
def test_what_goes_wrong_with_a_call_is_told_to_the_model(bank: MemoryBank, call: ChatReply, said: str) -> None:
    tools = (visit, raising, hanging)
    done, chat = run(bank, call, "I could not.", "No answer.", "None.", tools=tools, tool_timeout=0.2)
    (told,) = results(chat, 1)
    assert "Error" in told
    assert said in told
    assert done.termination == "answered"


def test_the_same_call_again_and_again_is_told_then_refused_then_the_answer_is_forced(bank: MemoryBank) -> None:
    def answer(request: ChatRequest) -> ChatReply:
        return calling(page="a") if request.tools else ChatReply("1987 [n1]")

    chat = ScriptedChatModel(answer)
    ran: list[str] = []

    def counted(page: str) -> str:
        """Open a page."""
        ran.append(page)
        return FACT

    counted.__name__ = "visit"
    done = ReActAgent(bank, chat, [counted]).run()
    assert (done.termination, done.answered_by, done.prediction) == ("no_progress", "model", "1987 [n1]")
    assert "the same call before" in results(chat, 2)[1]
    assert "Not called" in results(chat, 3)[2]
    assert len(ran) == 2 * done.rounds


# --- replies that cannot be used -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("reply", "said"), [
    ("", "empty"),
    ("<think>let me see", "empty"),
    (ChatReply("It was in 19", finish_reason="length"), "cut off"),
    (ChatReply("", (ToolCall("x", "visit", '{"page": "a'),), "length"), "cut off"),
])  # fmt: skip
def test_a_reply_that_cannot_be_used_is_answered_with_what_is_wrong(bank: MemoryBank, reply: Any, said: str) -> None:
    done, chat = run(bank, reply, calling(page="a"), "Done.", "1987 [n1]")
    assert any(said in str(message["content"]) for message in chat.requests[1].messages if message["role"] == "user")
    assert done.termination == "answered"


@pytest.mark.slow
def test_a_model_that_says_nothing_at_all_is_given_up_and_memory_answers(bank: MemoryBank) -> None:
    bank.absorb(ToolResult(tool="visit", output=FACT, call_id="before"))
    done = ReActAgent(bank, ScriptedChatModel(lambda request: ""), [visit]).run()
    assert (done.termination, done.answered_by) == ("gave_up", "memory")
    assert done.prediction.startswith("(The model gave no answer; this is put together from memory without a model.)")
    assert FACT in done.prediction


# --- limits ----------------------------------------------------------------------------------------------------------


def always_reading() -> Callable[[ChatRequest], ChatReply]:
    numbers = iter(range(10_000))
    return lambda request: calling(page=f"{next(numbers)}") if request.tools else ChatReply("1987 [n1]")


def test_at_the_call_limit_the_answer_is_asked_for_without_tools(bank: MemoryBank) -> None:
    chat = ScriptedChatModel(always_reading())
    done = ReActAgent(bank, chat, [visit], max_calls=5).run()
    assert (done.termination, done.prediction, len(chat.requests)) == ("call_limit", "1987 [n1]", 6)
    assert not chat.requests[-1].tools
    assert FACT in str(chat.requests[-1].messages[-1]["content"])


def test_at_the_last_round_the_answer_is_asked_for(bank: MemoryBank) -> None:
    done, chat = run(bank, calling(page="a"), "Done.", "In 1987 [n1].", max_rounds=1)
    assert (done.termination, done.prediction, done.rounds) == ("max_rounds", "In 1987 [n1].", 1)
    assert not chat.requests[-1].tools


def test_results_that_are_larger_than_the_limit_are_cut_and_the_answer_is_forced() -> None:
    with MemoryBank(GOALS["en"], settings=Settings(prompt_budget_tokens=1_200, block_tokens=200)) as bank:
        chat = ScriptedChatModel(lambda request: calling(page="word " * 900) if request.tools else ChatReply("1987"))
        done = ReActAgent(bank, chat, [visit], max_calls=30).run()
    assert (done.termination, done.prediction) == ("no_progress", "1987")
    assert max(sum(map(TokenCounter().message, request.messages)) for request in chat.requests) <= 1_200


def test_a_request_over_the_token_limit_even_condensed_has_the_answer_forced() -> None:
    goal = f"{GOALS['en']} {'The keeper wrote it in the log of the light. ' * 60}"
    with MemoryBank(goal, settings=Settings(prompt_budget_tokens=1_200, block_tokens=100)) as bank:
        chat = ScriptedChatModel(lambda request: calling(page="a") if request.tools else ChatReply("1987"))
        done = ReActAgent(bank, chat, [visit], max_calls=30).run()
    assert (done.termination, done.prediction) == ("token_limit", "1987")
    assert [bool(request.tools) for request in chat.requests] == [False]


@pytest.mark.parametrize("said", [
    "400 (This model's maximum context length is 8192 tokens)",
    "400 (request (9203 tokens) exceeds the available context size)",
    "the endpoint answered 413 (prompt is too long)",
])  # fmt: skip
def test_a_request_too_long_for_the_endpoint_has_the_answer_forced(bank: MemoryBank, said: str) -> None:
    refused = ModelRefused(said, malformed=True)
    done, chat = run(bank, calling(page="a"), refused, "It was in 1987 [n1].", refused, "1987 [n1]")
    assert (done.termination, done.prediction, done.answered_by) == ("token_limit", "1987 [n1]", "model")
    assert [bool(request.tools) for request in chat.requests] == [True, True, False, True, False]


def test_of_a_flood_of_calls_the_first_are_made(bank: MemoryBank) -> None:
    calls = tuple(ToolCall("", "visit", json.dumps({"page": f"{number}"})) for number in range(40))
    _, chat = run(bank, ChatReply("", calls, "tool_calls"), "Done.", "1987")
    assert len(results(chat, 1)) == 16
    assert any("Only the first 16 calls" in str(message["content"]) for message in chat.requests[1].messages)


@pytest.mark.parametrize(("language", "said"), [("en", "The budget for model calls is spent"), ("zh", "预算已用完")])
def test_when_the_budget_is_spent_memory_answers_and_says_so(language: str, said: str) -> None:
    def look(page: str) -> str:
        """Open a page."""
        return FACT if language == "en" else FACT_ZH

    with MemoryBank(GOALS[language]) as bank:
        chat = metered(
            ScriptedChatModel([calling("look", page="a"), "Done."]), meter=UsageMeter(budget=Budget(calls=2))
        )
        done = ReActAgent(bank, chat, [look]).run()
    assert (done.termination, done.answered_by) == ("budget", "memory")
    assert said in done.prediction
    assert "1987" in done.prediction
    assert list(done.sources) == ["n1"]


@pytest.mark.parametrize(("error", "why"), [
    (ModelUnavailable("down", failed_calls=4), "model_unavailable"),
    (ModelRefused("401, check the key", failed_calls=1), "model_refused"),
])  # fmt: skip
def test_without_a_model_nothing_is_lost_and_a_resumed_bank_goes_on(tmp_path: Path, error: Exception, why: str) -> None:
    store = f"sqlite:///{tmp_path / 'task.db'}"
    bank = MemoryBank(GOALS["en"], store=store)
    done, _ = run(bank, calling(page="a"), error)
    assert (done.termination, done.answered_by, done.spent["react"].calls) == (why, "memory", 1)
    assert done.problem == str(error)
    assert FACT in done.prediction
    bank.close(keep=True)
    with MemoryBank.resume(store) as again:
        done, chat = run(again, "1987 [n1]")
        assert (done.termination, done.prediction) == ("answered", "1987 [n1]")
        assert FACT in str(chat.requests[0].messages)


@pytest.mark.slow
def test_control_c_ends_the_run_and_the_next_one_goes_on(bank: MemoryBank) -> None:
    def interrupted(request: ChatRequest) -> ChatReply:
        if len(request.messages) > 3:
            raise KeyboardInterrupt
        return calling(page="a")

    done = ReActAgent(bank, ScriptedChatModel(interrupted), [visit]).run()
    assert (done.termination, done.prediction, done.answered_by) == ("interrupted", "", "nobody")
    assert run(bank, "It was in 1987 [n1].", "1987 [n1]")[0].termination == "answered"


def test_a_finished_task_can_be_asked_something_more(bank: MemoryBank) -> None:
    run(bank, calling(page="a"), "Done.", "1987 [n1]")
    chat = ScriptedChatModel(["It is in Birkdale [n1]."])
    done = ReActAgent(bank, chat, [visit], sharing=True).run("Where is the reactor?")
    assert (done.question, done.prediction) == ("Where is the reactor?", "It is in Birkdale [n1].")
    assert (done.termination, done.rounds) == ("answered", 0)
    assert FACT in str(chat.requests[0].messages[-1]["content"])


def test_what_the_caller_does_wrong_is_said(bank: MemoryBank) -> None:
    chat = ScriptedChatModel([])
    for options in ({"protocol": "xml"}, {"max_calls": 0}, {"max_rounds": 0}, {"tool_timeout": 0}):
        with pytest.raises(InvalidParameter):
            ReActAgent(bank, chat, [visit], **options)
    for tools in ([3], [visit, visit], [lambda page: page, visit, "text"]):
        with pytest.raises(InvalidParameter):
            ReActAgent(bank, chat, tools)
    agent = ReActAgent(bank, chat, [visit])
    bank.close()
    with pytest.raises(BankClosed):
        agent.run()


def test_tools_that_fill_half_the_prompt_are_refused() -> None:
    settings = Settings(prompt_budget_tokens=200)
    with MemoryBank(GOALS["en"], settings=settings) as bank, pytest.raises(InvalidParameter, match="prompt_budget"):
        ReActAgent(bank, ScriptedChatModel([]), [visit])
