"""The goal follows the talk: a new question of the user's opens an Insight Doc, an answer to the agent's does not."""

from __future__ import annotations

from typing import Any

import pytest

from amb_core import ContextAdapter, InvalidInput, MemoryBank, ToolResult

WAVES, LAMPS = (
    "How high were the waves at each lighthouse?",
    "And which lamps are lit at night in the northern harbour?",
)
WAVES_ZH, FERRY_ZH = "各个灯塔测得的浪高是多少？", "哪一班渡轮最早从上海出发去舟山？"


def _talk(*said: str) -> list[dict[str, Any]]:
    """The user first, then in turn; before each of the agent's words it has called a tool."""
    chat: list[dict[str, Any]] = [{"role": "user", "content": said[0]}]
    for at in range(1, len(said)):
        if at % 2:
            call = {"id": f"c{at}", "type": "function", "function": {"name": "fetch", "arguments": f'{{"n": {at}}}'}}
            chat.append({"role": "assistant", "content": "", "tool_calls": [call]})
            chat.append(
                {"role": "tool", "tool_call_id": f"c{at}", "content": "The waves at Skerry were 2 metres high."}
            )
        chat.append({"role": "assistant" if at % 2 else "user", "content": said[at]})
    return chat


def _goal(*said: str) -> str:
    bank = MemoryBank(said[0])
    ContextAdapter(bank).prepare(_talk(*said))
    return bank.insight.task_goal


@pytest.mark.parametrize(
    ("said", "answer", "then"),
    [
        (WAVES, "All log books are read.", LAMPS),
        (WAVES, "All log books are read. Is there anything else I can help with?", LAMPS),
        (WAVES_ZH, "都读完了。", FERRY_ZH),
    ],
)
def test_a_new_question_is_the_goal(said: str, answer: str, then: str) -> None:
    assert _goal(said, answer, then) == then


@pytest.mark.parametrize(
    ("said", "answer", "then"),
    [
        (
            WAVES,
            "Which of the lighthouses do you mean?",
            "Skerry, Holm, Ness, Calder, Dunmore and Elston.",
        ),
        (
            WAVES,
            "Please tell me which lighthouses I should read.",
            "The ones that Abel Moss kept before the great war.",
        ),
        (WAVES, "All log books are read.", "Thank you so much for your help!"),
        (WAVES, "All log books are read.", "What about Skerry?"),
        (WAVES_ZH, "您指的是哪些灯塔？", "礁石、月牙、白沙和青屿，都是北边的。"),
        (WAVES_ZH, "都读完了。", "谢谢你的帮助！"),
    ],
)
def test_an_answer_thanks_or_a_word_more_change_nothing(said: str, answer: str, then: str) -> None:
    assert _goal(said, answer, then) == said


@pytest.mark.parametrize(
    ("said", "answer", "then"),
    [
        (WAVES, "All log books are read.", "Then plot those of Skerry and Holm by month in a coloured chart."),
        (WAVES, "I need the number of your library card.", "Card 300-27-19, issued in Bergen in the spring of 1984."),
        (WAVES, "All log books are read.", "Great, that saved me hours of work today, have a nice evening!"),
        (WAVES_ZH, "都读完了。", "那就把礁石和月牙两处按月份画成一张彩色的图表。"),
        (WAVES_ZH, "我需要您的借书证号码。", "借书证号码是300-27-19，1984年春天在舟山图书馆办理的。"),
    ],
)
def test_what_refers_to_the_talk_goes_on_with_it(said: str, answer: str, then: str) -> None:
    assert _goal(said, answer, then) == said


def test_a_wrong_change_loses_nothing_of_what_was_asked_and_found() -> None:
    bank = MemoryBank(WAVES)
    adapter = ContextAdapter(bank)
    adapter.absorb([ToolResult(tool="read", output="The waves at Skerry were 2 metres high.", call_id="c1")])
    before = bank.snapshot()
    bank.host.change_goal("Sort by month.")
    after, shown = bank.snapshot(), str(adapter.prepare(_talk(WAVES, "All are read.", "Sort by month.")))
    assert (after.entries, after.nodes) == (before.entries, before.nodes)
    assert [doc.task_goal for doc in bank.insight.earlier] == [WAVES]
    assert WAVES in shown, "the first question stands in the request"
    assert "2 metres" in bank.recall(WAVES).text


def test_what_is_said_while_the_agent_works_is_no_new_question() -> None:
    bank = MemoryBank(WAVES)
    ContextAdapter(bank).prepare([*_talk(WAVES, "x")[:-1], {"role": "user", "content": LAMPS}])
    assert bank.insight.task_goal == WAVES


def test_the_earlier_question_is_kept_with_its_steps_and_no_plan_of_it_stands() -> None:
    bank = MemoryBank(WAVES)
    adapter = ContextAdapter(bank)
    adapter.absorb([ToolResult(tool="read", output="The waves at Skerry were 2 metres high.", call_id="c1")])
    bank.plan()
    pending = bank.insight.pending
    chat = _talk(WAVES, "All log books are read.", LAMPS)
    for _ in range(3):
        shown = adapter.prepare(chat)
    assert [doc.task_goal for doc in bank.insight.earlier] == [WAVES]
    assert bank.insight.earlier[0].pending == pending
    assert pending is None or pending.description not in str(shown)
    assert bank.plan().task_goal == LAMPS
    assert len(bank.snapshot().entries) == 1, "what was found stays memory"


def test_the_goal_is_what_it_was_after_a_restart(tmp_path: Any) -> None:
    store = f"sqlite:///{tmp_path}/task.db"
    with MemoryBank(WAVES, store=store) as bank:
        ContextAdapter(bank).prepare(_talk(WAVES, "All log books are read.", LAMPS))
    with MemoryBank.resume(store) as again:
        assert again.insight.task_goal == LAMPS
        assert [doc.task_goal for doc in again.insight.earlier] == [WAVES]


def test_the_goal_stays_where_it_is_not_to_follow_or_a_loop_works_on_it() -> None:
    chat = _talk(WAVES, "All log books are read.", LAMPS)
    kept, looped = MemoryBank(WAVES), MemoryBank(WAVES)
    ContextAdapter(kept, follows_talk=False).prepare(chat)
    looped.host.begin_step()
    ContextAdapter(looped).prepare(chat)
    assert kept.insight.task_goal == looped.insight.task_goal == WAVES


def test_a_goal_can_be_changed_by_hand() -> None:
    bank = MemoryBank(WAVES)
    assert bank.host.change_goal(LAMPS).task_goal == LAMPS
    assert bank.host.change_goal(LAMPS).earlier == bank.insight.earlier
    with pytest.raises(InvalidInput, match="the new goal is empty"):
        bank.host.change_goal(" ")
