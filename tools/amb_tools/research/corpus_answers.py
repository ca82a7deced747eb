"""An answer made of sentences of the memory, each with the node and the source it stands in."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from amb_core.bank import MemoryBank
from amb_core.models import ConflictStatus, Receipt, Span
from amb_core.text import detect_language, entities, index_tokens, sentence_spans

__all__ = ["Answer", "Citation", "compose_answer"]

_BUDGET = 3_000
_LONGEST = 400
"""A quoted sentence is cut at this many characters."""
_WORTH_SAYING = 0.06
"""A sentence must add at least this share of the question's words to what is said already."""
_AGAIN = 0.35
"""What a word of the question counts when a chosen sentence has it already."""
_OUTRIGHT = {"en": (0.7, 0.3), "zh": (0.5, 0.2)}
"""What share of the question's words an answer has at least, altogether and in its best sentence.

With the rule on names 2 % of 40 HotpotQA questions whose evidence had been read fall below (CMRC 7 %), and 55 % of 40
whose evidence had not (CMRC 62 %).
"""
_REDUNDANT = 0.6
"""A sentence that shares this much of its words with a chosen one adds nothing."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One sentence of evidence: verbatim, with its node, its sources ("; " between them) and the exact span of one.

    `disputed` is what another source says of it instead, with that source; empty where nothing contradicts it.
    """

    text: str
    node_id: str
    source: str
    span: Span
    disputed: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer as text with `[node, source]` after each sentence, and its citations.

    `outright` is False when too little of the question is in them for an answer; the text then says so first.
    """

    text: str
    citations: tuple[Citation, ...]
    outright: bool = True


@dataclass(frozen=True, slots=True)
class _Sentence:
    citation: Citation
    words: frozenset[str]
    trust: float
    """How much its node and its length speak for it, in (0, 1]."""


def compose_answer(bank: MemoryBank, question: str, *, limit: int = 5) -> Answer:
    """Up to `limit` sentences that together answer the question best; says so when memory has none.

    They are chosen one by one: what counts is which words of the question a sentence has, rare ones more, and those
    that no chosen sentence has yet most.
    """
    receipts = bank.recall(question, budget_tokens=_BUDGET, k=12).receipts
    sentences = [sentence for receipt in receipts for sentence in _sentences_of(bank, receipt)]
    weights = _weights(set(index_tokens(question)), sentences)
    left = [sentence for sentence in sentences if not weights.keys().isdisjoint(sentence.words)]
    chosen: list[_Sentence] = []
    covered: set[str] = set()
    while left and len(chosen) < limit:
        best = max(left, key=lambda sentence: _gain(sentence, weights, covered))
        news = sum(weights[word] for word in best.words & weights.keys() - covered)
        if news < _WORTH_SAYING * sum(weights.values()):
            break
        chosen.append(best)
        covered |= best.words & weights.keys()
        left = [sentence for sentence in left if _overlap(sentence.words, best.words) < _REDUNDANT]
    citations = tuple(sentence.citation for sentence in chosen)
    outright = _is_answered(question, weights, chosen) and not _unheard_of(question, sentences)
    return _written(citations, question, outright=outright)


def _is_answered(question: str, weights: Mapping[str, float], chosen: Sequence[_Sentence]) -> bool:
    """Whether the chosen sentences have enough of the question's words; one that no sentence has counts in full."""
    known = [sum(weights.get(word, 0.0) for word in sorted(sentence.words)) for sentence in chosen]
    together = sum(weights[word] for word in sorted(weights.keys() & {w for s in chosen for w in s.words}))
    asked = sum(weights.values()) + len(set(index_tokens(question)) - weights.keys())
    least, least_of_one = _OUTRIGHT[detect_language(question)]
    return bool(known) and together >= least * asked and max(known) >= least_of_one * asked


def _unheard_of(question: str, sentences: Sequence[_Sentence]) -> bool:
    """Whether the question names somebody or something that no sentence does; Chinese names are too uncertain."""
    if detect_language(question) == "zh":
        return False
    known = {word for sentence in sentences for word in sentence.words}
    return any(not known.issuperset(index_tokens(entity.name)) for entity in entities(question))


