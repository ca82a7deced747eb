"""What reads statements off a text and compares them, for long-term and team memory; a bank needs none of it.

local_reader.py     text → topics, records, and what sentences state in so many words, without a model
prompted_reader.py  text → statements that it bears out, with a chat model
prompted_judge.py   a later statement and earlier ones → same, changed, conflict or neither, checked
open_words.py       what a question of several hops still asks
asked_values.py     the value that a sentence has beside such a word
quotes.py           whether a text bears a statement out
"""

from amb_readers.local_reader import LocalReader
from amb_readers.prompted_judge import PromptedJudge
from amb_readers.prompted_reader import PromptedReader

__all__ = ["LocalReader", "PromptedJudge", "PromptedReader"]
