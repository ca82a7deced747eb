"""The inside of a task's memory bank: its three layers, and what happens to them.

what it is made of
    change_set.py        ChangeSet: what one step changes, as one value; ids and counters
    journal.py           writes change sets to a RecordStore and reads a bank back, record by record when
                         they are looked at
    query_graph.py       nodes, links and their hybrid index
    interaction_tree.py  raw entries, what became of them, and where they are prose
    repeats.py           which results say again what an earlier one said, and which are other states of one call
                         or record: by digests
    state.py             BankState: the layers and the conflicts; the one place where a change set is applied
    files.py             the bank's own folders for attachments; what is deleted is gone from disk
    assembly.py          puts the parts together
    startup.py           new, resumed from a store, loaded from a file; here the store is opened, by amb_core.stores
    bank_index.py        what was worked out from the records, kept in a file to open quickly
    snapshots.py         a bank as a JSON file, and whether what was read back is whole

what happens in it
    intake.py            what comes in: at once or in the background, in order; a known call is answered here
    writer.py            the one place a bank is written from, under its lock; shared_lock.py: that of several processes
    absorption.py        raw first, then digested, then committed
    digestion.py         raw text → drafts → nodes, links and conflicts
    settler.py           conflicts → settled by evidence; witnesses.py counts who says what,
                         proof.py says whether a decision stands on what was read
    merger.py            verification → merged node and its recheck; a merge taken back
    steps.py             plans, runs and closes steps
    forgetter.py         an entry and all that was derived from it → gone, wherever it left traces
    events.py            what became of a text, and what happened, told to listeners
    agent_calls.py       calls an agent, retries once, falls back to its local twin

what comes out
    evidence.py          nodes → what an agent or the renderer sees of them, newer states included
    blocks.py            which notes go into the block of a prompt, and the log of what was injected;
                         amb_core.rendering cuts them to the budget
    entry_pages.py       the pages of deep retrieval
    arguments.py         refuses arguments that make no sense

`amb_core.bank.MemoryBank` is the face of this package.
"""

__all__: list[str] = []
