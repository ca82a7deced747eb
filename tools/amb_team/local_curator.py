"""Reads off an observation what a team needs, without a model: stated relations, names, the next hop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from amb_core.agent_io import ReadingRequest, Statement
from amb_readers.asked_values import asked_value, is_epithet, main_verb
from amb_readers.local_reader import EntityExtractor, LocalReader, asked_relations, terms_of
from amb_readers.open_words import OpenWord, open_words, wanted
from amb_team.actions import argument_of, bare_name, normalised
from amb_team.curator import (
    CuratedFact,
    CuratedObservation,
    CuratedRelation,
    CuratorRequest,
    is_dead_end,
    nothing_found,
)
from amb_team.question_kind import choices_of, question_type
from amb_values import Entity, Value, entities, name_key, sentence_spans, values
from amb_values.proper_names import core_names

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
        before = _open(request)
        read = self._read(text, f"{request.sub_question or title} {request.task}", title, before)
        names = [entity.name for each in read for entity in each.names]
        entity, sure, said = _primary(request, read, before)
        is_known = not entity or entity[:1].isdigit() or name_key(entity) in name_key(request.task)
        new = None if is_known else entity
        after = [word for word in _open(request, read, found=not is_known) if word.text != said]
        leads_on = bool(new) and any(not x.is_kind for x in after) and not _is_told(request, read, before)
        answer, sure = _answer(request, read, entity, sure, leads_on=leads_on)
        asked = {term for word in before if not word.is_kind for term in terms_of(word.text)}
        borne = any(answer is not None and answer in each.text and asked & terms_of(each.text) for each in read)
        if borne and not _is_compared(request):
            sure = _ASKED
        closes = answer is not None and _closes(request, read, after, is_asked=sure == _ASKED, said=said)
        if answer is not None and name_key(answer) in map(name_key, request.refuted):
            (answer, sure), closes = _other(request, read, answer, sure), False
        bridge = None if closes or _is_compared(request) or _is_value(answer, entity) else new
        return CuratedObservation(
            entities=tuple(dict.fromkeys((*names, *(each.value for each in _verbs(read))))),
            facts=tuple(_facts(read)),
            relations=tuple(CuratedRelation.of(each) for each in _verbs(read)),
            answer=answer,
            answers_task=closes,
            bridge_entity=bridge,
            next_queries=() if closes else _next_queries(request, bridge, after),
            confidence=sure,
        )

    def _read(self, text: str, question: str, title: str, before: Sequence[OpenWord]) -> list[_Sentence]:
        """The sentences of a text, each with what it states and its share of the question's terms but the title's.

        Terms of words that are open count twice.
        """
        terms = terms_of(question) - terms_of(title)
        asked = terms & {term for word in before for term in terms_of(word.text)}
        reading = ReadingRequest(text=text, question=question, only_statements=True, names=((title,),))
        stated: dict[int, list[Statement]] = {}
        for each in self._reader.read(reading).statements:
            stated.setdefault(each.span[0], []).append(each)
        found = []
        for start, end in sentence_spans(text):
            said = text[start:end].strip()
            begin = text.find(said, start)
            has = terms_of(said)
            share = (len(terms & has) + len(asked & has)) / (len(terms) + len(asked) or 1)
            names = tuple(
                each
                for each in core_names(said)
                if name_key(each.name)
                and not each.name[:1].isdigit()
                and not is_epithet(said, each.end, each.start, question)
            )
            if said:
                found.append(_Sentence(said, begin, begin + len(said), share, stated.get(begin, []), names))
        return found


def _open(request: CuratorRequest, read: Sequence[_Sentence] = (), *, found: bool = False) -> list[OpenWord]:
    """What of the task is open by what is known, and by what was read."""
    stated = {each.attribute for text in request.known for each in EntityExtractor().extract(text)}
    here = bare_name(argument_of(request.action))
    stated |= {each.attribute for one in read for each in EntityExtractor().extract(one.text, subject=here)}
    resolved = [word for relation, word in asked_relations(request.task).items() if relation in stated]
    names = [entity.name for entity in entities(request.task)] or [
        bare_name(argument_of(request.action)),
        *request.asked,
    ]
    told = "\n".join((*request.known, *(each.text for each in read)))
    return open_words(request.task, names=names, told=told, resolved=resolved, found=found or bool(told))


def _closes(
    request: CuratorRequest, read: Sequence[_Sentence], after: Sequence[OpenWord], *, is_asked: bool, said: str
) -> bool:
    """Whether an answer is one to the task: nothing is open, and it asks for nothing else or a known hop named this."""
    if _is_compared(request):
        return False
    if is_asked and (not after or (said and _is_led_to(request) and said in _outermost(request.task))):
        return True
    if not all(word.is_kind for word in after):
        return False
    asked, here = asked_relations(request.task), argument_of(request.action)
    told = " ".join((here, *request.known, *(each.subject for each in _verbs(read))))
    if is_asked and asked and not terms_of(request.task) - terms_of(" ".join(asked.values())) - terms_of(told):
        return True
    parts = {bare_name(here), *(name.name for name in core_names(here)), *here.split(" ")[:1]}
    keys = [
        name_key(part) for part in parts if len(name_key(part)) > 1 and name_key(part) not in name_key(request.task)
    ]
    leads = [text for text in request.known if any(key in name_key(text) for key in keys)]
    return any(_bears_on(text, request.task) for text in leads)


def _is_led_to(request: CuratorRequest) -> bool:
    """Whether an action asks for something that the task does not name."""
    here, task = argument_of(request.action), name_key(request.task)
    parts = (bare_name(here), here.split(" ")[0], *(name.name for name in core_names(here)))
    return not any(name_key(part) in task for part in parts if part)


def _outermost(task: str) -> tuple[str, ...]:
    """The words that a task asks with last of all: those farthest from its names, and what who or which thing does."""
    words = [word for word in open_words(task, names=[each.name for each in entities(task)]) if not word.is_kind]
    return main_verb(task), max(words, key=lambda word: word.far).text if words else ""


def _bears_on(text: str, task: str) -> bool:
    """Whether a known fact has a word of the task, or states a relation that it asks for."""
    stated = {each.attribute for each in EntityExtractor().extract(text)}
    asked = {term for word in open_words(task, names=()) if not word.is_kind for term in terms_of(word.text)}
    return bool(asked & terms_of(text) or stated & asked_relations(task).keys())


def _is_compared(request: CuratorRequest) -> bool:
    return question_type(request.task) in ("yes-no", "choice")


def _is_value(answer: str | None, entity: str | None) -> bool:
    """Whether a hop is answered by a value, and no name leads on from it."""
    return answer is not None and answer != entity


def _verbs(read: Sequence[_Sentence]) -> list[Statement]:
    """What is stated by a verb, and not only that something is something."""
    return [stated for each in read for stated in each.stated if stated.attribute != "is"]


def _primary(
    request: CuratorRequest, read: Sequence[_Sentence], before: Sequence[OpenWord]
) -> tuple[str | None, float, str]:
    """The main entity of the observation, as the words of the query decide, how sure that is, and by which open word.

    Of a relation that was asked for it is the side which the query does not name; else what a Chinese sentence says an
    open word to be; else, in the sentence that has most of the open words, the new name nearest to one.
    """
    asked = request.sub_question or argument_of(request.action)
    known = name_key(f"{asked} {argument_of(request.action)} {request.task}")
    for question, named in ((asked, name_key(asked)), (request.task, known)):
        for each in _stated_as_asked(question, _verbs(read)):
            new = next((side for side in (each.value, each.subject) if side and name_key(side) not in named), None)
            if new:
                return new, _ASKED, ""
    if _is_compared(request):
        return None, 0.0, ""
    words = [word.text for word in sorted(before, key=lambda each: each.far) if not word.is_kind]
    for sentence in read:
        if value := asked_value(sentence.text, request.task, words):
            return value[0], _ASKED, value[1]
    name = _nearest_name(request, read, before)
    return name, _NAMED if name else 0.0, ""


def _nearest_name(request: CuratorRequest, read: Sequence[_Sentence], before: Sequence[OpenWord] = ()) -> str | None:
    """In the sentence that has most of the question's words, the new name nearest to an open one."""
    asked, here = request.sub_question or argument_of(request.action), bare_name(argument_of(request.action))
    known = name_key(f"{asked} {argument_of(request.action)} {request.task}")
    terms = {term for word in before for term in terms_of(word.text)} or terms_of(request.task)
    pages = [set(name_key(name).split()) for name in (here, *(one.name for one in core_names(here)))]
    for sentence in sorted(read, key=lambda each: -each.share):
        names = [each for each in sentence.names if name_key(each.name) not in known]
        names = [each for each in names if not any(page and page <= {*name_key(each.name).split()} for page in pages)]
        if names:
            places = [place for term in terms if (place := sentence.text.casefold().find(term)) >= 0]
            return min(names, key=lambda each: _distance(each, places)).name
    return None


