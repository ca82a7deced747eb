"""The sentences that may answer a question: its words in and around them, and the kind of thing that it asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from amb_core.protocols import Embedder
from amb_core.text import detect_language, index_tokens, values
from amb_tools.corpus.kept_corpus import KeptCorpus

__all__ = ["Candidate", "Question", "candidates"]

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
class Question:
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
class Candidate:
    """A sentence that may be the answer by its number in the corpus, and what speaks for it."""

    number: int
    score: float
    holds: bool
    """Whether it holds the kind of thing asked for; True where the question asks for none that shows by its form."""


def candidates(corpus: KeptCorpus, question: Question, embedder: Embedder | None = None) -> list[Candidate]:
    """Sentences, the likeliest first by words and, with an embedder, nearness; no line that only names things."""
    told: list[Candidate] = []
    best = corpus.search(question.tokens, k=_CONSIDERED if embedder is None else _EMBEDDED)
    near = {} if embedder is None else corpus.nearness(question.text, [number for number, _ in best], embedder)
    for number, score in best:
        one, text = corpus.sentences[number], corpus.text(number)
        names = f"{question.text}\n{one.document}\n{one.under}"
        if not text.endswith(_ENDS) and set(index_tokens(text)) <= set(index_tokens(names)):
            continue
        found = _found(question, text) or ("reason" in question.kinds and bool(_REASON.search(text)))
        holds = found or not question.kinds <= _VALUES.keys()
        told.append(Candidate(number, score + _HOLDS * found, holds))
    return sorted(told, key=lambda one: -one.score - _NEAR * near.get(one.number, 0.0))


def _found(question: Question, text: str) -> bool:
    """Whether there is a value of a kind that is asked for and that the question does not state itself."""
    kinds = {_VALUES[kind] for kind in question.kinds if kind in _VALUES}
    told = values(_NO_VALUE.sub(" ", text)) if kinds else ()
    return any(v.kind in kinds and (v.kind, v.key) not in question.values for v in told)
