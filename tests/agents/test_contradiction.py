"""Contradictions: a table of sentence pairs, what a found one carries, and which texts never contradict each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_agents import contradictions
from amb_contracts.agents import ODD_TEXTS

TABLE = json.loads((Path(__file__).parent / "sentence_pairs.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("a", "b"), TABLE["conflict"])
def test_these_contradict_each_other(a: str, b: str) -> None:
    assert contradictions(a, b)
    assert contradictions(b, a)


@pytest.mark.parametrize(("a", "b"), TABLE["no conflict"])
def test_these_can_both_be_true(a: str, b: str) -> None:
    assert not contradictions(a, b)
    assert not contradictions(b, a)


@pytest.mark.parametrize(
    ("a", "b", "kind", "said", "subject"),
    [
        (
            "The Harbour Point battery has a usable capacity of 12 MWh.",
            "The Harbour Point battery has a usable capacity of 18 MWh.",
            "number",
            ("12 MWh", "18 MWh"),
            "Harbour Point battery usable capacity",
        ),
        (
            "Marie Curie was born in Warsaw.",
            "Marie Curie was born in Paris.",
            "name",
            ("Warsaw", "Paris"),
            "Marie Curie born",
        ),
        (
            "青屿水厂的日产水量为5万吨。",
            "青屿水厂的日产水量为8万吨。",
            "number",
            ("5万吨", "8万吨"),
            "青屿水厂 日产水量",
        ),
        ("长江大桥于1957年通车。", "长江大桥于1958年通车。", "date", ("1957年", "1958年"), "长江大桥 通车"),
    ],
)
def test_a_contradiction_names_its_subject_and_both_values(
    a: str, b: str, kind: str, said: tuple[str, str], subject: str
) -> None:
    (found,) = contradictions(a, b)
    assert (found.kind, found.values) == (kind, said)
    assert found.subject == subject


def test_sentences_are_verbatim_with_their_place() -> None:
    text = "Acme makes batteries. Acme has 3,500 employees in Leeds. It is old."
    (found,) = contradictions(text, "Acme has 2,980 employees in Leeds.")
    assert found.a.sentence == "Acme has 3,500 employees in Leeds."
    assert text[slice(*found.a.span)] == found.a.sentence


def test_a_text_that_gives_both_values_contradicts_neither() -> None:
    both = "The Harlow Dam is 80 metres high. The Harlow Dam is 84 metres high including the railing."
    assert not contradictions(both, "The Harlow Dam is 84 metres high.")


def test_every_contradiction_of_two_texts_is_kept_numbers_before_names() -> None:
    a = "The Harlow Dam was designed by Ada Orr. The Harlow Dam is 80 metres high."
    b = "The Harlow Dam was designed by Ben Lind. The Harlow Dam is 90 metres high."
    assert [found.kind for found in contradictions(a, b)] == ["number", "name"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("3. The Harlow Dam stands on the river Orr.", "7. The Harlow Dam stands on the river Orr."),
        ("The Harlow Dam stands on the river Orr.[3]", "The Harlow Dam stands on the river Orr.[8]"),
        ("Orr Server 3.1 supports the new format of tables.", "Orr Server 3.4 supports the new format of tables."),
        ("Chapter 3: The Harlow Dam and the river Orr.", "Chapter 4: The Harlow Dam and the river Orr."),
        ("用户7：青屿水厂的日产水量很大，水质很好。", "用户9：青屿水厂的日产水量很大，水质很好。"),
        (
            "Updated on 3 May 2020 by the staff of the Harlow Dam.",
            "Updated on 4 May 2021 by the staff of the Harlow Dam.",
        ),
        ("Orr United won nine games in the 2006 season.", "Orr United won nine games in the 1957 season."),
        ("In 2006, the Harlow Dam held 300 tonnes of water.", "In 1957, the Harlow Dam held 300 tonnes of water."),
        ("2006年，青屿水厂的日产水量为8万吨。", "1957年，青屿水厂的日产水量为8万吨。"),
        ("Flight HAT083 to Leeds has 3 free seats left.", "Flight HAT097 to Leeds has 5 free seats left."),
        ('{"plant": "Harlow", "output": "450 MW of power"}', '{"plant": "Harlow", "output": "540 MW of power"}'),
    ],
)
def test_marks_labels_members_of_a_series_and_machine_data_contradict_nothing(a: str, b: str) -> None:
    assert contradictions(a, b) == ()


def test_a_topic_given_from_outside_tells_what_a_text_is_about() -> None:
    a, b = "It was opened by the old mayor of Leeds in 1932.", "It was opened by the old mayor of Leeds in 1935."
    assert contradictions(a, b, topics=("Lyness Pier", "Lyness Pier"))
    assert not contradictions(a, b, topics=("Lyness Pier", "Harlow Dam"))
    assert not contradictions(a, b)


@pytest.mark.parametrize("text", [*ODD_TEXTS, *(a for a, _ in TABLE["conflict"])])
def test_no_text_contradicts_itself(text: str) -> None:
    assert contradictions(text, text) == ()


@pytest.mark.slow
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_can_be_compared(a: str, b: str) -> None:
    assert bool(contradictions(a, b)) == bool(contradictions(b, a))


@pytest.mark.parametrize("mark", ["#{}", ":issue:`{}`"])
def test_a_number_that_is_a_name_contradicts_no_other(mark: str) -> None:
    said = [f"Fixed the shrinkage of the centroid finder in {mark.format(n)} by Hanmin Qin." for n in (9219, 9105)]
    assert contradictions(*said, topics=("Version 0.19", "Version 0.19")) == ()


def test_a_value_in_code_marks_is_a_value() -> None:
    said = [f"The default timeout of the Harbour client is `{seconds}` seconds." for seconds in (30, 60)]
    assert [pair.values for pair in contradictions(*said)]


@pytest.mark.parametrize("mask", ["[REDACTED]", "<PERSON>", "[EMAIL_1]", "【已脱敏】", "[removed by the operator]"])
def test_what_was_masked_names_nothing_and_a_sentence_with_it_states_nothing(mask: str) -> None:
    a, b = (f"Owner: {mask}\nLine {k} of the sheet is about {k + 2} boats." for k in (1, 2))
    assert not contradictions(a, b, topics=(f"{mask}, line", f"{mask}, line"), apart=True)
    assert not contradictions(
        *(f"The Harbour Point battery of {mask} has a usable capacity of {k} MWh." for k in (12, 18))
    )
    a, b = (f"Owner: {mask}\nThe Harbour Point battery has a usable capacity of {k} MWh." for k in (12, 18))
    assert contradictions(a, b)
    assert contradictions(*(f"The Harbour Point battery (private) has a usable capacity of {k} MWh." for k in (12, 18)))


@pytest.mark.parametrize(
    ("sentence", "value", "other"),
    [
        ("《三体》出版于 {} 年。", "2008", "2006"),
        ("李明出生于 {} 年。", "1980", "1982"),
        ("海燕水库坝高 {} 米。", "86", "68"),
        ("Willow 芯片有 {} 个量子比特。", "105", "127"),
    ],
)
def test_chinese_twins_differ_in_one_value_also_of_short_names_and_without_a_verb(
    sentence: str, value: str, other: str
) -> None:
    [found] = contradictions(sentence.format(value), sentence.format(other))
    assert found.values[0].startswith(value)


def test_a_part_of_two_characters_is_that_of_what_its_own_text_is_about() -> None:
    texts = ("青鳞鱼生活在南海。吻长为眼径的{}倍。", "白带鱼生活在东海。吻长为眼径的{}倍。")
    assert contradictions(texts[0].format(3), texts[1].format(5)) == ()
