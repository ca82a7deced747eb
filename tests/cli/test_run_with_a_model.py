"""`amb run` with a model, against an endpoint on this machine that counts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from amb_bench.doubles.chat_server import ChatServer

from amb_core import MemoryBank
from amb_core.memory.snapshots import read_snapshot

Arguments = Callable[..., list[str]]
QUESTIONS = [
    ("What is the usable capacity of the Harbour Point battery?", "island_microgrid"),
    ("青屿海水淡化厂的日产水量是多少？", "海水淡化厂"),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("question", "corpus"), QUESTIONS)
def test_a_run_ends_with_answer_citations_receipts_page_and_export(
    amb_here: Any, asked: Arguments, endpoint: ChatServer, question: str, corpus: str
) -> None:
    ran = amb_here(*asked(question, corpus))

    assert ran.returncode == 0, ran.stderr
    assert "\nAnswer\n  It is as the register says [n" in ran.stdout
    assert re.search(r"\nCitations\n  n\d+  \S", ran.stdout)
    for said in ("Receipts", "request  1  task 1  search(", "price unknown", "largest request", "budget: none set"):
        assert said in ran.stdout
    page = (amb_here.folder / "out" / "memory.html").read_text("utf-8")
    assert question in page
    assert read_snapshot(amb_here.folder / "out" / "memory.json").insight.task_goal == question
    assert not (amb_here.folder / "out" / "memory.db").exists()
    _receipts_agree(read_snapshot(amb_here.folder / "out" / "memory.json").usage.total, endpoint, ran.stdout)


def _receipts_agree(total: Any, endpoint: ChatServer, out: str) -> None:
    """The receipts are what the endpoint counted."""
    told = endpoint.reported
    assert (total.calls, total.failed_calls) == (told.calls, told.failed_calls)
    assert total.calls + total.failed_calls == endpoint.requests
    assert (total.prompt_tokens, total.completion_tokens) == (told.prompt_tokens, told.completion_tokens)
    assert f"{total.prompt_tokens:,}" in out
    assert (total.calls, total.tokens) == tuple(_row_of("all", out))


@pytest.mark.slow
def test_the_names_of_the_design_document_set_the_loop(amb_here: Any, asked: Arguments, endpoint: ChatServer) -> None:
    lines = ("LLM_TEMPERATURE=0.3", "LLM_MAX_TOKENS=777", "MAX_LLM_CALL_PER_RUN=1")
    (amb_here.folder / ".env").write_text("\n".join(lines), "utf-8")
    ran = amb_here(*asked())

    loop = next(one.request for one in endpoint.exchanges if one.request.get("tools"))
    assert (loop["temperature"], loop.get("max_tokens")) == (0.3, 777)
    assert "all model calls it had are made (--max-calls)" in ran.stdout


def _row_of(role: str, out: str) -> tuple[int, int]:
    row = next(line for line in out.splitlines() if line.strip().startswith(f"{role} "))
    calls, _, prompt, _, completion = (int(figure.replace(",", "")) for figure in row.split()[1:6])
    return calls, prompt + completion


@pytest.mark.slow
def test_roles_can_do_without_a_model_and_the_calls_be_separate(
    amb_here: Any, asked: Arguments, endpoint: ChatServer
) -> None:
    roles = ["--role", "planning=none", "--role", "structure=none"]
    ran = amb_here(*asked(), *roles, "--no-fused", "--protocol", "native")

    assert ran.returncode == 0, ran.stderr
    spent = read_snapshot(amb_here.folder / "out" / "memory.json").usage.spent
    assert spent.keys() >= {"check", "react", "classification"}
    assert spent.keys().isdisjoint({"planning", "structure", "digest"})


@pytest.mark.slow
def test_a_budget_ends_the_model_calls_and_can_be_raised_when_going_on(
    amb_here: Any, asked: Arguments, endpoint: ChatServer
) -> None:
    ran = amb_here(*asked(), "--budget-calls", "6")

    assert ran.returncode == 0, ran.stderr
    assert "of the budget for model calls is spent" in ran.stderr
    assert endpoint.requests == 6
    assert "Answer, put together by memory itself" in ran.stdout
    assert "6 of 6 calls" in ran.stdout
    command = ran.stdout.rpartition("Go on with: amb ")[2].split()
    again = amb_here(*command)
    assert again.returncode == 0, again.stderr
    assert "of 12 calls" in again.stdout


@pytest.mark.slow
def test_a_recorded_run_is_replayed_without_an_endpoint(amb_here: Any, asked: Arguments, endpoint: ChatServer) -> None:
    first = amb_here(*asked(), "--record", "calls.jsonl")
    endpoint.vanish()
    question, _, corpus = asked()[1], *asked()[6:8]
    second = amb_here("run", question, "--replay", "calls.jsonl", "--search", corpus, "--out", "again")

    assert (first.returncode, second.returncode) == (0, 0), second.stderr
    assert first.stdout.partition("\nCitations")[0].splitlines()[3:] != []
    assert _answer(first.stdout) == _answer(second.stdout)


def _answer(out: str) -> str:
    return out.partition("\nAnswer\n")[2].partition("\n\n")[0]


@pytest.mark.slow
def test_the_answer_can_be_had_as_data_and_a_memory_the_user_named_is_kept(amb_here: Any, asked: Arguments) -> None:
    ran = amb_here(*asked(), "--json", "--store", "sqlite:///mine.db")

    assert "sqlite:///mine.db keeps the memory" in ran.stderr
    with MemoryBank.resume(f"sqlite:///{amb_here.folder / 'mine.db'}") as bank:
        assert bank.nodes
    state = json.loads((amb_here.folder / "out" / "run.json").read_text("utf-8"))
    assert state["ended"] is True
    told = json.loads(ran.stdout)
    assert told["answered_by"] == "model"
    assert told["answer"] in ran.stderr
    assert {one["note"] for one in told["sources"]} <= {node.id for node in _kept(amb_here).nodes}
    assert told["sources"]
    assert told["spent"]["calls"] >= told["ended"]["turns"] > 0


def _kept(amb_here: Any) -> Any:
    return read_snapshot(amb_here.folder / "out" / "memory.json")
