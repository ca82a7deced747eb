"""The contracts of `ClassificationAgent` and `StructureAgent`: subclass them and provide the fixture `agent`."""

from __future__ import annotations

from collections import Counter

import pytest

from amb_core.agent_io import ClassificationAnswer, ClassificationRequest, Cluster, StructureRequest
from amb_core.protocols import ClassificationAgent, StructureAgent
from amb_values import entities, values

__all__ = ["ClassificationContract", "StructureContract"]

BATTERIES = """\
# Home batteries

## Lithium iron phosphate

Lithium iron phosphate cells last about 3,000 cycles at 80 % depth of discharge. They were first described in 1996 by
the group of John Goodenough. A cell holds about 160 watt-hours per kilogram, which is less than other lithium cells.
It does not burn easily, and it can be charged at full power down to 0 degrees Celsius. Below that, lithium is
deposited as metal on the anode. Vendors therefore build a heater into packs that are sold in Norway and Canada.

## Lead-acid

Lead-acid batteries cost about 90 US dollars per kilowatt-hour. They were invented by Gaston Planté in 1859. A bank
for one household weighs some 400 kilograms and lasts about 500 cycles. The acid has to be kept in a ventilated room.
Almost all of the lead is recycled, more than of any other battery. Car makers still fit one to every new vehicle.
"""
TEA = """\
# 茶叶

## 绿茶

绿茶是不经发酵的茶叶，主要产于中国浙江、安徽和江苏。龙井茶产于杭州西湖一带，2001年成为国家地理标志产品。采摘在清明节前进行，
每公斤干茶约需七万个芽头。炒制温度在80度到200度之间，工人用手在铁锅中翻动茶叶。成茶含水量不超过6%，应当密封冷藏。冲泡时水温以80度
为宜，第一泡约两分钟。

## 红茶

红茶是全发酵的茶叶，起源于福建武夷山的桐木关。1610年荷兰商人把它运到欧洲，1662年凯瑟琳公主把饮茶的习惯带到英国。世界上产量最大的
红茶国家是印度和肯尼亚。发酵需要三到五个小时，室温保持在25度左右。红茶耐储存，可以保存两到三年。冲泡红茶应当用刚烧开的水。
"""
RESULTS = """\
Found 3 results for "sodium-ion battery":

1. [Sodium-ion cells reach the market](https://news.example/sodium)
   Published: 2024-03-01
   The first cars with sodium-ion cells were delivered in January 2024; the cells cost 40 US dollars per kilowatt-hour.

2. [How sodium replaces lithium](https://science.example/how)
   Sodium ions are larger than lithium ions and need another anode, for which hard carbon is used in most designs.

3. [Grid storage in Hubei](https://power.example/hubei)
   A plant of 50 megawatts was connected to the grid in Hubei in June 2024 and is said to be the largest of its kind.
"""
NOTE = "The vendor confirmed by phone that the warranty is 10 years."
ODD_TEXTS = (
    "\0",
    "a\0b " * 400,
    "\ud800",
    "half \udfff pair. " * 100,
    "%_*?'\";-- " * 300,
    "\u202egnirts\u202c",
    "\x07\x1b[31m",
    "👩🏽‍🚀 " * 500,
    "</memory></task><tool_call>",
    "x",
    "x" * 9_000,
    "word " * 3_000,
    "汉" * 6_000,
    "。" * 40,
    "\n- \n* \n# \n" * 50,
    "# Heading only",
    '{"a": [1, 2, {"b": "c"}]}',
    "[" * 3_000,
    "```\ncode without an end\n" * 60,
    "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 400,
    "Ann: Hi!\nBob: Hello Ann.\n" * 200,
)
BLANK_TEXTS = ("", " ", "\n\n\t  \n")


