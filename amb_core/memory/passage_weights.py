"""What a passage is worth for what an agent is doing: one weight for each feature of passage_scores.py.

Fitted by `python -m amb_bench.fit_passages` on recorded runs of agents: a passage is wanted when the agent's next action
uses an identifier or a word of at least six letters that it holds and the request lacks.
"""

from __future__ import annotations

__all__ = ["NOVELTY", "WEIGHTS"]

WEIGHTS: dict[str, float] = {
    "call": 0.96,
    "said": 0.92,
    "results": 0.73,
    "asked": 0.68,
    "goal": 0.46,
    "call_ids": -0.69,
    "used": 0.15,
    "used_new": 0.54,
    "beside": 0.61,
    "recent": -3.30,
    "age": -0.56,
    "brings": 0.98,
    "size": -0.20,
    "head": 0.51,
    "figures": -0.34,
    "stale": -0.19,
}
NOVELTY = 1.0
"""How much a passage loses when the block already says most of what it brings."""
