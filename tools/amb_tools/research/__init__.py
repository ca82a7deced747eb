"""A long task without a model: a reader that searches a corpus, and an answer made of cited evidence.

local_researcher.py  the reader, and `research`: a whole task with its figures turn by turn
corpus_answers.py    an answer made of sentences of files or of the memory, or none
"""

from amb_tools.research.corpus_answers import Answer, Citation, answer_corpus, compose_answer
from amb_tools.research.local_researcher import LocalResearcher, Reading, ResearchReport, Turn, research

__all__ = [
    "Answer",
    "Citation",
    "LocalResearcher",
    "Reading",
    "ResearchReport",
    "Turn",
    "answer_corpus",
    "compose_answer",
    "research",
]
