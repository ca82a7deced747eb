"""What every memory keeps in its space, whatever its records are: changes, deletions, an index, disagreements.

A space is what one store holds of one memory: a file, a folder, or a part of a database.

disagreement.py two statements that cannot both be true: how the matter stands, how it ends, what opens it again
store_log.py    the numbered log of changes, which is also the audit, and who follows it
kept_index.py   an index in a file beside the store
eraser.py       deletion down to the bytes

What goes over several memories stands above them: `amb_core/user_data.py` deletes all of a user.
"""

__all__: list[str] = []
