"""Language, index terms, keywords and speakers."""

import pytest

from amb_core.text import detect_language, index_tokens
from amb_values import dialogue_speaker
from amb_values.speakers import turn_speakers


@pytest.mark.parametrize(
    ("form", "base"),
    [("bought", "buying"), ("children's", "child's"), ("wrote", "writes"), ("Women", "woman"), ("won", "winning")],
)
def test_irregular_forms_are_the_terms_of_their_base(form: str, base: str) -> None:
    assert index_tokens(form) == index_tokens(base)


def test_chinese_terms_are_characters_and_pairs() -> None:
    assert index_tokens("电池的寿命") == ["电", "池", "寿", "命", "电池", "池的", "的寿", "寿命"]


def test_full_width_and_upper_case_letters_give_the_same_terms() -> None:
    assert index_tokens("ＬＦＰ Cells") == index_tokens("lfp cells")


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
