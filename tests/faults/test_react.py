"""The bundled ReAct loop and the agents of its memory on one endpoint that misbehaves."""

from __future__ import annotations

import json
import runpy
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from amb_bench.doubles.chat_faults import CONTENT_FAULTS, Fault, FaultPlan
from amb_bench.doubles.chat_server import ChatServer
from amb_bench.doubles.local_chat import LocalChatModel

from amb_chat import Budget, ScriptedChatModel, UsageMeter, metered
from amb_core.chat_io import ChatReply, ChatRequest, ToolCall
from amb_react import ReActAgent

pytest.importorskip("openai", reason='openai is not installed: pip install "amb[openai]"')
TASK = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("long_task.py"))))
PAGES = 32
UNSPOKEN = (Fault.TORN_AT_LIMIT, Fault.NULL_CONTENT, Fault.NO_CHOICES)
SLOW = (Fault.TOO_SLOW, Fault.DRIPPING)
LOUD = tuple(fault for fault in Fault if (fault not in CONTENT_FAULTS or fault in UNSPOKEN) and fault not in SLOW)
"""What no model's words can be mistaken for, and what costs no time."""


class Library:
    """The pages a model is to read, two at a time; `read` are those that were."""

    def __init__(self, language: str, pages: int = PAGES) -> None:
        self.language = language
        self.pages = [result.output for result in TASK.results(pages, language)]
        self.read: dict[int, str] = {}

    def fetch(self, number: int) -> str:
        """Read one page."""
        self.read[number] = self.pages[number]
        return self.pages[number]

    def model(self, request: ChatRequest) -> ChatReply:
        """Calls for the next pages, or answers when all are read."""
        left = [number for number in range(len(self.pages)) if number not in self.read][:2]
        if not left or not request.tools:
            return ChatReply(TASK.ANSWER[self.language])
        calls = [ToolCall(f"p{number}", "fetch", json.dumps({"number": number})) for number in left]
        return ChatReply("", tuple(calls), "tool_calls")

    @property
    def results(self) -> list[Any]:
        results = TASK.results(len(self.pages), self.language)
        return [result for number, result in enumerate(results) if number in self.read]


def serving(library: Library, plan: FaultPlan) -> ChatServer:
    return ChatServer(LocalChatModel(otherwise=ScriptedChatModel(library.model)), faults=plan)


def until_answered(bank: Any, chat: Any, library: Library, *, runs: int = 8) -> Sequence[Any]:
    """Runs on one bank until the model has answered: one that ended for another reason goes on where it was."""
    done = []
    for _ in range(runs):
        done.append(ReActAgent(bank, chat, [library.fetch], max_calls=200, max_rounds=80).run())
        if done[-1].termination == "answered":
            break
    return done


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "rate", "seed"),
    [
        pytest.param(*case, seed, marks=() if (case, rank) == (("en", 0.5), 0) else pytest.mark.nightly)
        for case in product(TASK.LANGUAGES, (0.1, 0.5))
        for rank, seed in enumerate(TASK.SEEDS)
    ],
)
def test_a_whole_react_task_is_read_remembered_and_counted(language: str, rate: float, seed: int) -> None:
    library = Library(language)
    with serving(library, FaultPlan(rate, LOUD, seed=seed)) as server:
        endpoint = TASK.Endpoint(server, UsageMeter())
        with TASK.open_bank(language, endpoint.agents()) as bank:
            runs = until_answered(bank, endpoint.chat, library)
            assert runs[-1].termination == "answered"
            assert runs[-1].prediction.startswith(TASK.ANSWER[language])
            assert len(library.read) == PAGES
            assert TASK.lost(bank, library.results, language) == []
            assert TASK.difference(bank, server) == {}
            assert sum(run.usage.calls for run in runs) <= bank.usage.llm_calls


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "seed"),
    [
        pytest.param(language, seed, marks=() if (language, rank) == ("zh", 0) else pytest.mark.nightly)
        for language in TASK.LANGUAGES
        for rank, seed in enumerate(TASK.SEEDS)
    ],
)
def test_whatever_a_model_babbles_no_page_it_read_is_lost(language: str, seed: int) -> None:
    library = Library(language)
    kinds = tuple(fault for fault in Fault if fault not in (*SLOW, Fault.NO_USAGE))
    with serving(library, FaultPlan(0.5, kinds, seed=seed)) as server:
        endpoint = TASK.Endpoint(server, UsageMeter())
        with TASK.open_bank(language, endpoint.agents()) as bank:
            until_answered(bank, endpoint.chat, library)
            assert TASK.lost(bank, library.results, language) == []
            assert TASK.difference(bank, server) == {}


@pytest.mark.slow
def test_a_server_that_dies_half_way_ends_the_run_with_what_memory_knows() -> None:
    library = Library("en", pages=12)
    with serving(library, FaultPlan(dies_at=9)) as server:
        endpoint = TASK.Endpoint(server, UsageMeter())
        with TASK.open_bank("en", endpoint.agents()) as bank:
            [run] = until_answered(bank, endpoint.chat, library, runs=1)
            assert (run.termination, run.answered_by) == ("model_unavailable", "memory")
            assert TASK.lost(bank, library.results, "en") == []
            assert bank.usage.llm_calls == server.reported.calls


@pytest.mark.slow
def test_one_budget_holds_for_the_loop_and_its_memory_together() -> None:
    library = Library("zh", pages=12)
    with serving(library, FaultPlan()) as server:
        endpoint = TASK.Endpoint(server, UsageMeter(budget=Budget(calls=11)))
        with TASK.open_bank("zh", endpoint.agents()) as bank:
            [run] = until_answered(bank, metered(endpoint.chat, meter=endpoint.meter), library, runs=1)
            assert (run.termination, run.answered_by) == ("budget", "memory")
            assert server.requests == bank.usage.llm_calls == 11
            assert TASK.lost(bank, library.results, "zh") == []
            assert TASK.difference(bank, server) == {}
