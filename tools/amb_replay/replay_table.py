"""The report for a terminal: whether memory pays, and a line for each arm."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from amb_core.inspector.one_file import words
from amb_replay.replay_figures import ArmFigures
from amb_replay.replay_report import ReplayReport
from amb_replay.replay_verdict import Reason

__all__ = ["report_lines"]

_KINDS = ("far", "unsaid", "far_words", "newest_fit", "newest")
_COLUMNS = ("table.ratio", "table.worst", "table.over", "table.n")


def report_lines(report: ReplayReport, *, language: Literal["en", "zh"]) -> Iterator[str]:
    """The lines of the report, in English or Chinese."""
    told: Mapping[str, str] = words("amb_replay:words")[language]
    figures, arms = report.figures, report.figures.arms
    yield told[f"verdict.{report.verdict.outcome}"]
    yield from (f"  {_sentence(told, reason)}" for reason in report.verdict.reasons)
    yield ""
    priced = report.model is not None
    columns = ["tokens", "ratio", "worst", "peak", "over", *(["moneyUncached", "money"] if priced else [])]
    head = [told["table.arm"], *(told[f"table.{name}"] for name in columns), *(told[f"kind.{kind}"] for kind in _KINDS)]
    rows = [[_arm_name(told, name), *_cells(arm, priced=priced)] for name, arm in arms.items()]
    shares = next(iter(arms.values())).shares
    counts = [told["table.n"], *("" for _ in columns), *(f"{shares[kind].n:,}" for kind in _KINDS)]
    yield from _aligned([head, *rows, counts])
    yield ""
    where = {"n": f"{figures.calls:,}", "runs": f"{figures.runs:,}", "bound": f"{figures.bound:,}"}
    yield from (told["table.under"].format(**where), told["head.words"])
    explained = [*(f"arm.{name}" for name in arms), *_COLUMNS, *(f"kind.{kind}" for kind in _KINDS)]
    yield from _aligned([(f"  {told[key]}", told[f"{key}.note"]) for key in explained if key in told], left=True)


def _sentence(told: Mapping[str, str], reason: Reason) -> str:
    values = dict(reason.values)
    if "arm" in values:
        values["arm"] = _arm_name(told, values["arm"])
    return told[reason.key].format(**values)


def _arm_name(told: Mapping[str, str], name: str) -> str:
    return told.get(f"arm.{name}", name)


def _cells(arm: ArmFigures, *, priced: bool) -> Iterator[str]:
    yield from (f"{arm.tokens:,}", f"{arm.ratio:.2f}", f"{arm.worst:.2f}", f"{arm.peak:,}", f"{arm.over:,}")
    if priced:
        yield from (f"{money:.4f}" for money in (arm.uncached_money or 0.0, arm.cached_money or 0.0))
    for kind in _KINDS:
        percent = arm.shares[kind].percent
        yield "–" if percent is None else f"{percent:.1f}"


def _aligned(rows: Sequence[Sequence[str]], *, left: bool = False) -> Iterator[str]:
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        first, *others = zip(row, cells, strict=True)
        yield "  ".join([first[0] + first[1], *(cell if left else blank + cell for cell, blank in others)]).rstrip()


def _width(text: str) -> int:
    """Columns of a text on a terminal, where a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
