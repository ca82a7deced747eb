"""Parts of sentences: what can be left out, and what must stay together so that the rest stays true."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.agents.sentence_parts import Part, parts_of
from amb_core.testing.agents import ODD_TEXTS


def parts(text: str) -> list[tuple[str, tuple[int, ...]]]:
    language = "en" if text.isascii() else "zh"
    return [
        ("|".join(text[start:end] for start, end in part.spans), part.needs)
        for part in parts_of(text, 0, len(text), language=language)
    ]


def test_a_relative_clause_at_the_end_can_go() -> None:
    text = "The bridge was opened in 1931 by King Haakon, which was a surprise to the town council."
    assert parts(text) == [
        ("The bridge was opened in 1931 by King Haakon|.", ()),
        (", which was a surprise to the town council", (0,)),
    ]


def test_a_list_is_never_cut() -> None:
    assert len(parts("The plant makes pumps, valves, pipes, and a few turbines for the coast and the islands.")) == 1


def test_a_sentence_that_goes_on_after_the_aside_is_not_cut_before_it() -> None:
    text = "Clara Jensen, who was born in Bergen, where her father taught, founded the orchestra in 1922."
    assert len(parts(text)) == 1


def test_a_second_main_clause_needs_only_the_first_and_a_subordinate_one_needs_its_own() -> None:
    text = "Ann founded the band in 1990, which made her known, and she led it for years, although it was small."
    assert [needs for _, needs in parts(text)] == [(), (0,), (0,), (0, 2)]


def test_a_bracket_without_a_value_is_an_aside() -> None:
    assert parts("The town (also called the old harbour) has about 800 people.") == [
        ("The town| has about 800 people.", ()),
        (" (also called the old harbour)", (0,)),
    ]
    assert len(parts("The town (800 people in 1950) lies on the coast of the island.")) == 1
    assert len(parts("The value of area(radius) is computed once for every single row.")) == 1


def test_a_foreign_name_in_brackets_is_an_aside_in_chinese() -> None:
    assert parts("普朗特（Ludwig Prandtl）是德国力学家，生于慕尼黑附近的弗赖辛。") == [
        ("普朗特|是德国力学家|。", ()),
        ("，生于慕尼黑附近的弗赖辛", (0,)),
        ("（Ludwig Prandtl）", (0,)),
    ]


def test_a_chinese_clause_needs_the_one_that_names_its_subject() -> None:
    text = "他生于慕尼黑附近的小镇，他的父亲是一位大学教授，从小就鼓励他观察大自然，于1900年得博士学位。"
    found = parts(text)
    assert [clause for clause, _ in found][1] == "，他的父亲是一位大学教授"
    assert 1 in found[2][1]


@pytest.mark.parametrize(
    "text",
    [
        "由于队内有另一位巨星在场，瑟蒙德多数时间作为大前锋出场。",
        "两名专业人士指出，苏锦梁的住宅共涉及七项问题需要处理。",
        "梁元帝承圣三年（公元555年），南朝梁的国都江陵终于被攻破。",
        "如果下雨的时间超过三个小时，比赛就会改到第二天上午举行。",
    ],
)
def test_a_reason_a_condition_a_time_and_a_speaker_stay_with_what_follows(text: str) -> None:
    assert len(parts(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "A (b is never closed, which is odd, but it happens quite often.",
        "他说（没有完，也就没有切，这样比较安全，不会出错。",
    ],
)
def test_a_sentence_with_open_brackets_is_kept_whole_at_the_bracket(text: str) -> None:
    assert all("(b" not in clause or clause.startswith("A (b") for clause, _ in parts(text))


@given(st.one_of(st.sampled_from(ODD_TEXTS), st.text('ab ，,.。()（）"“”;； which was is 他的年', max_size=120)))
def test_the_parts_are_disjoint_and_the_first_needs_nothing(text: str) -> None:
    for language in ("en", "zh"):
        found: list[Part] = parts_of(text, 0, len(text), language=language)
        spans = sorted(span for part in found for span in part.spans)
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
        assert found[0].needs == ()
        assert all(need < at for at, part in enumerate(found) for need in part.needs)
