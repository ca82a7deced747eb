"""Whom a text names: the people, places and factions of a whole book, without a model.

members.py    the cast of a book: names with their variants, from census.py (names counted over texts)
found_names.pywhat is counted; english_naming.py, english_titles.py, english_persons.py: which names are one person's;
              chinese_naming.py, chinese_name_words.py, chinese_cast.py, chinese_joining.py
"""

from amb_book.cast.census import NameCensus
from amb_book.cast.members import CastMember, cast_of

__all__ = ["CastMember", "NameCensus", "cast_of"]
