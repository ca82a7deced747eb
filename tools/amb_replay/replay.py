"""Replays runs: each arm prepares each request of each run, and what came of it is measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from amb_core import Settings
from amb_replay.later_use import LaterUse, Used, shows, words_in
from amb_replay.recorded_run import RecordedRun, as_sent, flatten, message_text, message_tokens
from amb_replay.replay_arms import AMB, ARMS, FULL, AmbArm, Arm, Moments
from amb_replay.request_cost import PromptCache, RequestCost
from amb_replay.trace import Trace

__all__ = ["ArmRun", "CallUse", "MadeText", "ReplayedRun", "replay_trace"]

_HIGH_WATER = 0.8
"""To which share of the budget the plain arms fill a request where AMB is not there to compare with."""
_MOST_EVENED = 1.3
"""The most by which an arm's limits are changed to bring its tokens and AMB's together."""
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

    `made` is what the arm wrote itself, empty where that was not to be kept.
    """

    costs: list[RequestCost] = field(default_factory=list)
    there: list[tuple[bool, ...]] = field(default_factory=list)
    made: list[tuple[MadeText, ...]] = field(default_factory=list)
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
    progress: Progress = lambda calls: None,
) -> ReplayedRun:
    """Have each arm prepare each request of a run; `progress` is told of each call and arm that is done.

    `bound` is what a request may have (default: the settings' budget) and `block` the tokens of an opponent's block
    (default: the settings' too). All arms are held to equal tokens: a plain one may send at each call what AMB sends
    there, times one factor for the whole run, so that both send the same in all as nearly as whole messages allow.
    `others` are arms of your own by name. What an arm wrote is kept for those in `texts_of`.
    """
    run = RecordedRun(trace)
    later = LaterUse(run)
    bound = bound or settings.prompt_budget_tokens
    of = Moments(run, block or settings.block_tokens, settings)
    calls = tuple(_call_use(run, later, place, room=bound - of.block) for place in run.calls)
    known = {**ARMS, **(others or {})}
    first = [name for name in (FULL, AMB) if name in arms]
    found: dict[str, ArmRun] = {}
    for name in [*first, *(name for name in arms if name not in first)]:
        limits = _limits(name, found.get(AMB), calls, bound=bound, beside=run.tools_tokens)
        if AMB in found and name != FULL:
            limits = [min(one, bound) for one in _evened(limits, known[name](of), run, calls, found[AMB])]
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


def _limits(name: str, amb: ArmRun | None, calls: Sequence[CallUse], *, bound: int, beside: int) -> list[int]:
    """The tokens of messages that an arm may send at each call."""
    if amb is None:
        return [int(_HIGH_WATER * bound) - beside] * len(calls)
    sent = [cost.tokens - beside for cost in amb.costs]
    if name == "lazy":  # it wavers between half of its limit and all of it
        return [round(sum(sent) / len(sent) / 0.75) if sent else 0] * len(calls)
    return sent


def _evened(limits: Sequence[int], arm: Arm, run: RecordedRun, calls: Sequence[CallUse], amb: ArmRun) -> list[int]:
    """The limits times the one factor that has the arm send in all what AMB sends in all, found by a first try."""
    requests = (arm.request(call.place, limit, call.used) for call, limit in zip(calls, limits, strict=True))
    tried = sum(sum(map(message_tokens, messages)) for messages in requests)
    sent = sum(cost.tokens - run.tools_tokens for cost in amb.costs)
    factor = min(_MOST_EVENED, max(1 / _MOST_EVENED, sent / tried)) if tried and sent else 1.0
    return [round(limit * factor) for limit in limits]


def _run_arm(arm: Arm, run: RecordedRun, calls: Sequence[CallUse], limits: Sequence[int], progress: Progress) -> ArmRun:
    found, cache = ArmRun(), PromptCache()
    try:
        for call, limit in zip(calls, limits, strict=True):
            clock = time.process_time()
            messages = arm.request(call.place, limit, call.used)
            found.seconds += time.process_time() - clock
            _measure(found, cache, run, call, messages)
            progress(1)
        if isinstance(arm, AmbArm):
            found.failures = arm.failures
    finally:
        if isinstance(arm, AmbArm):
            arm.close()
    return found


def _measure(
    found: ArmRun, cache: PromptCache, run: RecordedRun, call: CallUse, messages: Sequence[Mapping[str, Any]]
) -> None:
    known = {id(message): at for at, message in enumerate(run.messages[: call.place])}
    sent, sizes, raw, made = [], [], set[int](), list[MadeText]()
    for message in messages:
        place = known.get(id(message))
        wire = as_sent(message) if place is None else run.wire[place]
        place = run.place(wire) if place is None else place
        sent.append(wire)
        if place is None:
            sizes.append(message_tokens(message))
            made.append(MadeText(str(message.get("role") or ""), message_text(message)))
        else:
            sizes.append(run.sizes[place])
            raw.add(place)
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


def _is_shown(used: Used, made: Sequence[str], run: RecordedRun) -> bool:
    return any(shows(text, used.text, run.flat[source]) for text in made for source in used.sources[:_SOURCES])
