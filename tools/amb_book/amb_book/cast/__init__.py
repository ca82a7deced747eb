"""Whom a text names: the people, places and factions of a whole book, without a model.

members.py      the cast of a book: names with their variants, from census.py (names counted over texts)
found_names.py  what is counted; english_name_evidence.py, english_titles.py, english_persons.py: which names are one
                person's; chinese_name_evidence.py, chinese_name_words.py, chinese_cast.py, chinese_persons.py
"""

from amb_book.cast.census import NameCensus
from amb_book.cast.members import CastMember, cast_of

__all__ = ["CastMember", "NameCensus", "cast_of"]