def _answer(
    request: CuratorRequest, read: Sequence[_Sentence], entity: str | None, sure: float, *, leads_on: bool
) -> tuple[str | None, float]:
    """The answer to a hop: the name that leads on, else a value of the kind that is asked, else that name.

    Of two things that are compared it is what is said of this one.
    """
    kind = _value_kind(request)
    if _is_compared(request):
        stated = next((each.value for one in read for each in one.stated), None)
        said = _first_value("date", read, request.task) or _first_value("number", read, request.task) or stated
        return said or _nearest_name(request, read), _NAMED
    if kind is None or (leads_on and not request.sub_question.rstrip().endswith(("?", "？"))):
        return entity, sure
    value = _first_value(kind, read, request.task)
    return (entity, sure) if value is None else (value, _NAMED)


def _other(request: CuratorRequest, read: Sequence[_Sentence], refuted: str, sure: float) -> tuple[str | None, float]:
    """Another answer than those that did not hold: the same place told more fully, else the next value or name."""
    wrong = {name_key(each) for each in request.refuted}
    fuller = (re.search(rf"{re.escape(refuted)}, [A-Z]\w+(?: [A-Z]\w+)*", each.text) for each in read)
    if told := next((found.group() for found in fuller if found and name_key(found.group()) not in wrong), ""):
        return told, sure
    best = sorted(read, key=lambda each: -each.share)
    if kind := _value_kind(request):
        of_kind = (value.surface for each in best for value in values(each.text) if value.kind == kind)
        return next((each for each in of_kind if name_key(each) not in wrong), None), _NAMED
    left = [replace(each, names=tuple(one for one in each.names if name_key(one.name) not in wrong)) for each in best]
    return _nearest_name(request, left), _NAMED


