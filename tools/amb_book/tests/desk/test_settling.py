"""From a task to the book's memory: proposed from the whole queue, corrected, confirmed, and nothing half-settled."""

from __future__ import annotations

import json

import pytest
from amb_book.desk import Desk, Proposal, Reply
from amb_book.story import Story

from amb_core.clock import ManualClock

MOVED = {"subject": "Lin Yue", "relation": "IS_AT", "object": "Sarn"}
DEAD = {"status": {"of": "Lin Yue", "is": "dead"}}


def proposed(reply: Reply) -> Proposal:
    assert reply.proposal is not None, reply.text
    return reply.proposal


def task_with(desk: Desk, *statements: dict, title: str = "the gate of chapter 3") -> Proposal:
    """A task in which an author wrote statements, up to what is proposed of it."""
    desk.send(f"/new {title}")
    for statement in statements:
        desk.send(json.dumps(statement, ensure_ascii=False))
    return proposed(desk.send("/settle"))


def kinds(proposal: Proposal) -> list[list[str]]:
    return [[clash.kind for clash in row.clashes] for row in proposal.rows]


def test_in_chinese_too(desk: Desk, story: Story) -> None:
    desk.send("[开始新任务：设定人物“林月”]")
    desk.send('{"subject": "林月", "relation": "IS_AT", "object": "青云山"}')
    reply = desk.send("[结算并关闭任务：设定人物“林月”]")
    assert "林月" in reply.text
    assert "将取代" in reply.text
    assert desk.send("/确认 3").kind == "settled"
    assert story.facts.about("林月").place == "青云山"


def test_corrections_are_kept_before_anything_is_confirmed(desk: Desk) -> None:
    proposal = task_with(desk, DEAD)
    reply = desk.correct(proposal.id, statements=[MOVED, {"nonsense": 1}], chapter=2)
    assert kinds(proposed(reply)) == [["replaces"], ["invalid"]]
    assert desk.proposal(proposal.id).statements == [MOVED, {"nonsense": 1}]


def test_how_statements_stand_to_what_is_settled_is_shown_first(desk: Desk) -> None:
    known = {"status": {"of": "Lin Yue", "is": "wounded"}}
    aged = {"entity": "Lin Yue", "kind": "character", "properties": {"age": 20}}
    hook = {"hook": "the broken jade", "status": "Resolved"}
    lore = {"lore": "the Harbour", "text": "It never freezes."}
    plan = {"plan": "gate", "status": "InProgress"}
    proposal = task_with(desk, known, aged, MOVED, hook, lore, plan)
    assert kinds(proposal) == [["known"], ["replaces"], ["replaces"], ["replaces"], ["replaces"], ["replaces"]]
    assert "Lin Yue IS_AT the Harbour" in proposal.rows[2].clashes[0].text


@pytest.mark.parametrize("chapter", [0, -1, True, "3"])
def test_a_chapter_that_is_none_is_refused(desk: Desk, chapter: int) -> None:
    reply = desk.confirm(task_with(desk, DEAD).id, chapter=chapter)
    assert reply.error is not None
    assert reply.error.kind == "invalid"


def test_a_plan_part_that_cannot_be_is_refused_with_nothing_half_settled(desk: Desk, story: Story) -> None:
    proposal = task_with(desk, MOVED, {"plan": "walls", "status": "Completed"})
    reply = desk.confirm(proposal.id)
    assert reply.error is not None
    assert reply.error.kind == "invalid"
    assert story.facts.about("Lin Yue").place == "the Harbour"
    assert desk.proposal(proposal.id).state == "open"
    assert desk.confirm(proposal.id, statements=[MOVED]).kind == "settled"


def test_a_discarded_proposal_opens_the_task_again(desk: Desk, story: Story) -> None:
    proposal = task_with(desk, DEAD)
    assert desk.send("/discard").kind == "discarded"
    assert desk.send("no, she lives").error is None
    assert desk.confirm(proposal.id).kind == "error"
    assert story.facts.about("Lin Yue").status == "wounded"
    assert proposed(desk.send("/settle")).id != proposal.id


def test_a_task_without_anything_to_settle_is_closed_as_it_is(desk: Desk, story: Story) -> None:
    desk.send("/new thoughts")
    assert proposed(desk.send("/settle")).rows == ()
    assert desk.send("/confirm").kind == "settled"
    assert story.position().chapter == 2
    assert [task.state for task in desk.tasks()] == ["closed"]


def test_while_a_proposal_waits_nothing_more_is_said_in_the_task(desk: Desk) -> None:
    proposal = task_with(desk, DEAD)
    for line in ("one more thing", "/settle", "/restart 1"):
        reply = desk.send(line)
        assert reply.error is not None
        assert reply.error.kind == "being_settled"
        assert reply.proposal is not None
        assert reply.proposal.id == proposal.id


def test_a_task_that_is_restarted_the_next_day_has_the_facts_of_that_day(
    desk: Desk, story: Story, clock: ManualClock
) -> None:
    task_with(desk, MOVED)
    desk.send("/confirm")
    clock.advance(23 * 3_600)
    desk.send("/new something else of chapter 4")
    desk.send(json.dumps({**MOVED, "object": "the Ford"}))
    desk.send("/settle")
    desk.send("/confirm")
    reply = desk.send("[重启任务：the gate of chapter 3]")
    assert "Lin Yue IS_AT the Ford" in reply.text
    assert "something else" not in reply.text
    assert desk.send("and now?").error is None
    again = proposed(desk.send("/settle"))
    assert kinds(again) == [["known"]]
    assert again.id != "author:t1:3"


