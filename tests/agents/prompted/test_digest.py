"""The fused digest: one call for a tool result, nothing altered, nothing invented, and no contradiction talked away."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from amb_bench.doubles.local_chat import LocalChatModel

from amb_agents.prompted import llm_agents
from amb_chat import ScriptedChatModel
from amb_chat.token_figures import response_format
from amb_core import MemoryBank, Settings, ToolResult
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import ModelUnavailable
from amb_core.text.exact_tokens import exact_counter
from amb_core.text.tokens import request_tokens

FIRST = {
    "en": "The Harbour Point battery has a usable capacity of 18 MWh. It stands beside the old gas works in Leith.",
    "zh": "青屿海水淡化厂的日产水量为8万吨。工厂建在旧盐场旁边。",
}
OTHER = {
    "en": "The Harbour Point battery has a usable capacity of 12 MWh. Gulls are the loudest thing on the quay.",
    "zh": "青屿海水淡化厂的日产水量为5万吨。参观者很多。",
}
LONG = "The quay of Lyness was built in 1901 by Orr and Sons. It is 80 metres long and 9 metres wide. " * 4
PIERS = {
    "en": "Pier {n} of the Lyness quay is {w} metres wide and was rebuilt by Orr and Sons. ",
    "zh": "莱尼斯码头的{n}号栈桥宽{w}米，由奥尔公司重建。",
}
GOAL = {"en": "What is the capacity?", "zh": "日产水量是多少？"}


def topic(told: dict[str, Any], **changes: Any) -> dict[str, Any]:
    numbers = [paragraph["n"] for paragraph in told["paragraphs"]]
    return {"paragraphs": numbers, "topic": "A thing", "keywords": [], "summary": "", **changes}


def related(told: dict[str, Any], **said: Any) -> dict[str, Any]:
    return {"topics": [topic(told)], "relations": [{"topic": 1, "id": one["id"], **said} for one in told["candidates"]]}


def scripted(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> ScriptedChatModel:
    """A model that answers the digest as told and no other role."""

    def reply(request: ChatRequest) -> Any:
        if request.purpose != "digest":
            return ModelUnavailable("not now")
        told = answer(json.loads(str(request.messages[1]["content"])))
        return json.dumps(told if "topics" in told else {"topics": [told]}, ensure_ascii=False)

    return ScriptedChatModel(reply)


def digests(chat: ScriptedChatModel) -> list[ChatRequest]:
    return [request for request in chat.requests if request.purpose == "digest"]


def read(bank: MemoryBank, text: str, source: str = "a") -> Any:
    return bank.absorb(ToolResult(tool="read", output=text, source=source))


def real_cost(chat: ScriptedChatModel, report: Any) -> int:
    """The tokens that the calls for a result have by the tokenizer of o200k, what was answered by estimate."""
    pytest.importorskip("quicktok")
    asked = chat.requests[-report.llm_calls :]
    count = exact_counter("o200k")
    prompts = (request_tokens(one.messages, beside=[response_format(one)], count=count) for one in asked)
    return sum(prompts) + int(report.usage.completion_tokens)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("sentences", [4, 20, 60])
def test_a_novel_result_costs_two_and_a_half_times_its_length_and_1500_tokens(sentences: int, language: str) -> None:
    texts = ["".join(PIERS[language].format(n=n, w=w + n) for n in range(sentences)) for w in (100, 300)]

    def answer(material: dict[str, Any]) -> dict[str, Any]:
        text = "".join(paragraph["text"] for paragraph in material["paragraphs"])
        related = {
            "same_subject": True,
            "same_attribute": True,
            "incompatible": False,
            "related": True,
            "reason": "one quay",
        }
        relations = [{"topic": 1, "id": one["id"], **related} for one in material["candidates"]]
        return {"topics": [topic(material, summary=text[: len(text) * 2 // 5])], "relations": relations}

    chat = scripted(answer)
    with MemoryBank(GOAL[language], agents=llm_agents(chat)) as bank:
        for text, source in zip(texts, "ab", strict=True):
            report = read(bank, text, source)
            assert report.llm_calls == 1
            assert real_cost(chat, report) <= 2.5 * exact_counter("o200k")(text) + 1_500


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_contradiction_the_program_sees_stays_one_whatever_the_model_says(language: str) -> None:
    def denies(told: dict[str, Any]) -> dict[str, Any]:
        looked = {"same_subject": True, "same_attribute": True, "incompatible": False, "related": True, "reason": "ok"}
        return related(told, **looked)

    with MemoryBank(GOAL[language], agents=llm_agents(scripted(denies))) as bank:
        read(bank, FIRST[language])
        assert len(read(bank, OTHER[language], "b").conflicts) == 1


def test_a_contradiction_in_words_of_its_own_is_the_models_to_find() -> None:
    def finds(told: dict[str, Any]) -> dict[str, Any]:
        quotes = {"quote_new": "Nobody ever drew a volt from it.", "quote_candidate": "It lights the whole town."}
        said = {"same_subject": True, "same_attribute": True, "incompatible": True, "related": True, **quotes}
        return related(told, **said)

    with MemoryBank("Does the dynamo work?", agents=llm_agents(scripted(finds))) as bank:
        read(bank, "The dynamo stands in the mill. It lights the whole town.")
        [conflict] = read(bank, "The dynamo in the mill is a fraud. Nobody ever drew a volt from it.", "b").conflicts
        assert conflict.node_ids == ("n1", "n2")


PIER = "Pier {n} of Lyness is {n}7 metres long and has {n}3 bollards."


def test_a_result_over_the_window_is_digested_part_by_part() -> None:
    settings = Settings(agent_window=600)
    chat = LocalChatModel()
    text = "\n\n".join(PIER.format(n=n) for n in range(60))
    with MemoryBank("How long is it?", agents=llm_agents(chat, settings=settings), settings=settings) as bank:
        report = read(bank, text)
        assert set(bank.usage.spent) == {"planning", "digest"}
        assert report.llm_calls > 1
        assert "597 metres" in bank.recall("How long is pier 59 of Lyness?").text


def test_a_window_full_of_white_space_is_asked_about_by_nobody() -> None:
    settings = Settings(agent_window=600)
    chat = scripted(topic)
    with MemoryBank("How long is it?", agents=llm_agents(chat, settings=settings), settings=settings) as bank:
        read(bank, PIER.format(n=1) + "\n \n" * 4_000 + PIER.format(n=2))
    asked = [json.loads(str(request.messages[1]["content"]))["paragraphs"] for request in digests(chat)]
    assert all(asked)


def test_a_part_that_fails_is_done_locally_with_those_behind_it_and_nothing_is_lost() -> None:
    settings = Settings(agent_window=600)
    text = "\n\n".join(PIER.format(n=n) for n in range(60))
    asked: list[int] = []

    def first_part_only(told: dict[str, Any]) -> dict[str, Any]:
        asked.append(len(told["paragraphs"]))
        return topic(told) if len(asked) == 1 else {"topics": []}

    chat = scripted(first_part_only)
    with MemoryBank("How long is it?", agents=llm_agents(chat, settings=settings), settings=settings) as bank:
        read(bank, text)
        assert len(asked) == 3  # the second part is asked for once more, the third never
        assert bank.usage.fallback_reasons["digest"]["part"] > 1
        assert "597 metres" in bank.recall("How long is pier 59 of Lyness?").text


def test_clusters_are_condensed_at_the_same_time() -> None:
    together = threading.Barrier(2, timeout=20)

    class Meeting:
        model, endpoint = "meeting", "here"

        def complete(self, request: ChatRequest) -> ChatReply:
            told = json.loads(request.messages[-1]["content"])
            if request.purpose == "classification":
                topics = [topic(told, paragraphs=[number]) for number in (1, 2)]
                return ChatReply(text=json.dumps({"topics": topics}))
            together.wait()
            return ChatReply(text=json.dumps({"summary": told["content"]}))

    chat = {"classification": Meeting(), "structure": Meeting()}
    with MemoryBank("Where is it?", agents=llm_agents(chat)) as bank:
        assert len(read(bank, f"{LONG}\n\n{LONG.replace('Lyness', 'Oban')}").node_ids) == 2
        assert bank.usage.fallbacks == {}


@pytest.mark.parametrize(
    ("topic_told", "kept"),
    [
        ("gas works in Leith beside the Harbour Point battery", "gas works in Leith beside the Harbour Point battery"),
        ("a quay that Orr and Sons rebuilt", "A thing"),  # words of the other note
        ("usable capacity of 81 MWh", "A thing"),  # a figure of nobody's
    ],
)
def test_a_related_note_gets_a_sharper_topic_in_its_own_words(topic_told: str, kept: str) -> None:
    looked = {"same_subject": False, "same_attribute": False, "incompatible": False, "related": True, "reason": "near"}

    chat = scripted(lambda told: related(told, topic_candidate=topic_told, **looked))
    with MemoryBank("Where is it?", agents=llm_agents(chat)) as bank:
        read(bank, FIRST["en"])
        read(bank, "The quay of Harbour Point was rebuilt by Orr and Sons. It is 80 metres long.", "b")
        assert (bank.node("n1").context, bank.node("n1").links) == (kept, ("n2",))