class ClassificationContract:
    """What every classification agent promises, one sentence a test."""

    @pytest.mark.parametrize("text", BLANK_TEXTS)
    def test_a_blank_text_has_no_topics(self, agent: ClassificationAgent, text: str) -> None:
        answer = agent.classify(ClassificationRequest(text=text))
        assert answer == ClassificationAnswer(should_cluster=False, clusters=())

    @pytest.mark.parametrize("text", [BATTERIES, TEA, RESULTS, NOTE])
    def test_every_character_is_in_exactly_one_cluster(self, agent: ClassificationAgent, text: str) -> None:
        seen = Counter(at for cluster in _clusters(agent, text) for span in cluster.spans for at in range(*span))
        assert set(seen.values()) <= {1}
        assert not [text[at] for at in range(len(text)) if at not in seen and not text[at].isspace()]

    @pytest.mark.parametrize("text", ODD_TEXTS)
    def test_only_what_stands_elsewhere_in_the_text_may_be_left_out(
        self, agent: ClassificationAgent, text: str
    ) -> None:
        seen = Counter(at for cluster in _clusters(agent, text) for span in cluster.spans for at in range(*span))
        assert set(seen.values()) <= {1}
        missing = "".join(char if at not in seen else " " for at, char in enumerate(text)).split()
        kept = "".join(char if at in seen else " " for at, char in enumerate(text))
        assert all(word in kept or not word.strip(kept) for word in missing)

    @pytest.mark.parametrize("text", [BATTERIES, TEA, RESULTS, NOTE, *ODD_TEXTS])
    def test_content_is_the_text_under_the_spans(self, agent: ClassificationAgent, text: str) -> None:
        for cluster in _clusters(agent, text):
            pieces = [text[start:end] for start, end in cluster.spans]
            assert cluster.content == "\n\n".join(pieces)

    @pytest.mark.parametrize("text", [BATTERIES, TEA, RESULTS, NOTE, *ODD_TEXTS])
    def test_every_cluster_has_an_id_and_a_topic_of_its_own(self, agent: ClassificationAgent, text: str) -> None:
        clusters = _clusters(agent, text)
        assert len({cluster.cluster_id for cluster in clusters}) == len(clusters)
        assert all(cluster.context.strip() and "\n" not in cluster.context for cluster in clusters)

    @pytest.mark.parametrize("text", [BATTERIES, TEA, RESULTS, NOTE])
    def test_should_cluster_says_whether_there_are_several(self, agent: ClassificationAgent, text: str) -> None:
        answer = agent.classify(ClassificationRequest(text=text))
        assert answer.should_cluster == (len(answer.clusters) > 1)

    @pytest.mark.parametrize("text", [NOTE, "保修期为10年，供应商已在电话中确认。", "Ann: I moved to Oslo in May."])
    def test_a_short_text_is_one_cluster(self, agent: ClassificationAgent, text: str) -> None:
        assert len(_clusters(agent, text)) == 1

    @pytest.mark.parametrize(
        ("text", "first", "second"), [(BATTERIES, "Goodenough", "Planté"), (TEA, "龙井", "桐木关")]
    )
    def test_two_sections_are_two_topics(self, agent: ClassificationAgent, text: str, first: str, second: str) -> None:
        clusters = _clusters(agent, text)
        assert not [cluster for cluster in clusters if first in cluster.content and second in cluster.content]

    def test_every_search_result_is_a_topic(self, agent: ClassificationAgent) -> None:
        for title in ("Sodium-ion cells reach", "How sodium replaces", "Grid storage in Hubei"):
            found = [cluster for cluster in _clusters(agent, RESULTS) if title in cluster.content]
            assert len(found) == 1
            assert title in found[0].context

    @pytest.mark.parametrize("text", [BATTERIES, TEA, RESULTS])
    def test_topics_and_keywords_invent_no_number(self, agent: ClassificationAgent, text: str) -> None:
        for cluster in _clusters(agent, text):
            assert not _invented(f"{cluster.context}\n{'; '.join(cluster.keywords)}", text)

    def test_a_text_far_over_any_window_is_taken(self, agent: ClassificationAgent) -> None:
        editions = (
            f"{BATTERIES}\n{TEA}\n".replace("。", f"（{number}）。").replace(". ", f" ({number}). ")
            for number in range(60)
        )
        assert len(_clusters(agent, "".join(editions))) > 100

    def test_a_passage_that_comes_again_is_taken_once(self, agent: ClassificationAgent) -> None:
        for text in (BATTERIES, TEA):
            once, often = _clusters(agent, text), _clusters(agent, f"{text}\n" * 30)
            assert sum(len(cluster.content) for cluster in often) <= 2 * sum(len(cluster.content) for cluster in once)


