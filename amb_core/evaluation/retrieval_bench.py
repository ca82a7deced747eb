"""Recall of gold evidence: the whole bank beside its bare index and beside the recipes of others, in one run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from amb_core.embedders import open_embedder
from amb_core.errors import InvalidParameter
from amb_core.evaluation.benches import BenchOptions
from amb_core.evaluation.datasets import Sample, load_cmrc, load_hotpotqa, load_locomo
from amb_core.evaluation.memories import BankMemory, IndexMemory, OpenMemory, WhitespaceMemory
from amb_core.evaluation.metrics import evidence_share, mean, recall_at
from amb_core.evaluation.tables import Table
from amb_core.protocols import Embedder
from amb_core.rendering import escape
from amb_core.text import estimate_tokens

__all__ = ["SETS", "evidence_in_block", "recall_table", "recipes", "tables"]

BUDGETS = (500, 1_000, 2_000)


@dataclass(frozen=True, slots=True)
class _Set:
    """How to load a set, and at which ranks its recall is read."""

    load: Callable[[str | os.PathLike[str] | None], list[Sample]]
    ranks: tuple[int, ...]


SETS = {
    "hotpotqa": _Set(lambda folder: [load_hotpotqa(folder=folder)], (2, 5, 10)),
    "hotpotqa-prefix": _Set(lambda folder: [load_hotpotqa(folder=folder, titles="prefix")], (2, 5, 10)),
    "hotpotqa-untitled": _Set(lambda folder: [load_hotpotqa(folder=folder, titles="none")], (2, 5, 10)),
    "locomo": _Set(lambda folder: load_locomo(folder=folder), (5, 10)),
    "locomo-undated": _Set(lambda folder: load_locomo(folder=folder, dates=False), (5, 10)),
    "cmrc": _Set(lambda folder: [load_cmrc(folder=folder)], (1, 5)),
}
"""What can be measured, by name."""


def recipes(embedder: Embedder | None) -> dict[str, OpenMemory]:
    """The memories to compare, the bank last; those that need vectors only with an embedder."""
    found: dict[str, OpenMemory] = {
        "seed: white space, BM25/max, α .5": lambda: WhitespaceMemory(embedder=embedder),
        "BM25, index terms": lambda: IndexMemory(mode="lexical", exact=True),
    }
    if embedder is not None:
        found |= {
            "cosine": lambda: IndexMemory(embedder=embedder, mode="dense", exact=True),
            "reciprocal ranks": lambda: IndexMemory(embedder=embedder, mode="rrf", exact=True),
            "min-max, α .4": lambda: IndexMemory(embedder=embedder, exact=True),
        }
    return found | {
        "AMB: bare index": lambda: IndexMemory(embedder=embedder),
        "AMB: absorb and recall": lambda: BankMemory(embedder=embedder),
    }


def recall_table(name: str, samples: Sequence[Sample], ranks: Sequence[int], memories: dict[str, OpenMemory]) -> Table:
    """Recall in per cent at each rank, the mean over all questions of all samples; a fresh memory per sample."""
    rows: list[tuple[str | float, ...]] = []
    for title, open_memory in memories.items():
        found: dict[int, list[float]] = {rank: [] for rank in ranks}
        for sample in samples:
            memory = open_memory()
            for passage in sample.passages:
                memory.absorb(passage)
            for question in sample.questions:
                ranked = memory.recall(question.text, k=max(ranks))
                for rank in ranks:
                    found[rank].append(recall_at(ranked, question.gold, k=rank))
        rows.append((title, *(100.0 * mean(found[rank]) for rank in ranks)))
    return Table(f"{name}: recall of gold evidence, %", ("recipe", *(f"R@{rank}" for rank in ranks)), tuple(rows))


def evidence_in_block(sample: Sample, *, embedder: Embedder | None = None, budgets: Sequence[int] = BUDGETS) -> Table:
    """The share of gold sentences that stand word for word in a block of so many tokens.

    Beside the bank: the best passages by BM25, and the newest ones, each filled up to the same budget.
    """
    bank, lexical = BankMemory(embedder=embedder), IndexMemory(mode="lexical", exact=True)
    texts = {passage.id: passage.text for passage in sample.passages}
    for passage in sample.passages:
        bank.absorb(passage)
        lexical.absorb(passage)
    newest = [passage.text for passage in reversed(sample.passages)]
    rows: dict[str, list[float]] = {"newest passages": [], "BM25 over passages": [], "AMB block": []}
    asked = [question for question in sample.questions if question.evidence]
    for budget in budgets:
        shares: dict[str, list[float]] = {row: [] for row in rows}
        for question in asked:
            ranked = [texts[name] for name in lexical.recall(question.text, k=50)]
            shares["newest passages"].append(evidence_share(_filled(newest, budget), question.evidence))
            shares["BM25 over passages"].append(evidence_share(_filled(ranked, budget), question.evidence))
            block = bank.block(question.text, budget_tokens=budget)
            shares["AMB block"].append(evidence_share(block, [escape(sentence) for sentence in question.evidence]))
        for row, values in shares.items():
            rows[row].append(100.0 * mean(values))
    return Table(
        f"{sample.name}: gold sentences word for word in the block, %",
        ("block", *(f"{budget:,} tokens" for budget in budgets)),
        tuple((row, *values) for row, values in rows.items()),
    )


def tables(options: BenchOptions) -> Iterator[Table]:
    """The tables of the sets in `options.only`, by default of the four that a recipe is judged by."""
    embedder = open_embedder(options.embedder)
    for name in options.only or ("hotpotqa", "hotpotqa-untitled", "locomo", "cmrc"):
        if name not in SETS:
            raise InvalidParameter(f"there is no set {name!r}; there are: {', '.join(SETS)}")
        samples = SETS[name].load(options.data)
        yield recall_table(name, samples, SETS[name].ranks, recipes(embedder))
        if name.startswith("hotpotqa"):
            yield evidence_in_block(samples[0], embedder=embedder)


def _filled(texts: Iterable[str], budget: int) -> str:
    """Whole texts as long as they fit, then nothing more."""
    kept: list[str] = []
    left = budget
    for text in texts:
        left -= estimate_tokens(text) + 1
        if left < 0:
            break
        kept.append(text)
    return "\n\n".join(kept)
