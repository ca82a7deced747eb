"""Statements of a user in languages that nothing here reads are kept, questions and small talk are not.

Measured on others' sentences (decision 0139); these are the author's own.
"""

from __future__ import annotations

import pytest

from amb_core import ManualClock
from amb_longterm import LongTermMemory
from amb_longterm.routing import route

STATEMENTS = (
    "Ich wohne in Köln und arbeite als Krankenpfleger.",
    "Meine Schwester heißt Anna.",
    "Seit Mai wohne ich in Hamburg.",
    "Vivo en Madrid y tengo dos perros.",
    "Soy alérgico a los frutos secos.",
    "J’habite à Lyon et je suis végétarienne.",
    "Mon chien s'appelle Rex.",
    "أعيش في القاهرة وأعمل طبيبة.",
    "اسم زوجتي ليلى.",
    "私は東京に住んでいます。",
    "猫を二匹飼っています。",
    "저는 서울에 살아요.",
    "Я живу в Москве и работаю врачом.",
    "Moro em Lisboa.",
)
PASSED_OVER = (
    "Wie wird das Wetter morgen?",
    "Fasse bitte diesen Text zusammen.",
    "Danke dir!",
    "¿Dónde vivo?",
    "Gracias por la ayuda.",
    "Bonjour, comment ça va ?",
    "Hola",
    "ما هو الطقس اليوم؟",
    "明日の天気は？",
    "この文章を要約してください。",
    "ありがとうございます！",
    "Der Fehler kommt aus `main.py`, Zeile 12.",
    "Übersetze: Ich wohne in Rom.",
    "Résume ceci :\nJe suis né à Paris et j'habite à Rome.",
)


@pytest.fixture
def memory():
    with LongTermMemory(clock=ManualClock(1_700_000_000, step=60)) as opened:
        yield opened


def kept(memory):
    return [record.content for space in memory.namespaces() for record in memory.records(space)]


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_is_kept_word_for_word_and_found(memory, text):
    memory.remember([{"role": "user", "content": text}], user="u1")
    assert kept(memory) == [text]
    assert text in memory.profile("u1")
    assert memory.search(text.split()[-1], user="u1")[0].content == text
    assert memory.history(memory.records("user_profile/u1")[0].id, namespace="user_profile/u1")[0].content == text


@pytest.mark.parametrize("text", PASSED_OVER)
def test_a_question_a_greeting_a_polite_request_and_code_are_not(memory, text):
    memory.remember(text, user="u1")
    assert kept(memory) == []


def test_a_statement_beside_a_question_is_kept_alone(memory):
    memory.remember("Meine Schwester heißt Anna. Wie wird das Wetter morgen?", user="u1")
    assert kept(memory) == ["Meine Schwester heißt Anna."]


def test_what_may_be_a_request_is_bounded_and_stands_behind_what_is_of_the_user(memory):
    memory.remember("Ich wohne in Köln und arbeite als Krankenpfleger.", user="u1")
    for number in range(40):
        memory.remember(f"Setze den Wecker für morgen auf {number} Minuten nach sieben.", user="u1")
    assert len(kept(memory)) == 25
    assert "Ich wohne in Köln" in memory.profile("u1", room=400)


@pytest.mark.parametrize(
    "text", ["Wo wohne ich?", "Zeige die Liste der offenen Rechnungen von gestern", "私の犬の名前は？"]
)
def test_what_may_ask_reads_memory(text):
    assert route(text, user="u1").should_read


@pytest.mark.parametrize(
    "text",
    [
        "Plot the sales by month.",
        "Rewrite in formal English: I wanna buy ur bike",
        "wanna grab lunch l8r",
        "列表为空时返回 None。",
    ],
)
def test_english_and_chinese_are_read_as_before(memory, text):
    memory.remember(text, user="u1")
    assert kept(memory) == []
