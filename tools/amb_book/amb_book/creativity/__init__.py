"""Inventing with a chat model: several options that were looked up in the book's memory, judged, and written anew.

engine.py   CreativityEngine: a Workshop for the desk; options.py: what it brings, and in which words
writing.py  one option, with tools over the memory (looking_up.py); reviewing.py: what the options are worth
"""

from amb_book.checking import DraftChecker
from amb_book.creativity.engine import CreativityEngine
from amb_book.creativity.looking_up import StoryTools
from amb_book.creativity.options import CreativeAnswer, CreativeOption, Review

__all__ = ["CreativeAnswer", "CreativeOption", "CreativityEngine", "DraftChecker", "Review", "StoryTools"]
