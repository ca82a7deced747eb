"""What is said about replayed runs: as data, for a terminal, and as one HTML file that loads nothing."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from amb_chat import Price, price_date, price_of
from amb_core.text import detect_language, estimate_tokens
from amb_inspector.one_file import PageLanguage, checked_language, one_file, words, write_text
from amb_replay.recorded_run import RecordedRun, message_text
from amb_replay.replay import CallUse, ReplayedRun
from amb_replay.replay_arms import AMB
from amb_replay.replay_figures import ArmFigures, ReplayFigures, cached_share, figures_of, floor_of
from amb_replay.replay_verdict import Reason, ReplayVerdict, verdict_of

__all__ = [
    "PricedModel",
    "ReplayReport",
    "aligned",
    "render_replay_page",
    "report_lines",
    "report_of",
    "shown_language",
    "write_replay_page",
]

_LONGEST_TEXT = 30_000
_ALL_TEXTS = 20_000_000
"""Characters of texts that one page holds; the runs behind that are there with their figures alone."""
_ACTION = 600
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class PricedModel:
    """A model with its price; `as_of` is the day it was looked up, "" for a price of the user's own."""

    name: str
    price: Price
    as_of: str = ""


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """Replayed runs with their figures and what they say."""

    runs: tuple[ReplayedRun, ...]
    figures: ReplayFigures
    verdict: ReplayVerdict
    model: PricedModel | None

    def data(self) -> dict[str, Any]:
        """Everything as JSON values, without the texts of requests."""
        return {
            "format": "amb-replay",
            "version": 1,
            "runs": self.figures.runs,
            "calls": self.figures.calls,
            "bound": self.figures.bound,
            "floor": round(self.figures.floor, 4),
            "cached_share": cached_share(self.model.price if self.model else None),
            "price": None if self.model is None else _price(self.model),
            "verdict": asdict(self.verdict),
            "order": list(self.figures.arms),
            "arms": {name: _arm(asdict(arm)) for name, arm in self.figures.arms.items()},
            "traces": [_run(one, self.model) for one in self.runs],
        }

    def page_data(self) -> dict[str, Any]:
        """The same with every call, what it used and what AMB wrote, for the page."""
        texts = _Texts()
        calls = [[_call(one, at, texts) for at in range(len(one.calls))] for one in self.runs]
        found = self.data()
        for run, of_run in zip(found["traces"], calls, strict=True):
            run["steps"] = of_run
        return found | {"texts": texts.all}


def report_of(runs: Sequence[ReplayedRun], *, model: PricedModel | None = None) -> ReplayReport:
    """The report of runs replayed with the same arms."""
    figures = figures_of(runs, price=model.price if model else None)
    return ReplayReport(tuple(runs), figures, verdict_of(figures), model)


def _price(model: PricedModel) -> dict[str, Any]:
    price = model.price
    cached = price.prompt if price.cached is None else price.cached
    return {"model": model.name, "prompt": price.prompt, "cached": cached, "as_of": model.as_of}


def _arm(found: dict[str, Any]) -> dict[str, Any]:
    shares = {kind: share | {"percent": _percent(share)} for kind, share in found["shares"].items()}
    plain = {key: round(value, 4) if isinstance(value, float) else value for key, value in found.items()}
    return plain | {"shares": shares}


def _percent(share: Mapping[str, Any]) -> float | None:
    return round(100 * share["hits"] / share["n"], 2) if share["n"] else None


def _run(one: ReplayedRun, model: PricedModel | None) -> dict[str, Any]:
    share = cached_share(model.price if model else None)
    return {
        "id": one.trace.id,
        "format": one.trace.format,
        "model": one.trace.model,
        "tokens": {name: [cost.tokens for cost in arm.costs] for name, arm in one.arms.items()},
        "billed": {name: [round(cost.billed(share)) for cost in arm.costs] for name, arm in one.arms.items()},
        "floor": round(floor_of(one, share=share)),
    }


