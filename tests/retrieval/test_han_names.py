"""Chinese names that notes are about are found in other notes, though nothing marks them there."""

from __future__ import annotations

from amb_core.retrieval.mention_index import HanNames
from amb_core.text import index_tokens


def _found(names: HanNames, text: str) -> list[str]:
    return names.find(text, index_tokens(text))


def test_a_known_name_is_found_wherever_it_stands() -> None:
    names = HanNames(["石虎乡", "洪武门"])
    assert _found(names, "他出生在石虎乡的一个农家，后来住在洪武门附近。") == ["洪武门", "石虎乡"]
    assert _found(names, "他出生在别处。") == []


def test_a_name_inside_a_longer_known_name_is_not_meant() -> None:
    names = HanNames(["龙烟铁路", "德龙烟铁路"])
    assert _found(names, "德龙烟铁路今年通车。") == ["德龙烟铁路"]
    assert _found(names, "德龙烟铁路与龙烟铁路相连。") == ["德龙烟铁路", "龙烟铁路"]


def test_the_dot_of_a_foreign_name_does_not_matter() -> None:
    assert _found(HanNames(["卡尔马克思"]), "这本书的作者是卡尔·马克思。") == ["卡尔马克思"]


def test_everyday_words_and_latin_names_are_no_names_here() -> None:
    names = HanNames()
    assert [names.add(key) for key in ("电影", "titanic", "龙", "石虎乡", "石虎乡")] == [
        False,
        False,
        False,
        True,
        False,
    ]


def test_a_forgotten_name_is_not_found_any_more() -> None:
    names = HanNames(["石虎乡", "石虎山"])
    names.discard("石虎乡")
    names.discard("从未有过")
    assert _found(names, "石虎乡和石虎山") == ["石虎山"]
