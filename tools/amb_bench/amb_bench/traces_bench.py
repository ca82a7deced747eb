"""Real agent traces: what of later use stays in requests, what they cost, and evidence for expert questions."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol, TypeVar

from amb_bench.benches import BenchOptions
from amb_bench.tables import Table
from amb_bench.traces_arms import STANDARD_ARMS, arms_asked, arms_table, counter_asked
from amb_bench.traces_curve import curve_table, longest_run, write_curves, write_run_page
from amb_bench.traces_generated import bound_table, made_runs, try_bound
from amb_bench.traces_peers import CONTEXT_EDITING, peers_here
from amb_bench.traces_plot import write_trace_plots
from amb_bench.traces_questions import ask_about, question_table
from amb_bench.traces_sets import QUICK_CHARS, TraceSet, begun, load_sets, sampled
from amb_core import Settings
from amb_core.errors import InvalidParameter
from amb_replay.recorded_run import message_text
from amb_replay.replay import ReplayedRun, Same, replay_trace
from amb_replay.replay_arms import AMB, ARMS
from amb_replay.replay_figures import ArmFigures, ReplayFigures, Share, figures_of, mean_ratio
from amb_replay.trace import Trace

__all__ = ["PARTS", "KeptRuns", "cost_table", "recall_table", "tables"]

_CODE = ("amb_core", "amb_replay", "amb_bench")


@dataclass(frozen=True, slots=True)
class KeptRuns:
    """The runs in a folder that were made by the code as it is now; with another code they are made anew."""

    folder: Path
    code: str

    @classmethod
    def of(cls, folder: Path) -> KeptRuns:
        """Those of a folder, which is made where it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        code = hashlib.sha256()
        for package in _CODE:
            for file in sorted(Path(str(resources.files(package))).rglob("*.py")):
                code.update(file.read_bytes())
        return cls(folder, code.hexdigest())

    def run(self, name: str, make: Callable[[], ReplayedRun]) -> ReplayedRun:
        """The run that was kept under a name that says all it was made with, else a new one, which is kept."""
        file = self.folder / f"{hashlib.sha256(f'{self.code} {name}'.encode()).hexdigest()[:24]}.pickle"
        if file.exists():
            kept: ReplayedRun = pickle.loads(file.read_bytes())
            return kept
        made = make()
        unfinished = file.with_suffix(".part")
        unfinished.write_bytes(pickle.dumps(made))
        unfinished.replace(file)
        return made


PARTS = ("tight", "default", "questions", "bound", "curve")
_KINDS = ("far", "unsaid", "far_words", "newest_fit", "newest")
_LARGE = 60_000
"""Tokens of the last request above which a run counts as large: there a memory can save."""
_MADE = {False: 1_000, True: 30}
_QUICK_TRACES = 2
_QUICK_SETS = ("tau_airline", "swe_agent_java", "ama_software_engineering")
_ASKED_CHARS = 250_000
"""Characters of the largest run whose questions are asked."""

A = TypeVar("A")
B = TypeVar("B")
Found = Sequence[tuple[TraceSet, Sequence[ReplayedRun]]]


class Workers(Protocol):
    """A `map` whose work one or several processes do."""

    def __call__(self, call: Callable[[A], B], jobs: Iterable[A], /) -> Iterable[B]:
        """What the call gives for each job, in order."""
        ...


