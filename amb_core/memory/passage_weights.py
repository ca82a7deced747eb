"""What a passage is worth for what an agent is doing: one weight for each feature (passage_scores.py says what they are).

Fitted by `tools/amb_bench/fit_passages.py` on recorded runs of agents: a passage is wanted when the agent's next action uses an
identifier or a word of at least six letters that it holds and the request lacks.
"""

from __future__ import annotations

__all__ = ["NOVELTY", "WEIGHTS"]

WEIGHTS: dict[str, float] = {
    "call": 0.9,
    "said": 0.1,
    "results": 0.3,
    "asked": 0.7,
    "goal": 1.0,
    "call_ids": 0.0,
    "result_ids": 0.1,
    "used": 0.1,
    "used_new": 0.3,
    "beside": 0.3,
    "recent": -1.0,
    "age": -0.5,
    "brings": 0.5,
    "size": 0.2,
    "head": 0.5,
    "figures": 0.3,
    "long": 0.1,
    "same_tool": 0.0,
    "stale": -0.5,
}
NOVELTY = 2.0
"""How much a passage loses when the block already says most of what it brings."""
