"""Several memories as one short text for a goal: their own sentences, or a model's words that they bear out."""

from __future__ import annotations

import json
import logging
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import Field

from amb_agents.prompts import prompt
from amb_chat.structured_chat import StructuredChat
from amb_core.errors import InvalidParameter, ModelError
from amb_core.frozen import Frozen
from amb_core.protocols import ChatModel
from amb_core.text import (
    clip_tokens,
    detect_language,
    estimate_tokens,
    find_unsupported,
    index_tokens,
    sentences,
    values,
)
from amb_longterm.sameness import other_values

__all__ = ["summarize", "summarize_by_model"]

_log = logging.getLogger("amb.longterm")
_MOST_SENTENCES = 400
_COMPARED = 24
"""So many of the chosen sentences are compared with each other."""
_ROOM = 1.5
"""A model gets this many times the tokens of the summary for its answer, which is JSON."""
_BOTH = {"en": "Told differently: {} / {}", "zh": "说法不一：{} / {}"}


class SummaryShape(Frozen):
    """What the model answers."""

    summary: str = Field(min_length=1, max_length=8_000)


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    terms: frozenset[str]
    at: int


def summarize(texts: Sequence[str], *, goal: str, chat: ChatModel | None = None, budget_tokens: int = 200) -> str:
    """One text of at most `budget_tokens` tokens that says what the texts say about the goal; "" for blank texts.

    Versions that contradict each other are both named. A model's summary counts only if the texts bear out each
    number, date and name in it; otherwise, and without a model, it is made of their sentences. Raises InvalidParameter
    for a budget below 1.
    """
    if budget_tokens < 1:
        raise InvalidParameter(f"budget_tokens must be at least 1, not {budget_tokens}.")
    given = [text for text in texts if text.strip()]
    if not given:
        return ""
    by_model = "" if chat is None else summarize_by_model(given, goal=goal, chat=chat, budget_tokens=budget_tokens)
    return by_model or _by_sentences(given, goal, budget_tokens)


def summarize_by_model(texts: Sequence[str], *, goal: str, chat: ChatModel, budget_tokens: int = 200) -> str:
    """A model's summary; "" when there is none that the texts bear out."""
    try:
        return _by_model(texts, goal, chat, budget_tokens)
    except ModelError as error:
        _log.warning("a summary is made of sentences, for the model's cannot be used: %s", error)
        return ""


def _by_sentences(texts: Sequence[str], goal: str, budget: int) -> str:
    units = _units(texts, goal)
    chosen: list[tuple[int, str]] = []
    left = budget
    for unit in units:
        both = _BOTH[detect_language(unit[-1].text)]
        text = unit[0].text if len(unit) == 1 else both.format(*(each.text for each in unit))
        cost = estimate_tokens(text) + 1
        if cost <= left:
            chosen.append((unit[0].at, text))
            left -= cost
    if not chosen:
        return clip_tokens(units[0][0].text, budget).strip()
    return "\n".join(text for _, text in sorted(chosen))


def _units(texts: Sequence[str], goal: str) -> list[list[_Line]]:
    """The sentences of all texts, best first; of the best, two that give other values in the same words together."""
    found = _distinct(texts)
    units: list[list[_Line]] = []
    for place, sentence in enumerate(sorted(found, key=_worth(found, goal), reverse=True)):
        alone = (unit for unit in units if place < _COMPARED and len(unit) == 1)
        pair = next((unit for unit in alone if other_values(sentence.text, unit[0].text)), None)
        if pair is None:
            units.append([sentence])
        else:
            pair.append(sentence)
            pair.sort(key=lambda each: each.at)
    return units


def _distinct(texts: Sequence[str]) -> list[_Line]:
    """The sentences of all texts in order; of those with the same terms and values the first."""
    found: dict[object, _Line] = {}
    for text in texts:
        for sentence in sentences(text)[:_MOST_SENTENCES]:
            line = " ".join(sentence.split())
            terms = frozenset(index_tokens(line))
            stated = frozenset((value.kind, value.key) for value in values(line))
            key = (terms, stated) if terms else line
            found.setdefault(key, _Line(line, terms, len(found)))
    return list(found.values())[:_MOST_SENTENCES]


def _worth(found: Sequence[_Line], goal: str) -> Callable[[_Line], tuple[float, int]]:
    """How much a sentence says about the goal, rare words more; then what states values, then what came first."""
    spread = Counter(term for sentence in found for term in sentence.terms)
    asked = set(index_tokens(goal))

    def worth(sentence: _Line) -> tuple[float, int]:
        met = sum(math.log(1 + len(found) / spread[term]) for term in sorted(sentence.terms & asked))
        return met / math.sqrt(1 + len(sentence.terms) / 12) + 0.1 * min(3, len(values(sentence.text))), -sentence.at

    return worth


def _by_model(texts: Sequence[str], goal: str, chat: ChatModel, budget: int) -> str:
    """A model's summary; a ModelError when there is none that the texts bear out."""
    pairs = [[each.text for each in unit] for unit in _units(texts, goal) if len(unit) > 1]
    told = [value for one, other in pairs for value in other_values(one, other) or ()]

    def check(answer: SummaryShape) -> str | None:
        if estimate_tokens(answer.summary) > budget:
            return f"it is longer than {budget} tokens"
        if (foreign := find_unsupported(answer.summary, [*texts, goal])) is not None:
            return f"no memory says {foreign!r}"
        folded = answer.summary.casefold()
        missing = [value for value in told if value.casefold() not in folded]
        return f"memories contradict each other; name both versions, also {missing[0]!r}" if missing else None

    language = detect_language(texts[0])
    asked = (
        {"role": "system", "content": prompt("summarizing", language)},
        {
            "role": "user",
            "content": json.dumps({"goal": goal, "tokens": budget, "memories": [*texts]}, ensure_ascii=False),
        },
    )
    room = max(200, int(budget * _ROOM))
    answer = StructuredChat(chat).ask(asked, SummaryShape, purpose="summarizing", max_output_tokens=room, check=check)
    return answer.summary.strip()
