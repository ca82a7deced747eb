"""The gateway: time it adds to a request, memory of its process, and what real traces cost through it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

import httpx2

from amb_bench.benches import BenchOptions
from amb_bench.doubles.provider_server import ProviderServer, Say, Seen
from amb_bench.tables import Table
from amb_bench.traces_sets import RecordedTrace, load_sets, sampled
from amb_core.errors import InvalidParameter
from amb_core.install_command import install_command
from amb_core.text import estimate_tokens
from amb_proxy.ledger import PrefixCost

__all__ = ["PARTS", "tables"]

PARTS = ("time", "memory", "cost")
_STREAMS, _RESULT_CHARS, _RESULTS_BEFORE = 8, 2_000, 24
_TURNS = {False: 12, True: 4}
_REQUESTS = {False: 1_000, True: 60}
_TRACES = {False: 4, True: 1}
_LARGEST = {False: 250_000, True: 160_000}
_TALK_TURNS = 10
_THINKS = 0.5
"""Seconds of the provider for each answer; memory takes in what is new while it works."""
_TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]


def tables(options: BenchOptions) -> Iterator[Table]:
    """The tables of the parts in `options.only`, by default of all; other names in it choose sets of traces.

    `options.questions` is the number of requests after which memory is read last (default 1,000). Raises
    InvalidParameter where the gateway does not start, UnreadableSource without the data.
    """
    parts = [part for part in PARTS if part in options.only] or list(PARTS)
    with ProviderServer(_answer) as provider, _gateway(provider.url) as gateway:
        if "time" in parts:
            yield _time_table(gateway, _TURNS[options.quick])
        if "memory" in parts:
            yield _memory_table(gateway, provider, options.questions or _REQUESTS[options.quick])
        if "cost" in parts:
            yield _cost_table(gateway, provider, options)


def _answer(seen: Seen) -> Say:
    time.sleep(float(seen.headers.get("x-thinks", "0")))
    return Say("Go on.")


@dataclass(frozen=True, slots=True)
class _Gateway:
    """A gateway that runs: its URL, and the number of its process."""

    url: str
    pid: int

    @property
    def megabytes(self) -> float:
        """Resident memory of the process."""
        status = Path(f"/proc/{self.pid}/status").read_text("ascii", "replace")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


@contextmanager
def _gateway(upstream: str) -> Iterator[_Gateway]:
    """`amb proxy` as a process of its own, on a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "amb_cli", "proxy", "--upstream", upstream, "--folder", folder]
        running = subprocess.Popen([*command, "--port", "0"], stderr=subprocess.PIPE, text=True, env=os.environ)
        assert running.stderr is not None
        said = running.stderr.readline()
        if "http" not in said:
            raise InvalidParameter(f"the gateway does not start ({said.strip()}): {install_command('proxy')}")
        try:
            yield _Gateway(said.split()[2], running.pid)
        finally:
            running.terminate()
            running.wait()
            running.stderr.close()