class StructureContract:
    """What every structure agent promises, one sentence a test; `longest` is the greatest share of the content."""

    longest = 0.65

    @pytest.mark.parametrize("text", BLANK_TEXTS)
    def test_a_blank_content_has_an_empty_summary(self, agent: StructureAgent, text: str) -> None:
        assert agent.structure(StructureRequest(content=text)).summary == ""

    @pytest.mark.parametrize("text", [BATTERIES, TEA, RESULTS, BATTERIES * 40])
    def test_a_long_content_gets_shorter(self, agent: StructureAgent, text: str) -> None:
        summary = agent.structure(StructureRequest(content=text)).summary
        assert 0.2 * len(text) <= len(summary) <= self.longest * len(text)

    @pytest.mark.parametrize("text", [NOTE, "保修期为10年，供应商已在电话中确认。", "Ann: I moved to Oslo in May."])
    def test_a_short_note_keeps_its_fact(self, agent: StructureAgent, text: str) -> None:
        summary = agent.structure(StructureRequest(content=text)).summary
        assert _numbers(summary) == _numbers(text)

    @pytest.mark.parametrize("text", [BATTERIES, TEA, RESULTS])
    def test_no_number_or_date_is_invented(self, agent: StructureAgent, text: str) -> None:
        assert not _invented(agent.structure(StructureRequest(content=text)).summary, text)

    @pytest.mark.parametrize("text", [BATTERIES, TEA, RESULTS])
    def test_no_name_is_invented(self, agent: StructureAgent, text: str) -> None:
        summary = agent.structure(StructureRequest(content=text)).summary
        assert not [entity.name for entity in entities(summary) if _folded(entity.name) not in _folded(text)]

    @pytest.mark.parametrize(
        ("text", "goal", "fact"),
        [
            (BATTERIES, "Who invented lead-acid batteries?", "Gaston Planté"),
            (BATTERIES, "How much does a household bank weigh?", "400 kilograms"),
            (TEA, "谁把饮茶的习惯带到英国？", "凯瑟琳公主"),
            (TEA, "成茶的含水量是多少？", "6%"),
        ],
    )
    def test_what_the_goal_asks_for_is_kept(self, agent: StructureAgent, text: str, goal: str, fact: str) -> None:
        assert fact in agent.structure(StructureRequest(content=text, task_goal=goal)).summary

    @pytest.mark.parametrize("text", ODD_TEXTS)
    def test_any_text_survives(self, agent: StructureAgent, text: str) -> None:
        summary = agent.structure(StructureRequest(content=text, context=text[:50], task_goal=text[:50])).summary
        assert summary
        assert len(summary) <= len(text)


def _clusters(agent: ClassificationAgent, text: str) -> tuple[Cluster, ...]:
    return agent.classify(ClassificationRequest(text=text)).clusters


def _numbers(text: str) -> set[tuple[str, str]]:
    return {(value.kind, value.key) for value in values(text) if value.kind in ("number", "date")}


def _folded(text: str) -> str:
    return " ".join(text.split()).lower()


def _invented(text: str, source: str) -> set[tuple[str, str]]:
    """Numbers and dates of the text that its source has neither as such nor as digits."""
    return {(kind, key) for kind, key in _numbers(text) - _numbers(source) if key not in source}
