"""Who has a thing is read off any verb but those of seeing, seeking and telling; lent and returned things are left."""

from __future__ import annotations

import pytest
from amb_book.checking import ConsistencyChecker
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph

from amb_core.stores import InMemoryStore

_THINGS = {
    "en": (("Ada Bryce", "Otto Hale"), ("iron lantern", "signet ring", "blue almanac", "Dawnedge")),
    "zh": (("苏晴", "秦牧"), ("青铜灯笼", "玄铁指环", "蓝皮历书", "破晓")),
}


def _kinds(language: str, draft: str) -> set[str]:
    (owner, other), things = _THINGS[language]
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    statements: list[dict[str, object]] = [{"entity": name, "kind": "character"} for name in (owner, other)]
    statements += [{"subject": owner, "relation": "OWNS", "object": name} for name in things]
    form = {"form": "sword"} if language == "en" else {"形制": "剑"}
    statements.append({"entity": things[-1], "kind": "item", "properties": form})
    facts.settle(chapter=1, statements=statements)
    return {each.kind for each in ConsistencyChecker().check(draft, facts=facts)}


@pytest.mark.parametrize(
    "draft",
    [
        "Otto Hale came up the stairs with the iron lantern and shut the door.",
        "Otto Hale twisted the signet ring on his thumb.",
        "Otto Hale took the blue almanac out of his coat and licked his finger.",
        "Otto Hale leafed about in the dark. He carried the lantern high.",
        "Otto Hale rested his chin on the table, and the signet ring on his hand caught the light.",
        "Otto Hale oiled the sword and hung it up.",
        "Otto Hale slipped the blue almanac under his pillow.",
    ],
)
def test_a_thing_in_wrong_hands_is_found_in_english(draft: str) -> None:
    assert _kinds("en", draft) == {"ownership"}


@pytest.mark.parametrize(
    "draft",
    [
        "秦牧提着青铜灯笼上了楼。",
        "秦牧转动着拇指上的玄铁指环。",
        "秦牧从怀里摸出《蓝皮历书》，又翻了一遍。",
        "秦牧从怀里掏出那本蓝皮历书，蘸了蘸口水。",
        "秦牧拉开抽屉，翻出历书来。",
        "秦牧抽出那柄剑，剑尖抵住来人的喉咙。",
        "秦牧把灯笼挂在床头，吹熄了火。",
    ],
)
def test_a_thing_in_wrong_hands_is_found_in_chinese(draft: str) -> None:
    assert _kinds("zh", draft) == {"ownership"}


@pytest.mark.parametrize(
    ("language", "draft"),
    [
        ("en", "Ada Bryce came up the stairs with the iron lantern."),
        ("en", "Otto Hale looked for the iron lantern and did not see it."),
        ("en", "Otto Hale remembered the signet ring on her thumb."),
        ("en", "Ada put the iron lantern into his hands. Otto Hale carried the lantern up."),
        ("en", "Otto Hale lit a lantern. He carried the lantern up the stairs."),
        ("en", "Otto Hale twisted the signet ring on his thumb. He had borrowed it for the wedding."),
        ("en", "Otto Hale drew his sword."),
        ("en", "Otto Hale bought a signet ring and put it on his thumb."),
        ("en", "Otto Hale wore a copy of the signet ring."),
        ("en", "Ada Bryce yawned. Otto Hale took the iron lantern down for her."),
        ("en", "Ada Bryce yawned. Otto Hale took the iron lantern, for she had never let it out of her hands."),
        ("zh", "苏晴提着青铜灯笼上了楼。"),
        ("zh", "秦牧想买一本《蓝皮历书》。"),
        ("zh", "秦牧到处找青铜灯笼，哪里也没有。"),
        ("zh", "秦牧想起玄铁指环，叹了口气。"),
        ("zh", "苏晴把灯笼递过来，秦牧提着灯笼上了楼。"),
        ("zh", "秦牧看着苏晴手上的玄铁指环。"),
        ("zh", "秦牧戴着一枚仿制的玄铁指环。"),
    ],
)
def test_lent_sought_seen_and_copied_things_are_not_reported(language: str, draft: str) -> None:
    assert _kinds(language, draft) == set()


def test_a_thing_that_somebody_never_let_out_of_his_hands_is_in_them_though_its_owner_is_near() -> None:
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    statements: list[dict[str, object]] = [
        {"entity": "Ada Bryce", "kind": "character"},
        {"entity": "Otto Hale", "kind": "character", "properties": {"sex": "male"}},
        {"subject": "Ada Bryce", "relation": "OWNS", "object": "iron lantern"},
    ]
    facts.settle(chapter=1, statements=statements)
    draft = "Ada Bryce yawned. Otto Hale took the iron lantern from its nail, for he had never let it out of his hands."
    assert [each.kind for each in ConsistencyChecker().check(draft, facts=facts)] == ["ownership"]
