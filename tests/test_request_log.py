"""The line of the log for each request: figures, and nothing of what is said."""

from __future__ import annotations

import logging
import re

import pytest

from amb_core import ContextAdapter, MemoryBank, Settings
from amb_core.adapter.wire_forms import read_transcript

LINE = re.compile(
    r"request (?P<number>\d+): (?P<before>[\d,]+) → (?P<after>[\d,]+) tokens, (?P<left>[\d,]+) results? left, "
    r"(no block|block (?P<block>[\d,]+) from (?P<steps>[\d,]+) steps?)"
)
WORDS = {"en": "The jar on this shelf is brown. ", "zh": "这个架子上的罐子是棕色的。"}


def talk(results: int, language: str) -> list[dict[str, object]]:
    """A run that read so many shelves."""
    told: list[dict[str, object]] = [{"role": "user", "content": "Read the shelves. 读架子。"}]
    for number in range(results):
        call = {"name": "read", "arguments": f'{{"shelf": {number}}}'}
        told += [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}],
            },
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"shelf_{number}: " + WORDS[language] * 80},
        ]
    return told


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("inject", ["missing", "always", "never"])
def test_each_request_has_one_line_that_says_what_became_of_it(
    language: str, inject: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "amb")
    settings = Settings(prompt_budget_tokens=3_000, block_tokens=400, inject=inject)
    adapter, said = ContextAdapter(MemoryBank("Read the shelves.", settings=settings)), talk(12, language)
    made = [adapter.next_request(said[:until]) for until in (1, 3, 25, 25)]
    lines = [each for each in caplog.records if each.name == "amb.adapter" and each.levelno == logging.INFO]
    told = [LINE.fullmatch(each.getMessage()) for each in lines]
    assert [each and int(each["number"]) for each in told] == [1, 2, 3, 4]
    for request, line in zip(made, told, strict=True):
        assert line is not None
        assert int(line["after"].replace(",", "")) == sum(map(adapter.count.message, request))
    last = told[-1]
    assert last is not None
    assert int(last["before"].replace(",", "")) > int(last["after"].replace(",", ""))
    assert int(last["left"]) == 12 - sum(each["role"] == "tool" for each in made[-1]) > 0
    assert (last["block"] is None) is (inject == "never")


def test_messages_of_another_form_are_counted_alike(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "amb")
    content = [
        {"type": "tool_result", "tool_use_id": "a", "content": "x"},
        {"type": "tool_result", "tool_use_id": "b", "content": "y"},
    ]
    calls = [{"type": "tool_use", "id": name, "name": "read", "input": {"shelf": name}} for name in "ab"]
    said = [
        {"role": "user", "content": "Read."},
        {"role": "assistant", "content": calls},
        {"role": "user", "content": content},
    ]
    ContextAdapter(MemoryBank("Read."), form="anthropic").next_request(said)
    assert len(read_transcript(said, form="anthropic").chat) == 4
    assert [LINE.fullmatch(each.getMessage())["left"] for each in caplog.records if each.levelno == logging.INFO] == [
        "0"
    ]  # type: ignore[index]


def test_without_logging_nothing_is_said(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "amb")
    ContextAdapter(MemoryBank("Read.")).next_request(talk(2, "en"))
    assert caplog.records == []
