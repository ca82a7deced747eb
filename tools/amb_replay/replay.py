"""Replays runs: each arm prepares each request of each run, and what came of it is measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from amb_core import Settings
from amb_core.text import estimate_tokens
from amb_replay.later_use import LaterUse, Used, shows, words_in
from amb_replay.recorded_run import RecordedRun, flatten, message_text, role_of
from amb_replay.replay_arms import AMB, ARMS, FULL, AmbArm, Arm, Moments
from amb_replay.request_cost import PromptCache, RequestCost
from amb_replay.trace import Trace

__all__ = ["ArmRun", "CallUse", "MadeText", "ReplayedRun", "Same", "replay_trace"]

_HIGH_WATER = 0.8
"""To which share of the budget the plain arms fill a request where AMB is not there to compare with."""
_MOST_EVENED, _TRIES, _EVEN = 1.5, 4, 0.01
"""The most by which an arm's limits are changed to bring its tokens and AMB's together, in how many tries, how near."""
_STEADY = ("lazy", "append-only")
"""Arms that have one bound for a whole run at equal tokens, for one that changes would have them cut at each call; as
have those named `MODULE:NAME`, of which nothing is known."""
_SOURCES = 20
"""In so many results, the newest first, what an arm shows of a string is looked for."""


@dataclass(frozen=True, slots=True)
class MadeText:
    """A message of a request that does not stand so in the transcript: a block, a shortened result."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class CallUse:
    """One model call: where it stands, what its action used, and whether the newest two results fit beside a block."""

    place: int
    used: tuple[Used, ...]
    fits: bool
    full_tokens: int
    pinned_tokens: int


@dataclass(slots=True)
class ArmRun:
    """What one arm sent, call by call: the cost, and for each thing used whether it was there.

    `made` is what the arm wrote itself, empty where that was not to be kept. `steady` says of each request but the
    first whether it begins with the one before, both without a block at the end.
    """

    costs: list[RequestCost] = field(default_factory=list)
    there: list[tuple[bool, ...]] = field(default_factory=list)
    made: list[tuple[MadeText, ...]] = field(default_factory=list)
    steady: list[bool] = field(default_factory=list)
    seconds: float = 0.0
    failures: int = 0


@dataclass(frozen=True, slots=True)
class ReplayedRun:
    """One trace with all arms; every arm's lists are as long as `calls`."""

    trace: Trace
    run: RecordedRun
    calls: tuple[CallUse, ...]
    arms: Mapping[str, ArmRun]
    bound: int


Progress = Callable[[int], object]
Same = Literal["tokens", "bound"]
Opener = Callable[[Moments], Arm]


def replay_trace(
    trace: Trace,
    *,
    settings: Settings,
    arms: Sequence[str],
    block: int | None = None,
    bound: int | None = None,
    others: Mapping[str, Opener] | None = None,
    texts_of: Collection[str] = (AMB,),
    same: Same = "tokens",
    count: Callable[[str], int] = estimate_tokens,
    progress: Progress = lambda calls: None,
) -> ReplayedRun:
    """Have each arm prepare each request of a run; `progress` is told of each call and arm that is done.

    `bound` is what a request may have (default: the settings' budget) and `block` the tokens of an opponent's block
    (default: the settings' too). `same` says what all arms have in common: "tokens", where a plain one may send at each
    call what AMB sends there, times one factor for the whole run, so that both send the same in all as nearly as whole
    messages allow; or the "bound", up to which each may fill every request. `count` says what a text costs.
    `others` are arms of your own by name. What an arm wrote is kept for those in `texts_of`.
    """
    run = RecordedRun(trace, count=count)
    later = LaterUse(run)
    bound = bound or settings.prompt_budget_tokens
    of = Moments(run, bound, block or settings.block_tokens, settings)
    calls = tuple(_call_use(run, later, place, room=bound - of.block) for place in run.calls)
    known = {**ARMS, **(others or {})}
    first = [name for name in (FULL, AMB) if name in arms]
    found: dict[str, ArmRun] = {}
    for name in [*first, *(name for name in arms if name not in first)]:
        if same == "bound":
            limits = [bound - run.tools_tokens] * len(calls)
        else:
            limits = _limits(name, of, calls, found.get(AMB), open_arm=known[name], progress=progress)
        found[name] = _run_arm(known[name](of), run, calls, limits, progress)
        if name not in texts_of:
            found[name].made = []
    return ReplayedRun(trace, run, calls, {name: found[name] for name in arms}, bound)


