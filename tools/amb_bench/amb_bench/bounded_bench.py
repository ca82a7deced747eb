"""How much of the evidence is left in a block, and in the last request of a bounded agent, beside other ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from amb_bench import bounded_streams as streams
from amb_bench.bench_metrics import evidence_share, mean
from amb_bench.benches import BenchOptions
from amb_bench.bounded_asked import asked_table
from amb_bench.bounded_opponents import OPPONENTS, Show, amb_block
from amb_bench.datasets import Sample
from amb_bench.tables import Table
from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder
from amb_core.rendering import escape
from amb_embedders import open_embedder

__all__ = ["PARTS", "evidence_table", "tables"]

BUDGETS = (500, 1_000, 2_000)
PARTS = ("asked", "hotpotqa", "cmrc", "locomo", "locomo-sessions", "documents")
_DISTRACTORS = {False: (20, 100, 500), True: (100,)}
_QUESTIONS = {False: 100, True: 10}
_ASKED = {False: 60, True: 6}
_DIALOGUES = {False: 10, True: 1}
_PER_DIALOGUE = {False: 40, True: 10}
_FULL, _AMB = next(iter(OPPONENTS)), "AMB block"


def tables(options: BenchOptions) -> Iterator[Table]:
    """The tables of the parts in `options.only`, by default of all.

    Raises InvalidParameter for an unknown part, UnreadableSource where a part needs data that is not there.
    """
    for part in options.only:
        if part not in PARTS:
            raise InvalidParameter(f"there is no part {part!r}; there are: {', '.join(PARTS)}")
    embedder = open_embedder(options.embedder)
    for part in options.only or PARTS:
        if part == "asked":
            for name, sample in (
                ("hotpotqa", streams.multi_hop(options.data)),
                ("cmrc", streams.chinese(options.data)),
            ):
                found = streams.among_distractors(sample, distractors=60, questions=_ASKED[options.quick])
                yield asked_table(f"{name}, 60 distractors", found)
        else:
            yield from _evidence(part, options, embedder)


def _evidence(part: str, options: BenchOptions, embedder: Embedder | None) -> Iterator[Table]:
    quick, folder = options.quick, options.data
    if part in ("hotpotqa", "cmrc"):
        sample = streams.multi_hop(folder) if part == "hotpotqa" else streams.chinese(folder)
        for count in _DISTRACTORS[quick]:
            found = streams.among_distractors(sample, distractors=count, questions=_QUESTIONS[quick])
            yield evidence_table(f"{part}, {count} distractors", found, embedder=embedder)
    elif part == "documents":
        sample = streams.multi_hop(folder)
        if quick:
            sample = next(streams.among_distractors(sample, distractors=100, questions=_QUESTIONS[quick]))
        sample = streams.documents(sample)
        yield evidence_table(f"{len(sample.passages)} long documents of HotpotQA passages", [sample], embedder=embedder)
    else:
        talks = streams.dialogues(folder, questions=_PER_DIALOGUE[quick])[: _DIALOGUES[quick]]
        whole = part == "locomo-sessions"
        name = "locomo, whole sessions absorbed as one text" if whole else "locomo, turn by turn"
        yield evidence_table(name, map(streams.as_sessions, talks) if whole else talks, embedder=embedder)


def evidence_table(
    name: str, samples: Iterable[Sample], *, embedder: Embedder | None = None, budgets: Sequence[int] = BUDGETS
) -> Table:
    """The share of gold sentences that stand word for word in what is shown, in per cent: AMB's block, and others.

    The mean over all questions with evidence; a memory of its own for each sample.
    """
    ways: dict[str, Callable[[Sample], Show]] = {**OPPONENTS, _AMB: partial(amb_block, embedder=embedder)}
    shares: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    for sample in samples:
        for way, opened in ways.items():
            show = opened(sample)
            for question in sample.questions:
                evidence = [escape(said) if way == _AMB else said for said in question.evidence]
                for budget in budgets if evidence else ():
                    shares[way, budget].append(evidence_share(show(question.text, budget), evidence))
    rows = {way: [100.0 * mean(shares[way, budget]) for budget in budgets] for way in ways}
    rows[f"{_AMB}, % of full context"] = [
        100.0 * mine / full if full else 0.0 for mine, full in zip(rows[_AMB], rows[_FULL], strict=True)
    ]
    asked = len(shares[_AMB, budgets[0]])
    return Table(
        f"{name}: gold sentences word for word in the prompt, % ({asked} questions)",
        ("shown", *(f"{budget:,} tokens" for budget in budgets)),
        tuple((way, *values) for way, values in rows.items()),
    )
