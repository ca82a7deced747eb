"""Whom a text names: the people, places and factions of a whole book, without a model.

members.py      the cast of a book: names with their shorter forms
census.py       names counted over texts (found_names.py), by english_name_evidence.py and by
                chinese_name_evidence.py; chinese_cast.py: a whole Chinese book; chinese_name_words.py: words of both
"""

from amb_book.cast.census import NameCensus
from amb_book.cast.members import CastMember, cast_of

__all__ = ["CastMember", "NameCensus", "cast_of"]
