"""The questions a goal is made of, in its own words, and whether a text holds every word that one asks with."""

import re
from collections.abc import Sequence

from amb_core.agent_io import NodeView
from amb_core.text import index_tokens, sentences

__all__ = ["answering_sentences", "clauses_of", "is_covered", "is_touched", "shortened"]

_MAX_GOAL, _MAX_CLAUSES = 400, 8
_SHOWN = 240
"""Characters of a goal that are shown."""
_ASKS = r"who|whom|whose|what|when|where|which|why|how"
_ZH_ASKS = r"什么|哪|谁|多少|几|怎|如何|为何|何时|多(?=[大高长重深宽久远快])"
_QUESTION = re.compile(rf"\b(?:{_ASKS})\b|{_ZH_ASKS}", re.IGNORECASE)
_NEXT_QUESTION = re.compile(rf",? and (?=(?:(?:in|at|on|by|to|for|from) )?(?:{_ASKS})\b)", re.IGNORECASE)
_PARAGRAPH_END = re.compile(r"\n\s*\n")
_ZH_GRAMMAR = re.compile(rf"请问|哪[一些里个种年位座]*|几[个位年次]|(?:{_ZH_ASKS})样?|[是的了吗呢在有和与]")


def clauses_of(goal: str) -> tuple[str, ...]:
    """The questions of a goal, word for word; none unless the goal is short and consists of questions alone."""
    if len(goal) > _MAX_GOAL:
        return ()
    asked = [part for sentence in sentences(goal) for part in _NEXT_QUESTION.split(" ".join(sentence.split()))]
    clean = goal.rstrip().endswith(("?", "？")) and all(map(_QUESTION.search, asked))
    clean = clean and all(sentence.rstrip().endswith(("?", "？")) for sentence in sentences(goal))
    return tuple(dict.fromkeys(asked)) if clean and len(asked) <= _MAX_CLAUSES else ()


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
