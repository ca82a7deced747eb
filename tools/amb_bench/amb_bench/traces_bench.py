"""Real agent traces: what of later use stays in requests, what they cost, and evidence for expert questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from amb_bench.benches import BenchOptions
from amb_bench.tables import Table
from amb_bench.traces_generated import bound_table
from amb_bench.traces_peers import peers_here
from amb_bench.traces_plot import write_trace_plots
from amb_bench.traces_questions import question_table
from amb_bench.traces_sets import QUICK_CHARS, TraceSet, load_sets, sampled
from amb_core import Settings
from amb_core.errors import InvalidParameter
from amb_replay.replay import Opener, ReplayedRun, replay_trace
from amb_replay.replay_arms import AMB, ARMS
from amb_replay.replay_figures import ArmFigures, Share, figures_of, mean_ratio

__all__ = ["PARTS", "cost_table", "recall_table", "tables"]

PARTS = ("tight", "default", "questions", "bound")
_KINDS = ("far", "unsaid", "far_words", "newest_fit", "newest")
_LARGE = 60_000
"""Tokens of the last request above which a run counts as large: there a memory can save."""
_MADE = {False: 1_000, True: 30}
_QUICK_TRACES = 2
_QUICK_SETS = ("tau_airline", "swe_agent_java", "ama_software_engineering")


def tables(options: BenchOptions) -> Iterator[Table]:
    """The tables of the parts in `options.only`, by default of all; other names in it choose sets by their names.

    `options.out` gets plots where matplotlib is installed. Raises InvalidParameter where nothing is chosen,
    UnreadableSource without the data.
    """
    parts = [part for part in PARTS if part in options.only] or list(PARTS)
    names = [name for name in options.only if name not in PARTS]
    sets = list(load_sets(options.data, names=names))
    if not sets:
        raise InvalidParameter(f"no set is named {', '.join(names)}; parts are {', '.join(PARTS)}")
    if options.quick:
        sets = [_quick(one) for one in sets if names or one.name in _QUICK_SETS]
    sets = [one for one in sets if one.traces]
    peers = peers_here(options.embedder)
    found: dict[str, list[tuple[TraceSet, list[ReplayedRun]]]] = {}
    for part in (part for part in parts if part in ("tight", "default")):
        found[part] = []
        for one in sets:
            runs = _replayed(one, part, peers)
            found[part].append((one, runs))
            yield recall_table(f"{one.name}, {part}", runs)
        yield cost_table(part, found[part])
    if "questions" in parts:
        yield from _questions(sets)
    if "bound" in parts:
        yield bound_table(_MADE[options.quick])
    if options.out is not None:
        yield from _plots(found, options.out)


def _quick(one: TraceSet) -> TraceSet:
    return TraceSet(one.name, tuple(sampled(one.traces, most=_QUICK_TRACES, largest=QUICK_CHARS)))


def _replayed(one: TraceSet, part: str, peers: Mapping[str, Opener]) -> list[ReplayedRun]:
    """The runs of a set in the tight setting of the set, or with AMB's defaults."""
    tight = part == "tight"
    settings = Settings(prompt_budget_tokens=one.budget, block_tokens=one.block) if tight else Settings()
    arms = [*ARMS, *peers]
    return [replay_trace(each.trace, settings=settings, arms=arms, others=peers, texts_of=()) for each in one.traces]


def recall_table(name: str, runs: Sequence[ReplayedRun]) -> Table:
    """For each arm its tokens, and what of later use was there in per cent, with a 90 % interval over runs."""
    figures = figures_of(runs)
    counts = next(iter(figures.arms.values())).shares if figures.arms else {}
    columns = [f"{kind} (n={counts[kind].n})" for kind in _KINDS if counts]
    return Table(
        f"{name}: budget {figures.bound:,}, {figures.runs} runs, {figures.calls} calls",
        ("arm", "tokens", *columns, "over"),
        tuple(_recall_row(name, of) for name, of in figures.arms.items()),
    )


def _recall_row(name: str, of: ArmFigures) -> tuple[str, ...]:
    return (name, f"{of.tokens:,}", *(_cell(of.shares[kind]) for kind in _KINDS), f"{of.over:,}")


def _cell(share: Share) -> str:
    if share.percent is None:
        return "–"
    return f"{share.percent:.1f}" + ("" if share.low is None else f" [{share.low:.0f}–{share.high:.0f}]")


def cost_table(part: str, found: Sequence[tuple[TraceSet, Sequence[ReplayedRun]]]) -> Table:
    """Billed tokens beside no memory, cached ones at a tenth: by set, in the worst run, and of large runs."""
    everything = [run for _, runs in found for run in runs]
    rows = []
    for name in everything[0].arms if everything else ():
        figures = [figures_of(runs).arms[name] for _, runs in found if runs]
        ratio, floor, large = mean_ratio(everything, name, above=_LARGE)
        total = figures_of(everything).arms[name]
        rows.append((name, *_cost(figures, total), *(_ratio(of) if large else "–" for of in (ratio, floor))))
    large = mean_ratio(everything, AMB, above=_LARGE)[2] if everything else 0
    return Table(
        f"{part}: billed × no memory, cached tokens at a tenth; {len(everything)} runs, {large} of them large",
        ("arm", *(one.name for one, runs in found if runs), "all", "worst run", "over", "large runs", "their floor"),
        tuple(rows),
    )


def _cost(figures: Sequence[ArmFigures], total: ArmFigures) -> tuple[str, ...]:
    return (*(_ratio(of.ratio) for of in figures), _ratio(total.ratio), _ratio(total.worst), f"{total.over:,}")


def _ratio(value: float) -> str:
    return f"{value:.2f}"


def _questions(sets: Sequence[TraceSet]) -> Iterator[Table]:
    asked = [one for of_set in sets for one in of_set.traces if one.questions and "gaming" not in of_set.name]
    if asked:
        yield question_table(asked)


def _plots(found: Mapping[str, Sequence[tuple[TraceSet, Sequence[ReplayedRun]]]], out: Path) -> Iterator[Table]:
    written = write_trace_plots(found, out)
    if written:
        yield Table("plots", ("file",), tuple((str(path),) for path in written))
