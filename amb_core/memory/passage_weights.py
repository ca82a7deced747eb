"""What a passage is worth for what an agent is doing: one weight for each feature of passage_scores.py.

Fitted by `tools/amb_bench/fit_passages.py` on recorded runs of agents: a passage is wanted when the agent's next
action uses an identifier or a word of at least six letters that it holds and the request lacks.
"""

from __future__ import annotations

__all__ = ["NOVELTY", "WEIGHTS"]

WEIGHTS: dict[str, float] = {
    "call": 1.03,
    "said": 0.91,
    "results": 0.79,
    "asked": 0.68,
    "goal": 0.40,
    "call_ids": -0.69,
    "result_ids": -0.00,
    "used": 0.14,
    "used_new": 0.56,
    "beside": 0.59,
    "recent": -3.25,
    "age": -0.55,
    "brings": 0.98,
    "size": -0.17,
    "head": 0.51,
    "figures": -0.51,
    "long": -0.37,
    "same_tool": 0.07,
    "stale": -0.18,
}
NOVELTY = 2.0
"""How much a passage loses when the block already says most of what it brings."""
