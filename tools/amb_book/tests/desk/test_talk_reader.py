"""A talk of any length is read as a whole: every decision, the last word of each, nothing that was withdrawn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from amb_book.desk import ReadOff, Turn
from amb_book.desk.talk_reader import TalkReader
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
from amb_core.chat_io import ChatRequest
from amb_core.errors import ModelUnavailable
from amb_core.usage import Ledger, accounting

Decision = list[tuple[str, str, str]]
"""What a line says: subject, attribute and value, statement by statement."""


def statements(quote: str, told: Decision) -> list[dict[str, Any]]:
    """The statements of a reader that rest on one quote."""
    return [{"quote": quote, "subject": of, "attribute": name, "value": value} for of, name, value in told]


@dataclass
class Competent:
    """Understands the lines it has been taught: what each decides, and which earlier decision it takes back."""

    decides: dict[str, Decision]
    takes_back: dict[str, str] = field(default_factory=dict)
    chapter: tuple[int, ...] = ()
    asked: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, request: ChatRequest) -> str:
        asked = json.loads(str(request.messages[-1]["content"]))
        self.asked.append(asked)
        lines = [line for line in asked["talk"].splitlines() if line in {*self.decides, *self.takes_back}]
        gone = [
            {"n": each["n"], "quote": line}
            for line in lines
            for each in asked["standing"]
            if line in self.takes_back and self.takes_back[line] in each["statement"]
        ]
        said = [(line, self.decides[line]) for line in lines if line in self.decides]
        back = [(lines.index(line), self.takes_back[line]) for line in lines if line in self.takes_back]
        stands = [
            each
            for line, told in said
            if not any(place > lines.index(line) and word in str(told) for place, word in back)
            for each in statements(line, told)
        ]
        return json.dumps({"statements": stands, "gone": gone, "chapter_turns": list(self.chapter)})


def talk(*said: str) -> list[Turn]:
    """What an author said, each answered by the desk."""
    turns: list[Turn] = []
    for each in said:
        for role, text in (("author", each), ("desk", "Noted.")):
            context = {"kind": "answer"} if role == "desk" else {}
            turns.append(Turn(role, text, 0.0, number=len(turns) + 1, context=context))  # type: ignore[arg-type]
    return turns


def read(story: Story, model: Callable[[ChatRequest], Any], turns: list[Turn]) -> ReadOff:
    return TalkReader(ScriptedChatModel(model)).extract(turns, story=story, chapter=3)


def plain(found: ReadOff) -> list[dict[str, Any]]:
    return [each.statement.model_dump(mode="json", by_alias=True, exclude_defaults=True) for each in found]  # type: ignore[union-attr]


ENGLISH: dict[str, Decision] = {
    "Lin Yue is captured at the ford.": [("Lin Yue", "STATUS", "captured")],
    "Bo Lind owns the bell.": [("Bo Lind", "OWNS", "the bell")],
    "Bo Lind hates Lin Yue because of the fire.": [
        ("Bo Lind", "HATES", "Lin Yue"),
        ("Bo Lind", "HATES reason", "the fire"),
    ],
    "A bell of Sarn rings by itself when a king dies.": [("bell of Sarn", "LORE", "rings by itself")],
    "And so Lin Yue opens the gate in this chapter.": [("gate", "COMPLETED", "opens the gate")],
    "No, not captured: Lin Yue is wounded at the ford.": [("Lin Yue", "STATUS", "wounded")],
}
ENGLISH_BACK = {
    "No, not captured: Lin Yue is wounded at the ford.": "captured",
    "Forget the bell that Bo Lind owns, nobody has it.": "OWNS",
}
CHINESE: dict[str, Decision] = {
    "林月在渡口被俘。": [("林月", "STATUS", "被俘")],
    "柏林得到了铜钟。": [("柏林", "OWNS", "铜钟")],
    "柏林因为那场火恨林月。": [("柏林", "HATES", "林月"), ("柏林", "HATES reason", "那场火")],
    "望江城的钟，君王驾崩时会自鸣。": [("望江城的钟", "LORE", "自鸣")],
    "这样，开城门这一步就完成了。": [("gate", "COMPLETED", "完成")],
    "不，林月没有被俘，是受伤了。": [("林月", "STATUS", "受伤")],
}
CHINESE_BACK = {"不，林月没有被俘，是受伤了。": "被俘", "铜钟的事算了，柏林没有得到它。": "OWNS"}


def five(language: str) -> tuple[list[str], Competent]:
    """Five decisions, of which the first is corrected and the second withdrawn."""
    decides, back = (ENGLISH, ENGLISH_BACK) if language == "en" else (CHINESE, CHINESE_BACK)
    corrected, withdrawn = back
    lines = [each for each in decides if each != corrected]
    return [*lines[:3], corrected, *lines[3:], withdrawn], Competent(decides, back)


def expected(language: str) -> list[dict[str, Any]]:
    who, other, reason, state, key, text = (
        ("Bo Lind", "Lin Yue", "the fire", "wounded", "bell of Sarn", list(ENGLISH)[3])
        if language == "en"
        else ("柏林", "林月", "那场火", "受伤", "望江城的钟", list(CHINESE)[3])
    )
    return [
        {"subject": who, "relation": "HATES", "object": other, "properties": {"reason": reason}},
        {"status": {"of": other, "is": state}},
        {"lore": key, "text": text},
        {"plan": "gate", "status": "Completed"},
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_of_five_decisions_all_that_stand_are_settled_and_move_facts_lore_and_plan(language: str, story: Story) -> None:
    said, model = five(language)
    found = read(story, model, talk(*said))
    assert sorted(map(str, plain(found))) == sorted(map(str, expected(language)))
    assert all(each.evidence and each.turn for each in found)
    story.settle(chapter=3, statements=[each.statement for each in found])
    who = "Lin Yue" if language == "en" else "林月"
    assert story.facts.about(who).status == expected(language)[1]["status"]["is"]
    assert story.plan.part("gate").status == "Completed"
    assert expected(language)[2]["lore"] in story.lore
    assert expected(language)[0]["properties"]["reason"] in story.facts.facts(relation="HATES")[0].text


def long(said: list[str], turns: int, language: str) -> Iterator[str]:
    """The same, with so much idle talk between that no question holds all of it."""
    idle = (
        "We talked of the weather over Sarn, and of nothing else." if language == "en" else "我们只谈了望江城的天气。"
    )
    each = turns // 2 // (len(said) + 1)
    for line in said:
        yield line
        yield from (f"{idle} ({number})" for number in range(each))


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_talk_of_two_thousand_turns_is_read_in_parts_and_says_the_same(language: str, story: Story) -> None:
    said, model = five(language)
    turns = talk(*long(said, 2_000, language))
    ledger = Ledger()
    with accounting(ledger):
        found = read(story, model, turns)
    assert sorted(map(str, plain(found))) == sorted(map(str, expected(language)))
    assert (found.problems, found.unread) == ((), ())
    assert 1 < len(model.asked) <= 40
    assert ledger.by_purpose["settling"].calls == len(model.asked)
    shown = "\n".join(each["talk"] for each in model.asked)
    assert all(f"[{turn.number} {turn.role}]" in shown for turn in turns)
    assert len(found.withdrawn) == 2


@pytest.mark.slow
def test_one_turn_that_is_too_long_is_shown_in_parts(story: Story) -> None:
    said, model = five("en")
    page = "\n".join([*said[:3], *["Rain fell on the walls of Sarn."] * 6_000, *said[3:]])
    found = read(story, model, talk(page))
    assert sorted(map(str, plain(found))) == sorted(map(str, expected("en")))
    assert "[1 author, part 2]" in model.asked[1]["talk"]


@pytest.mark.slow
def test_of_a_talk_that_is_more_than_can_be_asked_the_newest_is_read_and_the_rest_is_told(story: Story) -> None:
    said, model = five("zh")
    found = read(story, model, talk("很久以前的话。" * 40_000, *said))
    assert len(model.asked) == 40
    assert found.unread == (1,)
    assert sorted(map(str, plain(found))) == sorted(map(str, expected("zh")))


def in_parts(story: Story, second: dict[str, Any]) -> ReadOff:
    """Two parts: in the first Lin Yue is captured; the second part is answered with `second`."""
    line = next(iter(ENGLISH))
    captured = {"statements": statements(line, ENGLISH[line])}
    answers = iter([captured, second, *[{"statements": []}] * 20])
    idle = [f"We talked of the weather over Sarn, and of nothing else. ({number})" for number in range(100)]
    return read(story, lambda request: json.dumps(next(answers)), talk(line, *idle))


@pytest.mark.slow
def test_a_decision_goes_only_with_words_of_the_author_that_take_it_back(story: Story) -> None:
    captured = [{"status": {"of": "Lin Yue", "is": "captured"}}]
    for quote in ("", "x", "W", "Forget it.", "Noted. Noted."):
        assert plain(in_parts(story, {"statements": [], "gone": [{"n": 1, "quote": quote}]})) == captured
    quoted = "We talked of the weather over Sarn, and of nothing else. (90)"
    assert plain(in_parts(story, {"statements": [], "gone": [{"n": 1, "quote": quoted}]})) in ([], captured)


@pytest.mark.slow
def test_a_model_that_fails_in_the_middle_loses_nothing_of_what_was_read(story: Story) -> None:
    line = next(iter(ENGLISH))
    answers = iter([json.dumps({"statements": statements(line, ENGLISH[line])}), ModelUnavailable("it is down")])
    idle = [f"We talked of the weather over Sarn, and of nothing else. ({number})" for number in range(200)]
    found = read(story, lambda request: next(answers), talk(line, *idle))
    assert plain(found) == [{"status": {"of": "Lin Yue", "is": "captured"}}]
    assert found.problems == ("it is down",)
    assert found.unread[-1] == 402
    assert found.draft == ""


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot do that.",
        '{"weather": "fine"}',
        '{"statements": 7}',
        json.dumps({"statements": statements("x", [("Lin Yue", "DEAD", "died")] * 100)}),
    ],
    ids=["nothing", "nonsense", "another schema", "no list", "a hundred"],
)
def test_where_a_model_has_no_usable_answer_nothing_is_believed_and_why_is_said(answer: str, story: Story) -> None:
    found = read(story, lambda request: answer, talk("Lin Yue died at the ford."))
    assert (list(found), found.draft) == ([], None)
    assert len(found.problems) == 1


DIED = "Lin Yue died at the ford."


@pytest.mark.parametrize(
    ("quote", "told"),
    [
        ("Lin Yue fell from the wall.", ("Lin Yue", "DEAD", "fell")),
        (DIED, ("Queen Nobody", "DEAD", "died")),
        (DIED, ("Lin Yue", "DEAD", "")),
        (DIED, ("Lin Yue", "STATUS", "crowned")),
        ("Two moons pull the sea near Holm.", ("Two moons", "LORE", "pull the sea")),
        (DIED, ("Oswin", "STEP", "Oswin takes Holm in chapter 77")),
        (DIED, ("the lost map", "HOOK_RESOLVED", "died")),
        (DIED, ("no such step", "COMPLETED", "died")),
        (DIED, ("gate", "COMPLETED", "opens the gate")),
        ("Bo Lind stood by.", ("Lin Yue", "HATES", "Bo Lind")),
        (DIED, ("Lin Yue", "", "died")),
    ],
    ids=[
        "no quote",
        "nobody",
        "no value",
        "another value",
        "lore",
        "plan",
        "hook",
        "no such step",
        "no such words of a step",
        "somebody else",
        "no attribute",
    ],
)
def test_what_the_talk_does_not_bear_out_is_left_out_and_counted(
    quote: str, told: tuple[str, str, str], story: Story
) -> None:
    said = f"{DIED}\nBo Lind stood by."
    found = read(story, lambda request: json.dumps({"statements": statements(quote, [told])}), talk(said))
    assert (list(found), found.dropped) == ([], 1)


def test_what_is_only_supposed_or_denied_is_no_decision(story: Story) -> None:
    died = statements(DIED, [("Lin Yue", "DEAD", "died")])
    told = [each | how for each in died for how in ({"modality": "conditional"}, {"polarity": "denied"})]
    found = read(story, lambda request: json.dumps({"statements": told}), talk(DIED))
    assert list(found) == []


def test_a_state_that_ended_long_ago_is_history_with_its_time(story: Story) -> None:
    line = "Ten years before the siege Lin Yue was imprisoned in Holm."
    (told,) = statements(line, [("Lin Yue", "WAS_IMPRISONED", "imprisoned")])
    told["time"] = "Ten years before the siege"
    found = read(story, lambda request: json.dumps({"statements": [told]}), talk(line))
    story.settle(chapter=3, statements=[each.statement for each in found])
    assert story.facts.about("Lin Yue").status == "wounded"
    assert "Ten years before the siege" in story.facts.timeline("Lin Yue")[-1].text


def test_a_whole_outline_is_planned_as_a_tree_in_the_order_of_its_steps(story: Story) -> None:
    said = "Then the march: the long road north. Its first arc is the pass, of the storyline Bo. Bo climbs. Bo falls."
    parts = [
        ("The war of the two rivers", "LONG_OUTLINE", "the long road north"),
        ("the long road north", "SHORT_OUTLINE", "the pass"),
        ("the pass", "STORYLINE", "Bo"),
        ("the pass", "STEP", "Bo climbs"),
        ("the pass", "STEP", "Bo falls"),
    ]
    told = [each | {"modality": "planned"} for each in statements(said, parts)]
    found = read(story, lambda request: json.dumps({"statements": told}), talk(said))
    story.settle(chapter=3, statements=[each.statement for each in found])
    assert [each.title for each in story.plan.inside("the pass")] == ["Bo climbs", "Bo falls"]
    assert story.plan.part("the pass").storyline == "Bo"
    assert story.plan.part("the pass").within == "the long road north"


def test_a_step_without_an_outline_goes_into_the_one_in_progress(story: Story) -> None:
    line = "Later Lin Yue burns the granary."
    (told,) = statements(line, [("Lin Yue", "STEP", "Lin Yue burns the granary")])
    found = read(story, lambda request: json.dumps({"statements": [told | {"modality": "planned"}]}), talk(line))
    assert plain(found)[0] == {
        "plan": "Lin Yue burns the granary",
        "kind": "step",
        "title": "Lin Yue burns the granary",
        "within": "walls",
    }


@pytest.mark.parametrize("language", ["en", "zh"])
def test_fifty_decisions_of_one_line_are_bounded_and_counted(language: str, story: Story) -> None:
    words = [f"w{number}" for number in range(50)]
    line = f"Lin Yue has {' '.join(words)}." if language == "en" else f"林月有{'、'.join(words)}。"
    who = "Lin Yue" if language == "en" else "林月"
    told = statements(line, [(who, f"thing {word}", word) for word in words])
    found = read(story, lambda request: json.dumps({"statements": told}), talk(line))
    assert (len(found), found.dropped) == (8, 42)
