"""Whether a new text says what a remembered one says.

comparing.py      the judgement; held.py: two texts held against each other, thing by thing
saying.py         a text as the things it says; clauses.py: the parts it is read in; wording.py: its words
stated_figures.py, sql_text.py: what is no plain word
word_meanings.py  what a word stands for, from the lists in *_words.py
"""

from amb_core.longterm.sameness.comparing import Sameness, SamenessKind, compare

__all__ = ["Sameness", "SamenessKind", "compare"]
