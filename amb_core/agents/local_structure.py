"""Summaries without a model: the sentences that carry most, verbatim and in their order."""

from amb_core.agent_io import StructureAnswer, StructureRequest
from amb_core.agents.chunking import chunk_spans, chunk_tokens
from amb_core.agents.extracts import best_units, join_units
from amb_core.agents.text_units import lay_out
from amb_core.settings import Settings
from amb_core.text import detect_language

__all__ = ["LocalStructure"]

_LEAST = 0.3
_LARGEST, _FINE = {"en": 2_500, "zh": 1_100}, {"en": 240, "zh": 100}
_TRIES = ((0.5, _LARGEST), (0.65, _LARGEST), (0.5, _FINE))
"""Shares kept and how long a unit may be: where sentences are so long that they leave no choice, a little more room
does, else pieces of them."""
_WHOLE_CHARS = {"en": 300, "zh": 120}
_FEW_CHARS = {"en": 500, "zh": 200}
_FEW = 3


class LocalStructure:
    """A StructureAgent that needs no model: it keeps sentences, items and rows and drops the rest.

    The summary has at most half of the characters (at least 30 % where sentences allow) and only text of the content.
    Kept first is what the goal asks for, then what is most likely asked: what comes early, is new, and holds numbers
    and names. What leans on another ("It …", "此外…", a list item, a table row) is only kept together with it.
    Content of up to 300 characters (120 in Chinese), or of three sentences and 500 (200), is kept whole: a short note
    must not lose its fact. Time is linear in the length of the content.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._limit = chunk_tokens(settings or Settings())

    def structure(self, request: StructureRequest) -> StructureAnswer:
        """The summary of one cluster; that of a blank one is empty."""
        text = request.content
        chunks = chunk_spans(text, limit=self._limit)
        if len(chunks) <= 1 and _is_short(text):
            return StructureAnswer(summary=text.strip())
        parts = (_condense(text, start, end, request.task_goal) for start, end in chunks)
        return StructureAnswer(summary="\n".join(part for part in parts if part))


def _is_short(text: str) -> bool:
    body = text.strip()
    language = detect_language(body)
    if len(body) <= _WHOLE_CHARS[language]:
        return True
    few = len(body) <= _FEW_CHARS[language]
    return few and len(lay_out(body, 0, len(body), limit=_LARGEST[language], join_short=False)) <= _FEW


def _condense(text: str, start: int, end: int, goal: str) -> str:
    body = text[start:end].strip()
    language = detect_language(body)
    for share, largest in _TRIES:
        units = lay_out(text, start, end, limit=largest[language], join_short=False)
        if units:
            chosen = best_units(text, units, most=share * len(body), language=language, goal=goal)
            summary = join_units(text, units, chosen)
            if len(summary) >= _LEAST * len(body):
                return summary
    return _start_of(body)


def _start_of(body: str) -> str:
    """The first half, to the end of a word, of a text that has nothing to choose between."""
    half = body[: len(body) // 2]
    space = half.rfind(" ", len(half) // 2)
    return half[: space if space > 0 else len(half)].rstrip(" ,，;；、") + "…" if half else body
