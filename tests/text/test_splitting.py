"""Sentences and paragraphs in English, Chinese and mixed text, prose and lists."""

import pytest

from amb_values import sentence_spans, sentences

ENGLISH = [
    ["Dr. Smith went home.", "He slept."],
    ["J. K. Rowling wrote it.", "It sold."],
    ["He lives in the U.S. and works.", "Fine."],
    ["He lives in the U.S.", "The sun shines."],
    ["It costs 3.5 dollars.", "Yes."],
    ["See No. 5 for more.", "Ok."],
    ["This is short, e.g. like this.", "And that."],
    ['"Stop!" he said.', "He ran."],
    ['She said "Go."', "Then left."],
    ["Wait... what?", "No."],
    ["Apple Inc. announced it.", "OK."],
    ["Visit http://a.b/c?x=1.2 now.", "Done."],
    ["Born on Jan. 5, 1990.", "She came in Feb.", "It was cold."],
    ["George W. Bush won.", "He ran."],
    ["i went home.", "then he came."],
]
CHINESE = [
    ["今天天气好。", "我们走吧！", "好吗？"],
    ["他说：“你好。”", "然后走了。"],
    ["第一；", "第二；", "第三。"],
    ["版本3.5发布了。", "价格为2.5元。"],
    ["甲方同意。", "乙方弃权……", "最后通过。"],
]


@pytest.mark.parametrize("expected", ENGLISH, ids=lambda parts: parts[0])
def test_english_sentences_end_at_full_stops_but_not_inside_abbreviations(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


@pytest.mark.parametrize("expected", CHINESE, ids=lambda parts: parts[0])
def test_chinese_sentences_end_at_their_marks(expected: list[str]) -> None:
    assert sentences("".join(expected)) == expected


def test_mixed_text_is_split_by_the_marks_of_both_languages() -> None:
    assert sentences("AI模型很好！我们用它。Yes it is. 好的。") == [
        "AI模型很好！",
        "我们用它。",
        "Yes it is.",
        "好的。",
    ]


def test_sentence_spans_point_into_the_text() -> None:
    text = "  One.  Two!  "
    assert [text[start:end] for start, end in sentence_spans(text)] == ["One.", "Two!"]
