"""What is read off prose and talk without a model, and what is not."""

from __future__ import annotations

from typing import Any

import pytest
from amb_book.extraction import LocalExtractor
from amb_book.facts import FactGraph
from amb_book.plan import PlanGraph
from amb_book.statements import PlanStatement, Statement


def plain(statement: Statement) -> dict[str, Any]:
    return statement.model_dump(by_alias=True, exclude_defaults=True)


def read(text: str, book: FactGraph, *, chapter: int = 2) -> list[dict[str, Any]]:
    return [plain(each.statement) for each in LocalExtractor().extract(text, known=book, chapter=chapter)]


def relation(subject: str, name: str, other: str) -> dict[str, Any]:
    return {"subject": subject, "relation": name, "object": other}


def state(of: str, is_: str) -> dict[str, Any]:
    return {"status": {"of": of, "is": is_}}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Lin Yue rode back to the Harbour with Garrod.", relation("Lin Yue", "IS_AT", "the Harbour")),
        ("They carried Garrod home to Sarn.", relation("Garrod", "IS_AT", "Sarn")),
        ("In the morning the Fox was dead.", state("Lin Yue", "dead")),
        ("Garrod was thrown into a dungeon.", state("Garrod", "imprisoned")),
        ("Garrod gave the Jade Seal to Lin Yue.", relation("Lin Yue", "OWNS", "the Jade Seal")),
        ("Lin Yue stole the Jade Seal.", relation("Lin Yue", "OWNS", "the Jade Seal")),
        ("The Jade Seal belongs to Garrod.", relation("Garrod", "OWNS", "the Jade Seal")),
        ("Garrod joined the Azure Sect.", relation("Garrod", "MEMBER_OF", "the Azure Sect")),
        ("Lin Yue is now the leader of the Azure Sect.", relation("Lin Yue", "LEADS", "the Azure Sect")),
        ("Lin Yue and Garrod were married.", relation("Lin Yue", "MARRIED_TO", "Garrod")),
        ("Lin Yue is Garrod's younger sister.", relation("Garrod", "SIBLING_OF", "Lin Yue")),
        ("Garrod taught Lin Yue the Moon Step.", relation("Lin Yue", "HAS_ABILITY", "the Moon Step")),
        ("Garrod betrayed Lin Yue.", relation("Garrod", "BETRAYED", "Lin Yue")),
        ("林月连夜赶回望江城。", relation("林月", "IS_AT", "望江城")),
        ("沈砚把林月带到了望江城。", relation("林月", "IS_AT", "望江城")),
        ("林月死在沈砚剑下。", relation("沈砚", "KILLED", "林月")),
        ("沈砚被打入水牢。", state("沈砚", "imprisoned")),
        ("林月把照夜灯交给了沈砚。", relation("沈砚", "OWNS", "照夜灯")),
        ("沈砚拜入青云门。", relation("沈砚", "MEMBER_OF", "青云门")),
        ("林月做了青云门的掌门。", relation("林月", "LEADS", "青云门")),
        ("林月嫁给了沈砚。", relation("林月", "MARRIED_TO", "沈砚")),
        ("林月是沈砚的妹妹。", relation("沈砚", "SIBLING_OF", "林月")),
        ("沈砚学会了御剑术。", relation("沈砚", "HAS_ABILITY", "御剑术")),
        ("照夜灯碎了。", state("照夜灯", "destroyed")),
    ],
)
def test_a_fact_is_read_off_its_sentence(text: str, wanted: dict[str, Any], book: FactGraph) -> None:
    assert wanted in read(text, book)


@pytest.mark.parametrize(
    "text",
    [
        "Next chapter Lin Yue will die at the Harbour.",
        "I want Garrod to betray Lin Yue.",
        "If Lin Yue dies, Garrod weeps.",
        "Garrod never learned the Moon Step.",
        "Did Garrod kill Lin Yue?",
        "Write the scene where Garrod kills Lin Yue.",
        "Garrod dreamt that Lin Yue was dead.",
        "“Lin Yue is dead,” said the guard.",
        "Garrod might own the Jade Seal.",
        "They say that Garrod was killed.",
        "Garrod dies in chapter 41.",
        "下一章林月会死在望江城。",
        "我想让沈砚背叛林月。",
        "如果林月死了，沈砚会哭。",
        "林月从没学会御剑术。",
        "写一段沈砚杀了林月的戏。",
        "林月死了吗？",
        "沈砚梦见林月死了。",
        "据说林月死了。",
        "沈砚打算去望江城。",
        "第四十一章，林月死在望江城。",
    ],
)
def test_what_is_planned_asked_guessed_or_denied_is_no_fact(text: str, book: FactGraph) -> None:
    assert not [each for each in read(text, book) if "status" in each and "hook" not in each]
    assert not [each for each in read(text, book) if "relation" in each]


def test_new_people_come_before_what_is_said_of_them(book: FactGraph) -> None:
    text = "A new character: Mira Vane, a thief of twenty-three. Mira joined the Azure Sect."
    found = read(text, book)
    assert found[0]["entity"] == "Mira Vane"
    assert found[0]["kind"] == "character"
    assert found[0]["properties"]["trade"] == "thief"
    assert relation("Mira Vane", "MEMBER_OF", "the Azure Sect") in found[1:]
    book.settle(chapter=2, statements=found)


def test_new_people_are_found_in_chinese_too(book: FactGraph) -> None:
    found = read("新人物：韩飞，二十三岁。韩飞加入了青云门。", book)
    assert found[0] == {"entity": "韩飞", "kind": "character", "properties": {"age": 23}}
    assert found[1] == relation("韩飞", "MEMBER_OF", "青云门")
    book.settle(chapter=2, statements=found)


