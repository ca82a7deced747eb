"""Models that answer nothing, nonsense, another schema or far too much: two calls at most, counted, nothing lost."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from amb_agents.prompted import llm_agents
from amb_chat import ScriptedChatModel
from amb_core import MemoryBank, Settings, ToolResult
from amb_core.agent_io import JudgeRequest, Statement
from amb_core.chat_io import ChatRequest
from amb_core.text import estimate_tokens
from amb_longterm import LongTermMemory
from amb_readers import PromptedJudge
from amb_team import CuratorRequest, PromptedCurator

PAGE = (
    "The Harbour Point battery stores 18 MWh and was commissioned in March 2021. "
    "It feeds the ferry terminal at night.\n\n"
    "The tidal station at Kell Sound has four turbines. Its crew of nine lives on the island in winter."
)
FACTS = {
    "en": (
        "I like green tea.",
        "My bike is red.",
        "We have two dogs.",
        "My sister lives in Ghent.",
        "I work at night.",
    ),
    "zh": ("我喜欢喝绿茶。", "我的自行车是红色的。", "我家养了两只狗。", "我妹妹住在苏州。", "我上夜班。"),
}


def far_too_much(request: ChatRequest) -> str:
    """A hundred of whatever is asked for, none of which stands in the material."""
    fact = {"quote": "The moon is made of cheese.", "subject": "moon", "attribute": "is", "value": "cheese"}
    topic = {"paragraphs": [1], "topic": "cheese", "summary": "The moon is made of cheese.", "keywords": []}
    told = {"about_earlier": "it", "about_later": "it", "only_one": True, "relation": "same"}
    parts = {"statements": [fact] * 100, "topics": [topic] * 100, "verdicts": [{"n": n, **told} for n in range(100)]}
    return json.dumps({**parts, "summary": "The moon is made of cheese. " * 400})


BAD: dict[str, Callable[[ChatRequest], str]] = {
    "nothing": lambda _: "",
    "nonsense": lambda _: "Well, well. {never mind",
    "another schema": lambda _: '{"weather": "fine", "degrees": [12]}',
    "no object": lambda _: "[1, 2, 3]",
    "far too much": far_too_much,
}
bad_models = pytest.mark.parametrize("answer", BAD.values(), ids=BAD.keys())


@bad_models
@pytest.mark.parametrize("fused", [True, False])
def test_what_a_bank_takes_in_is_kept_and_every_call_is_counted(
    answer: Callable[[ChatRequest], str], fused: bool
) -> None:
    chat = ScriptedChatModel(answer)
    with MemoryBank("What does the battery store?", agents=llm_agents(chat, fused=fused)) as bank:
        bank.absorb(ToolResult(tool="read", output=PAGE, source="operator"))
        assert "18 MWh" in bank.recall("What does the Harbour Point battery store?").text
        assert "four turbines" in bank.recall("turbines of the tidal station").text
        counted = sum(usage.calls + usage.failed_calls for usage in bank.usage.spent.values())
    questions = {json.dumps(request.messages[1], sort_keys=True) for request in chat.requests}
    assert 0 < len(chat.requests) <= 2 * len(questions)
    assert counted == len(chat.requests)


@bad_models
@pytest.mark.parametrize("language", ["en", "zh"])
def test_long_term_memory_keeps_every_text_and_counts_what_failed(
    answer: Callable[[ChatRequest], str], language: str
) -> None:
    chat, facts = ScriptedChatModel(answer), FACTS[language]
    with LongTermMemory(judge=PromptedJudge(chat)) as memory:
        for fact in facts:
            assert memory.write(fact, namespace="user_profile/u").status == "inserted"
        assert memory.stats().failures == {"judging": len(facts) - 1}
        assert sorted(record.content for record in memory.records("user_profile/u")) == sorted(facts)
    assert len(chat.requests) <= 2 * (len(facts) - 1)


@pytest.mark.parametrize("relation", ["same", "changed", "conflict"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_one_verdict_on_everything_loses_no_text_that_shares_no_word_with_another(relation: str, language: str) -> None:
    def always(request: ChatRequest) -> str:
        shown = json.loads(str(request.messages[1]["content"]))
        told = {"about_earlier": "the user", "about_later": "the user", "only_one": True, "relation": relation}
        quotes = [{"n": each["n"], "quote_earlier": each["text"]} for each in shown["earlier"]]
        return json.dumps({"verdicts": [{**told, **each, "quote_later": shown["later"]["text"]} for each in quotes]})

    with LongTermMemory(judge=PromptedJudge(ScriptedChatModel(always))) as memory:
        for fact in FACTS[language]:
            memory.write(fact, namespace="user_profile/u")
        records = memory.records("user_profile/u")
        earlier = [old for each in records for old in memory.history(each.id, namespace="user_profile/u")]
        held = "\n".join(each.content for each in [*records, *earlier])
    assert [fact for fact in FACTS[language] if fact not in held] == []


@pytest.mark.parametrize("word", ["cheese ", "奶酪"])
def test_a_judge_is_asked_in_bounds_about_statements_of_any_length_and_number(word: str) -> None:
    chat, long = ScriptedChatModel(lambda _: '{"verdicts": []}'), word * (200_000 // len(word))
    earlier = tuple(Statement(text=f"{number} {long[:20_000]}") for number in range(8))
    answer = PromptedJudge(chat).judge(JudgeRequest(later=Statement(text=long), earlier=earlier))
    assert [each.relation for each in answer.verdicts] == ["neither"] * 8
    (asked,) = chat.requests
    assert estimate_tokens(str(asked.messages[1]["content"])) < Settings().agent_window


@pytest.mark.parametrize("line", ["Ann Roe walked on through the rain. ", "安若冒雨往前走。"])
def test_an_observation_of_200_000_characters_is_curated_in_one_bounded_call(line: str) -> None:
    chat, text = ScriptedChatModel(lambda _: '{"statements": []}'), line * (200_000 // len(line))
    PromptedCurator(chat).curate(CuratorRequest(task="Who wrote Salt Roads?", action="visit[x]", observation=text))
    (asked,) = chat.requests
    assert estimate_tokens(str(asked.messages[1]["content"])) < Settings().agent_window