def tables(options: BenchOptions) -> Iterator[Table]:
    """The tables of the parts in `options.only`, by default of all; other names in it choose sets by their names.

    With `options.same` or `options.arms` there is instead one table a set, with the usual arms or those named, in the
    tight setting unless `default` is asked for. `options.workers` processes share the work. `options.keep` is a folder
    where replayed runs wait for a next time, as long as the code is the same. `options.out` gets plots where matplotlib
    is installed. Raises InvalidParameter where nothing is chosen, UnreadableSource without the data.
    """
    parts = [part for part in PARTS if part in options.only] or list(PARTS)
    names = [name for name in options.only if name not in PARTS]
    sets = list(load_sets(options.data, names=names))
    if not sets:
        raise InvalidParameter(f"no set is named {', '.join(names)}; parts are {', '.join(PARTS)}")
    if options.quick:
        sets = [_quick(one) for one in sets if names or one.name in _QUICK_SETS]
    if options.half:
        sets = [TraceSet(one.name, one.traces[options.half == "odd" :: 2]) for one in sets]
    sets = [one for one in sets if one.traces]
    if options.same or options.arms:
        with _workers(options.workers) as workers:
            yield from _beside(sets, [part for part in parts if part in options.only] or ["tight"], options, workers)
        return
    found: dict[str, Found] = {}
    with _workers(options.workers) as workers:
        for part in (part for part in parts if part in ("tight", "default")):
            found[part] = _replayed(sets, part, options, workers)
            yield from (recall_table(part, kind, found[part]) for kind in _KINDS)
            yield cost_table(part, found[part])
        if "questions" in parts:
            yield from _questions(sets, workers)
        if "bound" in parts:
            yield bound_table(workers(try_bound, made_runs(_MADE[options.quick])))
    shown = longest_run(sets) if "curve" in parts else None
    if shown is not None:
        yield curve_table(shown[0])
    if options.out is not None:
        yield from _plots(found, shown, options.out)


@contextmanager
def _workers(count: int) -> Iterator[Workers]:
    """So many processes; one is this process."""
    if count == 1:
        yield map
        return
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        yield pool.map


def _quick(one: TraceSet) -> TraceSet:
    found = sampled(one.traces, most=_QUICK_TRACES, largest=QUICK_CHARS)
    return TraceSet(one.name, tuple(found or [begun(each, QUICK_CHARS) for each in one.traces[:1]]))


@dataclass(frozen=True, slots=True)
class _Job:
    """A trace to replay; the stores of other libraries, which take long, are asked only in the tight setting."""

    trace: Trace
    settings: Settings
    embedder: str
    stores: bool
    kept: KeptRuns | None
    same: Same = "tokens"
    arms: tuple[str, ...] = ()
    count: str = ""


def _replay(job: _Job) -> ReplayedRun:
    if job.arms:
        return _replay_arms(job)
    found = peers_here(job.embedder)
    peers = {name: opener for name, opener in found.items() if job.stores or name == CONTEXT_EDITING}

    def make() -> ReplayedRun:
        return replay_trace(job.trace, settings=job.settings, arms=[*ARMS, *peers], others=peers, texts_of=())

    asked = (job.trace.id, len(job.trace.messages), repr(job.settings), job.embedder, *peers)
    return make() if job.kept is None else job.kept.run(" ".join(map(str, asked)), make)


def _replay_arms(job: _Job) -> ReplayedRun:
    """Only the arms that are named."""

    def make() -> ReplayedRun:
        others, count = arms_asked(job.arms), counter_asked(job.count)
        return replay_trace(
            job.trace, settings=job.settings, arms=tuple(others), others=others, texts_of=(), same=job.same, count=count
        )

    asked = (job.trace.id, len(job.trace.messages), repr(job.settings), job.same, job.count, *job.arms)
    return make() if job.kept is None else job.kept.run(" ".join(map(str, asked)), make)


def _beside(sets: Sequence[TraceSet], parts: Sequence[str], options: BenchOptions, workers: Workers) -> Iterator[Table]:
    """One table for each set and one for all sets together, at the same tokens, the same bound or both."""
    arms = options.arms or STANDARD_ARMS
    arms_asked(arms)
    counter_asked(options.count)
    several: dict[str, tuple[Same, ...]] = {"both": ("bound", "tokens"), "bound": ("bound",)}
    for part in parts:
        for same in several.get(options.same, ("tokens",)):
            with_amb = arms if same == "bound" else tuple(dict.fromkeys((*arms, AMB)))
            found = _replayed(sets, part, options, workers, same=same, arms=with_amb)
            yield from (arms_table(one.name, runs, part=part, same=same) for one, runs in found)
            if len(found) > 1:
                yield arms_table("all sets", [run for _, runs in found for run in runs], part=part, same=same)


