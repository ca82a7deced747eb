"""What a passage is worth for what an agent is doing: one weight for each feature of passage_scores.py.

Fitted by `python -m amb_bench.fit_passages` on recorded runs of agents: a passage is wanted when the agent's next
action uses an identifier or a word of at least six letters that it holds and the request lacks.
"""

from __future__ import annotations

__all__ = ["LEAST", "MOST", "NOVELTY", "WEIGHTS"]

WEIGHTS: dict[str, float] = {
    "call": 1.04,
    "said": 0.82,
    "results": 0.78,
    "asked": 0.71,
    "goal": 0.43,
    "call_ids": -0.65,
    "used": 0.16,
    "used_new": 0.55,
    "beside": 0.68,
    "recent": -3.36,
    "age": -0.57,
    "brings": 1.02,
    "size": -0.27,
    "head": 0.34,
    "figures": -0.29,
    "stale": -0.25,
}
NOVELTY = 1.0
"""How much a passage loses when the block already says most of what it brings."""
LEAST, MOST = 0.1, 0.2
"""The share of a block that one unit takes where its result has as much, and the most that it may take."""
