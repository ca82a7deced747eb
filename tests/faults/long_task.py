"""A whole task about lighthouses: dozens of tool results with contradictions in them, a step function that brings them,
and what has to hold of its bank and its receipts whatever the endpoint does.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from amb_bench.doubles.chat_faults import FaultPlan
from amb_bench.doubles.chat_server import ChatServer
from amb_bench.doubles.local_chat import LocalChatModel

from amb_agents.prompted import llm_agents
from amb_chat import OpenAIChatModel, UsageMeter
from amb_chat.retries import RetryPolicy
from amb_contracts.integration_story import STATIONS, fact, task
from amb_core import ManualClock, MemoryBank, Settings, StepResult, ToolResult, run_task

__all__ = ["Settings"]

SEEDS = [int(seed) for seed in os.environ.get("FAULT_SEEDS", "1,2").split(",")]
LANGUAGES = ("en", "zh")
PATIENCE = RetryPolicy(attempts=3, first_wait=0.001, longest_wait=0.01)
BATCH = 4

KEPT = {
    "en": "Locker {n} of the {place} station holds a {colour} lantern that keeper {who} mended in {year}.",
    "zh": "{place}的{n}号柜里放着{who}在{year}年修好的一盏{colour}灯笼。",
}
COLOURS = {"en": ("green", "amber", "violet", "white"), "zh": ("绿色", "琥珀色", "紫色", "白色")}
KEEPERS = {"en": ("Moss", "Carr", "Lund", "Gray", "Reed"), "zh": ("陈海生", "林阿福", "周水根", "吴大洋", "郑小船")}
ANSWER = {"en": "All lighthouses are read.", "zh": "各个灯塔都已读过。"}


def place(number: int, language: str) -> str:
    """The lighthouse a result is about."""
    return STATIONS[number % 20] if language == "en" else fact(number % 20, "zh").partition("灯塔")[0]


def mark(number: int, language: str) -> str:
    """A sentence that only result `number` says and nothing contradicts."""
    colours, keepers = COLOURS[language], KEEPERS[language]
    return KEPT[language].format(
        n=100 + number * 7,
        place=place(number, language),
        colour=colours[number % len(colours)],
        who=keepers[number % len(keepers)],
        year=1850 + number,
    )


def waves(number: int, language: str, *, off: float = 0.0) -> str:
    """The fact the task asks for; `off` by so much it contradicts the others."""
    right = f"{2 + number % 20 * 0.37:.2f}"
    return fact(number % 20, "en" if language == "en" else "zh").replace(right, f"{float(right) + off:.2f}")


def results(count: int, language: str) -> list[ToolResult]:
    """The outputs of `count` calls; from the 21st on a second source speaks of the same places, every third wrongly."""
    found = []
    for number in range(count):
        off = 1.5 if number >= 20 and number % 3 == 0 else 0.0
        text = f"{waves(number, language, off=off)}\n\n{mark(number, language)}"
        source = f"{'register' if number < 20 else 'almanac'} {number % 20}"
        found.append(ToolResult(tool="fetch", output=text, call_id=f"call-{number}", source=source))
    return found


@dataclass
class Worker:
    """A step function: a batch of results a step, a third source where a contradiction is to be verified."""

    language: str
    left: list[ToolResult]
    verified: int = 0
    brought: list[ToolResult] = field(default_factory=list)

    def __call__(self, prompt: Any) -> StepResult:
        pending = prompt.pending
        batch = self.left if pending.answers_goal else self.left[:BATCH]
        self.left = self.left[len(batch) :]
        if pending.conflict_id is not None:
            batch = [self.evidence(prompt), *batch]
        self.brought += batch
        answer = ANSWER[self.language] if pending.answers_goal else None
        return StepResult(tool_results=tuple(batch), answer=answer)

    def evidence(self, prompt: Any) -> ToolResult:
        """What the harbour office says of the place the step names."""
        self.verified += 1
        known = [number for number in range(20) if place(number, self.language) in prompt.pending.description]
        text = waves(known[0] if known else 0, self.language)
        return ToolResult(
            tool="fetch", output=text, call_id=f"verify-{self.verified}", source=f"harbour office {self.verified}"
        )


@dataclass
class Endpoint:
    """The faulty server and a model on it; `meter` holds the budget, `timeout` is that of one attempt."""

    server: ChatServer
    meter: UsageMeter
    timeout: float = 20.0

    @property
    def chat(self) -> OpenAIChatModel:
        return OpenAIChatModel("local", base_url=self.server.url, timeout=self.timeout, retries=PATIENCE)

    def agents(self, **options: Any) -> Any:
        return llm_agents(self.chat, meter=self.meter, **options)


def serving(plan: FaultPlan, **options: Any) -> ChatServer:
    """A server whose good answers are the local agents'."""
    return ChatServer(LocalChatModel(), faults=plan, **options)


def open_bank(language: str, agents: Any, **options: Any) -> MemoryBank:
    return MemoryBank(
        task("en" if language == "en" else "zh"),
        agents=agents,
        clock=ManualClock(1_700_000_000, step=1),
        **options,
    )


def work(bank: MemoryBank, language: str, *, count: int) -> tuple[Any, Worker]:
    """Run the whole task; some results come by hooks before the first step, as frameworks hand them over."""
    found = results(count, language)
    worker = Worker(language, found[6:])
    for result in found[:6]:
        bank.absorb(result)
    worker.brought += found[:6]
    return run_task(bank, worker, max_rounds=80), worker


def lost(bank: MemoryBank, brought: Sequence[ToolResult], language: str) -> list[str]:
    """What is missing of the results: an entry with the exact text, its digestion, or what recall finds."""
    snapshot = bank.snapshot()
    texts = {entry.text: entry.entry_id for entry in snapshot.entries}
    states = {digestion.entry_id: digestion.state.value for digestion in snapshot.digestions}
    missing = [f"no entry: {result.output}" for result in brought if result.output not in texts]
    missing += [f"{states[texts[r.output]]}: {r.output}" for r in brought if states.get(texts[r.output]) != "done"]
    for result in brought:
        sentence = result.output.partition("\n\n")[2]
        if sentence and sentence not in bank.recall(sentence).text.replace("\n", " "):
            missing.append(f"not recalled: {sentence}")
    return missing


def difference(bank: MemoryBank, server: ChatServer) -> dict[str, tuple[float, float]]:
    """Where the receipts differ from what the server saw: name → (server, receipts)."""
    assert server.drain()
    seen, told = server.reported, bank.usage.total
    figures = {
        "requests": (server.requests, told.calls + told.failed_calls),
        "answered": (seen.calls, told.calls),
        "prompt tokens": (seen.prompt_tokens, told.prompt_tokens),
        "completion tokens": (seen.completion_tokens, told.completion_tokens),
        "cached tokens": (seen.cached_tokens, told.cached_tokens),
    }
    return {name: pair for name, pair in figures.items() if pair[0] != pair[1]}
