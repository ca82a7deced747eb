"""Narrative memory: what has happened in a book, what is planned, and the tasks an author has open at once.

statements.py   what an author settles; position.py: where the story stands
"""

from amb_core.narrative.position import Position, StorylinePosition
from amb_core.narrative.statements import Statement, parsed

__all__ = ["Position", "Statement", "StorylinePosition", "parsed"]
