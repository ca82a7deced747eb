"""The questions a goal is made of, in its own words, and whether a text holds every word that one asks with."""

import re
from collections.abc import Sequence

from amb_core.agent_io import NodeView
from amb_core.text import index_tokens
from amb_values import sentences

__all__ = ["answering_sentences", "clauses_of", "is_covered", "is_touched", "shortened", "unanswered"]

_MAX_GOAL, _MAX_CLAUSES = 400, 8
_SHOWN = 240
"""Characters of a goal that are shown."""
_ASKS = r"who|whom|whose|what|when|where|which|why|how"
_ZH_ASKS = r"什么|哪|谁|多少|几|怎|如何|为何|何时|多(?=[大高长重深宽久远快])"
_QUESTION = re.compile(rf"\b(?:{_ASKS})\b|{_ZH_ASKS}", re.IGNORECASE)
_DATE = re.compile(r"\bwhen\b|\b(?:which|what) (?:year|day|date|month)\b|何时|什么时候|哪一?[年天日月]", re.IGNORECASE)
_NUMBER = re.compile(
    r"\bhow (?:many|much|high|tall|long|wide|deep|far|old|big|large|heavy|fast)\b|多少|几|多[大高长重深宽久远快]",
    re.IGNORECASE,
)
_NEXT_QUESTION = re.compile(rf",? and (?=(?:(?:in|at|on|by|to|for|from) )?(?:{_ASKS})\b)", re.IGNORECASE)
_LISTED = re.compile(rf", (?=(?:(?:in|at|on|by|to|for|from) )?(?:{_ASKS})\b)", re.IGNORECASE)
_ZH_COMMA = re.compile("[，；、]")
_PARAGRAPH_END = re.compile(r"\n\s*\n")
_ZH_GRAMMAR = re.compile(rf"请问|哪[一些里个种年位座]*|几[个位年次]|(?:{_ZH_ASKS})样?|[是的了吗呢在有和与]")


def clauses_of(goal: str) -> tuple[str, ...]:
    """The questions of a goal, word for word; none unless the goal is short and consists of questions alone."""
    if len(goal) > _MAX_GOAL:
        return ()
    asked = [part for sentence in sentences(goal) for part in _parts(" ".join(sentence.split()))]
    clean = goal.rstrip().endswith(("?", "？")) and _are_questions(asked)
    clean = clean and all(sentence.rstrip().endswith(("?", "？")) for sentence in sentences(goal))
    return tuple(dict.fromkeys(asked)) if clean and len(asked) <= _MAX_CLAUSES else ()


def _parts(sentence: str) -> list[str]:
    """The questions of a sentence: what "and" joins, with others before it; in Chinese what commas part."""
    parts = _ZH_COMMA.split(sentence)
    if len(parts) > 1 and all(re.search(_ZH_ASKS, part) for part in parts):
        return parts
    *others, last = _NEXT_QUESTION.split(sentence)
    return [one for part in others for one in _LISTED.split(part)] + [last]


def _are_questions(parts: Sequence[str]) -> bool:
    """Whether each asks in words, or by its mark beside another one that does ("Dam height? Who built it?")."""
    worded = [_QUESTION.search(part) is not None for part in parts]
    return any(worded) and all(
        word or part.rstrip().endswith(("?", "？")) for word, part in zip(worded, parts, strict=True)
    )


def unanswered(clauses: Sequence[str], text: str) -> tuple[str, ...]:
    """Of several questions those that a text cannot answer: each takes a date or a number of its own, others a word.

    Generous: a word that no question has answers every question that asks for neither, and one without a question
    word is answered by anything.
    """
    from amb_values import values  # here, for most goals ask one thing

    dates = [value for value in values(text) if value.kind == "date"]
    numbers = [value for value in values(text) if value.kind == "number"]
    asked = {term for clause in clauses for term in index_tokens(clause)}
    left = text
    for value in sorted((*dates, *numbers), key=lambda each: -each.start):
        left = f"{left[: value.start]} {left[value.end :]}"
    units = {term for value in values(text) if value.kind == "unit" for term in index_tokens(value.surface)}
    told = not asked.issuperset(set(index_tokens(left)) - units)
    open_ones = []
    for clause in filter(_QUESTION.search, clauses if len(clauses) > 1 else ()):
        kind = dates if _DATE.search(clause) else numbers if _NUMBER.search(clause) else None
        if not (told if kind is None else kind):
            open_ones.append(clause)
        elif kind:
            kind.pop()
    return tuple(open_ones)


def _terms(clause: str) -> frozenset[str]:
    """The index terms a clause asks with; of Chinese words of several characters only the pairs."""
    words = _ZH_GRAMMAR.sub(" ", clause).split()
    return frozenset(
        term for word in words for term in index_tokens(word) if term.isascii() or len(term) > 1 or len(word) == 1
    )


def is_touched(clause: str, nodes: Sequence[NodeView]) -> bool:
    """Whether a node has any of the words that the clause asks with."""
    wanted = _terms(clause)
    return any(not wanted.isdisjoint(_said(node)) for node in nodes)


def is_covered(clause: str, nodes: Sequence[NodeView]) -> bool:
    """Whether one node has every word that the clause asks with."""
    wanted = _terms(clause)
    return bool(wanted) and any(wanted <= _said(node) for node in nodes)


def answering_sentences(clause: str, text: str) -> list[str]:
    """The statements of a text that have every word the clause asks with."""
    wanted = _terms(clause)
    said = [sentence.strip() for part in _PARAGRAPH_END.split(text) for sentence in sentences(part)]
    stated = [sentence for sentence in said if not (sentence.startswith("#") or sentence.endswith(("?", "？")))]
    return [sentence for sentence in stated if wanted and wanted <= set(index_tokens(sentence))]


def shortened(goal: str) -> str:
    """A goal on one line; of a longer one the beginning and the end, in its own words."""
    flat = " ".join(goal.split())
    return flat if len(flat) <= _SHOWN else f"{flat[: _SHOWN * 2 // 3].rstrip()} … {flat[-_SHOWN // 3 :].lstrip()}"


def _said(node: NodeView) -> set[str]:
    return set(index_tokens("\n".join((node.text or node.summary, node.summary, node.context, *node.keywords))))
