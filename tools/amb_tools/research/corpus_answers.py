"""An answer made of sentences that stand in files or in memory, each in its paragraph, or none where none has one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from amb_agents import contradictions
from amb_core.bank import MemoryBank
from amb_core.protocols import Embedder
from amb_core.text import detect_language, index_tokens
from amb_tools.corpus import Document
from amb_tools.corpus.kept_corpus import KeptCorpus, SentencePlace
from amb_values import values

__all__ = [
    "Answer",
    "AnswerCandidate",
    "AskedQuestion",
    "Certainty",
    "Citation",
    "answer_corpus",
    "candidates",
    "compose_answer",
]

Certainty = Literal["found", "perhaps", "not found"]
_BOUNDS = {"en": (10.5, 16.0), "zh": (42.0, 55.0)}
"""From which evidence on the first place may be an answer, and from which on it is one (decision 0061)."""
_LABEL = 80
_RECALLED = 12


@dataclass(frozen=True, slots=True)
class Citation:
    """One sentence of evidence, verbatim on one line, with its source and its line (from 1) and characters there.

    `before` and `after` are the rest of its paragraph. `node_id` is "" for a sentence of files; for one of memory line
    and characters count in the text of its note. `instead` is where another source has another value, and what it says.
    """

    text: str
    source: str
    line: int
    start: int
    end: int
    under: str = ""
    before: str = ""
    after: str = ""
    node_id: str = ""
    instead: str = ""

    @property
    def paragraph(self) -> str:
        """The whole paragraph; blocks of the layout begin a line."""
        return self.before + self.text + self.after


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer as text, each sentence between arrows in its paragraph, and its citations, the likeliest first.

    Where it is "not found" the citations are the nearest places, and the text says so first.
    """

    text: str
    citations: tuple[Citation, ...]
    certainty: Certainty

    @property
    def outright(self) -> bool:
        """Whether the first sentence is the answer, and not perhaps or nearly so."""
        return self.certainty == "found"


def answer_corpus(corpus: KeptCorpus, question: str, *, limit: int = 3, embedder: Embedder | None = None) -> Answer:
    """Up to `limit` sentences of some files in paragraphs that do not overlap, an answer only where that is likely.

    With an embedder the best by words are shown in the order of words and meaning; it reads 30 sentences a question.
    """
    return _answer(corpus, question, limit, None, embedder)


def compose_answer(bank: MemoryBank, question: str, *, limit: int = 3) -> Answer:
    """Up to `limit` sentences of the notes that memory recalls for the question, each with the source it stands in."""
    nodes: dict[str, str] = {}
    documents: list[Document] = []
    for receipt in bank.recall(question, budget_tokens=3_000, k=_RECALLED).receipts:
        sources = {e.entry_id: str(e.metadata.get("source") or "") for e in bank.host.deep_retrieval(receipt.node_id)}
        texts: dict[str, list[str]] = {}
        for entry_id in dict.fromkeys(span.entry_id for span in receipt.spans):
            shown = [span for span in receipt.spans if span.entry_id == entry_id]
            text = bank.open(receipt.model_copy(update={"spans": tuple(shown)}))
            texts.setdefault(sources.get(entry_id) or receipt.node_id, []).append(text)
        for name, parts in texts.items():
            while name in nodes:
                name += " "
            nodes[name] = receipt.node_id
            documents.append(Document(name, "\n\n".join(parts), Path(receipt.node_id)))
    return _answer(KeptCorpus(documents), question, limit, nodes)


def _answer(
    corpus: KeptCorpus, question: str, limit: int, nodes: dict[str, str] | None, embedder: Embedder | None = None
) -> Answer:
    asked = AskedQuestion(question)
    found = candidates(corpus, asked, embedder)
    certainty = _certainty(asked, found)
    chosen = corpus.places(one.number for one in found)[:limit]
    citations = tuple(
        Citation(
            text=one.text,
            source=one.document.rstrip(),
            line=one.line,
            start=one.start,
            end=one.end,
            under=one.under,
            before=one.before,
            after=one.after,
            node_id=(nodes or {}).get(one.document, ""),
            instead=_instead(corpus, one, found),
        )
        for one in chosen
    )
    text = _written(citations, certainty, asked.language, "files" if nodes is None else "memory")
    return Answer(text, citations, certainty)