@dataclass(slots=True)
class _Talk:
    """A conversation with a gateway, all of it sent each time."""

    client: httpx2.Client
    url: str
    headers: Mapping[str, str]
    messages: list[Mapping[str, Any]] = field(default_factory=list)

    def add(self, number: int, chars: int) -> None:
        """A call and its result."""
        line = f"Shelf {number} of the store holds {number * 7919 % 9973} lamps, and shelf {number + 1} a rope. "
        call = {"id": f"call-{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        self.messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        text = (line * (chars // len(line) + 1))[:chars]
        self.messages.append({"role": "tool", "tool_call_id": f"call-{number}", "content": text})

    def ask(self) -> float:
        """Send it; the milliseconds until the whole answer is there."""
        body = {"model": "m", "messages": self.messages, "tools": _TOOLS}
        begun = time.perf_counter()
        self.client.post(f"{self.url}/v1/chat/completions", json=body, headers=self.headers).raise_for_status()
        return 1000 * (time.perf_counter() - begun)


def _talk(gateway: _Gateway, client: httpx2.Client, name: str, **headers: str) -> _Talk:
    told = {"authorization": "Bearer key", "x-amb-conversation": name} | headers
    return _Talk(client, gateway.url, told, [{"role": "user", "content": "What is in the store?"}])


# --- time -------------------------------------------------------------------------------------------------------------


def _time_table(gateway: _Gateway, turns: int) -> Table:
    """Requests of about 60 kB with one new result each, on parallel streams: first passed through, then with memory."""

    def stream(number: int, off: Mapping[str, str]) -> list[float]:
        with httpx2.Client(timeout=120) as client:
            talk = _talk(gateway, client, f"time-{number}", **{"x-thinks": str(_THINKS)}, **off)
            for at in range(_RESULTS_BEFORE):
                talk.add(at, _RESULT_CHARS)
            talk.ask()  # memory takes the results in that came before it
            times = []
            for at in range(turns):
                talk.add(_RESULTS_BEFORE + at, _RESULT_CHARS)
                times.append(talk.ask())
            return times

    rows: list[tuple[str | float, ...]] = []
    for name, off in (("passed through", {"x-amb": "off"}), ("with memory", {})):
        with ThreadPoolExecutor(_STREAMS) as pool:
            times = [each for some in pool.map(stream, range(_STREAMS), [off] * _STREAMS) for each in some]
        cuts = quantiles(times, n=20)
        rows.append((name, cuts[9], cuts[18]))
    added = tuple(float(one) - float(two) for one, two in zip(rows[1][1:], rows[0][1:], strict=True))
    rows += [("added", *added), ("ratio", *(float(rows[1][at]) / float(rows[0][at]) for at in (1, 2)))]
    title = (
        f"Milliseconds of a request: {_STREAMS} parallel streams, {turns} requests each, one new result in each; "
        f"the provider takes {1000 * _THINKS:.0f} ms"
    )
    return Table(title, ("", "p50", "p95"), tuple(rows), figures={"added_p50_ms": added[0], "added_p95_ms": added[1]})


# --- memory -----------------------------------------------------------------------------------------------------------


def _memory_table(gateway: _Gateway, provider: ProviderServer, requests: int) -> Table:
    """Resident memory after a tenth, a quarter, a half and all of the requests, of new conversations all the time."""
    marks = {max(1, int(requests * share)): share for share in (0.1, 0.25, 0.5, 1.0)}
    rows: list[tuple[str | float, ...]] = []
    with httpx2.Client(timeout=120) as client:
        talk = _talk(gateway, client, "memory-0")
        for number in range(1, requests + 1):
            if number % _TALK_TURNS == 0:
                talk = _talk(gateway, client, f"memory-{number}")
            talk.add(number, _RESULT_CHARS)
            talk.ask()
            if number in marks:
                provider.seen.clear()
                provider.sent.clear()
                rows.append((f"after {number:,} requests", gateway.megabytes))
    ratio = float(rows[-1][1]) / float(rows[0][1])
    title = f"Resident memory of the gateway, MB; a new conversation every {_TALK_TURNS} requests"
    return Table(title, ("", "MB"), (*rows, ("last by first", ratio)), figures={"memory_growth": ratio})


# --- cost -------------------------------------------------------------------------------------------------------------


def _cost_table(gateway: _Gateway, provider: ProviderServer, options: BenchOptions) -> Table:
    """What traces cost through the gateway by what they cost direct, with the provider's cache at a tenth."""
    names = [name for name in options.only if name not in PARTS]
    rows: list[tuple[str | float, ...]] = []
    every: list[float] = []
    with httpx2.Client(timeout=300) as client:
        for one in load_sets(options.data, names=names):
            some = sampled(one.traces, most=_TRACES[options.quick], largest=_LARGEST[options.quick])
            ratios = [ratio for each in some for ratio in _ratios(gateway, provider, client, each)]
            if ratios:
                every += ratios
                rows.append((one.name, str(len(ratios)), mean(ratios), max(ratios)))
    if every:
        rows.append(("all", str(len(every)), mean(every), max(every)))
    title = "Cost through the gateway by cost direct, a cached token at a tenth; the default budget"
    figures = {"cost_mean": mean(every), "cost_worst": max(every)} if every else {}
    return Table(title, ("set", "traces", "mean", "worst"), tuple(rows), figures=figures)


def _ratios(
    gateway: _Gateway, provider: ProviderServer, client: httpx2.Client, recorded: RecordedTrace
) -> Sequence[float]:
    """The one ratio of a trace, whose every model call is sent; none for a trace without a call."""
    messages = [dict(message) for message in recorded.trace.messages]
    direct, through = PrefixCost(estimate_tokens), PrefixCost(estimate_tokens)
    tools = json.dumps(_TOOLS)
    talk = _talk(gateway, client, recorded.trace.id)
    costs = [0.0, 0.0]
    for at, message in enumerate(messages):
        if message.get("role") == "assistant" and at:
            provider.seen.clear()
            provider.sent.clear()
            talk.messages = list(messages[:at])
            talk.ask()
            costs[0] += direct.request(tools, talk.messages)[1]
            costs[1] += through.request(tools, provider.seen[-1].body["messages"])[1]
    return [costs[1] / costs[0]] if costs[0] else []
