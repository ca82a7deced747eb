"""Reads off an observation what a team needs, without a model: stated relations, names, the next hop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.agent_io import ReadingRequest, Statement
from amb_core.agents.local_reader import EntityExtractor, LocalReader, asked_relations, terms_of
from amb_core.team.actions import argument_of, bare_name, is_page_name, normalised
from amb_core.team.curator import (
    CuratedFact,
    CuratedObservation,
    CuratedRelation,
    CuratorRequest,
    is_dead_end,
    nothing_found,
)
from amb_core.team.question_kind import question_type
from amb_core.text import Entity, entities, name_key, sentence_spans, values
from amb_core.text.proper_names import core_names

__all__ = ["LocalCurator"]

_LONGEST = 12_000
"""Characters of an observation that are read; a page says what it is about at its beginning."""
_MOST_FACTS, _MOST_QUERIES = 5, 3
_STATES = 0.2
"""How much surer a sentence is a fact that states a relation."""
_ASKED, _NAMED = 0.8, 0.3
"""How sure an answer is: of the relation that was asked for, or a name beside the question's words."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence at characters `start:end`, the share of the question's terms it has, what it states, and its names."""

    text: str
    start: int
    end: int
    share: float
    stated: Sequence[Statement]
    names: tuple[Entity, ...]


class LocalCurator:
    """A Curator by five patterns and names; all that it says stands in the observation or is a name of the question."""

    def __init__(self) -> None:
        self._reader = LocalReader()

    def curate(self, request: CuratorRequest) -> CuratedObservation:
        """What is in the observation for the sub-question and the task."""
        text = request.observation[:_LONGEST]
        if is_dead_end(text):
            return nothing_found(request)
        title = bare_name(argument_of(request.action))
        read = self._read(text, f"{request.sub_question or title} {request.task}", title)
        names = [entity.name for each in read for entity in each.names]
        entity, sure = _primary(request, read)
        kind = _value_kind(request)
        answer, sure = (entity, sure) if kind is None else (_first_value(kind, read), _NAMED)
        bridge = entity if entity and name_key(entity) not in name_key(request.task) else None
        closes = answer is not None and self._closes(request, read, is_asked=sure == _ASKED)
        return CuratedObservation(
            entities=tuple(dict.fromkeys((*names, *(each.value for each in _verbs(read))))),
            facts=tuple(_facts(read)),
            relations=tuple(CuratedRelation.of(each) for each in _verbs(read)),
            answer=answer,
            answers_task=closes,
            bridge_entity=None if closes else bridge,
            next_queries=() if closes else _next_queries(request, bridge, read),
            confidence=sure,
        )

    def _read(self, text: str, question: str, title: str) -> list[_Sentence]:
        """The sentences of a text, each with what it states and its share of the question's terms but the title's."""
        terms = terms_of(question) - terms_of(title)
        asked = ReadingRequest(text=text, question=question, only_statements=True, names=((title,),))
        stated: dict[int, list[Statement]] = {}
        for each in self._reader.read(asked).statements:
            stated.setdefault(each.span[0], []).append(each)
        found = []
        for start, end in sentence_spans(text):
            said = text[start:end].strip()
            begin = text.find(said, start)
            share = len(terms & terms_of(said)) / (len(terms) or 1)
            names = tuple(each for each in core_names(said) if name_key(each.name) and not each.name[:1].isdigit())
            if said:
                found.append(_Sentence(said, begin, begin + len(said), share, stated.get(begin, []), names))
        return found

    def _closes(self, request: CuratorRequest, read: Sequence[_Sentence], *, is_asked: bool) -> bool:
        """Whether an answer is one to the task.

        No relation that it asks for is open; and it asks for nothing else, or an earlier hop named this page.
        """
        asked = asked_relations(request.task)
        known = {each.attribute for text in request.known for each in EntityExtractor().extract(text)}
        if not asked.keys() <= known | {each.attribute for each in _verbs(read)}:
            return False
        here = argument_of(request.action)
        told = " ".join((here, *request.known, *(each.subject for each in _verbs(read))))
        if is_asked and asked and not terms_of(request.task) - terms_of(" ".join(asked.values())) - terms_of(told):
            return True
        title = name_key(bare_name(here))
        is_new = bool(title) and title not in name_key(request.task)
        return is_new and any(title in name_key(text) for text in request.known)


def _verbs(read: Sequence[_Sentence]) -> list[Statement]:
    """What is stated by a verb, and not only that something is something."""
    return [stated for each in read for stated in each.stated if stated.attribute != "is"]


def _primary(request: CuratorRequest, read: Sequence[_Sentence]) -> tuple[str | None, float]:
    """The main entity of the observation, as the words of the query decide, and how sure that is.

    Of a relation that was asked for it is the side which the query does not name; else, in the sentence that has most
    of the question's terms, the new name nearest to one. Two things that are compared have none.
    """
    asked = request.sub_question or argument_of(request.action)
    known = name_key(f"{asked} {argument_of(request.action)} {request.task}")
    for question, named in ((asked, name_key(asked)), (request.task, known)):
        for each in _stated_as_asked(question, _verbs(read)):
            new = next((side for side in (each.value, each.subject) if side and name_key(side) not in named), None)
            if new:
                return new, _ASKED
    if question_type(request.task) in ("yes-no", "choice"):
        return None, 0.0
    terms = terms_of(request.task) - terms_of(argument_of(request.action))
    for sentence in sorted(read, key=lambda each: -each.share):
        names = [each for each in sentence.names if name_key(each.name) not in known]
        if names:
            places = [place for term in terms if (place := sentence.text.casefold().find(term)) >= 0]
            return min(names, key=lambda each: _distance(each, places)).name, _NAMED
    return None, 0.0


def _distance(name: Entity, places: Sequence[int]) -> int:
    """Characters from a name to the nearest of some places; without any the first name is the nearest."""
    return min((abs(name.start - place) for place in places), default=name.start)


def _stated_as_asked(question: str, stated: Sequence[Statement]) -> list[Statement]:
    """What is stated in the words of a question."""
    terms, asked = terms_of(question), asked_relations(question)
    return [each for each in stated if each.attribute in asked or terms & terms_of(each.attribute)]


def _value_kind(request: CuratorRequest) -> str | None:
    """`date` or `number` where the sub-question, or else the task, asks for one; else None."""
    asked = request.sub_question if request.sub_question.rstrip().endswith(("?", "？")) else request.task
    kind = question_type(asked)
    return kind if kind in ("date", "number") else None


def _first_value(kind: str, read: Sequence[_Sentence]) -> str | None:
    """The first value of a kind in the sentence that has most of the question's terms."""
    best = sorted(read, key=lambda each: -each.share)
    return next((value.surface for each in best for value in values(each.text) if value.kind == kind), None)