def _replayed(
    sets: Sequence[TraceSet],
    part: str,
    options: BenchOptions,
    workers: Workers,
    *,
    same: Same = "tokens",
    arms: tuple[str, ...] = (),
) -> Found:
    """The runs of each set in the tight setting of the set, or with AMB's defaults; the largest are replayed first."""
    tight = part == "tight"
    kept = KeptRuns.of(options.keep) if options.keep else None
    jobs: list[tuple[int, _Job]] = []
    for number, one in enumerate(sets):
        tightest = Settings(prompt_budget_tokens=one.budget, block_tokens=one.block)
        if same == "bound":  # the block is AMB's own affair
            tightest = Settings(prompt_budget_tokens=one.budget)
        settings = tightest if tight else Settings()
        for each in one.traces:
            job = _Job(each.trace, settings, options.embedder, tight, kept, same, arms, options.count)
            jobs.append((number, job))
    order = sorted(range(len(jobs)), key=lambda at: -sum(map(len, map(message_text, jobs[at][1].trace.messages))))
    done = dict(zip(order, workers(_replay, (jobs[at][1] for at in order)), strict=True))
    runs: list[list[ReplayedRun]] = [[] for _ in sets]
    for at, (number, _) in enumerate(jobs):
        runs[number].append(done[at])
    return list(zip(sets, runs, strict=True))


def recall_table(part: str, kind: str, found: Found) -> Table:
    """For each arm and set what was there of one kind of later use, in per cent, with a 90 % interval over runs."""
    of_sets = [(one.name, figures_of(runs)) for one, runs in found]
    arms = of_sets[0][1].arms
    heads = [f"{name} (n={of.arms[AMB].shares[kind].n:,})" for name, of in of_sets]
    rows = tuple((arm, *(_cell(of.arms[arm].shares[kind]) for _, of in of_sets)) for arm in arms)
    runs = sum(of.runs for _, of in of_sets)
    return Table(f"{part}, {kind}: per cent, {runs} runs", ("arm", *heads), rows, name=f"traces {part} {kind}")


def _cell(share: Share) -> str:
    if share.percent is None:
        return "–"
    return f"{share.percent:.1f}" + ("" if share.low is None else f" [{share.low:.0f}–{share.high:.0f}]")


def cost_table(part: str, found: Found) -> Table:
    """Billed tokens beside no memory, cached ones at a tenth: by set, in the worst run and in large ones."""
    everything = [run for _, runs in found for run in runs]
    of_sets, total = [figures_of(runs) for _, runs in found], figures_of(everything)
    large = mean_ratio(everything, AMB, above=_LARGE)[2]
    return Table(
        f"{part}: billed × no memory, cached tokens at a tenth; {total.runs} runs with {total.calls:,} calls, "
        f"{large} of them above {_LARGE:,} tokens (floor {mean_ratio(everything, AMB, above=_LARGE)[1]:.2f})",
        ("arm", *(one.name for one, _ in found), "all", "worst run", "large runs", "over", "tokens × AMB's"),
        tuple(
            (arm, *(_ratio(of.arms[arm].ratio) for of in of_sets), *_cost(arm, total, everything)) for arm in total.arms
        ),
        name=f"traces {part} cost",
    )


def _cost(name: str, total: ReplayFigures, everything: Sequence[ReplayedRun]) -> tuple[str, ...]:
    arm: ArmFigures = total.arms[name]
    ratio, _, large = mean_ratio(everything, name, above=_LARGE)
    beside = arm.tokens / (total.arms[AMB].tokens or 1)
    return (_ratio(arm.ratio), _ratio(arm.worst), _ratio(ratio) if large else "–", f"{arm.over:,}", _ratio(beside))


def _ratio(value: float) -> str:
    return f"{value:.2f}"


def _questions(sets: Sequence[TraceSet], workers: Workers) -> Iterator[Table]:
    asked = [one for of_set in sets for one in of_set.traces if one.questions and "gaming" not in of_set.name]
    asked = [one for one in asked if one.chars <= _ASKED_CHARS]
    if asked:
        yield question_table(asked, workers(ask_about, asked))


def _plots(found: dict[str, Found], shown: tuple[ReplayedRun, Settings] | None, out: Path) -> Iterator[Table]:
    written = write_trace_plots(found, out)
    if shown is not None:
        run, settings = shown
        written = [*written, *write_curves(run, out), write_run_page(run, out / "curve-run.html", settings=settings)]
    if written:
        yield Table("plots", ("file",), tuple((str(path),) for path in written))