def _certainty(question: AskedQuestion, found: Sequence[AnswerCandidate]) -> Certainty:
    """By the evidence for the first, its score times the number of terms: many seldom meet in one place by chance."""
    if not found or not found[0].holds:
        return "not found"
    least, sure = _BOUNDS[question.language]
    evidence = found[0].score * len(question.tokens)
    return "found" if evidence >= sure else "perhaps" if evidence >= least else "not found"


def _instead(corpus: KeptCorpus, place: SentencePlace, found: Sequence[AnswerCandidate]) -> str:
    """Where another document says the same word for word but for one value, by the rule memory has, and its sentence.

    Under the same headings, or none, both are about what the question is about, though neither names it.
    """
    headings = place.under.partition(" › ")[2]
    for number in (one.number for one in found):
        other = corpus.sentences[number]
        if other.document == place.document:
            continue
        same, topics = headings == other.under, (place.under, other.under)
        if contradictions(place.text, corpus.text(number), topics=topics, same_topic=same):
            [there] = corpus.places([number])
            return f"{there.document.rstrip()}:{there.line}: {there.text}"
    return ""


def _written(citations: Sequence[Citation], certainty: Certainty, language: str, where: str) -> str:
    says = _SAYS[language]
    if not citations:
        return says["nothing"].format(says[where])
    parts = [says[certainty].format(says[where])] if says[certainty] else []
    for number, one in enumerate(citations, 1):
        place = f"{one.node_id}, {one.source}" if one.node_id else f"{one.source}:{one.line}"
        _, _, over = one.under.rpartition(" › ")
        over = over if len(over) <= _LABEL else f"{over[: _LABEL - 1]}…"
        label = f" › {over}" if " › " in one.under else ""
        differs = "\n" + says["instead"].format(one.instead) if one.instead else ""
        parts.append(f"{number}. [{place}{label}]\n{one.before}→ {one.text} ←{one.after}{differs}")
    return "\n\n".join(parts)


_SAYS = {
    "en": {
        "found": "",
        "perhaps": "One of these may answer it:",
        "not found": "No sentence of {} answers this for sure; these places are nearest:",
        "nothing": "Not found in {}: no sentence there has a word of the question.",
        "files": "these files",
        "memory": "memory",
        "instead": "Sources differ, compare {}",
    },
    "zh": {
        "found": "",
        "perhaps": "答案可能在这里：",
        "not found": "{}中没有一句话能确定地回答这个问题；最接近的地方是：",
        "nothing": "在{}中没有找到答案，也没有一句话含有问题中的词。",
        "files": "这些文件",
        "memory": "记忆",
        "instead": "来源不一致，请对照 {}",
    },
}


_KINDS = {
    "time": r"(?:^|[.,;:?!] )(?:\w+ )?when\b|\b(?:what|which) (?:year|date|day|month|decade|century)\b|"
    r"何时|什么时[候间]|哪[一]?[年天日月]|几[月日]|日期|年份|时间是",
    "number": r"\bhow (?!(?:do|does|did|can|could|should|would|will|may|must|is|are|was|were|has|have|had|come|to|i)\b)"
    r"[a-z]+|多少|几|多[长久大高远快深重]",
    "name": r"(?:^|[.,;:?!] )(?:\w+ )?who(?:m|se)?\b|谁|哪[位些]?[个]?人|什么人",
    "reason": r"\bwhy\b|\bfor what reason\b|为什么|为何|原因|缘由",
}
"""What a question asks for by its form, where a sentence shows by its form whether it holds such a thing."""
_PATTERNS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _KINDS.items()}
_REASON = re.compile(
    r"\b(?:because|since|due to|so that|in order to|therefore|as a result|to avoid|prevent)\b|"
    r"因|由于|以便|为了|从而|导致",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how|many|much|long|often|name|called|kind|type)\b|"
    r"什么|哪[些个里儿位种年一]*|谁|多少|如何|怎[么样]+|为何|何[时处]|几|是否|吗|呢|请问",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[?？]|\band (?=(?:what|which|who|when|where|why|how)\b)", re.IGNORECASE)
