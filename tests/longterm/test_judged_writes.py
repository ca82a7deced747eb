"""What becomes of a write when a judge says how it stands to what is remembered."""

from __future__ import annotations

import pytest

from amb_core.agent_io import JudgeAnswer, JudgeRequest, StatementRelation, Verdict
from amb_core.errors import ModelUnavailable
from amb_core.longterm import LongTermMemory

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


def test_what_a_judge_calls_the_same_confirms_the_record_that_is_there() -> None:
    earlier, later = "Call me in the afternoon.", "Afternoons are best for a call."
    with LongTermMemory(judge=Knowing((earlier, later, "same"))) as memory:
        first = memory.write(earlier, namespace=NS)
        second = memory.write(later, namespace=NS)
        assert (second.status, second.id) == ("skipped", first.id)
        assert [each.content for each in memory.records(NS)] == [earlier]


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


def test_a_judge_is_asked_once_for_a_write_and_not_for_an_exact_repeat_or_an_empty_memory() -> None:
    judge = Knowing()
    with LongTermMemory(judge=judge) as memory:
        for text in ("I like tea.", "My bike is red.", "I like tea.", "We have two dogs."):
            memory.write(text, namespace=NS)
    assert [len(request.earlier) for request in judge.asked] == [1, 2]


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
