"""The memories that are compared: a whole bank, its bare index, and the recipes others use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from amb_bench.datasets import Passage
from amb_core.bank import MemoryBank
from amb_core.clock import ManualClock
from amb_core.models import ToolResult
from amb_core.protocols import Embedder, Query
from amb_core.settings import Settings
from amb_retrieval import HybridIndex, IndexedText

__all__ = ["BankMemory", "IndexMemory", "MeasuredMemory", "OpenMemory", "WhitespaceMemory"]

FloatArray = NDArray[np.float32]
_UNBOUNDED = 1_000_000
_NODES_A_PASSAGE = 3


class MeasuredMemory(Protocol):
    """Takes passages in and gives their ids back, best first."""

    def absorb(self, passage: Passage) -> None: ...

    def recall(self, question: str, *, k: int) -> list[str]: ...


OpenMemory = Callable[[], MeasuredMemory]


class BankMemory:
    """A `MemoryBank` used as an agent uses it: every passage is a tool's output, the question goes to `recall`."""

    def __init__(self, *, embedder: Embedder | None = None) -> None:
        self._clock = ManualClock()
        self.bank = MemoryBank(
            "Answer the question.", embedder=embedder, clock=self._clock, settings=Settings(language="auto")
        )
        self._passage_of: dict[str, str] = {}

    def absorb(self, passage: Passage) -> None:
        """One tool result; its entry stands for the passage."""
        self._clock.set(passage.timestamp)
        result = ToolResult(
            tool="read",
            arguments={"source": passage.source, "part": passage.position},
            output=passage.text,
            source=passage.source,
        )
        for entry_id in self.bank.absorb(result).entry_ids:
            self._passage_of[entry_id] = passage.id

    def recall(self, question: str, *, k: int) -> list[str]:
        """Passages in the order of the receipts, each at its best node."""
        block = self.bank.recall(question, k=_NODES_A_PASSAGE * k, budget_tokens=_UNBOUNDED)
        entries = (span.entry_id for receipt in block.receipts for span in receipt.spans)
        return list(dict.fromkeys(self._passage_of[entry] for entry in entries if entry in self._passage_of))[:k]

    def block(self, question: str, *, budget_tokens: int) -> str:
        """What a model would be shown."""
        return self.bank.recall(question, budget_tokens=budget_tokens).text


class IndexMemory:
    """The bare hybrid index over the passages; `exact` leaves everything but the two scores out."""

    def __init__(
        self,
        *,
        embedder: Embedder | None = None,
        mode: Literal["hybrid", "lexical", "dense", "rrf"] = "hybrid",
        alpha: float = 0.4,
        exact: bool = False,
    ) -> None:
        self._embedder = embedder
        self._index = HybridIndex(embedder=embedder)
        self._query = Query("", mode=mode, alpha=alpha, exact=exact)

    def absorb(self, passage: Passage) -> None:
        """One note a passage."""
        vector = None if self._embedder is None else self._embedder.embed([passage.text])[0]
        self._index.put(
            IndexedText.of(
                passage.id,
                text=passage.text,
                timestamp=passage.timestamp,
                vector=vector,
            )
        )

    def recall(self, question: str, *, k: int) -> list[str]:
        """Passages in the order of the hits."""
        return [hit.id for hit in self._index.search(replace(self._query, text=question, k=k))]


class WhitespaceMemory:
    """The first design's recipe: classic BM25 over white-space tokens divided by its maximum, half cosine if any."""

    def __init__(self, *, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        self._ids: list[str] = []
        self._tokens: list[list[str]] = []
        self._vectors: list[FloatArray] = []
        self._counts: list[dict[str, int]] = []
        self._df: dict[str, int] = {}

    def absorb(self, passage: Passage) -> None:
        """Count the words between blanks."""
        tokens = passage.text.lower().split()
        counts: dict[str, int] = {}
        for token in tokens:
            counts[token] = counts.get(token, 0) + 1
        for token in counts:
            self._df[token] = self._df.get(token, 0) + 1
        self._ids.append(passage.id)
        self._tokens.append(tokens)
        self._counts.append(counts)
        if self._embedder is not None:
            self._vectors.append(self._embedder.embed([passage.text])[0])

    def recall(self, question: str, *, k: int) -> list[str]:
        """Passages by score, equal ones in order."""
        score = self._bm25(question.lower().split())
        if self._embedder is not None:
            cosine = np.stack(self._vectors) @ self._embedder.embed([question], role="query")[0]
            score = 0.5 * score + 0.5 * cosine
        return [self._ids[index] for index in np.argsort(-score, kind="stable")[:k]]

    def _bm25(self, terms: list[str]) -> NDArray[np.float64]:
        count = len(self._ids)
        lengths = np.array([len(tokens) for tokens in self._tokens], dtype=np.float64)
        norm = 1.5 * (0.25 + 0.75 * lengths / max(lengths.mean(), 1e-9))
        score = np.zeros(count)
        for term in terms:
            if term in self._df:
                idf = np.log((count - self._df[term] + 0.5) / (self._df[term] + 0.5))
                tf = np.array([counts.get(term, 0) for counts in self._counts], dtype=np.float64)
                score += idf * tf * 2.5 / (tf + norm)
        return score / score.max() if score.max() > 0 else score
