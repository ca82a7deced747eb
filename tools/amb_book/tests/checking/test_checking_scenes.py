"""A draft is looked at scene by scene, with what bears on each as of the chapter; nothing is passed over in silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from amb_book.checking import Finding, PromptedChecker
from amb_book.checking.draft import scenes_of
from amb_book.story import Story

from amb_chat.scripted_model import ScriptedChatModel
from amb_core.chat_io import ChatRequest
from amb_core.errors import ModelUnavailable

EN = {
    "people": [("Mara Voss", ["the Heron"], "captain of the guard"), ("Ilse Orn", [], "healer")],
    "fact": "Mara Voss swore never to draw a blade again.",
    "secret": "Only Ilse Orn knows that the well is poisoned; she told nobody.",
    "lore": ("red salt", "Red salt burns only in moonlight."),
    "old": "The bridge of Orn fell in the flood, and no other was built.",
}
ZH = {
    "people": [("马瑶", ["白鹭"], "禁军统领"), ("殷思", [], "医官")],
    "fact": "马瑶立誓永不再拔刀。",
    "secret": "井中有毒，只有殷思知道，她没有告诉任何人。",
    "lore": ("赤盐", "赤盐只在月光下燃烧。"),
    "old": "洪水冲垮了殷家桥，此后再没有修桥。",
}
SCENES = {
    "en": [
        "The captain drew her blade and laughed.",
        "“Do not drink from the well,” said Mara Voss. “It is poisoned.” She lit the red salt at noon.",
        "They rode over the bridge of Orn to the far bank.",
    ],
    "zh": [
        "统领拔刀出鞘，大笑起来。",
        "“别喝井水，”马瑶说，“井里有毒。”正午时分，她点燃了赤盐。",
        "他们骑马走过殷家桥，到了对岸。",
    ],
}
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])


def book(language: str) -> Story:
    """A captain who swore off blades, a healer with a secret, salt that burns by night, a bridge that fell."""
    told: dict[str, Any] = EN if language == "en" else ZH
    story = Story(None)
    (captain, also, rank), (healer, _, office) = told["people"]
    story.settle(
        chapter=1,
        statements=[
            {"entity": captain, "kind": "character", "aliases": also, "properties": {"rank": rank}},
            {"entity": healer, "kind": "character", "properties": {"office": office}},
            {"subject": captain, "relation": "SWORE_TO", "object": told["fact"], "evidence": told["fact"]},
            {"subject": healer, "relation": "KNOWS_SECRET", "object": told["secret"], "evidence": told["secret"]},
            {"lore": told["lore"][0], "text": told["lore"][1]},
        ],
    )
    story.settle(chapter=2, statements=[{"status": {"of": captain, "is": "alive"}}])
    story.settle(chapter=9, statements=[{"status": {"of": captain, "is": "dead"}}])
    story.episodes.put_chapter(1, told["old"])
    return story


def competent(language: str) -> Callable[[ChatRequest], str]:
    """Understands three things: an oath broken, a secret told, a cause that is not there; quotes what it is shown."""
    told: dict[str, Any] = EN if language == "en" else ZH
    signs = {
        "en": [("drew her blade", told["fact"], "character"), ("It is poisoned", told["secret"], "knowledge")],
        "zh": [("拔刀出鞘", told["fact"], "character"), ("井里有毒", told["secret"], "knowledge")],
    }[language]
    signs += [
        ({"en": "lit the red salt at noon", "zh": "正午时分，她点燃了赤盐"}[language], told["lore"][1], "cause"),
        ({"en": "over the bridge of Orn", "zh": "走过殷家桥"}[language], told["old"], "cause"),
    ]

    def answer(request: ChatRequest) -> str:
        shown = json.loads(str(request.messages[-1]["content"]))
        against = [*shown["facts"], *shown["lore"], *shown["passages"]]
        added = [
            {"kind": kind, "quote": quote, "id": each["id"], "fact_quote": evidence, "reason": "It cannot be."}
            for quote, evidence, kind in signs
            for each in against
            if quote in shown["draft"] and evidence in (each["text"], each.get("source"), each["text"].split(": ")[-1])
        ]
        return json.dumps({"verdicts": [], "added": added[:6]}, ensure_ascii=False)

    return answer


def checked(
    story: Story, draft: str, model: Callable[[ChatRequest], Any], at: int | None = 2
) -> tuple[list[Finding], str, list[dict[str, Any]]]:
    chat = ScriptedChatModel(model)
    parts: Any = {"facts": story.facts, "plan": story.plan, "lore": story.lore, "episodes": story.episodes, "at": at}
    found, problem = PromptedChecker(chat).looked_over(draft, **parts)
    return found, problem, [json.loads(str(each.messages[1]["content"])) for each in chat.requests]


def filler(language: str) -> str:
    line = {"en": "It rained, and the roofs of the town shone. ", "zh": "雨下着，城里的屋顶闪着光。"}[language]
    return "\n" + line * 60


@LANGUAGES
def test_open_kinds_are_found_in_their_scenes_with_lore_text_and_titles(language: str) -> None:
    draft = "\n\n***\n\n".join(f"{scene}{filler(language)}" for scene in SCENES[language])
    found, problem, asked = checked(book(language), draft, competent(language))
    assert [each.kind for each in found] == ["character", "knowledge", "cause", "cause"]
    assert all(draft[each.start : each.end] == each.sentence for each in found)
    assert problem == ""
    assert len(asked) == 3
    assert all(SCENES[language][number] in each["draft"] for number, each in enumerate(asked))
    captain = (EN if language == "en" else ZH)["people"][0][0]
    assert captain in {each["name"] for each in asked[0]["people"]}  # by the title alone
    assert asked[1]["before"].strip() != ""


@LANGUAGES
def test_a_finding_of_the_rules_goes_only_with_words_that_show_something(language: str) -> None:
    scene = {"en": "Mara Voss drank the wine. Her twin laughed.", "zh": "马瑶喝了酒。她的孪生妹妹笑了。"}[language]
    shows = {"en": "Her twin laughed.", "zh": "孪生妹妹"}[language]
    name = {"en": "Mara Voss", "zh": "马瑶"}[language]
    for quote, left in ((shows, 0), (name, 1), ("", 1), ("the", 1), ("It was a song.", 1)):
        verdict = {"n": 1, "holds": False, "quote": quote}
        found, _, _ = checked(book(language), scene, lambda request, told=verdict: json.dumps({"verdicts": [told]}), 9)
        assert [each.kind for each in found] == ["dead_acts"] * left
    both = [{"n": 1, "holds": False, "quote": shows}, {"n": 1, "holds": True}, {"n": 7, "holds": False, "quote": shows}]
    found, _, _ = checked(book(language), scene, lambda request: json.dumps({"verdicts": both}), 9)
    assert len(found) == 1


@pytest.mark.sampled(2)
@LANGUAGES
def test_more_facts_than_fit_into_one_question_are_shown_in_another(language: str) -> None:
    story = book(language)
    captain = (EN if language == "en" else ZH)["people"][0][0]
    place = {"en": "the {}th tower of the long wall in the north", "zh": "北方长城的第{}座高高的烽火台"}[language]
    for number in range(120):
        owns = {"subject": captain, "relation": "OWNS", "object": place.format(number)}
        story.settle(chapter=2, statements=[owns])
    found, problem, asked = checked(story, SCENES[language][1], competent(language))
    shown = [each["text"] for one in asked for each in one["facts"]]
    assert 1 < len(asked) <= 3
    assert len(set(shown)) == len(shown)
    assert all(each["found"] == [] for each in asked[1:])
    assert "knowledge" in {each.kind for each in found}
    for number in range(120, 900):
        owns = {"subject": captain, "relation": "OWNS", "object": place.format(number)}
        story.settle(chapter=2, statements=[owns])
    _, problem, asked = checked(story, SCENES[language][1], competent(language))
    assert len(asked) == 3
    assert ("older facts" if language == "en" else "较早的事实") in problem


@LANGUAGES
def test_where_the_model_fails_the_rules_stand_and_it_is_told_where_nobody_looked(language: str) -> None:
    dead = {"en": "“Hold the gate,” said Mara Voss.", "zh": "“守住城门。”马瑶说。"}[language]
    draft = "\n\n***\n\n".join(f"{dead}{filler(language)}" for _ in range(4))
    answers = iter(["{}", "la la", "la la", "{}", ModelUnavailable("it is down")])
    found, problem, _ = checked(book(language), draft, lambda request: next(answers), 9)
    assert [each.kind for each in found] == ["dead_acts"] * 4
    second, last = problem.split("; ")[0], problem.rsplit("; ", 1)[1]
    assert "cannot be used" in second
    assert str(len(draft)) in last
    assert "it is down" in last


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh", pytest.param("en", marks=pytest.mark.nightly)])
def test_a_draft_of_two_hundred_thousand_characters_is_bounded_and_what_is_left_is_told(language: str) -> None:
    unit = filler(language)
    draft = "\n\n".join([unit] * (200_000 // len(unit) + 1)) + "\n\n" + SCENES[language][0]
    found, problem, asked = checked(book(language), draft, competent(language))
    assert len(asked) <= 80
    shown = "".join("".join(each["draft"] for each in asked).split())
    if problem:
        assert "80" in problem
        assert "".join(draft.split()).startswith(shown)
    else:
        assert shown == "".join(draft.split())
        assert [each.kind for each in found] == ["character"]


def test_scenes_end_at_marks_and_headings_and_together_are_the_whole_draft() -> None:
    one, two = "She slept. " * 150, "He woke. " * 150
    draft = f"Chapter 1\n\n{one}\n\n* * *\n\n{two}\n\n第二章 雪\n\n{one}\n\n———\n\nShort.\n\n#\n\nShorter."
    parts = [draft[start:end].strip()[:6] for start, end in scenes_of(draft, 2_000)]
    assert parts == ["Chapte", "He wok", "第二章 雪\n", "Short."]
    whole = "".join("".join(draft[start:end] for start, end in scenes_of(draft, 100)).split())
    assert whole == "".join(draft.replace("* * *", "").replace("———\n", "").split())
