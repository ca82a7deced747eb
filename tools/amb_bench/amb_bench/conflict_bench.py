"""`amb bench agents`: how well contradictions are told from all else: changed values, NLI sets, real neighbours."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from amb_agents import contradictions
from amb_bench.benches import BenchOptions
from amb_bench.conflict_baselines import conflict_ways
from amb_bench.datasets import data_folder, load_cmrc, load_hotpotqa, load_locomo
from amb_bench.reworded import Half, reworded_pairs
from amb_bench.tables import Table
from amb_bench.value_changes import Pair, changed_value_pairs
from amb_core.bank import MemoryBank
from amb_core.errors import InvalidParameter
from amb_core.models import ToolResult
from amb_core.text import Language, index_tokens

__all__ = [
    "ConflictResult",
    "Score",
    "Swallowed",
    "baseline_table",
    "conflict_report",
    "conflict_tables",
    "judge",
    "measure_conflicts",
    "measure_swallowed",
    "neighbour_pairs",
    "nli_pairs",
    "swallowed_table",
    "tables",
]


@dataclass(frozen=True, slots=True)
class Swallowed:
    """Pairs whose second text was taken in after the first: how many there were, how many second texts were taken for
    a repeat or left without a node, and how many contradictions the bank recorded.
    """

    name: str
    pairs: int
    repeats: int
    without_node: int
    conflicts: int


def measure_swallowed(name: str, pairs: Iterable[Pair]) -> Swallowed:
    """Both texts of every contradicting pair through `MemoryBank.absorb`, each pair in a bank of its own."""
    told = repeats = lost = seen = 0
    for pair in pairs:
        if not pair.conflict:
            continue
        bank = MemoryBank("What do the sources say?")
        try:
            bank.absorb(ToolResult(tool="read", output=pair.a, call_id="1", source="first"))
            report = bank.absorb(ToolResult(tool="read", output=pair.b, call_id="2", source="second"))
        finally:
            bank.close()
        told += 1
        repeats += report.repeat_of is not None
        lost += not report.node_ids
        seen += bool(report.conflicts)
    return Swallowed(name, told, repeats, lost, seen)


Judge = Callable[[str, str], bool]
_COMMON_TERM = 200
_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_HALVES: tuple[Half, ...] = ("development", "held-out")
_QUICK_PAIRS = 300
_QUICK_SWALLOWED = 60
_BASELINE_PAIRS = 1_500


@dataclass(frozen=True, slots=True)
class Score:
    """Pairs of one kind: how many there are and how many were called a conflict."""

    kind: str
    conflict: bool
    pairs: int
    flagged: int

    @property
    def rate(self) -> float:
        """Share flagged: recall on conflicts, false positive rate on the rest."""
        return self.flagged / self.pairs if self.pairs else 0.0


@dataclass(frozen=True, slots=True)
class ConflictResult:
    """The scores of one set by kind, with the pairs that were judged wrongly."""

    name: str
    scores: tuple[Score, ...]
    wrong: tuple[Pair, ...] = ()

    @property
    def precision(self) -> float:
        """Share of the flagged pairs that are conflicts; 1 when nothing was flagged."""
        flagged = sum(score.flagged for score in self.scores)
        return self._hits / flagged if flagged else 1.0

    @property
    def recall(self) -> float:
        """Share of the conflicts that were flagged; 0 when there are none."""
        pairs = sum(score.pairs for score in self.scores if score.conflict)
        return self._hits / pairs if pairs else 0.0

    @property
    def alarms_per_thousand(self) -> float:
        """Pairs without a conflict that were flagged, per 1,000."""
        others = [score for score in self.scores if not score.conflict]
        pairs = sum(score.pairs for score in others)
        return 1_000 * sum(score.flagged for score in others) / pairs if pairs else 0.0

    @property
    def _hits(self) -> int:
        return sum(score.flagged for score in self.scores if score.conflict)


def judge(name: str, pairs: Iterable[Pair], flags: Judge) -> ConflictResult:
    """Hold `flags` against the pairs; scores by kind in order of appearance."""
    total: Counter[tuple[str, bool]] = Counter()
    flagged: Counter[tuple[str, bool]] = Counter()
    wrong: list[Pair] = []
    for pair in pairs:
        said = flags(pair.a, pair.b)
        total[pair.kind, pair.conflict] += 1
        flagged[pair.kind, pair.conflict] += said
        if said != pair.conflict:
            wrong.append(pair)
    scores = (Score(kind, conflict, count, flagged[kind, conflict]) for (kind, conflict), count in total.items())
    return ConflictResult(name, tuple(scores), tuple(wrong))


def conflict_report(*, folder: str | os.PathLike[str] | None = None, quick: bool = False) -> Iterator[Table]:
    """All tables on telling contradictions; `quick` takes a few hundred pairs of every set, spread over it."""

    def flags(a: str, b: str) -> bool:
        return bool(contradictions(a, b))

    yield from conflict_tables(measure_conflicts(flags, folder=folder, limit=_QUICK_PAIRS if quick else None))
    yield baseline_table(flags, folder=folder, limit=_QUICK_PAIRS if quick else _BASELINE_PAIRS)
    yield swallowed_table(folder=folder, limit=_QUICK_SWALLOWED if quick else _BASELINE_PAIRS)


def measure_conflicts(
    flags: Judge, *, folder: str | os.PathLike[str] | None = None, limit: int | None = None
) -> Iterator[ConflictResult]:
    """Every set in turn: changed values, other words, NLI sets, real neighbours; `limit` pairs of each.

    Raises UnreadableSource without the data.
    """
    hotpot, cmrc = load_hotpotqa(folder=folder), load_cmrc(folder=folder)
    for sample, chinese in ((hotpot, False), (cmrc, True)):
        for whole in (False, True):
            name = f"changed values, {'Chinese' if chinese else 'English'}, {'passage' if whole else 'sentence'}"
            yield judge(name, _spread(changed_value_pairs(sample, chinese=chinese, whole=whole), limit), flags)
    for language in _LANGUAGES:
        for half in _HALVES:
            yield judge(f"reworded, {language}, {half}", reworded_pairs(language, half=half), flags)
    for name in ("breaking_nli", "ocnli"):
        yield judge(name, _spread(nli_pairs(name, folder=folder), limit), flags)
    for sample in (hotpot, cmrc, *load_locomo(folder=folder)[: None if limit is None else 1]):
        texts = [passage.text for passage in sample.passages]
        yield judge(f"neighbours, {sample.name}", _spread(neighbour_pairs(texts), limit), flags)


def _spread(pairs: Iterable[Pair], limit: int | None) -> Sequence[Pair]:
    kept = list(pairs)
    return kept if limit is None else kept[:: max(1, len(kept) // limit)]


def _compared(folder: str | os.PathLike[str] | None, limit: int) -> Iterator[tuple[str, Sequence[Pair]]]:
    """The sets on which other ways are held against ours."""
    for sample, chinese in ((load_hotpotqa(folder=folder), False), (load_cmrc(folder=folder), True)):
        name = f"changed values, {'Chinese' if chinese else 'English'}"
        yield name, _spread(changed_value_pairs(sample, chinese=chinese, whole=False), limit)
    for language in _LANGUAGES:
        yield f"reworded, {language}, held-out", reworded_pairs(language, half="held-out")


def baseline_table(flags: Judge, *, folder: str | os.PathLike[str] | None = None, limit: int) -> Table:
    """Other ways of telling contradictions on the same pairs."""
    rows: list[tuple[str | float, ...]] = []
    for name, pairs in _compared(folder, limit):
        for way in conflict_ways(pairs, flags):
            rows.append((f"{name}: {way.name}", *((way.missing, "") if way.missing else (way.precision, way.recall))))
    return Table("contradictions: other ways on the same pairs", ("set and way", "precision", "recall"), tuple(rows))


def swallowed_table(*, folder: str | os.PathLike[str] | None = None, limit: int) -> Table:
    """What `MemoryBank.absorb` makes of changed values: repeats and texts without a node are values swallowed."""
    rows = [measure_swallowed(name, pairs) for name, pairs in _compared(folder, limit)]
    return Table(
        "changed values taken in by a bank",
        ("set", "pairs", "taken for repeats", "without a node", "conflicts recorded"),
        tuple((r.name, str(r.pairs), str(r.repeats), str(r.without_node), str(r.conflicts)) for r in rows),
    )


def neighbour_pairs(texts: Sequence[str], *, each: int = 8) -> Iterator[Pair]:
    """Every text with the `each` texts that share most of its rare terms, each pair once; none is a known conflict."""
    postings: dict[str, list[int]] = defaultdict(list)
    terms = [frozenset(index_tokens(text)) for text in texts]
    for number, found in enumerate(terms):
        for term in found:
            postings[term].append(number)
    seen: set[tuple[int, int]] = set()
    for number, found in enumerate(terms):
        weights: dict[int, float] = defaultdict(float)
        for term in sorted(found):
            if 1 < len(postings[term]) <= _COMMON_TERM:
                for other in postings[term]:
                    weights[other] += 1 / len(postings[term])
        weights.pop(number, None)
        for other, _ in sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:each]:
            key = (min(number, other), max(number, other))
            if key not in seen:
                seen.add(key)
                yield Pair(texts[key[0]], texts[key[1]], False, "neighbours")


def nli_pairs(name: str, *, folder: str | os.PathLike[str] | None = None) -> Iterator[Pair]:
    """Pairs of "breaking_nli" (English) or "ocnli" (Chinese); `kind` is the gold label."""
    file = "breaking_nli/dataset.jsonl" if name == "breaking_nli" else "ocnli/train.3k.json"
    for line in (data_folder(folder) / file).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        label = row.get("gold_label") or row["label"]
        if label in ("contradiction", "entailment", "neutral"):
            yield Pair(row["sentence1"], row["sentence2"], label == "contradiction", label)


def conflict_tables(results: Iterable[ConflictResult]) -> tuple[Table, Table]:
    """Precision, recall and false alarms by set, and the same results by kind of pair."""
    kept = list(results)
    sets = Table(
        "contradictions",
        ("set", "precision", "recall", "alarms / 1,000"),
        tuple((r.name, r.precision, r.recall, r.alarms_per_thousand) for r in kept),
    )
    kinds = Table(
        "by kind of pair (share flagged: recall of conflicts, false alarms of the rest)",
        ("set and kind", "conflict", "pairs", "flagged", "share"),
        tuple(
            (f"{r.name}: {s.kind}", "yes" if s.conflict else "no", str(s.pairs), str(s.flagged), s.rate)
            for r in kept
            for s in r.scores
        ),
    )
    return sets, kinds


def tables(options: BenchOptions) -> Iterator[Table]:
    """The tables of all sets; raises InvalidParameter for a part, as it has none, UnreadableSource without the data."""
    if options.only:
        raise InvalidParameter(f"this bench has no parts, so that {options.only[0]!r} cannot be one of them")
    yield from conflict_report(folder=options.data, quick=options.quick)
