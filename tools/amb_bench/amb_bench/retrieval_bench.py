"""Recall of gold evidence: the whole bank beside its bare index and beside the recipes of others, in one run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from amb_bench.bench_metrics import mean, recall_at
from amb_bench.benches import BenchOptions
from amb_bench.datasets import Passage, Sample, load_cmrc, load_hotpotqa, load_locomo
from amb_bench.memories import BankMemory, IndexMemory, OpenMemory, WhitespaceMemory
from amb_bench.recipes import DialogueMemory, MixedMemory, SummedMemory, TitleLinksMemory
from amb_bench.tables import Table
from amb_core.errors import InvalidParameter
from amb_core.protocols import Embedder
from amb_embedders import open_embedder
from amb_retrieval import HybridIndex, IndexedText
from amb_values import name_key

__all__ = ["SETS", "Recipe", "links_table", "named_pairs", "recall_tables", "recipes", "sampled", "tables"]

BANK = "AMB: absorb and recall"
DEFAULT = ("hotpotqa", "hotpotqa-untitled", "locomo", "cmrc")
_QUICK = {"hotpotqa": (25, 250), "locomo": (40, 400), "cmrc": (100, 120)}
"""Questions and passages of a quick run."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One row: how its memory is opened (None: it needs vectors and there are none), and figures published for it."""

    name: str
    open: OpenMemory | None
    published: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Set:
    """How to load a set, at which ranks its recall is read, and which published figures and goal belong to it."""

    load: Callable[[str | os.PathLike[str] | None], list[Sample]]
    ranks: tuple[int, ...]
    kind: str
    goal: tuple[str, ...]


_MULTI_HOP = ((2, 5, 10), "hotpotqa", ("≥ 72", "≥ 93", "≥ 98"))
_DIALOGUE = ((5, 10), "locomo", ("≥ 72", "≥ 80"))
SETS = {
    "hotpotqa": _Set(lambda folder: [load_hotpotqa(folder=folder)], *_MULTI_HOP),
    "hotpotqa-prefix": _Set(lambda folder: [load_hotpotqa(folder=folder, titles="prefix")], *_MULTI_HOP),
    "hotpotqa-untitled": _Set(lambda folder: [load_hotpotqa(folder=folder, titles="none")], *_MULTI_HOP),
    "locomo": _Set(lambda folder: load_locomo(folder=folder), *_DIALOGUE),
    "locomo-undated": _Set(lambda folder: load_locomo(folder=folder, dates=False), *_DIALOGUE),
    "cmrc": _Set(lambda folder: [load_cmrc(folder=folder)], (1, 5), "cmrc", ("–", "≥ 99.7")),
}
"""What can be measured, by name."""


def recipes(embedder: Embedder | None, *, kind: str = "hotpotqa") -> list[Recipe]:
    """The rows for one kind of set, the bank last; those that need vectors cannot be opened without an embedder.

    The published figures were measured with a 384-dimensional English sentence embedder, or without any.
    """
    rows: list[tuple[str, OpenMemory, str, str]] = [
        (
            "seed: α .5, BM25/max, white space",
            lambda: WhitespaceMemory(embedder=embedder),
            "39.1 48.7",
            "57.5 77.0 88.5",
        ),
        (
            "cosine only",
            lambda: IndexMemory(embedder=embedder, mode="dense", exact=True),
            "36.2 45.1",
            "61.5 79.5 85.0",
        ),
        ("BM25, good tokens", lambda: IndexMemory(mode="lexical", exact=True), "53.3 61.0", "59.0 79.0 90.0"),
        (
            "mem0 2.x formula",
            lambda: SummedMemory(embedder=embedder),
            "46.1 52.9",
            "66.5 82.5 89.5",
        ),
        ("RRF, k = 60", lambda: IndexMemory(embedder=embedder, mode="rrf", exact=True), "47.5 56.4", "63.5 81.5 90.0"),
        ("min-max, α .4", lambda: MixedMemory(embedder=embedder), "55.8 65.3", "68.0 81.0 90.5"),
    ]
    chinese = {0: "– 2.3", 2: "– 99.7"}
    needs_vectors = {"cosine only", "mem0 2.x formula", "RRF, k = 60", "min-max, α .4"}
    found = [
        Recipe(
            name,
            None if embedder is None and name in needs_vectors else opened,
            {"locomo": locomo, "hotpotqa": hotpotqa, "cmrc": chinese.get(number, "")},
        )
        for number, (name, opened, locomo, hotpotqa) in enumerate(rows)
    ]
    if kind == "hotpotqa":
        links = {"hotpotqa": "65.5 91.0 97.5"}
        found.append(
            Recipe("+ titles known, top 3, then neighbours", lambda: TitleLinksMemory(embedder=embedder), links)
        )
    if kind == "locomo":
        extras = {"locomo": "67.7 74.7"}
        found.append(Recipe("+ dialogue extras", lambda: DialogueMemory(embedder=embedder), extras))
    found.append(Recipe("AMB: bare index", lambda: IndexMemory(embedder=embedder), {}))
    found.append(Recipe(BANK, lambda: BankMemory(embedder=embedder), {}))
    return found