def _sentences_of(bank: MemoryBank, receipt: Receipt) -> list[_Sentence]:
    """Every sentence of a node's sources that can stand in an answer: no question, no heading.

    One that several sources have comes once, and names them all.
    """
    sources = {e.entry_id: str(e.metadata.get("source") or "") for e in bank.deep_retrieval(receipt.node_id)}
    found: dict[str, _Sentence] = {}
    others = _others(bank, receipt.node_id) if receipt.disputed else []
    for span, text in bank.passages(receipt.node_id):
        for start, end in sentence_spans(text):
            sentence = text[start:end].strip().lstrip("-*•").lstrip()
            start = text.index(sentence, start)
            words = index_tokens(sentence)
            if not words or sentence.startswith("#") or sentence.endswith(("?", "？")):
                continue
            place = Span(entry_id=span.entry_id, start=span.start + start, end=span.start + end)
            source = sources.get(span.entry_id, "")
            known = found.get(sentence)
            if known is not None:
                named = dict.fromkeys([*known.citation.source.split("; "), source])
                found[sentence] = replace(known, citation=replace(known.citation, source="; ".join(named)))
                continue
            citation = Citation(sentence[:_LONGEST], receipt.node_id, source, place, _said_instead(sentence, others))
            trust = (0.8 + 0.2 * receipt.score) / (1 + max(len(words) - 30, 0) / 30)
            found[sentence] = _Sentence(citation, frozenset(words), trust)
    return list(found.values())


def _others(bank: MemoryBank, node_id: str) -> list[tuple[str, str]]:
    """(value said here, what is said elsewhere and where) of every contradiction of a node that is not settled."""
    found = []
    for conflict in bank.conflicts:
        if node_id in conflict.node_ids and conflict.status is not ConflictStatus.RESOLVED and conflict.values:
            at = conflict.node_ids.index(node_id)
            other = conflict.node_ids[1 - at]
            sources = dict.fromkeys(str(e.metadata.get("source") or "") for e in bank.deep_retrieval(other))
            told = f"{conflict.values[1 - at]} [{other}, {'; '.join(filter(None, sources))}]"
            found.append((conflict.values[at], told))
    return found


def _said_instead(sentence: str, others: Sequence[tuple[str, str]]) -> str:
    return "; ".join(instead for value, instead in others if value in sentence)


def _weights(wanted: set[str], sentences: Sequence[_Sentence]) -> dict[str, float]:
    """What a word of the question is worth: 0.5 if most sentences have it, up to 1 if few do."""
    spread = Counter(word for sentence in sentences for word in sentence.words & wanted)
    most = math.log(1 + len(sentences))
    return {word: 0.5 + 0.5 * math.log(1 + len(sentences) / count) / most for word, count in sorted(spread.items())}


def _gain(sentence: _Sentence, weights: dict[str, float], covered: set[str]) -> float:
    shared = sorted(sentence.words & weights.keys())
    return sentence.trust * sum(weights[word] * (_AGAIN if word in covered else 1.0) for word in shared)


def _overlap(words: frozenset[str], others: frozenset[str]) -> float:
    return len(words & others) / max(min(len(words), len(others)), 1)


def _written(citations: tuple[Citation, ...], question: str, *, outright: bool) -> Answer:
    chinese = detect_language(question) == "zh"
    if not citations:
        nothing = "记忆中没有与这个问题有关的内容。" if chinese else "The memory holds nothing that answers this."
        return Answer(text=nothing, citations=(), outright=False)
    mark = "（有争议：{}）" if chinese else " (disputed: {})"
    lines = [
        f"- {' '.join(c.text.split())} [{c.node_id}, {c.source}]{mark.format(c.disputed) if c.disputed else ''}"
        for c in citations
    ]
    if not outright:
        nearest = "记忆中没有直接回答这个问题的句子，最接近的是：" if chinese else _NEAREST
        lines.insert(0, nearest)
    return Answer(text="\n".join(lines), citations=citations, outright=outright)


_NEAREST = "No sentence in memory answers this outright; the nearest are:"
