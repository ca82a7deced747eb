"""Other libraries' writes at the same endpoint: what they ask of the model for the same texts."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from amb_bench.writes_amb import Cost, Write, cost_of
from amb_bench.writes_endpoint import CountingEndpoint
from amb_bench.writes_texts import Output
from amb_core.text import index_tokens

__all__ = ["PEERS", "Peer", "PeerRun", "interpreter_of", "run_peer"]

_SCRIPT = Path(__file__).with_name("writes_peer_process.py")
_FOUND = 0.5
"""What share of a sentence's words has to come back for it to count as found."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A library by the module and distribution it is known by, and what is to be known of how it is run."""

    module: str
    distribution: str
    note: str = ""


PEERS: Mapping[str, Peer] = {
    "mem0": Peer("mem0", "mem0ai"),
    "LangMem": Peer("langmem", "langmem langchain-openai", "inserts and updates"),
    "Graphiti": Peer("graphiti_core", "graphiti-core[kuzu]", "Kuzu, in memory"),
    "A-MEM": Peer("agentic_memory", "a-mem", "vectors of letters"),
    "cognee": Peer("cognee", "cognee", "add and cognify"),
    "SimpleMem": Peer("simplemem", "simplemem", "vectors of letters"),
}
"""The peers by name."""


@dataclass(slots=True)
class PeerRun:
    """The writes of one peer, the same texts again, and what was asked only when it had to finish (`late`).

    `problem` says why there are no writes, or no more.
    """

    writes: list[Write] = field(default_factory=list)
    repeats: list[Cost] = field(default_factory=list)
    late: Cost = field(default_factory=Cost)
    problem: str = ""


def interpreter_of(name: str) -> str:
    """The Python a peer is installed for: `AMB_BENCH_PYTHON_<NAME>` (MEM0, LANGMEM, A_MEM, …), else this one."""
    variable = f"AMB_BENCH_PYTHON_{name.upper().replace('-', '_')}"
    return os.environ.get(variable) or sys.executable


def run_peer(
    name: str,
    texts: Sequence[Output],
    endpoint: CountingEndpoint,
    *,
    before: Sequence[Output] = (),
    tell: Callable[[str], str],
    timeout: float = 60.0,
) -> PeerRun:
    """Write the texts, ask for a sentence of each, then write each again; `before` fills the memory first.

    `tell` is told every text before it is written and says what to ask for. What a peer that buffers asks of the model
    when it is made to finish is shared among its writes. Anything that takes more than `timeout` seconds ends the run.
    """
    run, peer = PeerRun(), PEERS[name]
    if not _is_installed(interpreter_of(name), peer.module):
        run.problem = f"not installed: pip install {peer.distribution}"
        return run
    with _Process(name, endpoint.url, timeout=timeout) as process:
        try:
            process.answer()
            for note in before:
                tell(note.text)
                process.ask(add=note.text)
            process.ask(finish="")
            for text in texts:
                probe = tell(text.text)
                cost = _counted(endpoint, partial(process.ask, add=text.text))
                found = str(process.ask(search=probe).get("found", ""))
                run.writes.append(Write(endpoint.counter.count(text.text), cost, _is_in(probe, found)))
            run.late = _counted(endpoint, partial(process.ask, finish=""))
            for text in texts:
                tell(text.text)
                run.repeats.append(_counted(endpoint, partial(process.ask, add=text.text)))
            run.repeats.append(_counted(endpoint, partial(process.ask, finish="")))
        except _Refused as problem:
            run.problem = str(problem)
    return run


def _counted(endpoint: CountingEndpoint, work: Callable[[], object]) -> Cost:
    before = len(endpoint.exchanges)
    work()
    return cost_of(endpoint.exchanges[before:])


def _is_in(probe: str, found: str) -> bool:
    """Whether most of a sentence's words come back."""
    wanted = set(index_tokens(probe))
    return len(wanted & set(index_tokens(found))) >= _FOUND * len(wanted)


def _is_installed(python: str, module: str) -> bool:
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    try:
        return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


class _Refused(Exception):
    """What a peer's process said when it could not do what it was asked."""


class _Process:
    """A peer in its process; `ask` sends a line and waits for one."""

    def __init__(self, name: str, url: str, *, timeout: float) -> None:
        environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
        self._timeout = timeout
        self._process = subprocess.Popen(
            [interpreter_of(name), "-P", str(_SCRIPT), name, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment | {"PYTHONIOENCODING": "utf-8"},
            text=True,
            encoding="utf-8",
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def ask(self, **what: str) -> Mapping[str, Any]:
        """Send a line and give the answer back."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(what) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise _Refused("its process has ended") from None
        return self.answer()

    def answer(self) -> Mapping[str, Any]:
        """The next answer."""
        try:
            line = self._lines.get(timeout=self._timeout)
        except queue.Empty:
            raise _Refused(f"no answer within {self._timeout:.0f} s") from None
        if not line:
            raise _Refused("its process has ended")
        said: Mapping[str, Any] = json.loads(line)
        if "problem" in said:
            raise _Refused(" ".join(str(said["problem"]).split()))
        return said

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")
