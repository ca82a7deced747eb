"""A long task without a model: a corpus behind tools, a reader that uses them, and an answer made of cited evidence."""

from amb_core.research.corpus_answers import Answer, Citation, compose_answer
from amb_core.research.corpus_tools import CorpusTools
from amb_core.research.local_researcher import LocalResearcher, Reading, Turn
from amb_core.research.research_session import ResearchReport, research

__all__ = [
    "Answer",
    "Citation",
    "CorpusTools",
    "LocalResearcher",
    "Reading",
    "ResearchReport",
    "Turn",
    "compose_answer",
    "research",
]
