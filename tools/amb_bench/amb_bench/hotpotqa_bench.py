"""`amb bench hotpotqa`: what team memory brings to a team that answers multi-hop questions.

`--actor local` (no model) or `model`; `--memory` names an arm, which is set beside `none` (default: all arms). Parts:
`arms`, `again` (the same questions in other words, with and without meta memory), `retries` (what failed is tried
again), and `written` (questions written for this package in both languages, 50 that were worked with and 20 that were
not). Without the data set a few bundled ones stand in for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from amb_bench.benches import BenchOptions
from amb_bench.hotpotqa.actors import Actor, ChatActor, LocalActor
from amb_bench.hotpotqa.arms import ARMS, Arm
from amb_bench.hotpotqa.experiment import run_experiment, second_pass, tried_again
from amb_bench.hotpotqa.hotpot_figures import arm_tables, second_pass_table
from amb_bench.hotpotqa.question_sets import fresh, written
from amb_bench.tables import Table
from amb_chat import open_chat
from amb_core.errors import InvalidParameter, UnreadableSource
from amb_tools.hotpotqa import HotpotQuestion, Passages, bundled_questions, load_questions

__all__ = ["tables"]

_PARTS = ("arms", "again", "retries", "written")
_TRIES = 4
_SEEDS = (0, 1, 2)
_QUICK = 20


def tables(options: BenchOptions) -> Iterator[Table]:
    """The arms side by side, the gains over `none`, and the second pass."""
    parts = options.only or _PARTS
    unknown = [name for name in parts if name not in _PARTS]
    if unknown:
        raise InvalidParameter(f"{unknown[0]!r} is none of the parts {', '.join(_PARTS)}")
    arms, of = _arms(options.memory)
    actor = _actor(options)
    questions, passages, over = _questions(options)
    seeds = _SEEDS if options.seed is None else (options.seed,)
    count = options.questions or len(questions)
    if options.quick:
        seeds, count = seeds[:1], min(count, _QUICK)
    if count < 1:
        raise InvalidParameter("--questions is a number from 1 on")
    told = f"{over}, {min(count, len(questions))} questions, seeds {', '.join(str(seed) for seed in seeds)}"
    if "arms" in parts:
        experiment = run_experiment(questions, passages, actor, arms=arms, seeds=seeds, count=count)
        yield from arm_tables(experiment, of=of, over=told)
    if "again" in parts and of == "all":
        yield second_pass_table(*second_pass(questions, passages, actor, seeds=seeds, count=count))
    if "retries" in parts and of == "all":
        yield _of_retries(actor)
    if "written" in parts:
        yield from _of_written(actor, arms, of, seeds)


def _of_retries(actor: Actor) -> Table:
    """The questions of the package and the bundled ones; those that fail are tried again."""
    sets = {"bundled": bundled_questions(), "worked with": written(), "not looked at": fresh()}
    rows: list[tuple[str | float, ...]] = []
    for name, (questions, passages) in sets.items():
        for told, curve in zip(("without", "with"), tried_again(questions, passages, actor, tries=_TRIES), strict=True):
            rows.append((f"{name}, {len(questions)}", told, *curve))
    head = ("questions", "stored experience", *(f"try {number}" for number in range(1, _TRIES + 1)))
    return Table("right after each try of those that failed", head, tuple(rows), name="hotpotqa retries")


def _of_written(actor: Actor, arms: Sequence[Arm], of: Arm, seeds: Sequence[int]) -> Iterator[Table]:
    """The questions written for this package: those that were worked with, and those that were not."""
    for told, (questions, passages) in (("worked with", written()), ("not looked at", fresh())):
        experiment = run_experiment(questions, passages, actor, arms=arms, seeds=seeds, count=len(questions))
        for table in arm_tables(experiment, of=of, over=f"{len(questions)} written questions, {told}"):
            yield replace(table, figures={})


def _arms(memory: str) -> tuple[tuple[Arm, ...], Arm]:
    """The arms to run, and the one that was asked for."""
    if not memory:
        return ARMS, "all"
    named: list[Arm] = [arm for arm in ARMS if arm == memory]
    if not named:
        raise InvalidParameter(f"--memory {memory!r} is none of {', '.join(ARMS)}")
    return (("none",) if memory == "none" else ("none", named[0])), named[0]


def _actor(options: BenchOptions) -> Actor:
    if options.actor == "local":
        return LocalActor()
    if options.actor == "model":
        return ChatActor(open_chat(options.model, base_url=options.base_url))
    raise InvalidParameter(f"--actor {options.actor!r} is neither local nor model")


def _questions(options: BenchOptions) -> tuple[tuple[HotpotQuestion, ...], Passages, str]:
    if options.data is not None:
        return *load_questions(options.data), "the data set"
    try:
        return *load_questions(), "the data set"
    except UnreadableSource:
        return *bundled_questions(), "bundled questions"
