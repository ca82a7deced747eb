"""The bench of readers: the same model answers from each way's request, in pairs, and what it said is kept."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from amb_bench.benches import BenchOptions
from amb_bench.reader_bench import Asked, is_right, reads, tables
from amb_bench.role_cases import KeptAnswers

from amb_chat import ScriptedChatModel
from amb_core.chat_io import ChatRequest
from amb_core.errors import InvalidParameter

QUESTION = "What is the code of station 2?"


def stations(count: int) -> Asked:
    messages: list[Any] = [{"role": "user", "content": "Read the stations."}]
    for number in range(1, count + 1):
        lines = [f"Station {number} has {at * 7919 % 9973} units on line {at}." for at in range(60)]
        page = "\n".join([*lines[:30], f"The code of station {number} is ST-{number * 7919}.", *lines[30:]])
        call = {"id": f"c{number}", "type": "function", "function": {"name": "look", "arguments": f'{{"n": {number}}}'}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": page})
    return Asked((*messages, {"role": "user", "content": QUESTION}), QUESTION, "ST-15838")


def reader(request: ChatRequest) -> str:
    """A model that says what its text says, and that it does not know where that says nothing."""
    found = re.search(r"The code of station 2 is (ST-\d+)", str(request.messages[0]["content"]))
    return f"It is {found[1]}." if found else "I do not know."


def test_each_way_is_answered_from_its_own_request_and_answers_are_kept(tmp_path: Path) -> None:
    asked = stations(12)
    found = reads(asked, KeptAnswers(tmp_path, chat=ScriptedChatModel(reader)))
    assert (found["amb"].right, found["clear-tool-uses"].right) == (True, False)
    assert all(one.held is one.right for one in found.values())
    assert all(0 < one.tokens <= 2_000 for one in found.values())
    assert reads(asked, KeptAnswers(tmp_path)) == found


@pytest.mark.parametrize(
    ("answer", "gold", "right"),
    [
        ("It is Oslo.", "Oslo", True),
        ("The city of Oslo in Norway, a port", "Oslo", True),
        ("Bergen", "Oslo", False),
        ("Osloers", "Oslo", False),
        ("the old harbour office", "harbour office of Bergen", True),
        ("", "Oslo", False),
    ],
)
def test_an_answer_is_right_if_it_holds_the_gold_one_or_half_of_its_words(answer: str, gold: str, right: bool) -> None:
    assert is_right(answer, gold) is right


def test_a_bench_without_a_model_says_what_to_name() -> None:
    with pytest.raises(InvalidParameter, match="--model"):
        list(tables(BenchOptions()))
    with pytest.raises(InvalidParameter, match="there is no part"):
        list(tables(BenchOptions(only=("hotpot",), model="m")))
