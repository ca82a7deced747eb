"""An answer made of sentences of the memory, each with the node and the source it stands in."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.bank import MemoryBank
from amb_core.models import QueryNode, Span
from amb_core.text import detect_language, index_tokens, sentence_spans

__all__ = ["Answer", "Citation", "compose_answer"]

_BUDGET = 3_000
_LONGEST = 400
"""A quoted sentence is cut at this many characters."""
_WORTH_SAYING = 0.3
"""A sentence that scores below this share of the best one is left out."""
_REDUNDANT = 0.6
"""A sentence that shares this much of its words with a chosen one adds nothing."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One sentence of evidence: verbatim, with its node, its source and the exact span it was taken from."""

    text: str
    node_id: str
    source: str
    span: Span
    disputed: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer as text with `[node, source]` after each sentence, and its citations."""

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class _Sentence:
    citation: Citation
    words: frozenset[str]
    score: float


def compose_answer(bank: MemoryBank, question: str, *, limit: int = 5) -> Answer:
    """The `limit` sentences that answer the question best, most relevant first; says so when memory has none."""
    receipts = bank.recall(question, budget_tokens=_BUDGET, k=12).receipts
    nodes = [(bank.node(receipt.node_id), receipt.score) for receipt in receipts]
    disputed = {r.node_id for r in receipts if r.disputed}
    found = _candidates(bank, nodes, question, disputed)
    chosen: list[_Sentence] = []
    for sentence in sorted(found, key=lambda s: -s.score):
        if len(chosen) == limit or (chosen and sentence.score < _WORTH_SAYING * chosen[0].score):
            break
        if all(_overlap(sentence.words, other.words) < _REDUNDANT for other in chosen):
            chosen.append(sentence)
    return _written(tuple(sentence.citation for sentence in chosen), question)


def _candidates(
    bank: MemoryBank, nodes: Sequence[tuple[QueryNode, float]], question: str, disputed: set[str]
) -> list[_Sentence]:
    """Every sentence of the nodes' sources that shares a word with the question, scored by rarity and rank."""
    wanted = set(index_tokens(question))
    raw: list[tuple[QueryNode, float, Span, str, Counter[str]]] = []
    spread: Counter[str] = Counter()
    for node, score in nodes:
        for span, text in bank.passages(node.id):
            for start, end in sentence_spans(text):
                sentence = text[start:end].strip()
                words = Counter(index_tokens(sentence))
                if not words:
                    continue
                spread.update(words.keys())
                place = Span(entry_id=span.entry_id, start=span.start + start, end=span.start + end)
                raw.append((node, score, place, sentence, words))
    total = len(raw) + 1
    sources = {node.id: _source_of(bank, node) for node, _ in nodes}
    found = []
    for node, score, place, sentence, words in raw:
        shared = wanted & words.keys()
        if not shared or sentence.endswith(("?", "？")):
            continue
        rarity = sum(math.log(1 + total / spread[word]) for word in shared)
        length = 1 + max(sum(words.values()) - 30, 0) / 30
        source = sources[node.id].get(place.entry_id, "")
        citation = Citation(sentence[:_LONGEST], node.id, source, place, node.id in disputed)
        found.append(_Sentence(citation, frozenset(words), rarity / length * (0.5 + 0.5 * score)))
    return found


def _source_of(bank: MemoryBank, node: QueryNode) -> dict[str, str]:
    return {entry.entry_id: str(entry.metadata.get("source") or "") for entry in bank.deep_retrieval(node.id)}


def _overlap(words: frozenset[str], others: frozenset[str]) -> float:
    return len(words & others) / max(min(len(words), len(others)), 1)


def _written(citations: tuple[Citation, ...], question: str) -> Answer:
    chinese = detect_language(question) == "zh"
    if not citations:
        nothing = "记忆中没有与这个问题有关的内容。" if chinese else "The memory holds nothing that answers this."
        return Answer(text=nothing, citations=())
    mark = {False: "", True: "（有争议）" if chinese else " (disputed)"}
    lines = [f"- {' '.join(c.text.split())} [{c.node_id}, {c.source}]{mark[c.disputed]}" for c in citations]
    return Answer(text="\n".join(lines), citations=citations)
