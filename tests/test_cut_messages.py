"""What a user or the system says and a request has no room for: it is said, kept, and shortened after all else."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from amb_core import ContextAdapter, MemoryBank, MessageTooLong, Settings
from amb_core.adapter import TokenCounter

WISH = {"en": "The quotation must be in Norwegian crowns.", "zh": "报价单必须用挪威克朗计价。"}
GOAL = {"en": "Write the quotation.", "zh": "写一份报价单。"}
COUNT = "send a message whole"


def _pasted(language: str, lines: int = 300) -> str:
    line = {"en": "Shelf {} of the store has {} boxes of screws.", "zh": "仓库第{}号货架上有{}箱螺丝。"}[language]
    told = [line.format(number, number * 7 % 31) for number in range(lines)]
    return "\n".join([*told[: lines // 2], WISH[language], *told[lines // 2 :]])


def _adapter(goal: str, **values: Any) -> ContextAdapter:
    return ContextAdapter(MemoryBank(goal, settings=Settings(prompt_budget_tokens=2_000, **values)))


def _sent(adapter: ContextAdapter, *said: tuple[str, str]) -> list[dict[str, Any]]:
    made = adapter.prepare([{"role": role, "content": text} for role, text in said])
    assert TokenCounter().request(made) <= 2_000
    return made


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_long_message_of_the_user_is_sent_with_what_the_goal_asks_for_and_kept_whole(language: str) -> None:
    adapter, text = _adapter(GOAL[language]), _pasted(language)
    shown = _sent(adapter, ("user", text))[0]["content"]
    assert shown != text
    assert WISH[language] in shown
    entry = next(entry for entry in adapter.bank.snapshot().entries if entry.text == text)
    assert entry.metadata["source"] == "user"
    assert WISH[language] in adapter.bank.recall(WISH[language]).text


@pytest.mark.parametrize("role", ["user", "system"])
def test_what_is_cut_is_warned_of_once_and_counted(role: str, caplog: pytest.LogCaptureFixture) -> None:
    adapter, said = _adapter("Count the boxes."), [(role, _pasted("en")), ("user", "Count them.")]
    with caplog.at_level(logging.WARNING, "amb.adapter"):
        _sent(adapter, *said)
        _sent(adapter, *said, ("assistant", "Yes."), ("user", "Go on."))
    told = [record.getMessage() for record in caplog.records if "does not fit whole" in record.getMessage()]
    assert len(told) == 1
    assert told[0].startswith(f"a {role} message of ")
    assert "Shelf" not in told[0]
    assert adapter.failures == {COUNT: 1}


@pytest.mark.parametrize("role", ["user", "system"])
def test_strict_settings_refuse_and_keep_nothing(role: str) -> None:
    adapter = _adapter("Count the boxes.", strict=True)
    for _ in range(2):
        with pytest.raises(MessageTooLong, match="raise prompt_budget_tokens, or shorten or split") as caught:
            _sent(adapter, (role, _pasted("en")), ("user", "Go on."))
    assert caught.value.role == role
    assert not adapter.bank.snapshot().entries


def test_results_are_shortened_before_what_the_user_says() -> None:
    adapter, text = _adapter("Count the boxes."), _pasted("en", 100)
    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    page = " ".join(f"Row {number} is as grey as row {number + 1}." for number in range(160))
    messages = [
        {"role": "user", "content": text},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": page},
    ]
    made = adapter.prepare(messages)
    assert TokenCounter().request(made) <= 2_000
    assert [message["content"] == text for message in made].count(True) == 1
    assert page not in [message["content"] for message in made]
    assert adapter.failures == {}


def test_results_give_all_they_can_before_a_question_that_does_not_fit_is_cut() -> None:
    adapter, question = _adapter("Count the boxes."), f"{_pasted('en', 150)}\nWhat is on shelf 149?"
    talk: list[dict[str, Any]] = [{"role": "user", "content": "Count the boxes."}]
    for n in range(2):
        calls = [{"id": f"c{n}", "type": "function", "function": {"name": "read", "arguments": "{}"}}]
        talk.append({"role": "assistant", "content": None, "tool_calls": calls})
        talk.append({"role": "tool", "tool_call_id": f"c{n}", "content": f"Page {n}. {'Lorem ipsum dolor. ' * 400}"})
    made = adapter.next_request([*talk, {"role": "user", "content": question}])
    size = {role: [TokenCounter().message(one) for one in made if one["role"] == role] for role in ("tool", "user")}
    assert max(size["tool"]) < 200
    assert max(size["user"]) > 1_200
    assert any("What is on shelf 149?" in str(one["content"]) for one in made)


def test_memory_says_less_where_the_words_of_the_user_leave_it_little() -> None:
    adapter = _adapter("Count the boxes.")
    text = _pasted("en", 124)
    assert _sent(adapter, ("user", text))[0]["content"] == text
    assert adapter.failures == {}
