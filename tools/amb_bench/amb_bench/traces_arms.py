"""Arms that stand at the same tokens or at the same bound, by name, and one table of what they hold and cost.

An arm of your own is `MODULE:NAME` (with the module on PYTHONPATH): a function `(messages so far, bound, count) ->
messages`, or a class of which each run gets an object that is such a function or has `prepare(messages, bound)`, which
may give an object with the `messages`. `count` says what a text costs in tokens; an arm that counts otherwise is asked
again for less until it fits.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from amb_bench.tables import Table
from amb_core.errors import InvalidParameter
from amb_core.text import estimate_tokens
from amb_core.text.exact_tokens import exact_counter
from amb_core.text.tokens import message_tokens
from amb_replay.bounded_arms import BOUNDED_ARMS, Count, Prepare
from amb_replay.replay import Opener, ReplayedRun
from amb_replay.replay_arms import AMB, ARMS, FULL, Moments, PreparedArm
from amb_replay.replay_figures import ArmFigures, figures_of

__all__ = ["STANDARD_ARMS", "arms_asked", "arms_table", "counter_asked"]

_TRIES = 8
STANDARD_ARMS = (FULL, *BOUNDED_ARMS, AMB)
_KINDS = {"unsaid": "unsaid", "far": "far", "far words": "far_words", "newest two turns": "newest_turns"}


def arms_asked(names: Sequence[str]) -> dict[str, Opener]:
    """The arms by name, the whole transcript first; InvalidParameter for one that is not there."""
    return {name: _opener(name) for name in dict.fromkeys((FULL, *names))}


def counter_asked(name: str) -> Count:
    """What counts a text: AMB's estimate for "", the function `MODULE:NAME`, or a tokenizer by its name."""
    if not name:
        return estimate_tokens
    return _named(name) if ":" in name else exact_counter(name)


def _opener(name: str) -> Opener:
    if name in BOUNDED_ARMS:
        return lambda of: PreparedArm(of, BOUNDED_ARMS[name]())
    if name in ARMS:
        return ARMS[name]
    if ":" not in name:
        known = ", ".join(dict.fromkeys((*STANDARD_ARMS, *ARMS)))
        raise InvalidParameter(f"there is no arm {name[:40]!r}; there are: {known}, or MODULE:NAME for one of your own")
    return partial(_opened, _named(name))


def _named(name: str) -> Any:
    module, _, found = name.partition(":")
    try:
        return getattr(import_module(module), found)
    except (ImportError, AttributeError) as error:
        raise InvalidParameter(f"{name[:80]!r} cannot be loaded ({error}); name MODULE:NAME") from None


def _opened(made: Any, of: Moments) -> PreparedArm:
    if not inspect.isclass(made):
        return PreparedArm(of, _fitting(made))
    told = {"count": of.run.count} if "count" in inspect.signature(made).parameters else {}
    memory: Any = made(**told)
    if callable(memory):
        return PreparedArm(of, _fitting(memory))
    return PreparedArm(of, _fitting(lambda messages, bound, count: memory.prepare(messages, bound)))


def _fitting(prepare: Callable[[Sequence[Any], int, Count], Any]) -> Prepare:
    """The same, asked again for less where it counts otherwise and its request is above the bound."""

    def request(messages: Sequence[Mapping[str, Any]], bound: int, count: Count, /) -> Sequence[Mapping[str, Any]]:
        asked = bound
        found: Sequence[Mapping[str, Any]] = ()
        for _ in range(_TRIES):
            made = prepare(messages, asked, count)
            found = getattr(made, "messages", made)
            over = sum(message_tokens(message, count=count) for message in found) - bound
            if over <= 0 or asked <= over:
                break
            asked -= over
        return found

    return request


def arms_table(name: str, runs: Sequence[ReplayedRun], *, part: str, same: str) -> Table:
    """Of each arm: what was there of later use, the share of the bound used, steady pairs, the bill, requests over it.

    Shares are in per cent. *used* counts requests whose whole transcript is above the bound, *steady* the requests that
    begin with the one before, both without a block at the end; *bill* is beside no memory, a cached token at a tenth.
    """
    found = figures_of(runs)
    shares = found.arms[FULL].shares
    counts = ", ".join(f"{head} {shares[kind].n:,}" for head, kind in _KINDS.items())
    bounds = sorted({run.bound for run in runs})
    return Table(
        f"{name}: {part}, same {same}; {found.runs} runs, {found.calls:,} calls, bound "
        f"{' and '.join(f'{bound:,}' for bound in bounds)}; n: {counts}",
        ("arm", *_KINDS, "used", "steady", "bill", "over"),
        tuple((arm, *_cells(figures)) for arm, figures in found.arms.items()),
        name=f"traces {part} same {same} {name}",
    )


def _cells(arm: ArmFigures) -> tuple[str, ...]:
    held = (arm.shares[kind].percent for kind in _KINDS.values())
    parts = (None if share is None else 100 * share for share in (arm.filled, arm.steady))
    return (*map(_percent, (*held, *parts)), f"{arm.ratio:.2f}", f"{arm.over:,}")


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"
