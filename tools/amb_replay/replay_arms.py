"""What would have gone into a request, by arm: the whole transcript, plain ways to keep it short, and AMB.

Each arm is asked once for every model call of a run, in order, with the tokens it may spend on that request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from amb_core import ContextAdapter, MemoryBank, Settings
from amb_core.errors import InvalidParameter
from amb_replay.later_use import Used
from amb_replay.recorded_run import RecordedRun
from amb_replay.result_passages import ResultPassages

__all__ = ["AMB", "ARMS", "DEFAULT_ARMS", "FULL", "AmbArm", "Arm", "Moments", "arms_named"]

FULL, AMB = "full", "amb"
Message = Mapping[str, Any]


class Arm(Protocol):
    """Prepares the requests of one run."""

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Message]:
        """The messages of the request at this place, of about so many tokens; only the oracle looks at `used`."""
        ...


@dataclass(frozen=True, slots=True)
class Moments:
    """What an arm is opened with: the run, the tokens of a request and of a block, and AMB's settings."""

    run: RecordedRun
    bound: int
    block: int
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True)
class _Full:
    """Everything."""

    of: Moments

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Message]:
        return self.of.run.messages[:call]


@dataclass(frozen=True, slots=True)
class _Window:
    """System messages, task and the newest messages."""

    of: Moments

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Message]:
        run = self.of.run
        return [run.messages[at] for at in run.window(call, tokens)]


class _WindowWithPassages:
    """A smaller window and, at the end, passages of the results that fell out: by BM25, or those the oracle knows."""

    def __init__(self, of: Moments, *, knows: bool = False) -> None:
        self._of, self._knows = of, knows
        self._passages = ResultPassages(of.run)

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Message]:
        run = self._of.run
        kept = run.window(call, tokens)
        if len(kept) < call:
            kept = run.window(call, tokens - self._of.block)
        left = max(tokens - run.size_of(kept), self._of.block // 4)
        gone = set(range(call)).difference(kept)
        find = self._passages.holding if self._knows else self._passages.matching
        block = find(call, gone, tokens=left, used=[one for one in used if not one.holders.intersection(kept)])
        messages = [run.messages[at] for at in kept]
        return [*messages, {"role": "user", "content": f"<memory>\n{block}\n</memory>"}] if block else messages


@dataclass(frozen=True, slots=True)
class _Masked:
    """Old results give way to a line, oldest first; where that is not enough the oldest messages leave too."""

    of: Moments

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Message]:
        run = self.of.run
        total, masked = run.size_of(range(call)), set[int]()
        for at in run.results_before(call)[:-2]:
            if total <= tokens:
                break
            masked.add(at)
            total -= max(0, run.sizes[at] - _MASK_TOKENS)
        kept = range(call) if total <= tokens else self._newest(call, tokens, masked)
        return [self._shown(at) if at in masked else run.messages[at] for at in kept]

    def _newest(self, call: int, tokens: int, masked: set[int]) -> list[int]:
        run = self.of.run
        spared = sum(max(0, run.sizes[at] - _MASK_TOKENS) for at in masked)
        oldest = run.window(call, tokens + spared)
        while (cost := sum(_MASK_TOKENS if at in masked else run.sizes[at] for at in oldest)) > tokens:
            tighter = run.window(call, tokens + spared - (cost - tokens))
            if len(tighter) == len(oldest):
                break
            spared, oldest = spared - (cost - tokens), tighter
        return oldest

    def _shown(self, at: int) -> Message:
        run = self.of.run
        return {**run.messages[at], "content": f"[{run.sizes[at]} tokens of an older result left out]"}


_MASK_TOKENS = 16


class _Lazy:
    """Append-only: messages are added until the window is full, then it is cut to half. Caches like few others."""

    def __init__(self, of: Moments) -> None:
        self._run, self._start = of.run, 0

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Message]:
        run = self._run
        if run.size_of(self._kept(call, self._start)) > tokens:
            for start in [group[0] for group in run.groups if self._start < group[0] < call]:
                self._start = start
                if run.size_of(self._kept(call, start)) <= tokens // 2:
                    break
        return [run.messages[at] for at in self._kept(call, self._start)]

    def _kept(self, call: int, start: int) -> list[int]:
        return [*(at for at in self._run.pinned if at < min(start, call)), *range(start, call)]


class AmbArm:
    """AMB, as a plain loop would use it: `intercept_context` and `prepare`, nothing else. Close it at the end."""

    def __init__(self, of: Moments) -> None:
        self._run = of.run
        self._bank = MemoryBank(of.run.goal, settings=of.settings)
        self._adapter = ContextAdapter(self._bank, reserved_tokens=of.run.tools_tokens)

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Message]:
        """The request that AMB prepares within its own budget."""
        before = list(self._run.messages[:call])
        self._adapter.intercept_context(before)
        return self._adapter.prepare(before)

    @property
    def failures(self) -> int:
        """How often memory failed."""
        return sum(self._adapter.failures.values())

    def close(self) -> None:
        """Let the memory go."""
        self._bank.close()


ARMS: Mapping[str, Callable[[Moments], Arm]] = {
    FULL: _Full,
    "window": _Window,
    "window+bm25": _WindowWithPassages,
    "masked": _Masked,
    "lazy": _Lazy,
    AMB: AmbArm,
    "oracle": lambda of: _WindowWithPassages(of, knows=True),
}
"""Every arm by name; the oracle knows what the agent does next, and says about how much is possible at all."""
DEFAULT_ARMS = (FULL, "window", "window+bm25", "masked", "lazy", AMB)


def arms_named(names: Sequence[str]) -> tuple[str, ...]:
    """The arms in the order they are measured in, the whole transcript always first; InvalidParameter for others."""
    unknown = [name for name in names if name not in ARMS]
    if unknown:
        raise InvalidParameter(f"there is no arm {unknown[0][:40]!r}; there are: {', '.join(ARMS)}")
    return tuple(name for name in ARMS if name == FULL or name in names)