class _Texts:
    """Each text once, for the same block is often sent again; no more than a page can hold."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._places: dict[str, int] = {}
        self._left = _ALL_TEXTS

    def place(self, text: str) -> int | None:
        """Where the text stands, its end cut when it is very long; None when the page is full."""
        shown = text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} … (+{len(text) - _LONGEST_TEXT:,})"
        if shown not in self._places:
            if len(shown) > self._left:
                return None
            self._left -= len(shown)
            self._places[shown] = len(self.all)
            self.all.append(shown)
        return self._places[shown]


def _call(one: ReplayedRun, at: int, texts: _Texts) -> dict[str, Any]:
    call = one.calls[at]
    amb = one.arms.get(AMB)
    made = amb.made[at] if amb and amb.made else ()
    places = [(text.role, texts.place(text.text), estimate_tokens(text.text)) for text in made]
    return {
        "action": message_text(one.run.messages[call.place])[:_ACTION],
        "used": [_used(one, at, number) for number in range(len(call.used))],
        "made": [[role, place, tokens] for role, place, tokens in places if place is not None],
        "kept": bool(amb and amb.made) and all(place is not None for _, place, _ in places),
    }


def _used(one: ReplayedRun, at: int, number: int) -> dict[str, Any]:
    call: CallUse = one.calls[at]
    used = call.used[number]
    there = [name for name, arm in one.arms.items() if arm.there[at][number]]
    kind = "word" if used.is_word else "string"
    place = {"near": used.near, "said": used.said, "from": list(_steps(one.run, used.sources[:1]))}
    return {"text": used.text[:_SHOWN], "kind": kind, "there": there} | place


def _steps(run: RecordedRun, places: Sequence[int]) -> Iterator[list[Any]]:
    """Results by the number of their step and the name of their tool."""
    for place in places:
        yield [run.results.index(place) + 1, run.tool_names.get(place, "")]


_KINDS = ("far", "unsaid", "far_words", "newest_fit", "newest")
_COLUMNS = ("table.ratio", "table.worst", "table.over", "table.n")


def report_lines(report: ReplayReport, *, language: Literal["en", "zh"]) -> Iterator[str]:
    """The lines of the report, in English or Chinese."""
    told: Mapping[str, str] = words("amb_replay:words")[language]
    figures, arms = report.figures, report.figures.arms
    yield from _verdict(told, report.verdict)
    yield from _sum(told, report)
    yield ""
    priced = report.model is not None
    columns = ["tokens", "ratio", "worst", "peak", "over", *(["moneyUncached", "money"] if priced else [])]
    head = [told["table.arm"], *(told[f"table.{name}"] for name in columns), *(told[f"kind.{kind}"] for kind in _KINDS)]
    rows = [[_arm_name(told, name), *_cells(arm, priced=priced)] for name, arm in arms.items()]
    shares = next(iter(arms.values())).shares
    counts = [told["table.n"], *("" for _ in columns), *(f"{shares[kind].n:,}" for kind in _KINDS)]
    yield from aligned([head, *rows, counts])
    yield ""
    where = {"n": f"{figures.calls:,}", "runs": f"{figures.runs:,}", "bound": f"{figures.bound:,}"}
    yield from (told["table.under"].format(**where), told["head.words"])
    explained = [*(f"arm.{name}" for name in arms), *_COLUMNS, *(f"kind.{kind}" for kind in _KINDS)]
    yield from aligned([(f"  {told[key]}", told[f"{key}.note"]) for key in explained if key in told], left=True)


def _verdict(told: Mapping[str, str], verdict: ReplayVerdict) -> Iterator[str]:
    """What is said about memory, and why; where the recording cannot tell, the cause is in the same sentence."""
    reasons, because = verdict.reasons, ""
    if verdict.outcome == "unclear":
        because = told[f"verdict.because.{reasons[0].key.removeprefix('reason.')}"].format(**reasons[0].values)
        reasons = reasons[1:]
    yield told[f"verdict.{verdict.outcome}"].format(because=because)
    yield from (f"  {_sentence(told, reason)}" for reason in reasons)


_EXAMPLE = "gpt-5.6-terra"
"""A model whose cached tokens cost the tenth that everything is counted with where no price is known."""
_CLEARED = "masked"
"""The arm that clears old tool results, as providers and frameworks do."""


def _sum(told: Mapping[str, str], report: ReplayReport) -> Iterator[str]:
    """What it all would have cost instead, and what would still have been there; nothing without AMB."""
    arms = report.figures.arms
    if AMB not in arms or (amb := arms[AMB]).shares["far"].n == 0:
        return
    cleared = arms.get(_CLEARED)
    values = {"hits": f"{amb.shares['far'].hits:,}", "n": f"{amb.shares['far'].n:,}"}
    values |= {"cleared": f"{cleared.shares['far'].hits:,}" if cleared else ""}
    full = arms["full"]
    if report.model is not None:
        kind, cost, before = "money", *_apart(amb.cached_money or 0.0, full.cached_money or 0.0, least=2, most=6)
    else:
        kind, cost, before = "tokens", *_apart(amb.billed, full.billed, least=0, most=0)
    line = told[f"sum.{kind}" if cost != before else f"sum.{kind}Same"].format(cost=cost, full=before, **values)
    example = "" if report.model is not None else _example(told, amb.billed, full.billed)
    yield line + (told["sum.cleared"].format(**values) if cleared else "") + example


def _example(told: Mapping[str, str], amb: float, full: float) -> str:
    """The same in the money of some model, where the recording names none whose price is known."""
    if (price := price_of(_EXAMPLE)) is None:
        return ""
    cost, before = _apart(amb * price.prompt / 1e6, full * price.prompt / 1e6, least=2, most=6)
    kind = "sum.example" if cost != before else "sum.exampleSame"
    return told[kind].format(model=_EXAMPLE, day=price_date(), cost=cost, full=before)


def _apart(one: float, other: float, *, least: int, most: int) -> tuple[str, str]:
    """Two amounts with the fewest decimals that tell them apart; alike where no more than `most` of them do."""
    for digits in range(least, most + 1):
        told = f"{one:,.{digits}f}", f"{other:,.{digits}f}"
        if told[0] != told[1]:
            return told
    same = f"{one:,.{least}f}"
    return same, same


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


def aligned(rows: Sequence[Sequence[str]], *, left: bool = False) -> Iterator[str]:
    """Rows of a table as lines for a terminal, all columns but the first to the right unless `left`."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        first, *others = zip(row, cells, strict=True)
        yield "  ".join([first[0] + first[1], *(cell if left else blank + cell for cell, blank in others)]).rstrip()


