"""What becomes of a write when a judge says how it stands to what is remembered."""

from __future__ import annotations

import pytest

from amb_core.agent_io import JudgeAnswer, JudgeRequest, StatementRelation, Verdict
from amb_core.errors import ModelUnavailable
from amb_core.text import estimate_tokens
from amb_longterm import LongTermMemory
from amb_longterm.memory_block import memories_block

NS = "user_profile/u1"


class Knowing:
    """A judge that knows the right verdict on the statements of these tests."""

    def __init__(self, *known: tuple[str, str, StatementRelation]) -> None:
        self.known = {(earlier, later): relation for earlier, later, relation in known}
        self.asked: list[JudgeRequest] = []

    def judge(self, request: JudgeRequest) -> JudgeAnswer:
        self.asked.append(request)
        return JudgeAnswer(verdicts=tuple(self._verdict(one.text, request.later.text) for one in request.earlier))

    def _verdict(self, held: str, later: str) -> Verdict:
        for (earlier, told), relation in self.known.items():
            if told == later and earlier in held:
                return Verdict(relation=relation, attribute="it", quote_earlier=earlier, quote_later=later)
        return Verdict()


class Down:
    def judge(self, request: JudgeRequest) -> JudgeAnswer:
        raise ModelUnavailable("down")


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("I live in Antwerp, close to the zoo.", "We got the keys to the flat in Ghent on Saturday."),
        ("我在面包店上夜班。", "店里总算把我排到早班了。"),
    ],
)
def test_what_a_judge_calls_a_change_takes_the_place_of_that_sentence_alone(earlier: str, later: str) -> None:
    also = " My cat is called Mitzi." if earlier.isascii() else "我的猫叫咪咪。"
    with LongTermMemory(judge=Knowing((earlier, later, "changed"))) as memory:
        first = memory.write(earlier + also, namespace=NS)
        second = memory.write(later, namespace=NS)
        record = memory.get(first.id, namespace=NS)
        assert (second.status, second.id) == ("updated", first.id)
        assert record is not None
        assert earlier not in record.content
        assert also.strip() in record.content
        assert later in record.content
        assert memory.history(first.id, namespace=NS)[0].content == earlier + also


def test_two_sides_of_a_conflict_are_both_kept_and_named() -> None:
    earlier, later = "The pump takes 6,000 watts.", "According to the forum the pump needs 900 watts."
    with LongTermMemory(judge=Knowing((earlier, later, "conflict"))) as memory:
        first = memory.write(earlier, namespace=NS)
        second = memory.write(later, namespace=NS)
        record = memory.get(second.id, namespace=NS)
        assert second.status == "inserted"
        assert record is not None
        assert (record.group, record.disagreements[0].values) == (first.id, (earlier, later))
        assert len(memory.records(NS)) == 2


def test_a_judge_that_is_down_loses_nothing_and_is_counted() -> None:
    with LongTermMemory(judge=Down()) as memory:
        memory.write("I like tea.", namespace=NS)
        assert memory.write("I like green tea most.", namespace=NS).status == "inserted"
        assert memory.stats().failures == {"judging": 1}


def test_a_judge_sees_nothing_of_another_namespace() -> None:
    judge = Knowing()
    with LongTermMemory(judge=judge) as memory:
        memory.write("I live in Antwerp.", namespace=NS)
        memory.write("I live in Ghent.", namespace="user_profile/u2")
    assert judge.asked == []


class AllTheSame:
    """A judge that calls every two texts the same."""

    def judge(self, request: JudgeRequest) -> JudgeAnswer:
        return JudgeAnswer(verdicts=(Verdict(relation="same"),) * len(request.earlier))


@pytest.mark.parametrize(
    ("facts", "asked"),
    [
        (
            ["I'm allergic to peanuts.", "I'm allergic to shellfish.", "My cat is allergic to dust.", "I like dust."],
            "Am I allergic to shellfish?",
        ),
        (["我对花生过敏。", "我对虾过敏。", "我的猫对灰尘过敏。", "我喜欢虾。"], "我对虾过敏吗？"),
    ],
)
def test_a_judge_that_calls_everything_the_same_loses_nothing(facts: list[str], asked: str) -> None:
    with LongTermMemory(judge=AllTheSame()) as memory:
        for fact in facts:
            memory.write(fact, namespace=NS)
        records = memory.records(NS)
        told = [text for record in records for text in (record.content, *record.wordings)]
        assert sorted(told) == sorted(facts)
        (hit, *_) = memory.search(asked, namespace=NS)
        assert facts[1] in (hit.content, *hit.wordings)
        assert facts[1] in memories_block([hit], budget_tokens=200, language="en").text


def test_a_record_keeps_four_wordings_and_a_fifth_is_a_record_of_its_own() -> None:
    with LongTermMemory(judge=AllTheSame()) as memory:
        for number in range(6):
            memory.write(f"Call me in the {number}th hour.", namespace=NS)
        assert [len(record.wordings) for record in memory.records(NS)] == [4, 0]


def test_what_a_judge_reads_of_records_that_are_not_alike_is_bounded() -> None:
    judge = Knowing()
    with LongTermMemory(judge=judge) as memory:
        for number in range(40):
            memory.write(f"w{number} " * 60, namespace=NS)
        shown = [sum(estimate_tokens(one.text) for one in asked.earlier) for asked in judge.asked]
    assert max(shown) <= 1_200