def test_tasks_in_memory_that_lost_their_count_never_settle_under_an_old_id(story: Story) -> None:
    first = story.desk(queues="memory://")
    one = task_with(first, MOVED)
    first.send("/confirm")
    second = story.desk(queues="memory://")
    other = task_with(second, DEAD, title="chapter 4")
    second.send("/confirm")
    assert one.id != other.id
    assert story.facts.about("Lin Yue").status == "dead"


@pytest.mark.parametrize("title", ["outline of chapter 50", "第五十章大纲"])
def test_what_is_only_planned_or_lore_does_not_move_the_position(title: str) -> None:
    story = Story(None)
    desk = story.desk()
    plan = {"plan": "war", "kind": "general_outline", "title": "The war"}
    proposal = task_with(desk, plan, {"lore": "Sarn", "text": "A town of bells."}, title=title)
    assert proposal.chapter == 1
    assert desk.send("/confirm").kind == "settled"
    assert (story.position().chapter, story.plan.part("war").title) == (0, "The war")


def test_plain_sentences_of_the_author_are_drafts_to_correct_and_the_last_word_counts(desk: Desk, story: Story) -> None:
    desk.send("/new who they are")
    for said in ("张三今年三十岁。", "Corvin lives at Blackwater Deep. Should Corvin die?", "不对，张三今年三十一岁。"):
        desk.send(said)
    desk.send("Mira owns the Night Sword. 张三是青云宗的弟子，住在望江城。")
    proposal = proposed(desk.send("[结算并关闭任务：who they are]"))
    assert proposal.statements == [
        {"subject": "Corvin", "relation": "LIVES_AT", "object": "Blackwater Deep"},
        {"entity": "张三", "kind": "character", "properties": {"年龄": "三十一"}},
        {"subject": "Mira", "relation": "OWNS", "object": "Night Sword"},
        {"subject": "张三", "relation": "MEMBER_OF", "object": "青云宗", "properties": {"role": "弟子"}},
        {"subject": "张三", "relation": "LIVES_AT", "object": "望江城"},
    ]
    assert proposal.rows[0].evidence == "Corvin lives at Blackwater Deep."
    assert all(row.confidence < 1 for row in proposal.rows)
    assert desk.send("/confirm").kind == "settled"
    assert story.facts.about("Mira").entity.name == "Mira"


@pytest.mark.parametrize(
    ("said", "draft"),
    [
        ("The silver lantern belongs to Orrin.", {"subject": "Orrin", "relation": "OWNS", "object": "silver lantern"}),
        ("Orrin is married to Edda.", {"subject": "Orrin", "relation": "MARRIED_TO", "object": "Edda"}),
        ("青霜剑属于赵云。", {"subject": "赵云", "relation": "OWNS", "object": "青霜剑"}),
        ("周瑶会御剑术。", {"subject": "周瑶", "relation": "HAS_ABILITY", "object": "御剑术"}),
        ("赵云加入了青云门。", {"subject": "赵云", "relation": "MEMBER_OF", "object": "青云门"}),
        ("赵云会离开枫桥镇。", None),
    ],
)
def test_each_relation_of_the_table_has_a_plain_sentence(desk: Desk, said: str, draft: dict[str, str] | None) -> None:
    desk.send("/new who they are")
    desk.send(said)
    proposal = desk.send("/settle").proposal
    assert (list(proposal.statements) if proposal else []) == ([] if draft is None else [draft])


def test_a_settlement_of_nothing_locks_no_task(desk: Desk) -> None:
    desk.send("/new an idea")
    desk.send("good morning")
    assert proposed(desk.send("/settle")).rows == ()
    assert desk.send("Corvin lives at Blackwater Deep.").error is None
    assert [row.evidence for row in proposed(desk.send("/settle")).rows] == ["Corvin lives at Blackwater Deep."]


def test_what_was_agreed_is_proposed_confirmed_and_settled(desk: Desk, story: Story) -> None:
    proposal = task_with(desk, MOVED, DEAD)
    assert (proposal.chapter, proposal.statements) == (3, [MOVED, DEAD])
    assert [name for row in proposal.rows for name in row.new] == ["Sarn"]
    assert story.facts.about("Lin Yue").place == "the Harbour"
    reply = desk.send("/confirm")
    assert reply.kind == "settled"
    assert (story.facts.about("Lin Yue").place, story.facts.about("Lin Yue").status) == ("Sarn", "dead")
    assert story.position().chapter == 3
    assert [task.state for task in desk.tasks()] == ["closed"]
    assert story.log.get(proposal.id).task == "t1"


def test_what_cannot_be_read_is_refused_and_nothing_is_settled(desk: Desk, story: Story) -> None:
    proposal = task_with(desk, DEAD)
    reply = desk.confirm(proposal.id, statements=[MOVED, {"subject": "Lin Yue"}])
    assert reply.error is not None
    assert reply.error.kind == "invalid"
    assert story.facts.about("Lin Yue").place == "the Harbour"
    assert [task.state for task in desk.tasks()] == ["settling"]
