"""Reading statements off a text without a model.

local.py       LocalExtractor, over passages.py (sentences), marking.py (names in them) and modality.py (what is real)
rules.py       patterns; english_rules.py, chinese_rules.py: how prose tells facts; claims.py: what they say
scenes.py      who is where a scene is; hooks.py, planned.py: what an author says of hooks and of what is to come
census.py      names nobody told of (naming.py, new_names.py; english_naming.py, chinese_naming.py, said_names.py)
form.py        from what was read to statements (reading.py); corrections.py: what an author takes back
cast.py        the people and places of a whole book: english_persons.py, english_titles.py; chinese_cast.py,
               chinese_joining.py
english_book.py  facts of a finished book, with english_moves.py, english_narrator.py, english_bearers.py;
               chinese_classical_words.py, chinese_speaking.py
"""

from amb_book.extraction.local import LocalExtractor
from amb_book.extraction.reading import Reading

__all__ = ["LocalExtractor", "Reading"]
