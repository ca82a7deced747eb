"""Inventing with a chat model: several options that were looked up in the book's memory, judged, and written anew.

engine.py         CreativityEngine: a Workshop for the desk; creative_options.py: what it brings, and in which words
option_writer.py  one option, with tools over the memory (story_tools.py); reviewer.py: what the options are worth
"""

from amb_book.checking import DraftChecker
from amb_book.creativity.creative_options import CreativeAnswer, CreativeOption, Review
from amb_book.creativity.engine import CreativityEngine
from amb_book.creativity.story_tools import StoryTools

__all__ = ["CreativeAnswer", "CreativeOption", "CreativityEngine", "DraftChecker", "Review", "StoryTools"]
