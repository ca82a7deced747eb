"""Summaries without a model: the sentences and clauses that carry most, verbatim and in their order."""

from amb_core.agent_io import StructureAnswer, StructureRequest
from amb_core.agents.chunking import chunk_spans, chunk_tokens
from amb_core.agents.extract_scores import best_extracts
from amb_core.agents.extracts import extracts
from amb_core.settings import Settings
from amb_core.text import detect_language

__all__ = ["LocalStructure"]

_MOST, _LEAST, _STRETCH = 0.5, 0.3, 0.65
_WHOLE_CHARS = {"en": 300, "zh": 120}
_FEW_CHARS = {"en": 500, "zh": 200}
_FEW = 3


class LocalStructure:
    """A StructureAgent that needs no model: it keeps sentences, their main clauses, items and rows and drops the rest.

    The summary has at most half of the characters (at least 30 % where sentences allow) and only text of the content.
    Kept first is what the goal asks for, then what is most likely asked: what comes early, is new, and holds numbers,
    dates and names. A sentence or clause that leans on another ("It …", "此外…", a list item, a table row) is only kept
    together with it.
    Content of up to 300 characters (120 in Chinese), or of three sentences and 500 (200), is kept whole: a short note
    must not lose its fact. Time is linear in the length of the content.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._limit = chunk_tokens(settings or Settings())

    def structure(self, request: StructureRequest) -> StructureAnswer:
        """The summary of one cluster; that of a blank one is empty."""
        text = request.content
        chunks = chunk_spans(text, limit=self._limit)
        if len(chunks) == 1 and _is_short(text):
            return StructureAnswer(summary=text.strip())
        parts = (_summary(text, start, end, request.task_goal) for start, end in chunks)
        return StructureAnswer(summary="\n".join(part for part in parts if part))


def _is_short(text: str) -> bool:
    body = text.strip()
    language = detect_language(body)
    if len(body) <= _WHOLE_CHARS[language]:
        return True
    if len(body) > _FEW_CHARS[language]:
        return False
    return len({extract.block for extract in extracts(body, 0, len(body), language=language)}) <= _FEW


def _summary(text: str, start: int, end: int, goal: str) -> str:
    body = text[start:end].strip()
    language = detect_language(body)
    found = extracts(text, start, end, language=language)
    summary = best_extracts(text, found, most=_MOST * len(body), language=language, goal=goal)
    if len(summary) < _LEAST * len(body):
        # sentences this long leave no good choice: a little more room does, else their clauses
        summary = best_extracts(text, found, most=_STRETCH * len(body), language=language, goal=goal)
    if len(summary) < _LEAST * len(body):
        found = extracts(text, start, end, language=language, fine=True)
        summary = best_extracts(text, found, most=_MOST * len(body), language=language, goal=goal)
    return summary if len(summary) >= _LEAST * len(body) else _start_of(body)


def _start_of(body: str) -> str:
    """The first half, to the end of a word, of a text that has nothing to choose between."""
    half = body[: int(_MOST * len(body))]
    space = half.rfind(" ", len(half) // 2)
    return half[: space if space > 0 else len(half)].rstrip(" ,，;；、") + "…"