def _facts(read: Sequence[_Sentence]) -> list[CuratedFact]:
    """The first sentence and those that state something or share terms with the question, the best of them in order."""
    telling = [each for each in read if each is read[0] or each.stated or each.share > 0]
    best = sorted(telling, key=lambda each: (-(each.share + _STATES * bool(each.stated)), each.start))[:_MOST_FACTS]
    facts = []
    for each in sorted(best, key=lambda each: each.start):
        first = next(iter(each.stated), Statement(text=""))
        sure = min(0.5 + each.share / 2 + _STATES * bool(_verbs([each])), 0.95)
        facts.append(
            CuratedFact(
                text=each.text, start=each.start, end=each.end, subject=first.subject, relation=first.attribute,
                value=first.value, confidence=round(sure, 3),
            )
        )  # fmt: skip
    return facts


def _next_queries(request: CuratorRequest, bridge: str | None, read: Sequence[_Sentence]) -> tuple[str, ...]:
    """The bridge, then names of the task that nobody searched for.

    A search in words, Titanic director, is followed by the bridge with what the task asks for beside.
    """
    query = argument_of(request.action)
    done = {normalised(each) for each in (*request.asked, query)}
    if bridge and not is_page_name(query):
        stated = {each.attribute for each in _verbs(read)}
        left = [word for relation, word in asked_relations(request.task).items() if relation not in stated]
        bridge = " ".join([bridge, *left[:1]])
    names = [entity.name for entity in entities(request.task) if name_key(entity.name) not in name_key(query)]
    queries: list[str] = [bridge, *names] if bridge else names
    return tuple([each for each in dict.fromkeys(queries) if normalised(each) not in done][:_MOST_QUERIES])
