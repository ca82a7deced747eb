"""An ability is used under its name, as a verb, or by what it does; learnt, failed, owned ones are not reported."""

from __future__ import annotations

import pytest
from amb_book.checking import ConsistencyChecker
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph
from amb_book.lore import LoreBase

from amb_core.clock import SystemClock
from amb_core.stores import InMemoryStore

_SKILLS = {
    "en": (("Ada Bryce", "Otto Hale"), ("storm-calling", "the Knotted Script", "lock-picking", "glassblowing")),
    "zh": (("苏晴", "秦牧"), ("唤潮术", "结绳文", "开锁", "唇语")),
}
_LORE = {
    "en": (
        "the Knotted Script",
        "Written in cords of red wool: knots, loops and tassels; only the taught can make it out.",
    ),
    "zh": ("结绳文", "以红绳打成的文字，绳结与流苏各有音义，未经师授者认不出。"),
}


def _kinds(language: str, draft: str) -> set[str]:
    (master, other), skills = _SKILLS[language]
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    statements = [{"entity": name, "kind": "character"} for name in (master, other)]
    statements += [{"entity": name, "kind": "ability"} for name in skills]
    statements += [{"subject": master, "relation": "HAS_ABILITY", "object": name} for name in skills]
    facts.settle(chapter=1, statements=statements)
    lore = LoreBase(InMemoryStore(), clock=SystemClock())
    lore.put(*_LORE[language])
    return {each.kind for each in ConsistencyChecker().check(draft, facts=facts, lore=lore)}


@pytest.mark.parametrize(
    "draft",
    [
        "Otto Hale drained the pond by storm-calling, first try.",
        "Otto Hale called the storm down on the mill.",
        "Otto Hale drained the pond by the storm-calling he had practised for ten years.",
        "Otto Hale ran his thumb along the knots and tassels and translated them without a pause.",
        "Otto Hale picked the lock of the cellar and went in.",
        "Otto Hale finished the bowl with glassblowing and set it to cool.",
    ],
)
def test_an_ability_used_before_it_is_learnt_is_found_in_english(draft: str) -> None:
    assert _kinds("en", draft) == {"ability"}


@pytest.mark.parametrize(
    "draft",
    [
        "秦牧立在船头，施展唤潮术，把追兵的船掀翻了。",
        "秦牧蹲下身，掏出一根铁丝，开锁只用了三秒，门开了。",
        "秦牧踏上船头，使出一手早已练了十年的唤潮术。",
        "秦牧摸着红绳上的绳结与流苏，一句一句念了出来。",
        "秦牧用一根铁丝伸进锁孔，咔嗒一声门就开了。",
        "秦牧盯着那人一张一合的嘴，逐字念了出来。",
    ],
)
def test_an_ability_used_before_it_is_learnt_is_found_in_chinese(draft: str) -> None:
    assert _kinds("zh", draft) == {"ability"}


@pytest.mark.parametrize(
    ("language", "draft"),
    [
        ("en", "Ada Bryce called the storm down on the mill."),
        ("en", "Otto Hale tried to pick the lock of the cellar and failed."),
        ("en", "Otto Hale looked at the knots and tassels and could make nothing of them."),
        ("en", "Ada taught Otto Hale all that winter. In spring Otto Hale called the storm down on the mill."),
        ("en", "Otto Hale turned the cords over: knots, loops, tassels."),
        ("en", "Otto Hale drained the pond by storm-calling; he had practised it for ten years."),
        ("zh", "苏晴立在船头，施展唤潮术，把追兵的船掀翻了。"),
        ("zh", "秦牧请了锁匠来，开锁只用了三秒。"),
        ("zh", "秦牧苦练了三年，终于使出唤潮术。"),
        ("zh", "秦牧使出一手刚学会的唤潮术。"),
        ("zh", "秦牧想学唤潮术，苏晴不肯教。"),
        ("zh", "秦牧问起唤潮术的来历，没有人答他。"),
        ("zh", "秦牧看着红绳上的绳结与流苏，一个也认不出来。"),
    ],
)
def test_owned_learnt_failed_and_spoken_of_abilities_are_not_reported(language: str, draft: str) -> None:
    assert _kinds(language, draft) == set()


def test_a_word_of_doubt_in_a_name_is_no_doubt() -> None:
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    names = ("秦牧", "江若梦")
    statements: list[dict[str, object]] = [{"entity": name, "kind": "character"} for name in names]
    statements += [
        {"entity": "唤潮术", "kind": "ability"},
        {"subject": "秦牧", "relation": "HAS_ABILITY", "object": "唤潮术"},
    ]
    facts.settle(chapter=1, statements=statements)
    found = ConsistencyChecker().check("江若梦立在船头，施展唤潮术，把追兵的船掀翻了。", facts=facts)
    assert [each.kind for each in found] == ["ability"]
