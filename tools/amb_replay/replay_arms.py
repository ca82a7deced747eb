"""What would have gone into a request, by arm: the whole transcript, plain ways to keep it short, and AMB.

Each arm is asked once for every model call of a run, in order, with the tokens it may spend on that request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from amb_core import ContextAdapter, MemoryBank, Settings
from amb_core.errors import InvalidParameter
from amb_core.text import estimate_tokens
from amb_replay.bounded_arms import AppendOnly, Prepare, WindowWithPassages, masked, window
from amb_replay.later_use import Used
from amb_replay.recorded_run import RecordedRun
from amb_replay.result_passages import ResultPassages

__all__ = ["AMB", "ARMS", "DEFAULT_ARMS", "FULL", "AmbArm", "Arm", "Moments", "PreparedArm", "arms_named"]

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
class PreparedArm:
    """A way to keep a request within a bound, such as those of `bounded_arms`, as an arm."""

    of: Moments
    prepare: Prepare

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Message]:
        """What it makes of the messages before the call, with `tokens` as the bound."""
        return self.prepare(self.of.run.messages[:call], tokens, self.of.run.count)


class _Oracle:
    """A smaller window and, at the end, the passages of the results that fell out that the oracle knows."""

    def __init__(self, of: Moments) -> None:
        self._of, self._passages = of, ResultPassages()

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Message]:
        run = self._of.run
        self._passages.add(run.messages[:call])
        kept = run.window(call, tokens)
        if len(kept) < call:
            kept = run.window(call, tokens - self._of.block)
        left = max(tokens - run.size_of(kept), self._of.block // 4)
        wanted = [one for one in used if not one.holders.intersection(kept)]
        block = self._passages.holding(wanted, set(range(call)).difference(kept), tokens=left, count=run.count)
        messages = [run.messages[at] for at in kept]
        return [*messages, {"role": "user", "content": f"<memory>\n{block}\n</memory>"}] if block else messages


class AmbArm:
    """AMB, as a plain loop would use it: `next_request`, nothing else. Close it at the end."""

    def __init__(self, of: Moments) -> None:
        self._run = of.run
        self._bank = MemoryBank(of.run.goal, settings=of.settings)
        exact = None if of.run.count.count is estimate_tokens else of.run.count
        self._adapter = ContextAdapter(self._bank, reserved_tokens=of.run.tools_tokens, count_tokens=exact)

    def request(self, call: int, tokens: int, used: Sequence[Used]) -> Sequence[Message]:
        """The request that AMB prepares within its own budget."""
        return self._adapter.next_request(self._run.messages[:call])

    @property
    def failures(self) -> int:
        """How often memory failed."""
        return sum(self._adapter.failures.values())

    def close(self) -> None:
        """Let the memory go."""
        self._bank.close()


ARMS: Mapping[str, Callable[[Moments], Arm]] = {
    FULL: _Full,
    "window": lambda of: PreparedArm(of, window),
    "window+bm25": lambda of: PreparedArm(of, WindowWithPassages(of.block / of.bound)),
    "masked": lambda of: PreparedArm(of, masked),
    "lazy": lambda of: PreparedArm(of, AppendOnly()),
    AMB: AmbArm,
    "oracle": _Oracle,
}
"""Every arm by name; the oracle knows what the agent does next, and says about how much is possible at all."""
DEFAULT_ARMS = (FULL, "window", "window+bm25", "masked", "lazy", AMB)


def arms_named(names: Sequence[str]) -> tuple[str, ...]:
    """The arms in the order they are measured in, the whole transcript always first; InvalidParameter for others."""
    unknown = [name for name in names if name not in ARMS]
    if unknown:
        raise InvalidParameter(f"there is no arm {unknown[0][:40]!r}; there are: {', '.join(ARMS)}")
    return tuple(name for name in ARMS if name == FULL or name in names)
