"""Whether passages that name each other's subject are joined, though no text has a title."""

from __future__ import annotations

from collections.abc import Iterator

from amb_bench.datasets import Passage, Sample
from amb_bench.tables import Table
from amb_core.retrieval import HybridIndex, IndexedText
from amb_core.text import name_key

__all__ = ["links_table", "named_pairs"]

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
            index.put(IndexedText.of(passage.id, text=passage.text, source=passage.source))
        joined = {passage.id: {other for other, _ in index.related(passage.id)} for passage in passages}
        found = sum(b in joined[a] for a, b in pairs)
        links = sum(map(len, joined.values())) / max(len(passages), 1)
        rows.append((order, float(len(pairs)), 100.0 * found / max(len(pairs), 1), links))
    columns = ("passages absorbed", "pairs", "joined, %", "links a passage")
    return Table(f"{name}: pairs in which one passage names the title of the other", columns, tuple(rows))


def _apart(passage: Passage, other: Passage) -> bool:
    return other.id != passage.id and other.title != passage.title
