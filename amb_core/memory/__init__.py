"""The inside of a task's memory bank: its three layers, and what happens to them.

what it is made of
    change_set.py        ChangeSet: what one step changes, as one value; ids.py: the ids of what is kept
    journal.py           writes change sets to a RecordStore and reads a bank back, record by record when
                         they are looked at
    query_graph.py       nodes, links and their hybrid index
    interaction_tree.py  raw entries, what became of them, and where they are prose
    repeats.py           which results say again what an earlier one said, and which are other states of one call
                         or record: by digests
    bank_state.py        BankState: the layers and the conflicts; the one place where a change set is applied
    bank_files.py        the bank's own folders for attachments; what is deleted is gone from disk
    bank_parts.py        all of it put together; here the store is opened, by amb_core.stores
    bank_opener.py       the ways a bank begins: new, resumed from a store, loaded from a file
    spoken_entries.py    what the agent and the user say, as entries of which no notes are made
    host_edits.py        what a host replaced, deleted or left in its transcript since, noted with the entry
    snapshots.py         a bank as a JSON file, and whether what was read back is whole

what happens in it
    intake.py            what comes in: at once or in the background, in order; a known call is answered here
    writer.py            the one place a bank is written from, under its lock; bank_lock.py: that lock
    undigested.py        what came in and has no notes yet; derived_notes.py: what a bank asks of its notes, which are
                         in a package of their own, `amb_notes`
    steps.py             when the next step is planned, and whether one runs
    forgetter.py         an entry and all that was derived from it → gone, wherever it left traces; forgetting.py tells
                         who else in this process keeps something made of it
    events.py            what became of a text, and what happened, told to listeners
    agent_counts.py      how often agents were asked, and what they cost

what comes out
    entry_views.py       raw entries, by a step or the note they are behind; entry_states.py: newer states of results
    blocks.py            the blocks a bank is asked for, and the log of what was injected
      of passages        recollection.py, for a question and for a moment.py of an
                         agent's work; passage_budget.py fills the budget, from
                         passage_index.py, by passage_scores.py (with call_texts.py, passage_terms.py), and
                         grown to what a reader takes in as one piece; passage_answers.py: sentences that answer
                         what was asked, and records (whole_records.py); file_lines.py: changed lines of files,
                         call_changes.py: what calls changed without showing it; shown_steps.py: how a step of a
                         block is written
    entry_pages.py       the pages of deep retrieval; step_places.py: steps that are asked for
    arguments.py         refuses arguments that make no sense

`amb_core.bank.MemoryBank` is the face of this package.
"""

__all__: list[str] = []
