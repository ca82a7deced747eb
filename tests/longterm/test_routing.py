"""Routing: what is kept, what is looked up, and what is neither, in English and Chinese."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from amb_chat import ScriptedChatModel
from amb_core.errors import InvalidParameter, ModelUnavailable
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_records import MemoryType
from amb_longterm.routing import by_namespace, route, scope_of_worker
from amb_longterm.user_statements import statements

MESSAGES = Path(__file__).resolve().parents[2] / "tools" / "amb_bench" / "amb_bench" / "routing_messages.jsonl"
PROFILE, FACTS, TRACES = MemoryType.USER_PROFILE, MemoryType.DOMAIN_FACTS, MemoryType.TASK_TRACES


def _messages(language: str, half: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in MESSAGES.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["language"] == language and row["half"] == half]


def _precision_and_recall(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float]:
    right = sum(got and wanted for got, wanted in pairs)
    return right / max(1, sum(got for got, _ in pairs)), right / max(1, sum(wanted for _, wanted in pairs))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("half", ["development", "held-out"])
def test_most_messages_are_routed_as_people_would(language: str, half: str) -> None:
    rows = _messages(language, half)
    routes = [route(row["text"], user="u1") for row in rows]
    reading = [(got.should_read, row["read"]) for got, row in zip(routes, rows, strict=True)]
    writing = [(got.should_write, bool(row["write"])) for got, row in zip(routes, rows, strict=True)]
    exact = [sorted(got.writes.values()) == sorted(row["write"]) for got, row in zip(routes, rows, strict=True)]
    assert len(rows) >= 30
    assert min(_precision_and_recall(reading)) >= 0.85
    assert min(_precision_and_recall(writing)) >= 0.85
    assert sum(exact) / len(exact) >= 0.92


@pytest.mark.parametrize(
    "message",
    [
        "以后都用欧元。",
        "默认不含税。",
        "记住我在新加坡。",
        "我偏好柱状图。",
        "我习惯看周报。",
        "From now on use EUR.",
        "By default, leave out tax.",
        "Remember I am in Singapore.",
        "I usually read weekly reports.",
    ],
)
def test_the_words_of_the_design_write_to_the_profile(message: str) -> None:
    assert route(message, user="u1").writes == {"user_profile/u1": PROFILE}


@pytest.mark.parametrize(
    "message",
    [
        "Remember: no weekends in the plots.",
        "Keep in mind, sorry is enough.",
        "In future, send me spreadsheets.",
        "Henceforth write amounts in francs.",
        "记住，谢谢这类的话不要写。",
        "习惯用财季而不是季度。",
    ],
)
def test_what_follows_the_opening_of_a_rule_is_kept_with_it(message: str) -> None:
    assert [(each.text, each.type) for each in statements(message)] == [(message, PROFILE)]


def test_the_opening_of_a_rule_alone_is_nothing_to_keep() -> None:
    assert not statements("Remember: what is our tax rate?")


@pytest.mark.parametrize(
    ("message", "reads"),
    [
        ("Headcount", True),
        ("Order backlog", True),
        ("跑完告诉我", True),
        ("Interesting", False),
        ("Sounds good", False),
        ("老王告诉我", False),
    ],
)
def test_a_bare_subject_asks_and_a_bare_remark_does_not(message: str, *, reads: bool) -> None:
    assert route(message, user="u1").should_read is reads


def test_an_order_in_a_form_that_is_liked_tells_nothing() -> None:
    assert not statements("Plot churn with the colours that I like")


@pytest.mark.parametrize(
    "message",
    [
        "GMV 的口径是退款前金额。",
        "客均收入等于收入除以客户数。",
        "“北区”是三个区域的别名。",
        "GMV means sales before refunds.",
        "NPS stands for net promoter score.",
    ],
)
def test_a_definition_is_a_fact_and_no_preference(message: str) -> None:
    assert route(message, user="u1").writes == {"domain_facts/u1": FACTS}


@pytest.mark.parametrize("message", ["Run it as last time.", "跟上次一样再跑一遍。"])
def test_a_reference_to_earlier_work_looks_into_the_workers_memories_too(message: str) -> None:
    found = route(message, user="u1", workers=("text2sql",))
    assert found.should_read
    assert not found.should_write
    assert found.namespaces[-1] == f"{scope_of_worker('text2sql')}/u1"


def test_one_message_may_tell_and_ask() -> None:
    message = "按地区列出收入，以后地区都按名称排序。GMV 指的是退款前金额。"
    found = route(message, user="u1")
    assert found.should_read
    assert found.writes == {"user_profile/u1": PROFILE, "domain_facts/u1": FACTS}
    assert [each.text for each in statements(message)] == ["以后地区都按名称排序。", "GMV 指的是退款前金额。"]


@pytest.mark.parametrize(
    "message",
    [
        "Don't remember this: I prefer tea.",
        "这个不用记：我喜欢喝茶。",
        "Forget that I prefer EUR.",
        "忘掉我喜欢欧元这件事。",
        'He wrote: "From now on I want all invoices in Madrid."',
        "客户来信写道：“以后我们都用美元结算。”",
        "What if I preferred EUR?",
        "假设我以后都用欧元。",
        "Do I always use EUR?",
        "我一般用哪种货币？",
    ],
)
def test_what_is_asked_supposed_quoted_or_withdrawn_is_not_kept(message: str) -> None:
    assert not route(message, user="u1").should_write
    assert statements(message) == ()


@pytest.mark.parametrize("message", ["", "   ", "Thanks!", "谢谢你！", "What is 12 plus 30?", "12 加 30 等于多少？"])
def test_small_talk_and_sums_touch_no_memory(message: str) -> None:
    found = route(message, user="u1")
    assert not found.should_read
    assert not found.should_write
    assert not found.namespaces


def test_policies_override_the_cues() -> None:
    assert not route("From now on use EUR. Show sales.", user="u1", policy="never").namespaces
    silent = route("Hm.", user="u1", policy="always")
    assert silent.should_read
    assert silent.writes == {"user_profile/u1": PROFILE}
    reading = route("From now on use EUR. Show sales.", user="u1", policy="read-only")
    assert reading.should_read
    assert not reading.writes
    with pytest.raises(InvalidParameter, match="one of default"):
        route("Hm.", user="u1", policy="sometimes")


@pytest.mark.parametrize(
    "message", ["以后图表用蓝色。毛利是指收入减去成本。", "Always use EUR. Margin means revenue less cost."]
)
def test_one_namespace_takes_what_a_message_says_of_either_kind(message: str) -> None:
    found = route(message, user="u1", settings=LongTermSettings(namespaces=("notes",)))
    assert [(space, each.type) for space, each in by_namespace(message, found)] == [
        ("notes/u1", PROFILE),
        ("notes/u1", FACTS),
    ]


def test_the_configured_scopes_are_looked_into() -> None:
    scopes = LongTermSettings(namespaces=("profile", "facts"))
    found = route("From now on use EUR. Show the sales.", user="a/b", settings=scopes)
    assert found.writes == {"profile/a%2Fb": PROFILE}
    assert found.namespaces[:2] == ("profile/a%2Fb", "facts/a%2Fb")


def reading(*statements: dict[str, str], missing: Sequence[str] = ()) -> str:
    return json.dumps({"statements": statements, "answer": "", "answers_goal": False, "missing": missing})


BRAND = "The brand wears green."
GREEN = {"quote": BRAND, "subject": "user", "attribute": "colour of the brand", "value": "Green"}


def test_a_model_is_asked_only_where_no_cue_speaks() -> None:
    chat = ScriptedChatModel([reading(GREEN)])
    assert route("From now on use EUR.", user="u1", chat=chat).writes == {"user_profile/u1": PROFILE}
    assert not chat.requests
    found = route(BRAND, user="u1", chat=chat)
    assert (found.writes, found.should_read) == ({"user_profile/u1": PROFILE}, False)
    assert "a model decided" in found.reasons


def test_what_a_model_quotes_is_kept_and_not_the_whole_message() -> None:
    message = f"Hello there. {BRAND} Net is after returns. The boss likes red. Perhaps I move to Ghent."
    told = [
        GREEN,
        {"quote": "Net is after returns.", "subject": "Net", "attribute": "DEFINITION", "value": "after returns"},
        {**GREEN, "quote": "The boss likes red.", "value": "red", "speaker": "The boss"},
        {**GREEN, "quote": "Perhaps I move to Ghent.", "value": "Ghent", "modality": "conditional"},
        {**GREEN, "quote": "My brand is blue.", "value": "blue"},
    ]
    found = route(message, user="u1", chat=ScriptedChatModel([reading(*told)]))
    assert found.said == ((PROFILE, BRAND), (FACTS, "Net is after returns."))
    assert [(space, each.text) for space, each in by_namespace(message, found)] == [
        ("user_profile/u1", BRAND),
        ("domain_facts/u1", "Net is after returns."),
    ]
    assert found.reasons[-1] == "statements without a true quote: 1"


@pytest.mark.parametrize("answer", [ModelUnavailable("down"), "no JSON", '{"read": true}', reading(*[GREEN] * 100)])
def test_without_a_usable_answer_the_cues_stand(answer: str | Exception) -> None:
    chat = ScriptedChatModel([answer, answer])
    assert not route(BRAND, user="u1", chat=chat).should_write