_VALUES = {"time": "date", "number": "number", "name": "name"}
_NO_VALUE = re.compile(r"^[(（]?\d[\d.]*[)）.]?\s|\{\{.*?\}\}|\]\([^)]*\)|https?://\S+|\w\(\d\w{0,2}\)")
"""Numbers that say nothing: of an item or section, in addresses and directives, of a manual ("cron(8)")."""
_ENDS = (".", "。", "!", "！", ";", "；")
_CONSIDERED, _EMBEDDED = 100, 30
_HOLDS, _NEAR = 0.5, 0.3
"""What it adds that a sentence holds the kind of thing asked for, and to the order a standard deviation of nearness."""


@dataclass(frozen=True)
class AskedQuestion:
    """A question with the terms it looks for and the kinds of things it asks for ("" where nothing says so)."""

    text: str

    @cached_property
    def language(self) -> str:
        return detect_language(self.text)

    @cached_property
    def kinds(self) -> set[str]:
        """What each question in it asks for."""
        asked = filter(str.strip, _PARTS.split(self.text))
        return {next((kind for kind, form in _PATTERNS.items() if form.search(one)), "") for one in asked}

    @cached_property
    def tokens(self) -> list[str]:
        """Terms without the words that do the asking; all of them where nothing else is left."""
        told = (term for part in _ASKING.split(self.text) for term in index_tokens(part))
        return list(dict.fromkeys(told)) or index_tokens(self.text)

    @cached_property
    def values(self) -> set[tuple[str, str]]:
        return {(value.kind, value.key) for value in values(self.text)}


@dataclass(frozen=True)
class AnswerCandidate:
    """A sentence that may be the answer by its number in the corpus, and what speaks for it."""

    number: int
    score: float
    holds: bool
    """Whether it holds the kind of thing asked for; True where the question asks for none that shows by its form."""


def candidates(corpus: KeptCorpus, question: AskedQuestion, embedder: Embedder | None = None) -> list[AnswerCandidate]:
    """Sentences, the likeliest first by words and, with an embedder, nearness; no line that only names things."""
    told: list[AnswerCandidate] = []
    best = corpus.search(question.tokens, k=_CONSIDERED if embedder is None else _EMBEDDED)
    near = {} if embedder is None else corpus.nearness(question.text, [number for number, _ in best], embedder)
    for number, score in best:
        one, text = corpus.sentences[number], corpus.text(number)
        names = f"{question.text}\n{one.document}\n{one.under}"
        if not text.endswith(_ENDS) and set(index_tokens(text)) <= set(index_tokens(names)):
            continue
        found = _found(question, text) or ("reason" in question.kinds and bool(_REASON.search(text)))
        holds = found or not question.kinds <= _VALUES.keys()
        told.append(AnswerCandidate(number, score + _HOLDS * found, holds))
    return sorted(told, key=lambda one: -one.score - _NEAR * near.get(one.number, 0.0))


def _found(question: AskedQuestion, text: str) -> bool:
    """Whether there is a value of a kind that is asked for and that the question does not state itself."""
    kinds = {_VALUES[kind] for kind in question.kinds if kind in _VALUES}
    told = values(_NO_VALUE.sub(" ", text)) if kinds else ()
    return any(v.kind in kinds and (v.kind, v.key) not in question.values for v in told)
