"""What a passage is worth for what an agent is doing: one weight for each feature (passage_scores.py says what they are).

Fitted by `tools/amb_bench/fit_passages.py` on recorded runs of agents: a passage is wanted when the agent's next action uses an
identifier or a word of at least six letters that it holds and the request lacks.
"""

from __future__ import annotations

__all__ = ["NOVELTY", "WEIGHTS"]

WEIGHTS: dict[str, float] = {
    "call": 1.05,
    "said": 0.83,
    "results": 0.75,
    "asked": 0.60,
    "goal": 0.49,
    "call_ids": -0.64,
    "used": 0.22,
    "used_new": 0.50,
    "beside": 0.64,
    "recent": -3.39,
    "age": -0.55,
    "brings": 0.98,
    "size": -0.08,
    "head": 0.56,
    "figures": -0.59,
    "long": -0.38,
    "stale": -0.16,
}
NOVELTY = 1.0
"""How much a passage loses when the block already says most of what it brings."""
