"""The answer to a question from the statements an agent was shown, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amb_core.evaluation.hotpotqa.shown import Shown
from amb_core.team import CuratorRequest, LocalCurator
from amb_core.team.question_types import choices, question_type
from amb_core.text import detect_language, entities, index_tokens, name_key

__all__ = ["answered", "overlap"]

_CURATOR = LocalCurator()
_MOST = 12
"""Statements an answer is read from, those nearest to the question."""
_SURE = 0.7
_SAME = re.compile(r"\bsame (\w+)|(?:同一个?|相同的)([\u4e00-\u9fff]{1,3})")
_FIRST = re.compile(r"\b(?:first|older|oldest|earlier|before)\b|先|早|年长|最老", re.IGNORECASE)
_LAST = re.compile(r"\b(?:later|younger|youngest|newer|last)\b|晚|年轻|较新", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(1\d{3}|20\d{2})(?!\d)")


def overlap(question: str, text: str) -> float:
    """The share of the question's terms that a text has."""
    wanted = set(index_tokens(question))
    return len(wanted & set(index_tokens(text))) / (len(wanted) or 1)


def answered(question: str, shown: Shown) -> str:
    """The answer the statements give, or the surest candidate the text names; "" when there is nothing to go by."""
    told = sorted(shown.statements, key=lambda each: -overlap(question, each))
    kind = question_type(question)
    if kind == "choice":
        return _chosen(question, told)
    if kind == "yes-no":
        return _yes_or_no(question, told)
    asked = name_key(question)
    fresh = [guess for guess in shown.guesses if name_key(guess.answer) not in asked]
    sure = [guess for guess in fresh if guess.confidence >= _SURE]
    if sure:
        return max(sure, key=lambda guess: guess.confidence).answer
    own = _read(question, told[:_MOST])
    return own or (fresh[0].answer if fresh else "")


def _read(question: str, told: Sequence[str]) -> str:
    request = CuratorRequest(task=question, action=question, sub_question=question, observation=" ".join(told))
    return _CURATOR.curate(request).answer or ""


def _chosen(question: str, told: Sequence[str]) -> str:
    """One of the things to choose from: by their years, or the one that is spoken of as the question does."""
    named = choices(question)
    about = [_about(name, told) for name in named]
    earlier, later = _FIRST.search(question), _LAST.search(question)
    years = [[int(year) for text in texts for year in _YEAR.findall(text)] for texts in about]
    if (earlier or later) and all(years):
        firsts = [min(each) for each in years]
        return named[firsts.index(max(firsts) if later and not earlier else min(firsts))]
    rest = question
    for name in named:
        rest = rest.replace(name, " ")
    weights = [max((overlap(rest, text) for text in texts), default=0.0) for texts in about]
    return named[weights.index(max(weights))]


def _about(name: str, told: Sequence[str]) -> list[str]:
    key = name_key(name)
    last = key.split()[-1] if key.split() else key
    return [text for text in told if key in name_key(text)] or [text for text in told if last in name_key(text)]


def _yes_or_no(question: str, told: Sequence[str]) -> str:
    """Yes when what is said of each of the things named holds for all of them, as far as the words show."""
    yes, no = ("是", "否") if detect_language(question) == "zh" else ("yes", "no")
    named = [entity.name for entity in entities(question) if " and " not in entity.name]
    named = [name for name in named if len(name.split()) > 1 or name[:1].isupper() or yes == "是"]
    rest = question
    for name in named:
        rest = rest.replace(name, " ")
    wanted = set(index_tokens(rest)) - set(index_tokens("both same are is was were do does have"))
    things = [texts for texts in (_about(name, told) for name in named) if texts]
    if _SAME.search(question) and len(things) > 1:
        shared = set.intersection(*({entity.name for text in texts for entity in entities(text)} for texts in things))
        return yes if shared - set(named) else no
    return yes if things and all(_says(texts, wanted) for texts in things) else no


def _says(texts: Sequence[str], wanted: set[str]) -> bool:
    there = {term for text in texts for term in index_tokens(text)}
    return len(wanted & there) >= 0.6 * len(wanted)
