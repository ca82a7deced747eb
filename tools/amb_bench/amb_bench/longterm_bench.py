"""`amb bench longterm`: what memory over sessions brings, what becomes of what is said again, and what it costs.

Parts: `facts` (distinct facts, updates, restatements), `messages` (search over LoCoMo's messages), `sessions` (scripted
users, the success criteria of the design), `pairs` (the same in other words, other values), `routing`, `questions`
(search beside LangGraph's store), `said` (what is kept of a message), `changes` (told anew in free words), `sure` (is
it known at all), `fact_consolidation` and `beam` (sets by others beside BM25), and `precision_mem_bench` (by its own
harness).
"""

from __future__ import annotations

from collections.abc import Iterator

from amb_bench.benches import BenchOptions
from amb_bench.longterm_facts import fact_tables, message_table
from amb_bench.longterm_figures import session_tables
from amb_bench.longterm_pairs import neighbour_table, pair_table, routing_table
from amb_bench.longterm_precision import precision_table
from amb_bench.longterm_questions import question_tables
from amb_bench.longterm_sets import beam_table, change_table, fact_table, said_table, sure_table
from amb_bench.tables import Table
from amb_core.errors import InvalidParameter
from amb_embedders import open_embedder

__all__ = ["tables"]

_PARTS = (
    "facts",
    "messages",
    "sessions",
    "pairs",
    "routing",
    "questions",
    "said",
    "changes",
    "sure",
    "fact_consolidation",
    "beam",
    "precision_mem_bench",
)


def tables(options: BenchOptions) -> Iterator[Table]:
    """A table a part; `options.only` names parts. Raises InvalidParameter for one that is not there."""
    for name in options.only:
        if name not in _PARTS:
            raise InvalidParameter(f"there is no part {name!r}; there are: {', '.join(_PARTS)}")
    parts = options.only or _PARTS
    embedder = open_embedder(options.embedder)
    if "facts" in parts:
        yield from fact_tables(embedder)
    if "messages" in parts:
        yield message_table(embedder, samples=2 if options.quick else None)
    if "sessions" in parts:
        yield from session_tables(embedder)
    if "pairs" in parts:
        yield pair_table(embedder)
        yield neighbour_table(embedder)
    if "routing" in parts:
        yield routing_table()
    if "questions" in parts:
        yield from question_tables(embedder)
    if "said" in parts:
        yield said_table()
    if "changes" in parts:
        yield change_table(embedder)
    if "sure" in parts:
        yield sure_table(embedder)
    if "fact_consolidation" in parts:
        yield fact_table(quick=options.quick)
    if "beam" in parts:
        yield beam_table(embedder, quick=options.quick)
    if "precision_mem_bench" in parts:
        yield precision_table(embedder)
