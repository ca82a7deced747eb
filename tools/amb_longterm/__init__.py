"""Long-term memory, owned by the supervisor: records that outlive a task, in namespaces such as `user_profile/u1`.

long_term_memory.py   LongTermMemory: the six tools, and what can be seen; cleaner.py: what is kept of a text
talk_listener.py      what a talk leaves: statements (user_statements.py; unread_statements.py: other languages) and
                      wishes to forget or to put right (user_wishes.py, granted_wishes.py)
remembering.py        what a chat asks: which messages are new, and what is known (user_profile.py); profile_view.py:
                      the same within the requests of a run
call_arguments.py     ids, keys and numbers, checked
calls.py              a write, update or deletion as it is carried out, and the queue of those that wait
failover.py           the store, and what stands in for it while it is down
collection.py         the records of one store: transactions, audit lines, index; collection_opener.py: from its URL
collection_parts.py   the embedder, the model and the judge it works with
metrics.py            what was asked of memory, and how often; namespaces.py: whose a record is
decision.py           insert, skip, update or join, and what a record says then; sameness.py: which texts say the same
loaded_namespaces.py  the namespaces in use, in memory (the index of a large one in a file) or left in their store
hit_search.py         one search; hit_groups.py: the order it cuts; later_changes.py: what came to be otherwise, and
                      change_links.py, free_changes.py: which earlier records that goes with
record_index.py       what a query finds; record_passages.py: in long records; nearness.py and memory_score.py: how near
                      and how good it is
sureness.py           whether a record holds what is asked for at all
memory_records.py     what a record is, and as a store keeps it
routing.py            when to read and write, by routing_cues.txt, which memory_cues.py reads
summary.py            several memories in one text
supervisor.py         the three moments of a supervisor; memory_block.py, side_effects.py: what it shows and keeps
longterm_tools.py     the six tools for models; longterm_settings.py: what can be set
promotion.py          what a finished task leaves for good; promoted.py: what is left of that when the task forgets
"""

from amb_core.deferred import deferred
from amb_core.stores.store_log import AuditEntry
from amb_longterm.long_term_memory import LongTermMemory
from amb_longterm.longterm_settings import LongTermSettings
from amb_longterm.longterm_tools import memory_tools
from amb_longterm.memory_records import (
    DeleteResult,
    Disagreement,
    MemoryHit,
    MemoryRecord,
    MemoryType,
    MergeStrategy,
    Provenance,
    Route,
    Summary,
    WriteResult,
)
from amb_longterm.promotion import LeftBehind, Promotion, promote
from amb_longterm.side_effects import SideEffect, side_effects
from amb_longterm.supervisor import SupervisorMemory

__getattr__ = deferred(__name__, {}, renamed={"Deleted": "DeleteResult", "Written": "WriteResult"})

__all__ = [
    "AuditEntry",
    "DeleteResult",
    "Disagreement",
    "LeftBehind",
    "LongTermMemory",
    "LongTermSettings",
    "MemoryHit",
    "MemoryRecord",
    "MemoryType",
    "MergeStrategy",
    "Promotion",
    "Provenance",
    "Route",
    "SideEffect",
    "Summary",
    "SupervisorMemory",
    "WriteResult",
    "memory_tools",
    "promote",
    "side_effects",
]
