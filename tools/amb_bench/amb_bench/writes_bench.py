"""What taking in a tool result costs in model calls, beside separate calls, no model, and other libraries.

The endpoint is a server on 127.0.0.1 that counts, with local agents behind it, or passes everything on to the endpoint
of a real model (`--model`, `--base-url`) and counts what that one reports.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from amb_agents.prompted import llm_agents
from amb_bench.benches import BenchOptions
from amb_bench.doubles.local_chat import LocalChatModel
from amb_bench.tables import Table
from amb_bench.writes_amb import AmbRun, bank_with, prepared, run_writes
from amb_bench.writes_conflicts import found_conflicts
from amb_bench.writes_endpoint import CountingEndpoint, answered_by, passed_on
from amb_bench.writes_figures import by_role, cost_row, peer_row, planning_row, prefixes
from amb_bench.writes_peer_answers import PeerAnswers
from amb_bench.writes_peers import PEERS, run_peer
from amb_bench.writes_texts import SETS, Output, early_notes, outputs, planted, sample_of
from amb_chat import OpenAIChatModel
from amb_core.errors import InvalidParameter
from amb_core.protocols import Agents

__all__ = ["tables"]

_PARTS = ("amb", "conflicts", "peers", "published")
_COLUMNS = (
    "memory", "input", "calls", "prompt", "× input", "completion",
    "goal met", "found at once", "calls a repeat", "receipts exact",
)  # fmt: skip
_PUBLISHED = (
    ("mem0 2.0, exchanges of 87 tokens", "1", "98", "yes"),
    ("Graphiti", "7–19", "52–250", "yes"),
    ("A-MEM", "2", "63", "yes"),
    ("cognee, a chunk", "2", "10", "yes"),
    ("LightMem", "–", "4–5.5", "no: buffers"),
    ("SimpleMem", "–", "2.2", "no: buffers"),
)
_PEER_SET, _PEER_NOTES, _PEER_WRITES = "hotpotqa", 10, 2


@dataclass(frozen=True, slots=True)
class _Size:
    """How much is measured: sizes of texts, notes a bank holds before, texts of each size and set, planted pairs."""

    sizes: tuple[int, ...]
    notes: tuple[int, ...] = (0, 200)
    writes: int = 3
    pairs: int = 25
    sets: tuple[str, ...] = SETS
    peers: tuple[str, ...] = tuple(PEERS)


_WHOLE = _Size((100, 1_000, 5_000))
_QUICK = _Size((100, 1_000), notes=(0, 20), writes=1, pairs=6, peers=("mem0",))
_REAL = _Size((100,), notes=(0,), writes=1, pairs=3, sets=("hotpotqa",))

_VARIANTS: Mapping[str, tuple[bool | None, bool]] = {
    "AMB, fused digest": (True, True),
    "AMB, in the background": (True, False),
    "AMB, separate calls": (False, True),
    "AMB, local": (None, True),
}
"""Whether the digest is fused (None: no model is asked), and whether `absorb` waits for it."""


def tables(options: BenchOptions) -> Iterator[Table]:
    """The tables; `options.only` names parts (amb, conflicts, peers, published) and sizes in tokens (100, …)."""
    model = options.model or os.environ.get("LLM_MODEL") or ""
    parts, size = _chosen(options, real=bool(model))
    if "amb" in parts:
        with _endpoint(options, model) as endpoint:
            yield from _amb(options, size, endpoint, model or "local")
            yield prefixes(endpoint.exchanges, endpoint.counter)
    if "conflicts" in parts:
        with _endpoint(options, model) as endpoint:
            yield _conflicts(options, size, endpoint, model or "local")
    if "peers" in parts:
        for tokens in size.sizes:
            yield _peers(options, size, tokens)
    if "published" in parts:
        yield Table("published or measured elsewhere", ("memory", "calls", "× input", "found at once"), _PUBLISHED)


def _chosen(options: BenchOptions, *, real: bool) -> tuple[tuple[str, ...], _Size]:
    unknown = [name for name in options.only if name not in _PARTS and not name.isdecimal()]
    if unknown:
        raise InvalidParameter(f"{unknown[0]!r} is neither a size nor one of {', '.join(_PARTS)}")
    size = _REAL if real else _QUICK if options.quick else _WHOLE
    sizes = tuple(int(name) for name in options.only if name.isdecimal()) or size.sizes
    parts = tuple(name for name in options.only if name in _PARTS) or (("amb",) if real else _PARTS)
    if min(sizes) < 1:
        raise InvalidParameter("a size is a number of tokens, 1 or more")
    return parts, _Size(sizes, size.notes, size.writes, size.pairs, size.sets, size.peers)


def _endpoint(options: BenchOptions, model: str) -> CountingEndpoint:
    if not model:
        return CountingEndpoint(answered_by(LocalChatModel()))
    url = options.base_url or os.environ.get("LLM_BASE_URL") or os.environ.get("OPENAI_BASE_URL")
    if not url:
        raise InvalidParameter("say where the model is: --base-url, or the variable LLM_BASE_URL")
    key = os.environ.get("LLM_API_KEY") or os.environ.get("OPENAI_API_KEY") or ""
    return CountingEndpoint(passed_on(url, api_key=key))


def _agents(fused: bool | None, endpoint: CountingEndpoint, model: str) -> Agents | None:
    if fused is None:
        return None
    chat = OpenAIChatModel(model, base_url=endpoint.url, api_key="none", timeout=600.0)
    return llm_agents(chat, fused=fused)


# --- AMB -------------------------------------------------------------------------------------------------------------


def _amb(options: BenchOptions, size: _Size, endpoint: CountingEndpoint, model: str) -> Iterator[Table]:
    samples = {name: sample_of(name, folder=options.data) for name in size.sets}
    planning: list[tuple[str | float, ...]] = []
    roles: list[tuple[str | float, ...]] = []
    for notes in size.notes:
        runs: dict[tuple[int, str], list[AmbRun]] = {}
        for name, sample in samples.items():
            texts = {tokens: outputs(sample, name=name, size=tokens, count=size.writes) for tokens in size.sizes}
            with prepared(name, early_notes(sample, name=name, count=2 * notes), at_least=notes) as file:
                for tokens in size.sizes:
                    for variant, (fused, wait) in _VARIANTS.items():
                        bank = bank_with(file, _agents(fused, endpoint, model))
                        run = run_writes(bank, texts[tokens], endpoint, wait=wait)
                        bank.close()
                        runs.setdefault((tokens, variant), []).append(run)
        for tokens in size.sizes:
            rows = [cost_row(variant, runs[tokens, variant]) for variant in _VARIANTS]
            title = f"novel results of {tokens:,} tokens, {notes} notes before ({endpoint.counter.name})"
            yield Table(title, _COLUMNS, tuple(rows))
            for variant in ("AMB, fused digest", "AMB, separate calls"):
                roles += by_role(f"{variant}, {tokens:,} tokens, {notes} notes", runs[tokens, variant])
        for variant in ("AMB, fused digest", "AMB, separate calls"):
            every = [run for tokens in size.sizes for run in runs[tokens, variant]]
            planning.append(planning_row(f"{variant}, {notes} notes", every))
    yield Table("planning, a step", ("memory", "steps", "calls", "prompt", "completion"), tuple(planning))
    columns = ("role", "calls a write", "prompt a call", "completion a call", "done locally")
    yield Table("by role, as the receipts have it", columns, tuple(roles))


def _conflicts(options: BenchOptions, size: _Size, endpoint: CountingEndpoint, model: str) -> Table:
    rows: list[tuple[str | float, ...]] = []
    names = [name for name in size.sets if name != "locomo"]
    pairs = {name: planted(sample_of(name, folder=options.data), name=name, count=size.pairs) for name in names}
    for variant, (fused, wait) in _VARIANTS.items():
        if wait:
            found = [found_conflicts(pairs[name], name, _agents(fused, endpoint, model)) for name in names]
            shown = [f"{one.found} of {len(pairs[name])}" for name, one in zip(names, found, strict=True)]
            rows.append((variant, *shown, float(sum(one.others for one in found))))
    return Table("contradictions planted in the stream", ("memory", *names, "others found"), tuple(rows))


# --- others ----------------------------------------------------------------------------------------------------------


def _peers(options: BenchOptions, size: _Size, tokens: int) -> Table:
    """The peers at one size, English, with AMB on the same texts and as many notes before."""
    sample = sample_of(_PEER_SET, folder=options.data)
    count = min(size.writes, _PEER_WRITES)
    texts = outputs(sample, name=_PEER_SET, size=tokens, count=count)
    before = early_notes(sample, name=_PEER_SET, count=1 if size is _QUICK or count == 1 else _PEER_NOTES)
    rows: list[tuple[str | float, ...]] = []
    with (
        CountingEndpoint(answered_by(LocalChatModel())) as endpoint,
        prepared(_PEER_SET, before, at_least=len(before)) as file,
    ):
        for variant in ("AMB, fused digest", "AMB, separate calls"):
            bank = bank_with(file, _agents(_VARIANTS[variant][0], endpoint, "local"))
            rows.append(cost_row(variant, [run_writes(bank, texts, endpoint)]))
            bank.close()
    for name in size.peers:
        rows.append(_peer(name, texts, before))
    return Table(f"peers, results of {tokens:,} tokens, {len(before)} written before", _COLUMNS, tuple(rows))


def _peer(name: str, texts: Sequence[Output], before: Sequence[Output]) -> tuple[str | float, ...]:
    answers = PeerAnswers()
    with CountingEndpoint(answered_by(answers)) as endpoint:
        return peer_row(name, run_peer(name, texts, endpoint, before=before, tell=answers.tell, timeout=150.0))
