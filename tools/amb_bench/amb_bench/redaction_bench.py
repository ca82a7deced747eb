"""What a redactor finds and what it spoils: marked sentences, ordinary passages, and hostile text against the clock."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from amb_bench.benches import BenchOptions
from amb_bench.datasets import load_cmrc, load_hotpotqa
from amb_bench.redaction_sets import MarkedText, chinese_sentences, load_presidio_sentences
from amb_bench.tables import Table
from amb_core.errors import AmbError, UnreadableSource
from amb_extras import PresidioRedactor
from amb_redaction import Found, PatternRedactor, RedactionKind

__all__ = ["KindScore", "score", "tables"]

Finder = Callable[[str], Sequence[Found]]

_PARTS = ("marked", "passages", "hostile")
_COLUMNS = ("kind", "marked", "recall", "exact", "found", "precision")
_HOSTILE_CHARS = 1_000_000
_HOSTILE = {
    "digits": "1",
    "letters": "a",
    "@": "@",
    "a@": "a@",
    "digits and blanks": "1 ",
    "groups of four": "4444 ",
    "colons": "f:",
    "password=": "password=",
    "Chinese": "密码",
    "mobile numbers": "电话13800138000，",
}


@dataclass(slots=True)
class KindScore:
    """Counts of one kind: marked, of these found (overlapping, same kind) and to the letter; found, of these marked."""

    marked: int = 0
    met: int = 0
    exact: int = 0
    found: int = 0
    right: int = 0

    def row(self, name: str) -> tuple[str | float, ...]:
        """The cells of the table, in the order of its columns."""
        shares = (_share(self.met, self.marked), _share(self.exact, self.marked))
        return (name, float(self.marked), *shares, float(self.found), _share(self.right, self.found))


@dataclass(slots=True)
class _Scores:
    kinds: dict[RedactionKind, KindScore] = field(default_factory=lambda: defaultdict(KindScore))
    clean: int = 0
    untouched: int = 0


def score(find: Finder, texts: Iterable[MarkedText]) -> _Scores:
    """How the things found in some texts stand to those marked; `untouched` of the `clean` texts had nothing found."""
    scores = _Scores()
    for marked in texts:
        found = find(marked.text)
        scores.clean += not marked.gold
        scores.untouched += not marked.gold and not found
        for kind, start, end in marked.gold:
            met = [(one.start, one.end) for one in found if one.kind == kind and one.start < end and start < one.end]
            of_kind = scores.kinds[kind]
            of_kind.marked += 1
            of_kind.met += bool(met)
            of_kind.exact += (start, end) in met
        for one in found:
            of_kind = scores.kinds[one.kind]
            of_kind.found += 1
            of_kind.right += any(k == one.kind and s < one.end and one.start < e for k, s, e in marked.gold)
    return scores


def tables(options: BenchOptions) -> Iterator[Table]:
    """Marked sentences for each redactor there is, then ordinary passages, then hostile texts."""
    parts = options.only or _PARTS
    if "marked" in parts:
        yield from _marked_tables(options)
    if "passages" in parts:
        yield _passages_table(options)
    if "hostile" in parts:
        yield _hostile_table(options)


def _marked_tables(options: BenchOptions) -> Iterator[Table]:
    sets = {
        "Chinese sentences, development": chinese_sentences("development"),
        "Chinese sentences, held out": chinese_sentences("held-out"),
    }
    try:
        english = load_presidio_sentences(folder=options.data)
        sets["English sentences (Presidio research)"] = english[:300] if options.quick else english
    except UnreadableSource as missing:
        yield Table("English sentences", ("kind",), ((str(missing),),))
    for title, texts in sets.items():
        yield _marked_table(title, PatternRedactor().find, texts)
        if title.startswith("English"):
            yield _peer_table(title, texts)


def _marked_table(title: str, find: Finder, texts: Sequence[MarkedText]) -> Table:
    started = time.process_time()
    scores = score(find, texts)
    spent = (time.process_time() - started) / max(len(texts), 1) * 1e3
    rows = [scores.kinds[kind].row(kind.value) for kind in RedactionKind if kind in scores.kinds]
    title = f"{title}: {len(texts)} texts, {spent:.2f} ms of CPU each"
    if scores.clean:
        title += f"; {scores.untouched} of {scores.clean} without personal data left as they were"
    return Table(title, _COLUMNS, tuple(rows))


def _peer_table(title: str, texts: Sequence[MarkedText]) -> Table:
    try:
        return _marked_table(f"{title}, Presidio's recognisers", PresidioRedactor().find, texts)
    except AmbError as missing:
        return Table(f"{title}, Presidio's recognisers", ("kind",), ((str(missing),),))


def _passages_table(options: BenchOptions) -> Table:
    """What is taken out of encyclopedia passages, where there is next to nothing to take out."""
    rows: list[tuple[str | float, ...]] = []
    find = PatternRedactor().find
    for name, load in (("hotpotqa (English)", load_hotpotqa), ("cmrc2018 (Chinese)", load_cmrc)):
        try:
            passages = load(folder=options.data).passages
        except UnreadableSource:
            rows.append((f"{name}: not there", 0.0, 0.0, ""))
            continue
        passages = passages[:200] if options.quick else passages
        found = [(passage, one) for passage in passages for one in find(passage.text)]
        shown = "; ".join(f"{one.kind.value} {passage.text[one.start : one.end]}" for passage, one in found[:3])
        rows.append((name, float(len(passages)), float(len(found)), shown))
    return Table("Passages of an encyclopedia", ("set", "passages", "found", "such as"), tuple(rows))


def _hostile_table(options: BenchOptions) -> Table:
    size = _HOSTILE_CHARS // (20 if options.quick else 1)
    rows: list[tuple[str | float, ...]] = []
    redactor = PatternRedactor()
    redactor.redact("a 1 一")
    for name, piece in _HOSTILE.items():
        text = (piece * (size // len(piece) + 1))[:size]
        started = time.process_time()
        counts = redactor.redact(text).found
        rows.append((name, time.process_time() - started, float(sum(counts.values()))))
    return Table(f"Hostile texts of {size:,} characters", ("made of", "s of CPU", "found"), tuple(rows))


def _share(part: int, whole: int) -> float | str:
    return part / whole if whole else "-"
