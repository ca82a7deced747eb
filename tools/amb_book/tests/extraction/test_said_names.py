"""Names an author says once, in a book that knows nobody yet."""

from __future__ import annotations

from typing import Any

import pytest
from amb_book.extraction import LocalExtractor
from amb_book.facts import FactGraph


def read(text: str, facts: FactGraph) -> list[dict[str, Any]]:
    found = LocalExtractor().extract(text, known=facts, chapter=1)
    return [each.statement.model_dump(by_alias=True, exclude_defaults=True) for each in found]


@pytest.mark.parametrize(
    ("text", "subject", "relation", "other"),
    [
        ("Lin Yue arrived at Siege Camp at dusk.", "Lin Yue", "IS_AT", "Siege Camp"),
        ("Wei Tan is in Harrow.", "Wei Tan", "IS_AT", "Harrow"),
        ("Lin Yue gave the jade pendant to Qiu Han.", "Qiu Han", "OWNS", "the jade pendant"),
        ("Lin Yue now owns the jade pendant.", "Lin Yue", "OWNS", "the jade pendant"),
        ("Lin Yue married Wei Tan.", "Lin Yue", "MARRIED_TO", "Wei Tan"),
        ("Qiu Han is the brother of Lin Yue.", "Lin Yue", "SIBLING_OF", "Qiu Han"),
        ("The jade pendant belongs to Qiu Han.", "Qiu Han", "OWNS", "the jade pendant"),
        ("Lin Yue learns the Shadow Step.", "Lin Yue", "HAS_ABILITY", "Shadow Step"),
        ("林月加入了狼卫。", "林月", "MEMBER_OF", "狼卫"),
        ("林月到了北城。", "林月", "IS_AT", "北城"),
        ("林月去了北城。", "林月", "IS_AT", "北城"),
        ("林月把玉佩交给了秋寒。", "秋寒", "OWNS", "玉佩"),
        ("玉佩归秋寒所有。", "秋寒", "OWNS", "玉佩"),
        ("秋寒是林月的哥哥。", "林月", "SIBLING_OF", "秋寒"),
        ("林月嫁给了卫谈。", "林月", "MARRIED_TO", "卫谈"),
    ],
)
def test_a_plain_sentence_names_whom_it_tells_of(
    text: str, subject: str, relation: str, other: str, facts: FactGraph
) -> None:
    assert {"subject": subject, "relation": relation, "object": other} in read(text, facts)


@pytest.mark.parametrize(
    ("text", "who"), [("秋寒死了。", "秋寒"), ("韩老将军战死。", "韩老将军"), ("Qiu Han is dead.", "Qiu Han")]
)
def test_a_death_names_the_dead(text: str, who: str, facts: FactGraph) -> None:
    assert {"status": {"of": who, "is": "dead"}} in read(text, facts)


@pytest.mark.parametrize(
    "text",
    [
        "Who killed Lin Yue?",
        "Who is Captain Bo?",
        "The war is in its third winter.",
        "Since Stane is dead, nothing moves.",
        "Nobody went to Bed.",
        "Love is the daughter of Time.",
        "谁把玉佩给了秋寒？",
        "老人死了。",
        "父亲死了。",
        "当天秋寒死了。",
        "男主是女主的哥哥。",
        "气氛到了顶点。",
        "大家都死了。",
        "这章把节奏交给配角。",
    ],
)
def test_other_words_in_such_places_are_no_names(text: str, facts: FactGraph) -> None:
    assert read(text, facts) == []