def recall_tables(
    name: str, samples: Sequence[Sample], rows: Sequence[Recipe], *, embedder: str = "none"
) -> Iterator[Table]:
    """Recall in per cent at each rank, the mean over all questions of all samples; then the bank by halves of them.

    Every sample has a fresh memory. The last row is the goal; where a recipe was published the figures stand beside.
    """
    what = SETS[name]
    shown: list[tuple[str | float, ...]] = []
    halves: list[tuple[str | float, ...]] = []
    for recipe in rows:
        published = " / ".join(recipe.published.get(what.kind, "").split())
        if recipe.open is None:
            shown.append((recipe.name, *("needs vectors" for _ in what.ranks), published))
            continue
        found = _recalls(samples, what.ranks, recipe.open)
        shown.append((recipe.name, *(100.0 * mean(values) for values in found), published))
        if recipe.name == BANK:
            for half, start in (("questions 1, 3, 5 …", 0), ("questions 2, 4, 6 …", 1)):
                halves.append((half, *(100.0 * mean(values[start::2]) for values in found)))
    shown.append(("goal", *what.goal, ""))
    columns = tuple(f"R@{rank}" for rank in what.ranks)
    yield Table(
        f"{name}: recall of gold evidence, %, embedder {embedder}", ("recipe", *columns, "published"), tuple(shown)
    )
    yield Table(f"{name}: {BANK}, by halves of the questions", ("half", *columns), tuple(halves))


def sampled(sample: Sample, *, questions: int, passages: int) -> Sample:
    """A smaller memory: the first questions, their evidence, and other passages in their order up to so many."""
    asked = sample.questions[:questions]
    gold = {name for question in asked for name in question.gold}
    spare = max(passages - len(gold), 0)
    others = {passage.id for passage in [p for p in sample.passages if p.id not in gold][:spare]}
    kept = tuple(passage for passage in sample.passages if passage.id in gold or passage.id in others)
    return replace(sample, questions=asked, passages=kept)


def tables(options: BenchOptions) -> Iterator[Table]:
    """The tables of the sets in `options.only`, by default of the four that a recipe is judged by.

    Raises InvalidParameter for an unknown set, UnreadableSource where the data of one is not there.
    """
    for name in options.only:
        if name not in SETS:
            raise InvalidParameter(f"there is no set {name!r}; there are: {', '.join(SETS)}")
    embedder = open_embedder(options.embedder)
    for name in options.only or DEFAULT:
        kind = SETS[name].kind
        samples = SETS[name].load(options.data)
        if options.quick:
            questions, passages = _QUICK[kind]
            samples = [sampled(samples[0], questions=questions, passages=passages)]
        yield from recall_tables(name, samples, recipes(embedder, kind=kind), embedder=options.embedder)
        if kind != "locomo":
            yield links_table(name, samples[0])


def _recalls(samples: Sequence[Sample], ranks: Sequence[int], open_memory: OpenMemory) -> list[list[float]]:
    """For each rank the recall of each question."""
    found: list[list[float]] = [[] for _ in ranks]
    for sample in samples:
        memory = open_memory()
        for passage in sample.passages:
            memory.absorb(passage)
        for question in sample.questions:
            ranked = memory.recall(question.text, k=max(ranks))
            for values, rank in zip(found, ranks, strict=True):
                values.append(recall_at(ranked, question.gold, k=rank))
    return found


_MOST = 16
"""A title that stands in more passages than this joins nothing."""


def named_pairs(sample: Sample) -> Iterator[tuple[str, str]]:
    """(a, b): the text of passage b has the title of passage a word for word; titles in many passages are left out."""
    for passage in sample.passages:
        if len(name_key(passage.title)) > 1:
            others = [other.id for other in sample.passages if passage.title in other.text and _apart(passage, other)]
            if len(others) <= _MOST:
                yield from ((passage.id, other) for other in others)


def links_table(name: str, sample: Sample) -> Table:
    """The share of such pairs that the index joins by a name, in either order of absorbing them."""
    pairs = list(named_pairs(sample))
    rows: list[tuple[str | float, ...]] = []
    for order, passages in (("in the order of the set", sample.passages), ("backwards", sample.passages[::-1])):
        index = HybridIndex()
        for passage in passages:
            index.put(IndexedText.of(passage.id, text=passage.text))
        joined = {passage.id: {other for other, _ in index.related(passage.id)} for passage in passages}
        found = sum(b in joined[a] for a, b in pairs)
        links = sum(map(len, joined.values())) / max(len(passages), 1)
        rows.append((order, float(len(pairs)), 100.0 * found / max(len(pairs), 1), links))
    columns = ("passages absorbed", "pairs", "joined, %", "links a passage")
    return Table(f"{name}: pairs in which one passage names the title of the other", columns, tuple(rows))


def _apart(passage: Passage, other: Passage) -> bool:
    return other.id != passage.id and other.title != passage.title
