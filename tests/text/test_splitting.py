"""Sentences and paragraphs in English, Chinese and mixed text, prose and lists."""

import pytest

from amb_core.text import paragraph_spans, sentence_spans, sentences

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


@pytest.mark.parametrize("text", ["- one\n- two", "| a | b |\n| c | d |", "1. one\n2. two", "# Title\nProse follows."])
def test_list_items_table_rows_and_headings_are_sentences(text: str) -> None:
    assert sentences(text) == text.split("\n")


def test_dialogue_turns_are_sentences() -> None:
    assert sentences("Caroline: Hi there\nMelanie: Hello you") == ["Caroline: Hi there", "Melanie: Hello you"]


def test_wrapped_prose_is_not_cut_at_the_end_of_a_line() -> None:
    text = "Assert statements are a convenient way to insert debugging assertions\ninto a program. They can be off."
    assert len(sentences(text)) == 2


def test_sentence_spans_point_into_the_text() -> None:
    text = "  One.  Two!  "
    assert [text[start:end] for start, end in sentence_spans(text)] == ["One.", "Two!"]


def test_paragraphs_are_parted_by_blank_lines() -> None:
    text = "First line\nsame paragraph goes on.\n\n  \nSecond paragraph."
    assert [text[start:end] for start, end in paragraph_spans(text)] == [
        "First line\nsame paragraph goes on.",
        "Second paragraph.",
    ]


@pytest.mark.parametrize("heading", ["# Safety", "Safety", "Safety\n======", "安全性"])
def test_a_heading_stays_with_the_paragraph_after_it(heading: str) -> None:
    text = f"{heading}\n\nThe cells passed every test that was made in the laboratory.\n\nNext paragraph here."
    assert text[slice(*paragraph_spans(text)[0])].startswith(f"{heading}\n\nThe cells")


def test_long_lines_are_paragraphs_of_their_own() -> None:
    line = "一段很长的文字，没有空行，只有换行。" * 12
    assert len(paragraph_spans(f"{line}\n{line}\n{line}")) == 3
