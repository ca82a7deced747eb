"""A planned step that is looked back on as done is found in any words; a plan, dream, rumour or attempt is none."""

from __future__ import annotations

import pytest

from amb_book import Story

_STEPS = {
    "en": [
        ("The coronation", "Mei is crowned queen in Ironford."),
        ("Burning of the granary", "Chen Bo burns the granary of Harrow."),
        ("Rook's confession", "Rook confesses to Mei that he sold the army's plans."),
        ("Wedding", "Mei marries Chen Bo at Harrow."),
        ("The seal stolen", "Rook steals the jade seal from Mei."),
    ],
    "zh": [
        ("登基", "林月在铁渡登基为王。"),
        ("火烧粮仓", "陈博烧了青石城的粮仓。"),
        ("老鸦坦白", "老鸦向林月坦白自己出卖了军情。"),
        ("成亲", "林月与陈博在青石城成亲。"),
        ("盗玺", "老鸦从林月那里偷走玉玺。"),
    ],
}
_CAST = {
    "en": [
        ("Mei", "character"),
        ("Chen Bo", "character"),
        ("Rook", "character"),
        ("Harrow", "location"),
        ("Ironford", "location"),
        ("jade seal", "item"),
    ],
    "zh": [
        ("林月", "character"),
        ("陈博", "character"),
        ("老鸦", "character"),
        ("青石城", "location"),
        ("铁渡", "location"),
        ("玉玺", "item"),
    ],
}
_TITLES = {"en": ("Chen Bo", "the Captain"), "zh": ("陈博", "陈将军")}
_RIDDLES = {
    "en": ["who poisoned the old king", "what the jade seal opens"],
    "zh": ["毒杀老王的凶手", "玉玺开的是哪扇门"],
}
LOOKED_BACK = [
    "The granary of Harrow was still smoking; Chen Bo had set fire to it on Monday.",
    '"They crowned Mei at Ironford last month," said the innkeeper.',
    "Mei thought of the night Rook had confessed everything to her about the plans.",
    "Now that the granary at Harrow lay in ashes, Chen Bo could march.",
    "青石城的粮仓还在冒烟，那是陈博前天放的火。",
    "林月想着那天夜里老鸦坦白出卖军情的情形。",
    "成亲三个月，林月头一回跟陈博红了脸。",
]
NOT_DONE = [
    "Mei dreamt that she had been crowned in Ironford and woke up cold.",
    '"When you have been crowned, Mei, remember me," said Rook.',
    "Mei had never been crowned, and at this rate never would be.",
    "Rook had not confessed anything to Mei.",
    "The letter claimed that Mei had married Chen Bo; it was a forgery.",
    "Had Mei been crowned, the taxes would have doubled.",
    "Mei imagined the day after her coronation in Ironford.",
    "Chen Bo had burned a granary once, long ago, in another war.",
    '"Once Mei is crowned we shall have peace," said Chen Bo.',
    "People said that Mei had been crowned in secret. She laughed when she heard.",
    "Mei had seen the crown of Ironford in its glass case.",
    "Chen Bo had proposed that they burn the granary of Harrow; Mei forbade it.",
    "In the play, the queen had been crowned and Mei clapped.",
    "Mei told the ambassador again how the cook had poisoned the old king.",
    '"Who poisoned the old king?" asked the child. Everybody at Harrow knew that.',
    "Mei had practised the coronation three times in the empty hall at Ironford.",
    "Tomorrow, after the coronation, Mei would send for Rook.",
    "林月梦见自己在铁渡登基，醒来一身冷汗。",
    "“等你登了基，可别忘了我。”老鸦对林月说。",
    "“陈博把青石城的粮仓烧了！”孩子喊道，原来只是面包房的烟囱冒烟。",
    "林月从未登基，照这样下去也不会登基。",
    "老鸦什么也没有向林月坦白。",
    "信上说林月已经嫁给陈博，那信是伪造的。",
    "倘若林月已经登基，税早就加倍了。",
    "许多年前，陈博在另一场仗里烧过一座粮仓。",
    "“林月一登基，就太平了。”陈博说。",
    "有人说林月早已秘密登基，她听了大笑。",
    "老鸦曾想偷林月的玉玺，在窗下被人逮住。",
    "陈博提议烧掉青石城的粮仓，林月没有答应。",
    "戏台上，女王已经登基，林月拍手叫好。",
    "林月又对使臣讲了一遍厨子如何毒杀老王。",
    "“毒杀老王的是谁？”孩子问。青石城里人人都知道。",
    "明日登基之后，林月便要召见老鸦。",
]
SOLVED_TWICE = [
    "So it was the cook who had poisoned the old king! Mei finally knew.",
    "At last Mei understood what the jade seal opened.",
    "原来毒杀老王的是厨子！林月终于明白了。",
]


@pytest.fixture(scope="module")
def books() -> dict[str, Story]:
    return {language: _book(language) for language in _STEPS}


def _book(language: str) -> Story:
    story = Story(None)
    called, alias = _TITLES[language]
    cast = [{"entity": name, "kind": kind, "aliases": [alias] * (name == called)} for name, kind in _CAST[language]]
    story.settle(
        chapter=1, statements=[*cast, *({"hook": hook, "status": "Unresolved"} for hook in _RIDDLES[language])]
    )
    story.settle(chapter=2, statements=[{"hook": hook, "status": "Resolved"} for hook in _RIDDLES[language]])
    for kind, name in (("general_outline", "g"), ("long_outline", "l"), ("short_outline", "o")):
        story.plan.add(kind, id=name, title=name)
    for number, (title, text) in enumerate(_STEPS[language]):
        story.plan.add("step", id=f"step-{number}", title=title, text=text, within="o")
    return story


def _language(draft: str) -> str:
    return "zh" if any(each > "\u3400" for each in draft) else "en"


@pytest.mark.parametrize("draft", LOOKED_BACK)
def test_a_pending_step_told_as_past_is_found(draft: str, books: dict[str, Story]) -> None:
    assert [each.kind for each in books[_language(draft)].check(draft)] == ["plan_as_past"]


@pytest.mark.parametrize("draft", NOT_DONE)
def test_what_is_only_planned_dreamt_rumoured_or_tried_is_not_reported(draft: str, books: dict[str, Story]) -> None:
    assert books[_language(draft)].check(draft) == []


@pytest.mark.parametrize("draft", SOLVED_TWICE)
def test_a_riddle_solved_anew_is_found(draft: str, books: dict[str, Story]) -> None:
    assert [each.kind for each in books[_language(draft)].check(draft)] == ["hook_twice"]
