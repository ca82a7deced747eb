"""`amb demo`: what is left of thirty large results when a question comes, with every way to keep a request small."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from amb_cli.command_parser import Commands, positive
from amb_cli.console import Console
from amb_cli.environment import Secrets
from amb_cli.user_language import choose_language, current_language, translate

if TYPE_CHECKING:
    from amb_replay.demo.demo_run import Talk, Way

__all__ = ["add_to", "demo"]

_BUDGET = 8_000
_BAR = 40


def add_to(commands: Commands) -> None:
    """Add `demo`."""
    parser = commands.add_parser("demo", help="see what a small request still has of thirty large results, offline")
    parser.add_argument("--budget", type=positive, default=_BUDGET, metavar="TOKENS", help="the bound of a request")
    parser.add_argument("--all", action="store_true", help="show each question, and which requests had its fact")
    parser.add_argument("--zh", action="store_true", help="in Chinese")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.set_defaults(command=demo)


def demo(options: argparse.Namespace) -> int:
    """Run every way, and tell."""
    from amb_replay.demo.demo_run import run_ways, talk_of

    if options.zh:
        choose_language(["--language", "zh"])
    console = Console(Secrets(), for_data=options.json)
    console.passing(translate("reading …"))
    ways: list[Way] = []
    talk = talk_of(current_language())
    for way in run_ways(talk, bound=options.budget):
        console.passing(translate("{way} is done …", way=_name(way)))
        ways.append(way)
    console.lines(_lines(talk, ways, options.budget, shows_all=options.all))
    if options.json:
        console.data(_data(talk, ways, options.budget))
    return 0


def _lines(talk: Talk, ways: Sequence[Way], budget: int, *, shows_all: bool) -> Iterator[str]:
    from amb_replay.replay_report import aligned

    full, amb = ways[0], ways[-1]
    told = {"count": len(talk.results), "tokens": full.tokens[len(talk.results)], "questions": len(talk.asked)}
    yield from translate(_BEGINS, **told).splitlines()
    yield translate("Every request may have {budget:,} tokens.", budget=budget)
    yield ""
    rows = [
        [
            _name(way),
            f"{max(way.tokens):,}",
            f"{sum(way.tokens):,}",
            f"{way.billed / full.billed:.2f}",
            translate("{facts} of {count}", facts=way.facts, count=len(talk.asked)),
        ]
        for way in ways
    ]
    yield from aligned([_columns(), *rows])
    yield ""
    if shows_all:
        yield from _questions(talk, ways)
    elif (shown := _example(talk, ways)) is not None:
        yield from shown
    yield ""
    yield translate("Facts in the request when they are asked for:")
    yield from _picture([(_name(way), way.facts / max(len(talk.asked), 1), str(way.facts)) for way in ways])
    yield translate("Tokens that are sent in all:")
    most = max(sum(way.tokens) for way in ways)
    yield from _picture([(_name(way), sum(way.tokens) / most, f"{sum(way.tokens):,}") for way in (full, amb)])
    yield ""
    yield from translate(_NEXT).splitlines()


_BEGINS = (
    "An agent reads {count} tool results with {tokens:,} tokens: manuals, source files, tables, JSON and listings.\n"
    "Then it is asked {questions} questions about single facts in them, drawn by lot. No model takes part."
)
_NEXT = (
    'Next: client = wrap(OpenAI(), MemoryBank("…")), amb wrap claude, or amb replay RECORDING.\n'
    "amb demo --all shows every question."
)


def _name(way: Way) -> str:
    return {
        "full": translate("without a bound"),
        "clear-tool-uses": translate("clear tool uses, keep 3"),
        "window": translate("newest messages"),
        "window+bm25": translate("newest messages + BM25"),
        "amb": "AMB",
    }[way.name]


def _columns() -> list[str]:
    largest, total = translate("largest request"), translate("tokens in all")
    return ["", largest, total, translate("cost, cached"), translate("facts there")]


def _picture(bars: Sequence[tuple[str, float, str]]) -> Iterator[str]:
    from amb_replay.replay_report import aligned

    yield from aligned(
        [(f"  {name}", "█" * max(1, round(_BAR * share)), number) for name, share, number in bars], left=True
    )


def _example(talk: Talk, ways: Sequence[Way]) -> Iterator[str] | None:
    """A question whose fact AMB's request has, and that of the plain windows has not."""
    plain, amb = ways[1:-1], ways[-1]
    for at, fact in enumerate(talk.asked.values()):
        if amb.found[at] and not any(way.found[at] for way in plain):
            asked = translate("For instance: {question}", question=fact.question)
            return iter((asked, "  " + translate("in AMB's request: {text}", text=amb.found[at])))
    return None


def _questions(talk: Talk, ways: Sequence[Way]) -> Iterator[str]:
    bounded = ways[1:]
    for at, fact in enumerate(talk.asked.values()):
        there = [_name(way) for way in bounded if way.found[at]]
        yield f"{'✓' if ways[-1].found[at] else '✗'} {fact.question}"
        yield "    " + translate(
            "{answer}; in the request of: {ways}", answer=fact.answer, ways=", ".join(there) or "–"
        )


def _data(talk: Talk, ways: Sequence[Way], budget: int) -> dict[str, Any]:
    return {
        "results": len(talk.results),
        "bound": budget,
        "ways": {
            way.name: {
                "largest": max(way.tokens),
                "tokens": sum(way.tokens),
                "cost": round(way.billed / ways[0].billed, 4),
                "facts": way.facts,
            }
            for way in ways
        },
        "questions": [
            {
                "question": fact.question,
                "answer": fact.answer,
                "there": [way.name for way in ways if way.found[at]],
            }
            for at, fact in enumerate(talk.asked.values())
        ],
    }
