"""Statements: subject, attribute, value, polarity and span, from English and Chinese sentences."""

from __future__ import annotations

import pytest

from amb_core.agents import Statement, statements


def told(text: str, kind: str, *, topic: str = "") -> list[Statement]:
    return [statement for statement in statements(text, topic=topic) if statement.kind == kind]


@pytest.mark.parametrize(
    ("text", "kind", "subject", "attribute", "value"),
    [
        ("The Riverton Bridge was opened on May 3, 1932.", "date", "Riverton Bridge", "opened", "May 3, 1932"),
        ("Acme has 3,500 employees in Leeds.", "number", "Acme", "employees", "3,500"),
        ("The height of the Eiffel Tower is 330 m.", "number", "Eiffel Tower", "height", "330 m"),
        ("Marie Curie was born in Warsaw.", "name", "Marie Curie", "born", "Warsaw"),
        ("青屿水厂的日产水量为5万吨。", "number", "青屿水厂", "日产水量", "5万吨"),
        ("长江大桥于1957年10月15日通车。", "date", "长江大桥", "通车", "1957年10月15日"),
    ],
)
def test_a_sentence_tells_a_value_of_something(text: str, kind: str, subject: str, attribute: str, value: str) -> None:
    (found,) = told(text, kind)
    assert (found.subject, found.attribute, found.value) == (subject, attribute, value)


def test_one_sentence_may_tell_several_values() -> None:
    found = told("The Riverton Bridge, opened in 1932, is 1,204 metres long and cost $3.5 million.", "number")
    assert [(s.value, s.attribute) for s in found] == [("1,204 metres", ""), ("$3.5 million", "cost")]
    assert {s.subject for s in found} == {"Riverton Bridge"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Riverton Bridge\nThe Riverton Bridge is a steel bridge. It was opened in 1932.", "1932"),
        ("# Riverton Bridge\n\nThe bridge was opened in 1932.", "1932"),
        ("长江大桥是一座公路铁路两用桥。该桥于1957年通车。", "1957年"),
    ],
)
def test_pronouns_and_class_words_stand_for_the_topic(text: str, value: str) -> None:
    (found,) = told(text, "date")
    assert (found.value, found.named) == (value, False)
    assert found.subjects & {"riverton bridge", "长江大桥"}


def test_he_is_not_taken_for_a_thing() -> None:
    (found,) = told("Riverton Bridge\nThe Riverton Bridge is a steel bridge. He was born in 1890.", "date")
    assert "riverton bridge" not in found.subjects


def test_a_given_topic_is_used_where_the_text_names_none() -> None:
    (found,) = told("It was opened in 1932.", "date", topic="Lyness Pier")
    assert found.subject == "Lyness Pier"


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("Zolpiram is approved in Japan.", "Zolpiram is not approved in Japan."),
        ("该厂已经停产多年了。", "该厂没有停产多年。"),
    ],
)
def test_denials_turn_the_polarity(said: str, denied: str) -> None:
    assert {s.polarity for s in statements(said)} == {True}
    assert {s.polarity for s in statements(denied)} == {False}


@pytest.mark.parametrize(
    "text",
    [
        "Was the Riverton Bridge opened in 1932?",
        "The Riverton Bridge may have cost 3 million dollars.",
        "If the load is 5 kg, the beam holds.",
        "Yesterday Acme sold 300 cars.",
        "Caroline: I ran 5 miles with Melanie on Monday.",
        "Changed in version 3.7: Acme has 12 rows.",
        "for i in range(10): print(i, f(3))",
        "长江大桥是1957年通车的吗？",
        "如果负载为5公斤，横梁就能承受。",
        "我昨天跑了5公里。",
    ],
)
def test_questions_guesses_code_and_moments_state_nothing(text: str) -> None:
    assert statements(text) == ()


def test_the_span_is_that_of_the_sentence() -> None:
    text = "Acme makes batteries. Acme has 3,500 employees."
    (found,) = told(text, "number")
    assert text[slice(*found.span)] == found.sentence == "Acme has 3,500 employees."


def test_a_role_is_told_of_its_owner_in_both_directions() -> None:
    (one,) = (s for s in told("Jane Doe is the CEO of Acme.", "name") if s.subject == "Acme")
    (other,) = told("The CEO of Acme is Jane Doe.", "name")
    assert one.words == other.words
    assert one.value == other.value == "Jane Doe"


def test_who_wrote_something_is_told_of_what_was_written() -> None:
    (active,) = (s for s in told("Isaac Asimov wrote Nightfall.", "name") if s.subject == "Nightfall")
    (passive,) = told("Nightfall was written by Isaac Asimov.", "name")
    assert (active.words, active.value) == (passive.words, passive.value)


def test_extraction_is_cached_and_equal() -> None:
    text = "Acme has 3,500 employees."
    assert statements(text) is statements(text)
