"""The inside of a task's memory bank: its three layers, and what happens to them.

what it is made of
    changes.py           ChangeSet: what one step changes, as one value; ids and counters
    journal.py           writes change sets to a RecordStore and reads a bank back
    query_graph.py       nodes, links and their hybrid index
    interaction_tree.py  raw entries, what became of them, and repeats
    link_table.py        links, found from either end; marks.py: which entries hold which sentence marks
    conflict_table.py    conflicts, found by id and by node
    state_marks.py       what other states of the same call or record are found by;
                         newer_states.py: how a node stands to them
    prose.py             where an entry is prose, and whose
    records.py           records by id, read from their stored form when they are looked at
    state.py             BankState: the layers together; the one place where a change set is applied
    files.py             the bank's own folders for attachments
    assembly.py          puts the parts together
    opening.py           new, resumed from a store, loaded from a file
    kept_index.py        what was worked out from the records, kept in a file to open quickly;
                         stored_rows.py: the records as they are stored, each with a checksum
    snapshots.py         a bank as a JSON file
    wholeness.py         whether what was read back is whole

what happens in it
    intake.py            what comes in: at once or in the background, in order
    writing.py           the one place a bank is written from, under its lock
    absorption.py        raw first, then digested, then committed
    digestion.py         raw text → drafts → nodes, links and conflicts
    settling.py          conflicts → settled by evidence
    merging.py           verification → merged node and its recheck; unmerging.py takes a merge back
    proof.py             whether a decision stands on what was read
    remaking.py          a node made anew from the raw text it still stands on
    planning.py          the planner's question and answer; steps.py runs and closes steps with it
    erasing.py           what is left of it in files and caches → gone, also after a process died half-way
    forgetting.py        an entry and all that was derived from it → gone; traces.py finds where it left traces
    events.py            what happened, told to listeners
    agent_calls.py       calls an agent, retries once, falls back to its local twin

what comes out
    evidence.py          nodes → what an agent or the renderer sees of them
    reports.py           what became of a text
    blocks.py            the blocks for a prompt, and the log of what was injected
    lettering.py         ids where two banks are shown together
    reading.py           the pages of deep retrieval
    arguments.py         refuses arguments that make no sense

`amb_core.bank.MemoryBank` is the face of this package.
"""

__all__: list[str] = []
