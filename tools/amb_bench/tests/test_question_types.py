"""What a question asks for, in English and Chinese."""

from __future__ import annotations

import pytest
from amb_bench.hotpotqa.rules.question_types import choices, compared, focus_of, question_type


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who directed the film that won in 1997?", "person"),
        ("The novel was written by an author whose father was whom?", "person"),
        ("In what year was the founder of the brewery born?", "date"),
        ("When was the singer who recorded the song born?", "date"),
        ("How many people live in the city where the festival is held?", "number"),
        ("The academy is located in what city?", "place"),
        ("Where was the composer of the opera born?", "place"),
        ("Which university did the inventor of the valve attend?", "organisation"),
        ("What film starred the brother of the poet?", "work"),
        ("Are the Lena and the Ob both rivers?", "yes-no"),
        ("Which river is longer, the Lena or the Ob?", "choice"),
        ("What is the profession of the man who wrote it?", "other"),
        ("这部电影的导演是谁？", "person"),
        ("作者是哪一年出生的？", "date"),
        ("这座城市有多少人口？", "number"),
        ("总部位于哪个城市？", "place"),
        ("他毕业于哪所大学？", "organisation"),
        ("他写了哪部小说？", "work"),
        ("两人是否都是歌手？", "yes-no"),
        ("长江和黄河哪条更长？", "choice"),
        ("昆明的别称是什么？", "other"),
    ],
)
def test_the_words_of_a_question_say_what_it_asks_for(question: str, kind: str) -> None:
    assert question_type(question) == kind


@pytest.mark.parametrize(
    ("question", "head"),
    [
        ("What is the profession of the man who wrote it?", "profession"),
        ("The academy is located in what Australian city?", "city"),
        ("He is a musician whose godfather is whom?", "godfather"),
        ("云南大学所在城市的别称是什么？", "别称"),
    ],
)
def test_the_noun_asked_for_is_named(question: str, head: str) -> None:
    assert focus_of(question).head == head


@pytest.mark.parametrize(
    ("question", "two"),
    [
        ("Which band was formed first, Rose Harbour or Cold Quay?", ("Rose Harbour", "Cold Quay")),
        ("Who is older, Ada Brandt or J. K. Oduya?", ("Ada Brandt", "J. K. Oduya")),
        ("长江和黄河哪条更长？", ("长江", "黄河")),
        ("清华大学还是北京大学成立得更早？", ("清华大学", "北京大学")),
        ("Who wrote the songs of Rose Harbour?", ()),
    ],
)
def test_a_choice_names_its_two_sides(question: str, two: tuple[str, ...]) -> None:
    assert choices(question) == two


def test_a_yes_no_question_about_two_things_is_no_choice_but_names_both() -> None:
    question = "Are Rose Harbour and Cold Quay both bands?"
    assert (choices(question), compared(question)) == ((), ("Rose Harbour", "Cold Quay"))
