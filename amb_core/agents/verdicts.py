"""What each verdict on two statements must pass, whoever gave it: true quotes, or equal values."""

from __future__ import annotations

from amb_core.agent_io import Statement, Verdict
from amb_core.reading.quotes import names_one_of
from amb_core.text import entities, find_quote, index_tokens, values

__all__ = ["admit_verdict"]

_QUESTIONS = ("?", "？", "吗", "吗。")
_EXACT = ("number", "date", "unit", "negation")


def admit_verdict(verdict: Verdict, *, earlier: Statement, later: Statement) -> Verdict:
    """The verdict itself, or "neither" in place of one that the two texts do not bear out.

    Two texts say the same only with the same figures, dates, units, negations and names. A change and a conflict need
    a quote from each text, word for word (white space aside), that differ; what only asks changes nothing.
    """
    if verdict.relation == "neither":
        return verdict
    if verdict.relation == "same":
        stands = _have_equal_values(earlier.text, later.text)
    else:
        stands = (
            find_quote(verdict.quote_earlier, earlier.text) is not None
            and find_quote(verdict.quote_later, later.text) is not None
            and verdict.quote_earlier.casefold() != verdict.quote_later.casefold()
            and not any(text.rstrip().endswith(_QUESTIONS) for text in (earlier.text, verdict.quote_later))
        )
    return verdict if stands else Verdict(reason=verdict.reason)


def _have_equal_values(one: str, other: str) -> bool:
    """Whether two texts have the same figures, dates, units and negations, and each name of one, or a telling part of
    it, stands in the other.
    """
    first, second = ({(each.kind, each.key) for each in values(text) if each.kind in _EXACT} for text in (one, other))
    return first == second and _names_all(one, in_words_of=other) and _names_all(other, in_words_of=one)


def _names_all(text: str, *, in_words_of: str) -> bool:
    words = set(index_tokens(in_words_of))
    return all(
        words.issuperset(index_tokens(entity.name)) or names_one_of(in_words_of, (entity.name,))
        for entity in entities(text)
    )
