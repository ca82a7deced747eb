"""An age, a colour, a side, a rank or a trade told otherwise than settled is found; the same, or an old one, is not."""

from __future__ import annotations

import pytest
from amb_book.checking import ConsistencyChecker
from amb_book.facts import FactGraph
from amb_book.graph import RecordGraph

from amb_core.stores import InMemoryStore

_PEOPLE = {
    "en": (
        ("Ada Bryce", {"age": 43, "eyes": "grey", "rank": "Lieutenant", "scar": "on the left cheek"}),
        ("Otto Hale", {"age": 19, "hair": "red", "job": "baker", "limps": "right leg"}),
    ),
    "zh": (
        ("苏晴", {"年龄": 43, "眼睛": "灰色", "职务": "参将", "特征": "左脸有疤"}),
        ("秦牧", {"年龄": 19, "头发": "红色", "职业": "铁匠", "腿": "右腿瘸"}),
    ),
}


def _kinds(language: str, draft: str) -> set[str]:
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    statements = [{"entity": name, "kind": "character", "properties": told} for name, told in _PEOPLE[language]]
    facts.settle(chapter=1, statements=statements)
    return {each.kind for each in ConsistencyChecker().check(draft, facts=facts)}


@pytest.mark.parametrize(
    ("language", "draft"),
    [
        ("en", "Ada Bryce, fifty-one, got down from the cart."),
        ("en", "Otto Hale was thirty years old and had never been to sea."),
        ("en", "The thirty-year-old Otto Hale wiped his hands."),
        ("en", "Ada's blue eyes rested on the map."),
        ("en", "Ada Bryce looked up. Her eyes were brown."),
        ("en", "Otto's black hair stood on end."),
        ("en", "Captain Ada Bryce saluted the flag."),
        ("en", "Otto Hale, a tailor by trade, threaded the needle."),
        ("en", "Ada Bryce rubbed the scar on her right cheek."),
        ("en", "Otto Hale limped in, dragging his left leg."),
        ("zh", "苏晴今年五十一岁，还没有见过海。"),
        ("zh", "三十岁的秦牧擦了擦手。"),
        ("zh", "苏晴那双蓝眼睛盯着地图。"),
        ("zh", "秦牧的黑头发竖了起来。"),
        ("zh", "守备苏晴向旗子行了个礼。"),
        ("zh", "秦牧是个裁缝，穿针引线不用看。"),
        ("zh", "苏晴摸了摸右脸上的疤。"),
        ("zh", "秦牧瘸着左腿走了进来。"),
    ],
)
def test_another_value_of_a_settled_property_is_found(language: str, draft: str) -> None:
    assert _kinds(language, draft) == {"status"}


@pytest.mark.parametrize(
    ("language", "draft"),
    [
        ("en", "Ada Bryce, forty-four, got down from the cart."),
        ("en", "When Ada Bryce was twelve, her father took her to sea."),
        ("en", "Ada's grey eyes rested on the blue map."),
        ("en", "Otto Hale dyed his hair. Otto's black hair stood on end."),
        ("en", "Lieutenant Ada Bryce saluted the flag."),
        ("en", "Ada Bryce had been promoted. Captain Ada Bryce saluted the flag."),
        ("en", "Ada Bryce rubbed the scar on her left cheek with her right hand."),
        ("en", "Otto Hale, the baker, threaded the needle."),
        ("en", "Ada Bryce counted two, three, four, and Otto Hale, five steps behind, counted too."),
        ("zh", "苏晴今年四十四岁，还没有见过海。"),
        ("zh", "苏晴十二岁那年，父亲带她去看海。"),
        ("zh", "苏晴那双灰眼睛盯着蓝色的地图。"),
        ("zh", "参将苏晴向旗子行了个礼。"),
        ("zh", "苏晴用右手摸了摸左脸上的疤。"),
        ("zh", "秦牧是个铁匠，打得一手好刀。"),
    ],
)
def test_the_settled_value_an_earlier_one_and_a_change_are_not_reported(language: str, draft: str) -> None:
    assert _kinds(language, draft) == set()


@pytest.mark.parametrize(
    ("attribute", "settled", "draft", "found"),
    [
        ("rank", "Captain", "Lieutenant Ada Bryce saluted the flag.", True),
        ("rank", "Captain", "Colonel Ada Bryce saluted the flag.", False),
        ("军衔", "上校", "少校苏晴向旗子行了个礼。", True),
        ("军衔", "少校", "上校苏晴向旗子行了个礼。", False),
        ("office", "太守", "刺史苏晴向旗子行了个礼。", False),
        ("官职", "太守", "刺史苏晴向旗子行了个礼。", False),
        ("office", "Captain", "Lieutenant Ada Bryce saluted the flag.", False),
    ],
)
def test_a_rank_may_rise_with_time_and_offices_follow_one_another(
    attribute: str, settled: str, draft: str, found: bool
) -> None:
    facts = FactGraph(RecordGraph(InMemoryStore(), "book:facts"))
    name = "Ada Bryce" if draft.isascii() else "苏晴"
    facts.settle(chapter=1, statements=[{"entity": name, "kind": "character", "properties": {attribute: settled}}])
    facts.settle(chapter=9, statements=[{"entity": "Otto Hale", "kind": "character"}])
    assert bool(ConsistencyChecker().check(draft, facts=facts)) is found
