"""The questions a goal is made of, in its own words, and whether a text holds every word that one asks with."""

import re
from collections.abc import Sequence, Set

from amb_core.agent_io import NodeView
from amb_core.text import index_tokens
from amb_core.text.language import HAN
from amb_values import name_key, sentences

__all__ = ["answering_sentences", "clauses_of", "is_covered", "is_touched", "shortened", "unanswered"]

_MAX_GOAL, _MAX_CLAUSES = 400, 8
_SHOWN = 240
"""Characters of a goal that are shown."""
_ASKS = r"who|whom|whose|what|when|where|which|why|how"
_ZH_ASKS = r"什么|哪|谁|多少|几|怎|如何|为何|何时|多(?=[大高长重深宽久远快])"
_QUESTION = re.compile(rf"\b(?:{_ASKS})\b|{_ZH_ASKS}", re.IGNORECASE)
_MEASURES = "cost|price|fee|height|length|width|depth|weight|area|population|number|age|distance|speed|capacity"
_DATE = re.compile(r"\bwhen\b|\b(?:which|what) (?:year|day|date|month)\b|何时|什么时候|哪一?[年天日月]", re.IGNORECASE)
_NUMBER = re.compile(
    r"\bhow (?:many|much|high|tall|long|wide|deep|far|old|big|large|heavy|fast)\b|多少|几|多[大高长重深宽久远快]"
    rf"|\bwhat\b.*\b(?:{_MEASURES})\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\bwho(?:m|se)?\b|\bwhere\b|\b(?:which|what) (?:city|town|country|state|person|company|author|team)\b"
    r"|谁|哪[里儿]|何处|哪[一]?[座个家位国](?:城市|国家|省|县|公司|人)?",
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
    """Of several questions those that a text cannot answer: each takes a date, a number or a name of its own.

    A name may answer two whose own words both stand there. Generous: what asks for none of these is answered by a word
    that no question has or a value that is left, and what has no question word by anything.
    """
    from amb_values import values  # here, for most goals ask one thing

    found = values(text)
    dates, numbers = ([value for value in found if value.kind == kind] for kind in ("date", "number"))
    left = text
    for value in sorted((*dates, *numbers), key=lambda each: -each.start):
        left = f"{left[: value.start]} {left[value.end :]}"
    units = {term for value in found if value.kind == "unit" for term in index_tokens(value.surface)}
    new = _new_words(clauses, left, units)
    names = _new_names(clauses, left) or list(new)
    free, answered = names, set[str]()
    asking = [clause for clause in clauses if _QUESTION.search(clause)] if len(clauses) > 1 else []
    for clause in (each for each in asking if _kind_of(each) in ("date", "number")):
        kind = dates if _kind_of(clause) == "date" else numbers
        if kind:
            kind.pop()
            answered.add(clause)
    for clause in (each for each in asking if _kind_of(each) not in ("date", "number")):
        own = _terms(clause).difference(*map(_terms, (each for each in clauses if each is not clause)))
        told = bool(new or dates or numbers)
        if _kind_of(clause) == "name":
            told = bool(free or (names and own & set(index_tokens(text))))
            free = free[1:]
        if told:
            answered.add(clause)
    return tuple(clause for clause in asking if clause not in answered)


def _kind_of(clause: str) -> str:
    """`date`, `number` or `name` where a question asks for one; "" for others."""
    kinds = {"date": _DATE, "number": _NUMBER, "name": _NAME}
    return next((kind for kind, asks in kinds.items() if asks.search(clause)), "")


def _new_words(clauses: Sequence[str], text: str, units: Set[str]) -> list[str]:
    """The words of a text that no question has: of Chinese what is left of two characters and more."""
    asked = {term for clause in clauses for term in index_tokens(clause)}
    if any(HAN.search(clause) for clause in clauses):
        left = text
        for run in sorted({run for clause in clauses for run in _runs(clause)}, key=len, reverse=True):
            left = left.replace(run, " ")
        grammar = rf"{_ZH_GRAMMAR.pattern}|[{re.escape(''.join(clauses))}](?![\u4e00-\u9fff])|[由于为约共达之及即及其]"
        left = re.sub(grammar, " ", left)
        return [word for word in re.findall(r"[\u4e00-\u9fff]{2,}|[A-Za-z]\w+", left) if word not in units]
    return sorted(set(index_tokens(text)) - asked - units)


def _runs(clause: str) -> set[str]:
    """Every run of two Chinese characters and more in a question, without its question words."""
    parts = re.findall(r"[\u4e00-\u9fff]{2,}", re.sub(_ZH_ASKS, " ", clause))
    return {part[a:b] for part in parts for a in range(len(part)) for b in range(a + 2, len(part) + 1)}


def _new_names(clauses: Sequence[str], text: str) -> list[str]:
    """The names in a text that no question has."""
    from amb_values.proper_names import core_names

    asked = name_key(" ".join(clauses))
    return list(dict.fromkeys(key for each in core_names(text) if (key := name_key(each.name)) not in asked))


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
