"""Reads off an observation what a team needs, without a model: facts, relations, a candidate answer, the next hop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from amb_core.team.answer_words import NO_PERSON, ORGANISATION
from amb_core.team.answering import Guess, guesses
from amb_core.team.bridging import asks_in_words, bridges, next_queries
from amb_core.team.comparing import compare
from amb_core.team.curating import CuratedFact, CuratedObservation, CuratedRelation, CuratorRequest
from amb_core.team.dead_ends import is_dead_end, nothing_found
from amb_core.team.queries import argument_of, bare_name
from amb_core.team.question_types import focus_of
from amb_core.team.reading import Sentence, is_adjective, named, read, stated_values, weights
from amb_core.team.relation_words import RELATIONS, Relation
from amb_core.text import about, index_tokens, name_key
from amb_core.text.mentions import core_names

__all__ = ["LocalCurator"]

_MOST_FACTS = 5
_LONGEST = 12_000
"""Characters of an observation that are read; a page says what it is about at its beginning."""
_SURE = 1.8
"""A guess with so much for it counts as the answer to the task."""
_VALUE = _NAMED = 0.1
_VALUES = {"date": ("date",), "number": ("number",), "choice": ("date", "number"), "yes-no": ("date", "number")}
_OPEN = 0.6
"""How much of its sureness is left to a guess while other hops are open."""
_Stated = tuple[str, str, str, int]
"""Subject, relation, value, and where its sentence begins."""


class LocalCurator:
    """A Curator by patterns, names and question types.

    Nothing it says is not in the observation, but for yes and no, and for the one of two things the task has it choose
    between.
    """

    def curate(self, request: CuratorRequest) -> CuratedObservation:
        """What is in the observation for the sub-question and the task."""
        text = request.observation[:_LONGEST]
        if is_dead_end(text):
            return nothing_found(request)
        asked = request.sub_question or argument_of(request.action)
        title = bare_name(argument_of(request.action))
        counts = weights(request.task, spent=(title,))
        sentences = read(text, weights(f"{asked} {request.task}"))
        relations = _relations(text, sentences, asked, request.task)
        mentions = named(sentences)
        answer, closes, confidence = _answer(request, text, sentences, relations, title)
        wanted = _wanted(relations, request.task)
        over = bridges(mentions, sentences, counts, task=request.task, title=title, stated=wanted)
        told = [relation for _, relation, _, _ in relations]
        queries = next_queries(request.task, bridges=over, stated=told, asked=request.asked, title=title)
        return CuratedObservation(
            entities=tuple(dict.fromkeys(mention.text for mention in mentions)),
            facts=tuple(_facts(_telling(sentences, request.task, (answer, *over[:1])), relations, about(text))),
            relations=tuple(CuratedRelation(subject=s, relation=r, value=v) for s, r, v, _ in relations),
            answer=answer,
            answers_task=closes,
            bridge_entity=next(iter(over), None),
            next_queries=() if closes else queries,
            confidence=confidence,
        )


# --- facts -----------------------------------------------------------------------------------------------------------


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
                    found.append((rank, (of, relation.name, value, sentence.start)))
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


def _telling(sentences: Sequence[Sentence], task: str, names: Sequence[str | None]) -> list[Sentence]:
    """The sentences; those weigh more that say what was read off, or a date or number where the task asks for it."""
    wanted = _VALUES.get(focus_of(task).kind, ())
    valued = {mention.at for value in wanted for mention in stated_values(sentences, value)}
    said = [name for name in names if name]
    return [
        replace(each, weight=each.weight + _VALUE * (at in valued) + _NAMED * any(name in each.text for name in said))
        for at, each in enumerate(sentences)
    ]


def _facts(sentences: Sequence[Sentence], relations: Sequence[_Stated], subjects: Sequence[str]) -> list[CuratedFact]:
    """The sentences that speak of what is asked, or state a relation, as they stand in the text.

    Who stars in a film is told by so many that it counts only where it is asked for.
    """
    stated = {start: (subject, relation, value) for subject, relation, value, start in reversed(relations)}
    telling = [
        each for each in sentences if each.weight > 0 or stated.get(each.start, ("", "performer"))[1] != "performer"
    ]
    best = sorted(telling, key=lambda each: (-(each.weight + 0.1 * (each.start in stated)), each.start))[:_MOST_FACTS]
    facts = []
    for each in sorted(best, key=lambda each: each.start):
        subject, relation, value = stated.get(each.start, (next(iter(subjects), ""), "", ""))
        confidence = min(0.5 + each.weight / 2 + 0.2 * bool(relation), 0.95)
        facts.append(
            CuratedFact(
                text=each.text, start=each.start, end=each.end, subject=subject, relation=relation, value=value,
                confidence=round(confidence, 3),
            )
        )  # fmt: skip
    return facts


# --- the answer ------------------------------------------------------------------------------------------------------


def _answer(
    request: CuratorRequest, text: str, sentences: Sequence[Sentence], relations: Sequence[_Stated], title: str
) -> tuple[str | None, bool, float]:
    """A candidate answer, whether it answers the whole task, and how sure that is."""
    focus = focus_of(request.task)
    judged = compare(request.task, title=title, text=text, known=request.known)
    if judged is not None:
        return judged, True, 0.75
    if focus.kind in ("yes-no", "choice"):
        return None, False, 0.2
    asked = request.sub_question or title
    direct = _direct(asked, relations) if name_key(asked) not in name_key(request.task) else None
    counts = weights(request.task, spent=(title, *request.known))
    subject = next(iter(about(text)), title)
    wanted = _wanted(relations, request.task)
    best = guesses(focus, sentences, counts, subject=subject, task=request.task, stated=wanted)
    if asks_in_words(title):
        best = [guess for guess in best if f" {name_key(guess.text)} " not in f" {name_key(title)} "]
    last = direct is not None and _asks_last(asked, focus.head) and _found_before(request, title)
    if not best:
        return direct, last, 0.8 if direct else 0.2
    closes = not last and _closes(request, best[0], title)
    if direct and not closes:
        alone = last or _alone(asked, request.task)
        return direct, alone and name_key(direct) not in name_key(request.task), 0.8
    sure = _confidence(best)
    return best[0].text, closes, sure if closes else round(_OPEN * sure, 2)


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
            for subject, name, value, _ in relations:
                if name == relation.name and name_key(value) not in name_key(asked):
                    return value
                if name == relation.name == "spouse" and name_key(subject) not in name_key(asked):
                    return subject
    return None


def _wanted(relations: Sequence[_Stated], task: str) -> list[str]:
    """Values of relations that the task asks for."""
    names = {relation.name for relation in RELATIONS if relation.asked.search(task)}
    return [value for _, name, value, _ in relations if name in names]


def _alone(asked: str, task: str) -> bool:
    """Whether nothing that the task asks for is left to find out beside the sub-question."""
    return all(relation.asked.search(asked) for relation in RELATIONS if relation.asked.search(task))


def _asks_last(asked: str, head: str) -> bool:
    """Whether a sub-question asks for what the task asks for in the end: the spouse, for the spouse of the director."""
    return any(relation.asked.search(asked) and relation.asked.search(head) for relation in RELATIONS if head)


def _found_before(request: CuratorRequest, title: str) -> bool:
    """Whether what a hop is about is no name of the task, and was found in another hop."""
    asked, known = name_key(request.task), [name_key(fact) for fact in request.known]
    names = [name_key(name) for name in (title, *(entity.name for entity in core_names(title)))]
    return any(name in fact for name in names if name and name not in asked for fact in known)


def _closes(request: CuratorRequest, guess: Guess, title: str) -> bool:
    """Whether a guess answers the task: this is not the first hop, and what the hop is about was found in another."""
    found = _found_before(request, title)
    fits = guess.fit > 0 or focus_of(request.task).kind not in ("person", "place", "date", "number")
    return found and fits and bool(index_tokens(title)) and guess.score >= _SURE
