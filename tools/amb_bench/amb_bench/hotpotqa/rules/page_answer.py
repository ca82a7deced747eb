"""The answer to a question that a page holds, by relations, names and question types; English and Chinese."""

from __future__ import annotations

from collections.abc import Sequence

from amb_bench.hotpotqa.rules.answer_words import NO_PERSON, ORGANISATION
from amb_bench.hotpotqa.rules.compared_pages import compare
from amb_bench.hotpotqa.rules.guesses import Guess, guesses
from amb_bench.hotpotqa.rules.question_reader import Sentence, is_adjective, read, weights
from amb_bench.hotpotqa.rules.question_types import focus_of
from amb_bench.hotpotqa.rules.relation_words import RELATIONS, Relation
from amb_core.text import about, index_tokens, name_key
from amb_core.text.proper_names import core_names
from amb_team.actions import bare_name
from amb_team.curator import is_dead_end

__all__ = ["answer_of_page"]

_LONGEST = 12_000
"""Characters of a page that are read; it says what it is about at its beginning."""
_SURE = 1.8
"""A guess with so much for it counts as the answer to the question."""
_OPEN = 0.6
"""How much of its sureness is left to a guess while other hops are open."""
_Stated = tuple[str, str, str]
"""Subject, relation, value."""


def answer_of_page(question: str, title: str, page: str, *, known: Sequence[str]) -> tuple[str | None, float]:
    """A candidate answer and how sure it is, None where there is none; `known` are the other pages."""
    text = page[:_LONGEST]
    if is_dead_end(text):
        return None, 0.0
    title = bare_name(title)
    sentences = read(text, weights(f"{title} {question}"))
    relations = _relations(text, sentences, title, question)
    judged = compare(question, title=title, text=text, known=known)
    if judged is not None:
        return judged, 0.75
    focus = focus_of(question)
    if focus.kind in ("yes-no", "choice"):
        return None, 0.2
    direct = _direct(title, relations) if name_key(title) not in name_key(question) else None
    counts = weights(question, spent=(title, *known))
    subject = next(iter(about(text)), title)
    best = guesses(focus, sentences, counts, subject=subject, task=question, stated=_wanted(relations, question))
    if _asks_in_words(title):
        best = [guess for guess in best if f" {name_key(guess.text)} " not in f" {name_key(title)} "]
    found = _found_before(question, title, known)
    last = direct is not None and _asks_last(title, focus.head) and found
    if not best:
        return direct, 0.8 if direct else 0.2
    closes = not last and found and _closes(question, best[0], title)
    if direct and not closes:
        return direct, 0.8
    sure = _confidence(best)
    return best[0].text, sure if closes else round(_OPEN * sure, 2)


def _relations(text: str, sentences: Sequence[Sentence], asked: str, task: str) -> list[_Stated]:
    """Relations that the text states, those that are asked for first."""
    subject = next(iter(about(text)), "")
    found: list[tuple[int, _Stated]] = []
    for relation in RELATIONS:
        rank = 0 if relation.asked.search(asked) else 1 if relation.asked.search(task) else 2
        for sentence in sentences:
            for value in _values_of(relation, sentence.text):
                of = next(iter(about(sentence.text)), "") or subject
                if value and name_key(value) != name_key(of):
                    found.append((rank, (of, relation.name, value)))
    return [stated for _, stated in sorted(found, key=lambda each: each[0])]


def _values_of(relation: Relation, sentence: str) -> list[str]:
    matches = (pattern.search(sentence) for pattern in relation.stated)
    found = (match for match in matches if match and not is_adjective(sentence, match["value"], match.end("value")))
    return list(dict.fromkeys(_without_band(match["value"].strip(" .,;，。")) for match in found))


def _without_band(value: str) -> str:
    """A person without what they are of: Trent Reznor, of Trent Reznor of Nine Inch Nails."""
    person, of, _ = value.partition(" of ")
    is_person = of and len(person.split()) in (2, 3) and not (ORGANISATION.search(person) or NO_PERSON.search(person))
    return person if is_person else value


def _confidence(found: Sequence[Guess]) -> float:
    """How sure the best guess is: by what speaks for it, and by how far the next one lies behind."""
    if found[0].score < _SURE:
        return 0.45
    rest = next((guess.score for guess in found[1:] if guess.text != found[0].text), 0.0)
    return round(0.65 + 0.07 * min(max(found[0].score - rest, 0.0), 3.0), 2)


def _direct(asked: str, relations: Sequence[_Stated]) -> str | None:
    """The value of a relation that the sub-question asks for."""
    for relation in RELATIONS:
        if relation.asked.search(asked):
            for subject, name, value in relations:
                if name == relation.name and name_key(value) not in name_key(asked):
                    return value
                if name == relation.name == "spouse" and name_key(subject) not in name_key(asked):
                    return subject
    return None


def _wanted(relations: Sequence[_Stated], task: str) -> list[str]:
    """Values of relations that the task asks for."""
    names = {relation.name for relation in RELATIONS if relation.asked.search(task)}
    return [value for _, name, value in relations if name in names]


def _asks_in_words(query: str) -> bool:
    """Whether a query says what it looks for (Titanic director), and is not only the name of a page."""
    asked = (match.group() for each in RELATIONS for match in each.asked.finditer(query))
    return any(not word[:1].isupper() for word in asked)


def _asks_last(asked: str, head: str) -> bool:
    """Whether a sub-question asks for what the task asks for in the end: the spouse, for the spouse of the director."""
    return any(relation.asked.search(asked) and relation.asked.search(head) for relation in RELATIONS if head)


def _found_before(question: str, title: str, known: Sequence[str]) -> bool:
    """Whether what a page is about is no name of the question, and is named on another page."""
    asked, told = name_key(question), [name_key(fact) for fact in known]
    names = [name_key(name) for name in (title, *(entity.name for entity in core_names(title)))]
    return any(name in fact for name in names if name and name not in asked for fact in told)


def _closes(question: str, guess: Guess, title: str) -> bool:
    """Whether a guess on a page that another one led to answers the question."""
    fits = guess.fit > 0 or focus_of(question).kind not in ("person", "place", "date", "number")
    return fits and bool(index_tokens(title)) and guess.score >= _SURE