@pytest.mark.parametrize(
    "text", ["Lin Yue is nineteen.", "Lin Yue, aged 19, rose.", "Nineteen-year-old girls ran. Lin Yue turned 19."]
)
def test_ages_are_numbers(text: str, book: FactGraph) -> None:
    assert {"entity": "Lin Yue", "kind": "character", "properties": {"age": 19}} in read(text, book)


def test_other_names_are_aliases(book: FactGraph) -> None:
    english = read("People called Garrod the Iron Duke.", book)
    assert {"entity": "Garrod", "kind": "character", "aliases": ("the Iron Duke",)} in english
    chinese = read("沈砚今年十七，江湖人称提灯客。", book)
    assert {"entity": "沈砚", "kind": "character", "aliases": ("提灯客",)} in chinese


def test_evidence_is_the_sentence_word_for_word(book: FactGraph) -> None:
    text = "It rained.\n\n“Go!” said the Fox, and Garrod gave the Jade\nSeal to Lin Yue. 林月死了。"
    for each in LocalExtractor().extract(text, known=book, chapter=2):
        assert each.evidence
        assert each.evidence in text
        assert 0 < each.confidence <= 1


def test_what_the_facts_say_already_is_not_said_again(book: FactGraph) -> None:
    assert read("Lin Yue sat in Sarn.", book) == []


def test_the_last_place_of_a_chapter_is_where_one_is(book: FactGraph) -> None:
    found = read("Garrod rode to Sarn. Later Garrod came to the Harbour.", book)
    assert found == [relation("Garrod", "IS_AT", "the Harbour")]


def test_pronouns_are_read_only_where_one_person_can_be_meant(book: FactGraph) -> None:
    assert state("Garrod", "dead") in read("Garrod fell to his knees. He was dead.", book)
    assert read("Garrod struck Lin Yue. She was dead.", book) == []


def test_plans_become_parts_of_the_plan(book: FactGraph, plan: PlanGraph) -> None:
    text = "Next chapter Lin Yue will die at the Harbour."
    (bare,) = LocalExtractor(plan=plan).extract(text, known=book, chapter=2)
    assert isinstance(bare.statement, PlanStatement)
    assert bare.statement.kind == "general_outline"
    plan.settle(bare.statement)
    plan.add("long_outline", title="One")
    plan.add("short_outline", title="Two", id="two")
    (step,) = LocalExtractor(plan=plan).extract("后面林月会死在望江城。", known=book, chapter=2)
    assert isinstance(step.statement, PlanStatement)
    assert (step.statement.kind, step.statement.within) == ("step", "two")
    assert plan.settle(step.statement).status == "Pending"
    assert LocalExtractor(plan=plan).extract("后面林月会死在望江城。", known=book, chapter=2) == []


@pytest.mark.parametrize(
    ("text", "hook", "status"),
    [
        ("Hook: who sent the letter", "who sent the letter", "Unresolved"),
        ("The hook of the broken jade is resolved.", "the broken jade", "Resolved"),
        ("埋下伏笔：谁送来的信。", "谁送来的信", "Unresolved"),
        ("玉佩的秘密这个伏笔已经回收。", "玉佩的秘密", "Resolved"),
    ],
)
def test_hooks_are_laid_and_resolved_by_their_author(text: str, hook: str, status: str, book: FactGraph) -> None:
    assert {"hook": hook, "status": status} in read(text, book)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Garrod shot Lin Yue dead.", state("Lin Yue", "dead")),
        ("The fever killed Garrod.", state("Garrod", "dead")),
        ("Garrod took the night train to Sarn.", relation("Garrod", "IS_AT", "Sarn")),
        ("On reaching Sarn, Garrod slept.", relation("Garrod", "IS_AT", "Sarn")),
        ("Garrod sold the Jade Seal to Lin Yue.", relation("Lin Yue", "OWNS", "the Jade Seal")),
        ("Lin Yue is married to Garrod.", relation("Lin Yue", "MARRIED_TO", "Garrod")),
        ("Garrod freed Lin Yue.", state("Lin Yue", "free")),
    ],
)
def test_the_same_is_told_in_many_plain_ways(text: str, wanted: dict[str, Any], book: FactGraph) -> None:
    assert wanted in read(text, book)


@pytest.mark.parametrize("turn", ["No, make her thirty-two.", "Actually, make Lin Yue thirty-two."])
def test_a_value_that_a_later_turn_corrects_is_replaced(turn: str, book: FactGraph) -> None:
    ages = [each["properties"] for each in read(f"Lin Yue is thirty.\n\n{turn}", book) if "properties" in each]
    assert ages == [{"age": 32}]


@pytest.mark.parametrize("text", ["", "   \n", "<c0> {x} \x00 <l1>", "…", "“", "“”" * 50, "A" * 5_000, "林" * 5_000])
def test_any_text_is_taken(text: str, book: FactGraph) -> None:
    for each in LocalExtractor().extract(text, known=book, chapter=2):
        assert each.evidence in text


@pytest.mark.slow
def test_a_long_text_takes_time_in_its_length(book: FactGraph) -> None:
    import time

    piece = "Lin Yue walked on, and the rain fell. 林月走了，雨还在下。\n"
    spent = []
    for times in (200, 1_600):
        begun = time.process_time()
        LocalExtractor().extract(piece * times, known=book, chapter=2)
        spent.append(time.process_time() - begun)
    assert spent[1] < 40 * max(spent[0], 0.01)
