"""The next action from what an agent is shown, without a model: names of the question, then names on the way.

The same policy acts in every arm; it sees nothing but the question and the text, and a longer memory helps it only by
what stands there.
"""

from __future__ import annotations

from collections.abc import Iterator

from amb_bench.hotpotqa.question_answers import answered, overlap
from amb_bench.hotpotqa.shown import Shown, read_shown
from amb_team.actions import normalised
from amb_values import entities, name_key

__all__ = ["next_action"]

_LEAST = 0.45
"""What a candidate must be worth to be searched for while an answer could be given."""
_ENOUGH = 0.75
"""How sure an answer must be to be given before the last step."""
_LIKE = 0.6
"""Share of terms that an earlier task has in common with this one to be followed."""
_NAMED, _WHOLE_QUESTION, _PLANNED, _LATER, _KNOWN_WAY = 0.9, 0.8, 0.95, 0.1, 2.0
_MOST_STATEMENTS = 30


def next_action(question: str, text: str, *, steps_left: int, may_finish: bool) -> str:
    """`Search[…]`, or `Finish[…]` when nothing is worth searching for or this is the last step."""
    shown = read_shown(text, question=question)
    told = answered(question, shown) if may_finish else None
    if told is not None and (steps_left <= 1 or told.confidence >= _ENOUGH):
        return f"Finish[{told.answer}]"
    ways = [way for way in shown.ways if overlap(question, way.task) >= _LIKE]
    known = [query for way in ways for query in way.searches]
    worth = _worth(question, shown)
    for query in known:
        worth[query] = _KNOWN_WAY
    open_queries = {query: value for query, value in worth.items() if normalised(query) not in shown.done}
    best = max(open_queries, key=lambda query: open_queries[query], default="")
    followed = bool(known) and all(normalised(query) in shown.done for query in known)
    if best and (open_queries[best] >= _LEAST or not may_finish) and not (followed and may_finish):
        return f"Search[{best}]"
    return f"Finish[{told.answer}]" if told is not None else f"Search[{best or question}]"


def _worth(question: str, shown: Shown) -> dict[str, float]:
    """What each query that suggests itself is worth, best first among equals."""
    worth: dict[str, float] = {}
    for query, value in (*_of_question(question), *_of_results(question, shown), *_of_statements(question, shown)):
        worth[query] = max(worth.get(query, 0.0), value)
    for place, plan in enumerate(shown.plans):
        worth[plan] = max(worth.get(plan, 0.0), _PLANNED - _LATER * place)
    return worth


def _of_question(question: str) -> Iterator[tuple[str, float]]:
    """The names a question gives, and the question itself when a name is not enough."""
    yield from ((entity.name, _NAMED) for entity in entities(question))
    yield question, _WHOLE_QUESTION


def _of_results(question: str, shown: Shown) -> Iterator[tuple[str, float]]:
    """Titles of pages that a search found to be similar."""
    for place, title in enumerate(shown.similar):
        yield title, 0.45 + 0.5 * overlap(title, question) - 0.02 * place


def _of_statements(question: str, shown: Shown) -> Iterator[tuple[str, float]]:
    """Names in statements that speak of what is asked."""
    asked = name_key(question)
    for statement in sorted(shown.statements, key=lambda each: -overlap(question, each))[:_MOST_STATEMENTS]:
        near = overlap(question, statement)
        for place, entity in enumerate(entities(statement)):
            if len(entity.name) > 2 and name_key(entity.name) not in asked and not entity.name[:1].isdigit():
                yield entity.name, 0.25 + near - 0.01 * place
