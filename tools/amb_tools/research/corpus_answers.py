"""An answer made of sentences that stand in files or in memory, each with its place, or none where none has one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

from amb_core.bank import MemoryBank
from amb_core.text import Value, index_tokens, values
from amb_tools.corpus import Document
from amb_tools.corpus.kept_corpus import KeptCorpus, Place
from amb_tools.research.answer_candidates import Candidate, Question, candidates

__all__ = ["Answer", "Certainty", "Citation", "answer_corpus", "compose_answer"]

Certainty = Literal["found", "perhaps", "not found"]
_LONGEST = 600
"""A quoted sentence is cut at this many characters."""
_ALIKE = 0.3
"""A sentence this much less likely than the first is no other answer to set beside it."""
_BOUNDS = {"en": (2.0, 2.4), "zh": (1.9, 2.2)}
"""From which confidence on the first sentence may be an answer, and from which on it is one (decision 0055)."""
_LABEL = 80
_RECALLED = 12
_BULLET = re.compile(r"[-*+•·]\s+")


@dataclass(frozen=True, slots=True)
class Citation:
    """One sentence of evidence, verbatim on one line, with its source and its line (from 1) and characters there.

    `node_id` is "" for a sentence of files; for one of memory line and characters count in the text of its note.
    `instead` is what another source says of it; "" where none differs.
    """

    text: str
    source: str
    line: int
    start: int
    end: int
    under: str = ""
    node_id: str = ""
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer as text, one line for each quoted sentence, and its citations, the likeliest first.

    Where it is "not found" the citations are the nearest places, and the text says so first.
    """

    text: str
    citations: tuple[Citation, ...]
    certainty: Certainty

    @property
    def outright(self) -> bool:
        """Whether the first sentence is the answer, and not perhaps or nearly so."""
        return self.certainty == "found"


def answer_corpus(corpus: KeptCorpus, question: str, *, limit: int = 3) -> Answer:
    """Up to `limit` sentences of some files, an answer only where one is likely to be one."""
    return _answer(corpus, question, limit, None)


def compose_answer(bank: MemoryBank, question: str, *, limit: int = 3) -> Answer:
    """Up to `limit` sentences of the notes that memory recalls for the question, each with the source of its note."""
    nodes: dict[str, str] = {}
    documents: list[Document] = []
    for receipt in bank.recall(question, budget_tokens=3_000, k=_RECALLED).receipts:
        sources = dict.fromkeys(str(e.metadata.get("source") or "") for e in bank.deep_retrieval(receipt.node_id))
        text = "\n\n".join(text for _, text in bank.passages(receipt.node_id))
        name = "; ".join(filter(None, sources)) or receipt.node_id
        while name in nodes:
            name += " "
        nodes[name] = receipt.node_id
        documents.append(Document(name, text, Path(receipt.node_id)))
    return _answer(KeptCorpus(documents), question, limit, nodes)


def _answer(corpus: KeptCorpus, question: str, limit: int, nodes: dict[str, str] | None) -> Answer:
    asked = Question(question)
    found = candidates(corpus, asked)
    certainty = _certainty(found, asked.language)
    chosen = found[:limit]
    beside = _differing(chosen, lines=nodes is None) if certainty != "not found" else {}
    citations = tuple(
        Citation(
            text=_clipped(one.place.text, _LONGEST),
            source=one.place.document.rstrip(),
            line=one.place.line,
            start=one.place.start,
            end=one.place.end,
            under=one.place.under,
            node_id=(nodes or {}).get(one.place.document, ""),
            instead=beside.get(one.place, ""),
        )
        for one in chosen
    )
    where = "files" if nodes is None else "memory"
    return Answer(_written(citations, certainty, asked.language, where), citations, certainty)


def _certainty(found: Sequence[Candidate], language: str) -> Certainty:
    least, sure = _BOUNDS[language]
    if not found or not found[0].holds or found[0].confidence < least:
        return "not found"
    return "found" if found[0].confidence >= sure else "perhaps"


def _differing(chosen: Sequence[Candidate], *, lines: bool) -> dict[Place, str]:
    """What another document says instead: another value of the kind asked for, or else in nearly the same words."""
    beside: dict[Place, str] = {}
    for one, other in combinations(chosen, 2):
        if one.place.document == other.place.document or abs(one.score - other.score) > _ALIKE:
            continue
        words, others = (set(index_tokens(c.place.text)) for c in (one, other))
        if not (one.found and other.found) and len(words & others) < len(words | others) / 2:
            continue
        said, instead = ({(v.kind, v.key) for v in c.found or _stated(c.place.text)} for c in (one, other))
        if said and instead and said.isdisjoint(instead):
            beside.setdefault(one.place, other.place.document.rstrip() + (f":{other.place.line}" if lines else ""))
            beside.setdefault(other.place, one.place.document.rstrip() + (f":{one.place.line}" if lines else ""))
    return beside


def _stated(text: str) -> list[Value]:
    return [value for value in values(text) if value.kind in ("number", "date")]


def _written(citations: Sequence[Citation], certainty: Certainty, language: str, where: str) -> str:
    says = _SAYS[language]
    if not citations:
        return says["nothing"].format(says[where])
    lines = [says[certainty].format(says[where])] if says[certainty] else []
    for one in citations:
        place = f"{one.node_id}, {one.source}" if one.node_id else f"{one.source}:{one.line}"
        _, _, over = one.under.rpartition(" › ")
        label = f" › {_clipped(over, _LABEL)}" if " › " in one.under else ""
        lines.append(
            f"- {_BULLET.sub('', one.text, count=1) if _BULLET.match(one.text) else one.text} [{place}{label}]"
            + (says["instead"].format(one.instead) if one.instead else "")
        )
    return "\n".join(lines)


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


_SAYS = {
    "en": {
        "found": "",
        "perhaps": "Perhaps:",
        "not found": "Not found in {}. The nearest places are:",
        "nothing": "Not found in {}; no sentence there has the words of the question.",
        "files": "these files",
        "memory": "memory",
        "instead": " (sources differ: see {})",
    },
    "zh": {
        "found": "",
        "perhaps": "可能是：",
        "not found": "在{}中没有找到答案。最接近的地方是：",
        "nothing": "在{}中没有找到答案，也没有一句话含有问题中的词。",
        "files": "这些文件",
        "memory": "记忆",
        "instead": "（来源不一致，另见 {}）",
    },
}
