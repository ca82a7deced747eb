"""Long-term memory, owned by the supervisor: records that outlive a task, in namespaces such as `user_profile/u1`.

memory.py             LongTermMemory: the six tools; looking.py: what can be seen of it
calls.py              what a write, update or deletion does in a collection
places.py, outbox.py  the store, its stand-in while it is down, and the queue that is carried over
collection.py         the records of one store: transactions, audit lines, index
spaces.py             the namespaces in memory, and how they follow others; loaded_namespace.py: one of them
deciding.py           insert, skip, update or join; sameness.py, changes.py and merging.py: how
record_index.py       what a query finds; nearness.py and scoring.py: how near and how good it is
routing.py            when to read and write; summarizing.py: several memories in one text
supervisor.py         the three moments of a supervisor; memory_block.py, side_effects.py: what it shows and keeps
tools.py              the six tools for models; tool_schemas.py: how they are described
promotion.py          what a finished task leaves for good
cleaning.py           what is kept of a text; erasing.py, exports.py: and how it goes again
"""

from amb_core.longterm.memory import LongTermMemory
from amb_core.longterm.promotion import LeftBehind, Promotion, promote
from amb_core.longterm.records import (
    AuditEntry,
    Deleted,
    Disagreement,
    MemoryHit,
    MemoryRecord,
    MemoryType,
    MergeStrategy,
    Provenance,
    Route,
    Summary,
    Written,
)
from amb_core.longterm.settings import LongTermSettings
from amb_core.longterm.side_effects import SideEffect, side_effects
from amb_core.longterm.supervisor import SupervisorMemory
from amb_core.longterm.tools import memory_tools

__all__ = [
    "AuditEntry",
    "Deleted",
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
    "Written",
    "memory_tools",
    "promote",
    "side_effects",
]
