"""One object a turn: thought, action, and what was read, which is memory without a second call; else the plain path."""

from __future__ import annotations

import json
from typing import Any

import pytest

from amb_agents.prompted import llm_agents
from amb_chat import ScriptedChatModel
from amb_core import ManualClock, MemoryBank
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall
from amb_core.errors import ModelRefused
from amb_react import ReActAgent, ReActRun
from amb_react.structured import TurnShape
from amb_react.words import phrases

GOAL = {"en": "Where was the designer of the Halden Bridge born?", "zh": "望江桥的设计者生于何处？"}
PAGES = {
    "en": {
        "Halden Bridge": "The Halden Bridge crosses the Tista. It was opened in 1931 and designed by Olav Brekke.",
        "Olav Brekke": "Olav Brekke was an engineer. Brekke was born in Bergen.",
    },
    "zh": {
        "望江桥": "望江桥横跨望江。望江桥于1931年通车，由周明远设计。",
        "周明远": "周明远是工程师。周明远生于绍兴。",
    },
}
READ = {
    "en": [
        {
            "quote": "It was opened in 1931 and designed by Olav Brekke.",
            "subject": "Halden Bridge",
            "attribute": "designer",
            "value": "Olav Brekke",
        },
        {"quote": "Brekke was born in Bergen.", "subject": "Brekke", "attribute": "birthplace", "value": "Bergen"},
    ],
    "zh": [
        {"quote": "望江桥于1931年通车，由周明远设计。", "subject": "望江桥", "attribute": "设计者", "value": "周明远"},
        {"quote": "周明远生于绍兴。", "subject": "周明远", "attribute": "出生地", "value": "绍兴"},
    ],
}


def turn(*extracted: dict[str, Any], search: str = "", answer: str = "") -> str:
    call = {"tool": "search", "arguments": json.dumps({"query": search}, ensure_ascii=False)} if search else {}
    told = {"thought": "I go on.", "extracted": list(extracted), "answer": answer, **call}
    return json.dumps(told, ensure_ascii=False)


def run(*answers: Any, language: str = "en", **bank: Any) -> tuple[ReActRun, ScriptedChatModel, str]:
    """The run, the model, and all that memory holds then."""

    def search(query: str) -> str:
        """Look a name up."""
        return PAGES[language].get(query, "No page of that name.")

    chat = ScriptedChatModel(answers)
    with MemoryBank(GOAL[language], clock=ManualClock(1e9, step=1), **bank) as opened:
        done = ReActAgent(opened, chat, [search], protocol="structured").run()
        held = "\n".join(node.summary for node in opened.nodes)
        return done, chat, f"{held}\n{opened.recall(GOAL[language]).text}"


def hops(language: str) -> list[str]:
    first, second = PAGES[language]
    one, two = READ[language]
    told = turn(two, answer=f"{two['value']} [n4]")
    return [turn(search=first), turn(one, search=second), told, turn(answer=f"{two['value']} [n4]")]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_a_turn_extracts_is_memory_with_its_quote_and_the_source_it_stands_in(language: str) -> None:
    done, chat, held = run(*hops(language), language=language)
    assert (done.termination, done.prediction) == ("answered", f"{READ[language][1]['value']} [n4]")
    assert (done.extracted, done.dropped, len(chat.requests)) == (2, 0, done.usage.calls)
    for page, each in zip(PAGES[language], READ[language], strict=True):
        assert f"{each['subject']} · {each['attribute']}: {each['value']} — “{each['quote']}”" in held
        assert f"search {page}" in held
    assert phrases(language)["structured"][:20] in chat.requests[0].messages[0]["content"]  # type: ignore[index]


def test_no_model_is_asked_about_what_was_extracted() -> None:
    asked: list[str] = []

    def agents(request: ChatRequest) -> str:
        asked.append(json.dumps(request.messages, ensure_ascii=False))
        return "{}"

    done, _, _ = run(*hops("en"), agents=llm_agents(ScriptedChatModel(agents)))
    assert done.extracted == 2
    assert asked
    assert not any("Halden Bridge · designer" in each and '"paragraphs"' in each for each in asked)
    without, _, _ = run(*[json.dumps(json.loads(each) | {"extracted": []}) for each in hops("en")],
                        agents=llm_agents(ScriptedChatModel(agents)))  # fmt: skip
    assert done.usage.calls == without.usage.calls


@pytest.mark.parametrize(
    "torn",
    [
        "I would search for it.",
        "",
        '{"statements": []}',
        '{"tool": "search", "answer": "x"}',
        '{"thought": "hm"',
        ChatReply('{"thought": "hm"', finish_reason="length"),
    ],
    ids=["prose", "nothing", "another schema", "two things at once", "torn", "cut off"],
)
def test_a_turn_that_cannot_be_read_is_repaired_once(torn: Any) -> None:
    done, chat, held = run(torn, *hops("en"))
    assert (done.termination, done.turns, len(chat.requests)) == ("answered", 4, 5)
    assert done.usage.calls == 5
    assert "Halden Bridge · designer: Olav Brekke" in held
    assert all(request.schema_name == TurnShape.__name__ for request in chat.requests)


def test_after_a_repair_in_vain_the_plain_path_is_taken_and_nothing_is_lost() -> None:
    plain = ChatReply("", (ToolCall("", "search", '{"query": "Olav Brekke"}'),), "tool_calls")
    first, _, *_ = hops("en")
    done, chat, held = run(first, "no object", "none again", plain, "He was born in Bergen.", "Bergen")
    assert (done.termination, done.prediction) == ("answered", "Bergen")
    assert [bool(request.tools) for request in chat.requests] == [False, False, False, True, True, True]
    assert "Brekke was born in Bergen." in held
    assert "designed by Olav Brekke" in held


def test_an_endpoint_without_schemas_and_tools_is_asked_in_tags_in_the_end() -> None:
    call = '<tool_call>{"name": "search", "arguments": {"query": "Olav Brekke"}}</tool_call>'
    said = iter([call, *["<answer>Bergen</answer>"] * 9])

    def answer(request: ChatRequest) -> str:
        if request.tools or request.schema is not None:
            raise ModelRefused("tools and schemas are not supported", malformed=True)
        return next(said)

    chat = ScriptedChatModel(answer)
    with MemoryBank(GOAL["en"], clock=ManualClock(1e9, step=1)) as bank:
        done = ReActAgent(bank, chat, [look_up], protocol="structured").run()
    assert (done.termination, done.prediction) == ("answered", "Bergen")


def look_up(query: str) -> str:
    """Look a name up."""
    return PAGES["en"].get(query, "No page.")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_examples_of_the_prompt_are_turns_whose_quotes_bear_them_out(language: str) -> None:
    lines = [line for line in phrases(language)["structured"].splitlines() if line.startswith('{"thought": "')]  # type: ignore[index]
    turns = [TurnShape.model_validate_json(line) for line in lines[1:]]
    assert [turn.problem() for turn in turns] == [None] * 3
    for each in (statement for turn in turns for statement in turn.extracted):
        assert each.value in each.quote
        assert each.subject.split()[-1] in each.quote or "It" in each.quote
