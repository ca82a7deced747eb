"""What all memories in a store have in common, whatever their records are.

disagreement.py two statements that cannot both be true: how the matter stands, how it ends, what opens it again
store_log.py    the numbered log of changes, which is also the audit, and who follows it
kept_index.py   an index in a file beside the store
eraser.py       deletion down to the bytes
"""

__all__: list[str] = []
