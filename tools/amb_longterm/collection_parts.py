"""What the collections of one memory work with: embedder, chat model and judge; each may be missing, or fail."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from amb_core.agent_io import JudgeRequest, Statement, Verdict
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel, Embedder, Judge
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.memory_records import MemoryRecord
from amb_longterm.metrics import Metrics
from amb_longterm.summary import summarize_by_model

__all__ = ["CollectionParts", "Vector"]

_log = logging.getLogger("amb.longterm")
Vector: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CollectionParts:
    """What the collections of one memory work with; an embedder that fails leaves a text without a vector."""

    embedder: Embedder | None
    chat: ChatModel | None
    settings: LongTermSettings
    metrics: Metrics
    actor: str
    judge: Judge | None = None

    def vector(self, text: str, *, role: Literal["query", "document"] = "document") -> Vector | None:
        """The vector of a text; None without an embedder, and when it fails."""
        if self.embedder is None:
            return None
        try:
            return np.asarray(self.embedder.embed([text], role=role)[0], dtype=np.float32)
        except Exception as error:  # noqa: BLE001 - it may be anybody's, and words are left
            self.metrics.count(failed_embedding=1)
            _log.warning("the embedder failed (%s); a text goes on by its words alone", type(error).__name__)
            return None

    def summarize(self, old: str, new: str) -> str:
        """How a model joins two texts; "" without one, and when it says what they do not."""
        return "" if self.chat is None else summarize_by_model([old, new], goal="", chat=self.chat)

    def verdicts(self, new: MemoryRecord, earlier: Sequence[MemoryRecord]) -> Sequence[Verdict]:
        """How the judge sees a new record beside earlier ones; "neither" for each where it fails."""
        if self.judge is None:
            return [Verdict()] * len(earlier)
        said = [Statement(text=each.content, source=each.source, at=each.updated_at) for each in (*earlier, new)]
        try:
            return self.judge.judge(JudgeRequest(earlier=tuple(said[:-1]), later=said[-1])).verdicts
        except ModelError as error:
            self.metrics.count(failed_judging=1)
            _log.warning("a text is taken in by its words alone, for the judge cannot be used: %s", error)
            return [Verdict()] * len(earlier)

    def expiry(self, metadata: Mapping[str, Any], now: float) -> float | None:
        """When a record with these metadata is over; None for never."""
        ttl = metadata.get("ttl", self.settings.default_ttl)
        return None if ttl is None else now + float(ttl)
