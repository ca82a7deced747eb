"""The Query Graph of a bank: results become notes, notes are related, disputes settled, steps planned.

A bank loads this where somebody asks for notes, conflicts, merges or a plan, and with a model or a loop from the start.

note_path.py        all of it put together: what a bank asks (`DerivedNotes` of `amb_core.memory.derived_notes`)
digester.py         a raw entry → notes, step by step; what only repeats is not digested
drafts.py           raw text → drafts, and these → nodes, links and conflicts
agent_calls.py      calls an agent, retries once, falls back to its local twin
settler.py          conflicts → settled by evidence; conflict_states.py: from when one is found until it is settled
witnesses.py        who says what, and what the agent at work thinks; proof.py: whether a decision stands on texts
merger.py           verification → merged node and its recheck; a merge taken back
planner.py          the next step, and how the last one went
node_views.py       nodes → what an agent or the renderer sees of them
"""

from amb_notes.note_path import NotePath

__all__ = ["NotePath"]