def _is_told(request: CuratorRequest, read: Sequence[_Sentence], before: Sequence[OpenWord]) -> bool:
    """Whether a sentence on a page that another hop led to gives the value that is asked, with an open word."""
    kind, terms = _value_kind(request), {term for word in before if not word.is_kind for term in terms_of(word.text)}
    said = (each for each in read if kind is not None and terms & terms_of(each.text))
    return _is_led_to(request) and any(value.kind == kind for each in said for value in values(each.text))


def _distance(name: Entity | Value, places: Sequence[int]) -> int:
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


def _first_value(kind: str, read: Sequence[_Sentence], task: str) -> str | None:
    """In the sentence with a value of a kind that has most of the question's terms, the value nearest to one."""
    best = sorted(read, key=lambda each: -each.share)
    found = next((of for each in best if (of := [value for value in values(each.text) if value.kind == kind])), [])
    said = next((each.text for each in best if found and found[0].surface in each.text), "")
    places = [at for term in terms_of(task) if (at := said.casefold().find(term)) >= 0]
    return min(found, key=lambda value: _distance(value, places)).surface if found else None


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


def _next_queries(request: CuratorRequest, bridge: str | None, after: Sequence[OpenWord]) -> tuple[str, ...]:
    """The bridge with what the task asks of it, then names of the task that nobody searched for; no page's own name.

    Where pages are looked up by their names the bridge comes first by itself.
    """
    query = argument_of(request.action)
    done = {normalised(each) for each in (*request.asked, query)}
    queries: list[str] = []
    if bridge:
        asked = f"{bridge} {wanted(after)}".strip()
        queries = [bridge, asked] if _is_page(query, request.task) else [asked]
    told = name_key(" ".join((query, *request.asked)))
    names = choices_of(request.task) or [entity.name for entity in entities(request.task)]
    queries += [name for name in names if name_key(name) not in told]
    return tuple([each for each in dict.fromkeys(queries) if normalised(each) not in done][:_MOST_QUERIES])


def _is_page(query: str, task: str) -> bool:
    """Whether a query is the name of a page: it has no word of what the task asks about names."""
    asked = open_words(task, names=[entity.name for entity in entities(task)] or [query])
    return not any(word.text.casefold() in query.casefold() for word in asked)
