"""`amb bench agents`: roles of the seeds without a model, each beside its baselines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from amb_bench.benches import BenchOptions
from amb_bench.conflict_bench import conflict_report
from amb_bench.datasets import load_cmrc, load_hotpotqa
from amb_bench.tables import Table
from amb_bench.value_changes import Pair, changed_value_pairs
from amb_bench.verdict_bench import VerdictScore, decide, measure_verdicts
from amb_core.agents import LocalAnalysis, LocalIntegration
from amb_core.errors import InvalidParameter

__all__ = ["PARTS", "tables"]

_QUICK_PAIRS = 400


def tables(options: BenchOptions) -> Iterator[Table]:
    """The tables of the parts in `options.only`, by default of all.

    Raises InvalidParameter for an unknown part, UnreadableSource without the data.
    """
    for part in options.only or tuple(PARTS):
        if part not in PARTS:
            raise InvalidParameter(f"there is no part {part!r} of this bench; there are: {', '.join(PARTS)}")
        yield from PARTS[part](options)


def _conflict(options: BenchOptions) -> Iterator[Table]:
    yield from conflict_report(folder=options.data, quick=options.quick)


def _quick_pairs(options: BenchOptions) -> Mapping[str, Sequence[Pair]]:
    hotpotqa, cmrc = load_hotpotqa(folder=options.data), load_cmrc(folder=options.data)
    return {
        "changed values, English": _spread(list(changed_value_pairs(hotpotqa, chinese=False, whole=False))),
        "changed values, Chinese": _spread(list(changed_value_pairs(cmrc, chinese=True, whole=False))),
    }


def _spread(pairs: Sequence[Pair]) -> Sequence[Pair]:
    return pairs[:: max(1, len(pairs) // _QUICK_PAIRS)]


def _verdict(options: BenchOptions) -> Iterator[Table]:
    analysis, integration = LocalAnalysis(), LocalIntegration()
    scores: Iterator[VerdictScore] = (
        _quick_verdicts(options, analysis, integration)
        if options.quick
        else measure_verdicts(analysis, integration, folder=options.data)
    )
    yield Table(
        "verdict: contradictions found and decided by a further source",
        ("set", "found", "right", "wrong", "undecided"),
        tuple((s.name, *(str(count) for count in (s.found, s.right, s.wrong, s.undecided))) for s in scores),
    )


def _quick_verdicts(
    options: BenchOptions, analysis: LocalAnalysis, integration: LocalIntegration
) -> Iterator[VerdictScore]:
    for name, pairs in _quick_pairs(options).items():
        outcomes = [
            outcome
            for pair in pairs
            if pair.conflict and (outcome := decide(pair, pair.a, analysis, integration)) is not None
        ]
        yield VerdictScore(name, len(outcomes), outcomes.count("right"), outcomes.count("wrong"))


PARTS: Mapping[str, Callable[[BenchOptions], Iterator[Table]]] = {
    "conflict": _conflict,
    "verdict": _verdict,
}
"""What can be measured, by name."""
