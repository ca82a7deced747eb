"""Draws the sizes of requests over a run: one self-contained HTML page, and a PNG where matplotlib is installed."""

from __future__ import annotations

import html
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from amb_bench.bounded_prompts import PromptRun
from amb_core.errors import InvalidParameter

__all__ = ["page_of", "write_plots"]

_WIDTH, _HEIGHT = 720, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 120, 16, 44
_RAW, _BOUNDED = "#b3541e", "#1b6f8a"
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
svg { width: 100%; height: auto; } text { font: 12px system-ui, sans-serif; fill: currentColor; }
.grid { stroke: currentColor; stroke-opacity: .15; } .line { fill: none; stroke-width: 2.5; }
""".strip()


def write_plots(runs: Sequence[PromptRun], folder: Path) -> list[Path]:
    """Write the page, and the picture if it can be drawn; returns their paths.

    Raises InvalidParameter when the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page = folder / "bounded.html"
        page.write_text(page_of(runs), encoding="utf-8")
        written = [page]
        if find_spec("matplotlib") is not None:
            written.append(_picture(runs, folder / "bounded.png"))
    except OSError as error:
        raise InvalidParameter(f"{folder} cannot be written ({error.strerror}); name another folder") from None
    return written


def page_of(runs: Sequence[PromptRun]) -> str:
    """The page: characters and estimated tokens per request, a chart for each run and unit."""
    parts = [f"<h2>{html.escape(run.name)}</h2>\n" + "\n".join(_chart(run, unit) for unit in (0, 1)) for run in runs]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Size of requests</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>Size of each request in a long tool loop</h1>\n"
        "<p>The whole transcript, and what AMB sends instead: the condensed transcript with the newest results and "
        "its block.</p>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _chart(run: PromptRun, unit: int) -> str:
    name = ("characters", "tokens (estimated)")[unit]
    raw, bounded = ([size[unit] for size in sizes] for sizes in (run.raw, run.bounded))
    top = _round_up(max([*raw, *bounded, 1]))
    lines = [_grid(top, len(raw))]
    for values, colour, label in ((raw, _RAW, "without AMB"), (bounded, _BOUNDED, "with AMB")):
        points = [_point(number, value, len(raw), top) for number, value in enumerate(values)]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        x, y = points[-1]
        lines.append(f'<polyline class="line" stroke="{colour}" points="{joined}"/>')
        lines.append(f'<text x="{x + 6:.1f}" y="{y - 2:.1f}">{label}</text>')
        lines.append(f'<text x="{x + 6:.1f}" y="{y + 12:.1f}">largest {max(values):,}</text>')
    says = f"{name} per request: up to {max(raw):,} without AMB, up to {max(bounded):,} with it"
    return (
        f"<h3>{name.capitalize()} per request</h3>\n"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{says}">' + "".join(lines) + "</svg>"
    )


def _grid(top: int, count: int) -> str:
    parts = []
    for step in range(5):
        value = top * step // 4
        y = _point(0, value, count, top)[1]
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:,}</text>')
    for number in sorted({0, count // 4, count // 2, 3 * count // 4, count - 1}):
        x = _point(number, 0, count, top)[0]
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 22}" text-anchor="middle">{number + 1}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle:.1f}" y="{_HEIGHT - 4}" text-anchor="middle">request</text>')
    return "".join(parts)


def _point(number: int, value: int, count: int, top: int) -> tuple[float, float]:
    across, up = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    return _LEFT + across * number / max(count - 1, 1), _HEIGHT - _BOTTOM - up * value / top


def _round_up(value: int) -> int:
    """The next number of one digit and zeros, divisible by 4."""
    size = 10 ** max(len(str(value)) - 1, 1)
    return 4 * -(-value // (4 * size // 2)) * (size // 2) if value > 4 else 4


def _picture(runs: Sequence[PromptRun], path: Path) -> Path:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4 * len(runs)), layout="constrained")
    FigureCanvasAgg(figure)
    for row, run in enumerate(runs):
        for unit, name in enumerate(("characters", "tokens (estimated)")):
            axes = figure.add_subplot(len(runs), 2, 2 * row + unit + 1)
            numbers = range(1, len(run.raw) + 1)
            axes.plot(numbers, [size[unit] for size in run.raw], color=_RAW, label="without AMB")
            axes.plot(numbers, [size[unit] for size in run.bounded], color=_BOUNDED, label="with AMB")
            axes.set(xlabel="request", ylabel=name, title=run.name)
            axes.set_ylim(bottom=0)
            axes.legend()
    figure.savefig(path, dpi=110, metadata={"Software": None})
    return path
