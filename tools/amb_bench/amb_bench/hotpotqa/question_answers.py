"""The answer to a question from what an agent was shown, without a model: what memory names, else the nearest name."""

from __future__ import annotations

from collections.abc import Iterator

from amb_bench.hotpotqa.shown import Guess, Shown
from amb_core.text import detect_language, index_tokens
from amb_values import entities, name_key

__all__ = ["answered", "overlap"]

_NEAREST, _BY_NAME = 8, 0.6
"""Sentences that a name is taken from, and the most that it is worth."""
_YES_OR_NO = ("are ", "is ", "was ", "were ", "do ", "does ", "did ", "是否", "都是")


def overlap(question: str, text: str) -> float:
    """The share of the question's terms that a text has."""
    wanted = set(index_tokens(question))
    return len(wanted & set(index_tokens(text))) / (len(wanted) or 1)


def answered(question: str, shown: Shown) -> Guess:
    """The surest of what memory names and what the nearest sentences do; "" when there is nothing to go by."""
    if question.strip().lower().startswith(_YES_OR_NO):
        words = ("否", "是") if detect_language(question) == "zh" else ("no", "yes")
        candidates = [*shown.guesses, *(Guess(word, 0.0) for word in words)]
        return next((each for each in candidates if name_key(each.answer) not in shown.refuted), candidates[0])
    asked = name_key(question)
    told = [guess for guess in shown.guesses if name_key(guess.answer) not in asked]
    found = sorted((*told, *_named(question, shown)), key=lambda guess: -guess.confidence)
    left = [guess for guess in found if name_key(guess.answer) not in shown.refuted]
    return left[0] if left else Guess("", 0.0)


def _named(question: str, shown: Shown) -> Iterator[Guess]:
    """The names that the sentences nearest to the question tell and it does not."""
    asked = name_key(question)
    said = [statement for page in shown.pages.values() for statement in page]
    for statement in sorted((*shown.statements, *said), key=lambda each: -overlap(question, each))[:_NEAREST]:
        for place, entity in enumerate(entities(statement)):
            if name_key(entity.name) not in asked:
                yield Guess(entity.name, _BY_NAME * overlap(question, statement) - 0.01 * place)
