"""How large the requests of a long tool loop are: the whole transcript, and the one that the adapter prepares."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from amb_bench.datasets import load_cmrc, load_hotpotqa, load_locomo
from amb_bench.tables import Table
from amb_core.adapter import ContextAdapter
from amb_core.bank import MemoryBank
from amb_core.clock import ManualClock
from amb_core.errors import UnreadableSource
from amb_core.settings import Settings
from amb_core.text import estimate_tokens

__all__ = ["PromptRun", "outputs", "prompt_run", "prompt_table"]

OUTPUT_CHARS = 5_000
_GOALS = {"en": "Find out what the sources say about people and places.", "zh": "查明资料中关于人物和地点的内容。"}
_SHOWN = (1, 2, 5, 10, 20, 50, 100, 150, 200)


@dataclass(frozen=True, slots=True)
class PromptRun:
    """One run of a tool loop: the size of each request as (characters, estimated tokens), without AMB and with it."""

    name: str
    output_chars: int
    raw: tuple[tuple[int, int], ...]
    bounded: tuple[tuple[int, int], ...]


def outputs(
    language: str, *, calls: int, chars: int = OUTPUT_CHARS, folder: str | os.PathLike[str] | None = None
) -> tuple[str, list[str]]:
    """Tool outputs of `chars` characters each, and what they are made of: real passages, else generated sentences."""
    try:
        source, texts = _real(language, folder)
    except UnreadableSource:
        source, texts = "generated sentences", _generated(language)
    made: list[str] = []
    kept: list[str] = []
    size = 0
    for text in texts:
        kept.append(text)
        size += len(text) + 2
        if size >= chars:
            made.append("\n\n".join(kept)[:chars])
            kept, size = [], 0
        if len(made) == calls:
            break
    return source, made


def _real(language: str, folder: str | os.PathLike[str] | None) -> tuple[str, Iterable[str]]:
    if language == "zh":
        return "CMRC passages", [passage.text for passage in load_cmrc(folder=folder).passages]
    passages = [passage.text for passage in load_hotpotqa(folder=folder).passages]
    turns = [passage.text for sample in load_locomo(folder=folder) for passage in sample.passages]
    return "HotpotQA passages, then LoCoMo turns", [*passages, *turns]


_SENTENCES = {
    "en": "Pump {pump} of station {station} delivers {tons} tons of water an hour. Crew {crew} looks after it.",
    "zh": "第{station}号泵站的第{pump}台水泵每小时输送{tons}吨水，由{crew}号班组检修。",
}


def _generated(language: str) -> Iterator[str]:
    for station in count(1):
        yield _SENTENCES[language].format(
            pump=station % 7 + 1, station=station, tons=station * 13 % 900, crew=station % 31 + 1
        )


def prompt_run(name: str, texts: Sequence[str], *, language: str, settings: Settings | None = None) -> PromptRun:
    """An agent that calls one tool after another, `texts` being what the tool returns; a request before each call."""
    raw: list[tuple[int, int]] = []
    bounded: list[tuple[int, int]] = []
    messages: list[dict[str, Any]] = [{"role": "user", "content": _GOALS[language]}]
    tokens = _Counter()
    with MemoryBank(_GOALS[language], clock=ManualClock(step=60.0), settings=settings) as bank:
        adapter = ContextAdapter(bank)
        for number, text in enumerate([*texts, None]):
            prepared = adapter.prepare(messages)
            raw.append(_size(messages, tokens))
            bounded.append(_size(prepared, tokens))
            if text is not None:
                turn = _turn(number, text)
                messages += turn
                adapter.intercept_context(turn)
    return PromptRun(name, max(map(len, texts), default=0), tuple(raw), tuple(bounded))


def _turn(number: int, text: str) -> list[dict[str, Any]]:
    function = {"name": "read", "arguments": json.dumps({"part": number})}
    call = {"id": f"call_{number}", "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call["id"], "content": text},
    ]


class _Counter(dict[str, int]):
    """Tokens of a text, counted once."""

    def __missing__(self, text: str) -> int:
        self[text] = estimate_tokens(text)
        return self[text]


def _size(messages: Iterable[Mapping[str, Any]], tokens: Mapping[str, int]) -> tuple[int, int]:
    """Characters and tokens of what the messages say and call; the frame a provider puts around them is left out."""
    texts = [str(message.get("content") or "") for message in messages]
    texts += [call["function"]["arguments"] for message in messages for call in message.get("tool_calls", ())]
    return sum(map(len, texts)), sum(tokens[text] for text in texts)


def prompt_table(run: PromptRun) -> Table:
    """Some requests, the largest, and all of the run together."""
    rows: list[tuple[str | float, ...]] = []
    for number in sorted({*(number for number in _SHOWN if number <= len(run.raw)), len(run.raw)}):
        rows.append(_row(f"request {number}", run.raw[number - 1], run.bounded[number - 1]))
    rows.append(_row("largest", _each(max, run.raw), _each(max, run.bounded)))
    rows.append(_row("all together", _each(sum, run.raw), _each(sum, run.bounded)))
    calls = f"{len(run.raw) - 1} tool calls of {run.output_chars:,} characters"
    columns = ("", "characters", "with AMB", "tokens (estimated)", "with AMB ", "tokens with AMB, %")
    return Table(f"{run.name}: {calls}, size of the requests", columns, tuple(rows))


def _row(name: str, raw: tuple[int, int], bounded: tuple[int, int]) -> tuple[str | float, ...]:
    share = 100.0 * bounded[1] / max(raw[1], 1)
    return (name, f"{raw[0]:,}", f"{bounded[0]:,}", f"{raw[1]:,}", f"{bounded[1]:,}", share)


def _each(fold: Callable[[Iterable[int]], int], sizes: Sequence[tuple[int, int]]) -> tuple[int, int]:
    return fold(size[0] for size in sizes), fold(size[1] for size in sizes)
