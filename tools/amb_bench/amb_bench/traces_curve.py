"""One recorded run, to be shown: the sizes of its requests with and without memory as a picture, and its page."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

from amb_bench.tables import Table
from amb_bench.traces_sets import TraceSet
from amb_core import ContextAdapter, MemoryBank, Settings
from amb_core.errors import InvalidParameter
from amb_inspector import write_page
from amb_replay.recorded_run import message_text
from amb_replay.replay import ReplayedRun, replay_trace
from amb_replay.replay_arms import AMB, FULL
from amb_replay.replay_figures import figures_of

__all__ = ["curve_table", "longest_run", "write_curves", "write_run_page"]

_ARMS = (FULL, "window+bm25", AMB)
_AGENTS_MODEL = "gpt-4o"
_MAY_BE_SHOWN = "tau"
"""How the sets begin whose licence (tau-bench: MIT) lets a run of theirs be shown."""
_WORDS = MappingProxyType(
    {
        "en": ("without memory", "with AMB", "budget", "model call", "tokens of the request"),
        "zh": ("不用记忆", "使用 AMB", "预算", "第几次调用模型", "请求的 token 数"),
    }
)
_CHINESE_FONTS = ("Noto Sans CJK", "Source Han Sans", "WenQuanYi", "PingFang", "Microsoft YaHei", "Noto Serif CJK")


def longest_run(sets: Sequence[TraceSet]) -> tuple[ReplayedRun, Settings] | None:
    """The run with the most text that may be shown, and the tight setting it was replayed at; None without any."""
    shown = [(one, each) for one in sets if one.name.startswith(_MAY_BE_SHOWN) for each in one.traces]
    if not shown:
        return None
    of_set, chosen = max(shown, key=lambda pair: sum(map(len, map(message_text, pair[1].trace.messages))))
    settings = Settings(prompt_budget_tokens=of_set.budget, block_tokens=of_set.block)
    return replay_trace(chosen.trace, settings=settings, arms=_ARMS, texts_of=()), settings


def curve_table(run: ReplayedRun) -> Table:
    """What the picture shows, in figures."""
    arms = figures_of([run]).arms
    rows = tuple(
        (name, f"{max(cost.tokens for cost in run.arms[name].costs):,}", f"{arm.over}", f"{arm.ratio:.2f}", _far(arm))
        for name, arm in arms.items()
    )
    heads = ("arm", "largest request", f"over {run.bound:,}", "billed × no memory", "far, %")
    return Table(f"{run.trace.id}, {len(run.calls)} calls", heads, rows, name="traces curve")


def _far(arm: Any) -> str:
    percent = arm.shares["far"].percent
    return "–" if percent is None else f"{percent:.0f}"


def write_curves(run: ReplayedRun, folder: Path) -> list[Path]:
    """Draw the run, in English and where a font for it is found in Chinese; returns the files, none without matplotlib.

    Raises InvalidParameter when the folder cannot be written.
    """
    if find_spec("matplotlib") is None:
        return []
    from matplotlib import font_manager

    here = {font.name for font in font_manager.fontManager.ttflist}
    chinese = next((name for wanted in _CHINESE_FONTS for name in sorted(here) if name.startswith(wanted)), None)
    fonts = {"en": "DejaVu Sans"} | ({"zh": chinese} if chinese else {})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return [_draw(run, _WORDS[name], font, folder / f"curve-{name}.png") for name, font in fonts.items()]
    except OSError as error:
        raise InvalidParameter(f"{folder} cannot be written ({error.strerror}); name another folder") from None


def write_run_page(run: ReplayedRun, path: Path, *, settings: Settings) -> Path:
    """The page of the memory that this run would have had, at the prices of its model."""
    recorded = run.run
    with MemoryBank(recorded.goal, settings=settings) as bank:
        adapter = ContextAdapter(bank, reserved_tokens=recorded.tools_tokens)
        for call in recorded.calls:
            before = list(recorded.messages[:call])
            adapter.intercept_context(before)
            adapter.prepare(before)
        adapter.intercept_context(list(recorded.messages))
        return write_page(bank.snapshot(), path, model=_AGENTS_MODEL)


def _draw(run: ReplayedRun, words: Sequence[str], font: str, path: Path) -> Path:
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    without, with_amb, budget, across, up = words
    with rc_context({"font.family": font, "font.size": 10}):
        figure = Figure(figsize=(8, 2.7), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        for name, label, colour in ((FULL, without, "#868e96"), (AMB, with_amb, "#0b6b74")):
            sizes = [cost.tokens for cost in run.arms[name].costs]
            axes.plot(range(1, len(sizes) + 1), sizes, color=colour, linewidth=2.2, marker="o", markersize=3)
            axes.annotate(
                f"{label}: {sizes[-1]:,}", (len(sizes), sizes[-1]), (8, 0), textcoords="offset points", color=colour,
                va="center",
            )  # fmt: skip
        axes.axhline(run.bound, color="#c92a2a", linewidth=1, linestyle="--")
        axes.annotate(f"{budget}: {run.bound:,}", (1, run.bound), (0, 5), textcoords="offset points", color="#c92a2a")
        axes.set(xlabel=across, ylabel=up, ylim=(0, None), xlim=(0.5, len(run.calls) * 1.2))
        axes.set_xticks(range(5, len(run.calls) + 1, 5))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(path, dpi=110, metadata={"Software": None})
    return path