def _call_use(run: RecordedRun, later: LaterUse, place: int, *, room: int) -> CallUse:
    newest = run.results_before(place)[-2:]
    tail = next((group[0] for group in run.groups if newest and newest[0] in group), place)
    pinned = [at for at in run.pinned if at < place]
    needed = run.size_of({*pinned, *range(tail, place)}) + run.tools_tokens
    return CallUse(
        place=place,
        used=tuple(later.at(place)),
        fits=needed <= room,
        full_tokens=run.sums[place] + run.tools_tokens,
        pinned_tokens=run.size_of(pinned) + run.tools_tokens,
    )


def _limits(
    name: str, of: Moments, calls: Sequence[CallUse], amb: ArmRun | None, *, open_arm: Opener, progress: Progress
) -> list[int]:
    """The tokens of messages that an arm may send at each call: what AMB sends there, or a share of the bound."""
    run, room = of.run, of.bound - of.run.tools_tokens
    if amb is None or name in (FULL, AMB):
        return [int(_HIGH_WATER * of.bound) - run.tools_tokens] * len(calls)
    sent = [cost.tokens - run.tools_tokens for cost in amb.costs]
    limits = [max(sent)] * len(sent) if sent and (name in _STEADY or ":" in name) else sent
    factor = 1.0
    for _ in range(_TRIES):
        shorter = [min(room, round(factor * limit)) for limit in limits]
        tried = _tokens_of(open_arm(of), run, calls, shorter, progress)
        if not tried or abs(sum(sent) / tried - 1) < _EVEN:
            break
        factor = min(_MOST_EVENED, max(1 / _MOST_EVENED, factor * sum(sent) / tried))
    return [min(room, round(factor * limit)) for limit in limits]


def _tokens_of(arm: Arm, run: RecordedRun, calls: Sequence[CallUse], limits: Sequence[int], progress: Progress) -> int:
    """What an arm sends in all within these limits."""
    total = 0
    for call, limit in zip(calls, limits, strict=True):
        total += sum(map(run.tokens_of, arm.request(call.place, limit, call.used)))
        progress(0)
    return total


def _run_arm(arm: Arm, run: RecordedRun, calls: Sequence[CallUse], limits: Sequence[int], progress: Progress) -> ArmRun:
    found, cache, before = ArmRun(), PromptCache(), list[str]()
    try:
        for call, limit in zip(calls, limits, strict=True):
            clock = time.process_time()
            messages = arm.request(call.place, limit, call.used)
            found.seconds += time.process_time() - clock
            body = _measure(found, cache, run, call, messages)
            if len(found.costs) > 1:
                found.steady.append(body[: len(before)] == before)
            before = body
            progress(1)
        if isinstance(arm, AmbArm):
            found.failures = arm.failures
    finally:
        if isinstance(arm, AmbArm):
            arm.close()
    return found


def _measure(
    found: ArmRun, cache: PromptCache, run: RecordedRun, call: CallUse, messages: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Adds a request to what was found; gives its messages as sent, without a block at the end."""
    sent, sizes, raw, made, body = list[str](), list[int](), set[int](), list[MadeText](), 0
    for message in messages:
        wire, place = run.sent(message)
        sent.append(wire)
        sizes.append(run.tokens_of(message) if place is None else run.sizes[place])
        if place is None:
            made.append(MadeText(role_of(message), message_text(message)))
        else:
            raw.add(place)
        if place is not None or role_of(message) in ("tool", "assistant"):
            body = len(sent)
    found.costs.append(cache.take(sent, sizes, beside=run.tools_tokens))
    found.made.append(tuple(made))
    flat = [flatten(one.text).text for one in made] if call.used else []
    words = {word for text in flat for word in words_in(text)}
    found.there.append(
        tuple(
            not one.holders.isdisjoint(raw) or (one.text in words if one.is_word else _is_shown(one, flat, run))
            for one in call.used
        )
    )
    return sent[:body]


def _is_shown(used: Used, made: Sequence[str], run: RecordedRun) -> bool:
    return any(shows(text, used.text, run.flat[source]) for text in made for source in used.sources[:_SOURCES])
