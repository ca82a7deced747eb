"""What all memories in a store have in common, whatever their records are.

store_log.py    the numbered log of changes, which is also the audit, and who follows it
kept_index.py   an index in a file beside the store
eraser.py       deletion down to the bytes
"""

from amb_core.space.eraser import Eraser
from amb_core.space.kept_index import Kept, KeptIndex
from amb_core.space.store_log import Act, AuditEntry, ChangeLog, Follower

__all__ = ["Act", "AuditEntry", "ChangeLog", "Eraser", "Follower", "Kept", "KeptIndex"]
