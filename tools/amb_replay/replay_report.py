"""What the page and the JSON say about replayed runs: figures, calls, and the texts that AMB wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from amb_core.chat import Price
from amb_core.text import estimate_tokens
from amb_replay.recorded_run import RecordedRun, message_text
from amb_replay.replay import CallUse, ReplayedRun
from amb_replay.replay_arms import AMB
from amb_replay.replay_figures import ReplayFigures, cached_share, figures_of, floor_of
from amb_replay.replay_verdict import Verdict, verdict_of

__all__ = ["PricedModel", "ReplayReport", "report_of"]

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
    verdict: Verdict
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
