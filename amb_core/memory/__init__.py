"""The inside of a task's memory bank: its three layers, and what happens to them.

    changes.py           ChangeSet: what one step changes, as one value
    journal.py           writes change sets to a RecordStore and reads a bank back
    query_graph.py       nodes, links and their hybrid index
    interaction_tree.py  raw entries, what became of them, and repeats
    state.py             BankState: the layers together; the one place where a change set is applied
    agent_calls.py       calls an agent, retries once, falls back to its local twin
    digestion.py         raw text → drafts → nodes, links and conflicts
    merging.py           verification → merged node, undo
    forgetting.py        an entry and all that was derived from it → gone
    evidence.py          nodes → what an agent or the renderer sees of them

`amb_core.bank.MemoryBank` is the only user of this package.
"""

__all__: list[str] = []
