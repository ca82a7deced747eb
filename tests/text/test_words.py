"""Language, index terms, keywords and speakers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amb_core.text import (
    detect_language,
    dialogue_speaker,
    estimate_tokens,
    forget_texts,
    index_tokens,
    keywords,
    values,
    word_key,
)
from amb_core.text.text_spans import turn_speakers


def test_english_terms_are_stems_without_stop_words() -> None:
    assert index_tokens("The batteries were charging, and they don't stop.") == ["batteri", "charg", "stop"]


@pytest.mark.parametrize(
    ("form", "base"),
    [("bought", "buying"), ("children's", "child's"), ("wrote", "writes"), ("Women", "woman"), ("won", "winning")],
)
def test_irregular_forms_are_the_terms_of_their_base(form: str, base: str) -> None:
    assert index_tokens(form) == index_tokens(base)


def test_a_form_that_is_a_word_of_its_own_stays_one() -> None:
    assert index_tokens("rose ground wound founded") == ["rose", "ground", "wound", "found"]


def test_chinese_terms_are_characters_and_pairs() -> None:
    assert index_tokens("电池的寿命") == ["电", "池", "寿", "命", "电池", "池的", "的寿", "寿命"]


def test_full_width_and_upper_case_letters_give_the_same_terms() -> None:
    assert index_tokens("ＬＦＰ Cells") == index_tokens("lfp cells")


def test_mixed_text_gives_terms_of_both_kinds() -> None:
    assert index_tokens("LFP电池") == ["lfp", "电", "池", "电池"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("A plain text.", "en"),
        ("一段中文文字。", "zh"),
        ("我们使用 Python 和 C 语言编写程序。", "zh"),
        ("", "en"),
        ("123", "en"),
    ],
)
def test_the_language_is_the_one_most_of_the_text_is_in(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Caroline: Hey Mel!", "Caroline"),
        ("[10:03] Caroline: Hey", "Caroline"),
        ("2023-05-08 13:56 Caroline: Hi", "Caroline"),
        ("Dr. Smith: yes", "Dr. Smith"),
        ("user: hi", "user"),
        ("小王：你好", "小王"),
        ("李明 (10:30): 好的", "李明"),
        ("用户：你好", "用户"),
    ],
)
def test_the_name_before_the_colon_of_a_turn_is_the_speaker(text: str, speaker: str) -> None:
    assert dialogue_speaker(text) == speaker


@pytest.mark.parametrize(
    "text",
    [
        "Note: this",
        "http://x.com",
        "Cycle Life: 3000",
        "Time 10:30",
        "So: yes",
        "结果：好",
        "主要原因：贵",
        "价格：三元",
        "",
    ],
)
def test_labels_and_addresses_are_no_speakers(text: str) -> None:
    assert dialogue_speaker(text) is None


def test_keywords_name_the_topic_once_each() -> None:
    text = "Sodium-ion cells cost less. Cells from Northvolt avoid cobalt, and cobalt is what worries Northvolt."
    found = keywords(text, limit=4)
    assert "Northvolt" in found
    assert len({word.lower() for word in found}) == len(found)


def test_chinese_keywords_are_words_of_the_text() -> None:
    text = "磷酸铁锂电池的循环寿命很长。磷酸铁锂电池价格低，循环寿命超过三千次。"
    found = keywords(text, limit=5)
    assert any("磷酸" in word or "铁锂" in word for word in found)
    assert all(word in text for word in found)


def test_keywords_hold_the_limit() -> None:
    assert len(keywords("alpha bravo charlie delta echo foxtrot golf", limit=3)) == 3


def test_function_words_are_no_keywords() -> None:
    assert keywords("It is what it is, and so on.") == ()


PIECES = ("the ", "Batteries ", "battery ", "Ｌｆｐ", "lfp ", "电池", "的", "池", "，", ". ", "7 ", "不", "é")


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.lists(st.sampled_from(PIECES), max_size=8))
def test_texts_with_equal_terms_have_equal_keys(first: list[str], second: list[str]) -> None:
    a, b = "".join(first), "".join(second)
    assert index_tokens(a) != index_tokens(b) or word_key(a) == word_key(b)


def test_a_text_without_terms_has_no_key() -> None:
    assert word_key("the , 的") == ""


def test_results_are_the_same_after_texts_are_forgotten() -> None:
    text = "Ada Lovelace was born in London in 1815."
    before = (values(text), index_tokens(text), estimate_tokens(text))
    forget_texts()
    assert (values(text), index_tokens(text), estimate_tokens(text)) == before


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Ann: Hi!\nBob: Hello.\nHow are you?\nAnn: Fine.", ("Ann", "Bob", "Ann")),
        ("小王：你好\n小李：好的", ("小王", "小李")),
        ("Ann: Hi!\nNote: be kind.", ("Ann",)),
        ("Titanic is a film.\nAnn: Hi!", ()),
        ("", ()),
    ],
)
def test_the_speakers_of_a_dialogue_are_told_turn_by_turn(text: str, speakers: tuple[str, ...]) -> None:
    assert turn_speakers(text) == speakers
