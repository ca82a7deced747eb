"""Pictures of `amb bench traces`, where matplotlib is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from amb_bench.traces_sets import TraceSet
from amb_core.errors import InvalidParameter
from amb_replay.replay import ReplayedRun
from amb_replay.replay_arms import AMB, FULL
from amb_replay.replay_figures import figures_of
from amb_replay.request_cost import CACHED_SHARE

__all__ = ["write_trace_plots"]

Found = Sequence[tuple[TraceSet, Sequence[ReplayedRun]]]
_BARS = ("window", "window+bm25", "masked", AMB, "oracle")
_LEAST_STRINGS = 100


def write_trace_plots(found: Mapping[str, Found], folder: Path) -> list[Path]:
    """Draw far recall by set and billed cost by size of a run; returns the files, none without matplotlib.

    Raises InvalidParameter when the folder cannot be written.
    """
    if find_spec("matplotlib") is None:
        return []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        drawn = [_far(part, sets, folder / f"traces-far-{part}.png") for part, sets in found.items()]
        return drawn + [_cost(part, sets, folder / f"traces-cost-{part}.png") for part, sets in found.items()]
    except OSError as error:
        raise InvalidParameter(f"{folder} cannot be written ({error.strerror}); name another folder") from None


def _figure() -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 5), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _far(part: str, sets: Found, path: Path) -> Path:
    """Bars of far recall for each set with enough strings, with the interval."""
    figure, axes = _figure()
    figures = [(one.name, figures_of(runs)) for one, runs in sets if runs]
    shown = [(name, of) for name, of in figures if of.arms[FULL].shares["far"].n >= _LEAST_STRINGS] or figures
    width = 0.8 / len(_BARS)
    for number, arm in enumerate(_BARS):
        shares = [of.arms[arm].shares["far"] for _, of in shown]
        heights = [share.percent or 0.0 for share in shares]
        below = [max(0.0, h - (s.low if s.low is not None else h)) for h, s in zip(heights, shares, strict=True)]
        above = [max(0.0, (s.high if s.high is not None else h) - h) for h, s in zip(heights, shares, strict=True)]
        places = [at + number * width for at in range(len(shown))]
        axes.bar(places, heights, width, yerr=[below, above], label=arm, capsize=2)
    axes.set_xticks([at + 0.4 - width / 2 for at in range(len(shown))], [name for name, _ in shown], rotation=15)
    axes.set(ylabel="far recall, % (90 % interval)", ylim=(0, 105))
    axes.set_title(f"What was needed later and was there: {part}")
    axes.legend(ncols=len(_BARS))
    figure.savefig(path, dpi=110, metadata={"Software": None})
    return path


def _cost(part: str, sets: Found, path: Path) -> Path:
    """A point for each run: its largest request without memory, and what AMB bills beside no memory."""
    figure, axes = _figure()
    for one, runs in sets:
        points = [(run.calls[-1].full_tokens, _ratio(run)) for run in runs if run.calls]
        axes.scatter([x for x, _ in points], [y for _, y in points], s=18, label=one.name)
    axes.axhline(1.0, color="grey", linewidth=1)
    axes.set(xscale="log", xlabel="tokens of the last request without memory", ylabel="billed × no memory")
    axes.set_title(f"Cost with prompt caching, a cached token at a tenth: {part}")
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=110, metadata={"Software": None})
    return path


def _ratio(run: ReplayedRun) -> float:
    billed = {name: sum(cost.billed(CACHED_SHARE) for cost in run.arms[name].costs) for name in (AMB, FULL)}
    return billed[AMB] / billed[FULL]