def _width(text: str) -> int:
    """Columns of a text on a terminal, where a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


_STYLES = ("amb_replay:styles/replay.css",)
# One shared scope, so the order matters: what a file uses at load time stands before it.
_SCRIPTS = (
    "scripts/frame.js",
    "team/scripts/sections.js",
    "scripts/chart.js",
    "amb_replay:scripts/runs.js",
    "amb_replay:scripts/verdict.js",
    "amb_replay:scripts/curves.js",
    "amb_replay:scripts/calls.js",
    "team/scripts/parts_frame.js",
)


def shown_language(report: ReplayReport, language: PageLanguage) -> Literal["en", "zh"]:
    """The language of a report's own words: the one named, or with "auto" that of the first task."""
    wanted = checked_language(language)
    if wanted == "auto":
        return detect_language(report.runs[0].run.goal) if report.runs else "en"
    return wanted


def render_replay_page(report: ReplayReport, *, title: str = "", language: PageLanguage = "auto") -> str:
    """One self-contained HTML page (text) of a report; what traces say is text in it, and never markup or script.

    `title` defaults to the id of the first run. Raises InvalidParameter for an unknown language.
    """
    return one_file(
        {"replay": report.page_data()},
        title=title or (report.runs[0].trace.id if report.runs else "replay"),
        about=report.runs[0].run.goal if report.runs else "",
        language=language,
        wording="amb_replay:words",
        styles=_STYLES,
        scripts=_SCRIPTS,
    )


def write_replay_page(
    report: ReplayReport, path: str | os.PathLike[str], *, title: str = "", language: PageLanguage = "auto"
) -> Path:
    """Write the page as UTF-8, whole or not at all, and return its path; missing folders are made.

    Raises InvalidParameter when the path names no file and StoreError when the disk will not take it.
    """
    return write_text(render_replay_page(report, title=title, language=language), path)
