"""Reads off an observation what a team needs, without a model: facts, relations, a candidate answer, the next hop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from amb_core.team.curating import CuratedFact, CuratedObservation, CuratedRelation, CuratorRequest
from amb_core.team.queries import argument_of
from amb_core.team.question_types import choices, question_type
from amb_core.team.relation_words import RELATIONS, Relation
from amb_core.text import Entity, about, entities, index_tokens, name_key, sentence_spans, values

__all__ = ["LocalCurator"]

_MOST_FACTS = 5
_MOST_QUERIES = 3
_LONGEST = 12_000
"""Characters of an observation that are read; a page says what it is about at its beginning."""
_DEAD_END = re.compile(
    r"^\s*(?:could not find|no (?:more )?results?|not found|nothing found|invalid action|error\b|\(?no results)"
    r"|^\s*(?:未找到|没有找到|找不到|无结果|没有结果|无效)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with its span and index terms, and how far it speaks of what is asked."""

    text: str
    start: int
    end: int
    weight: float


class LocalCurator:
    """A Curator by patterns, names and question types; nothing it says is not in the observation."""

    def curate(self, request: CuratorRequest) -> CuratedObservation:
        """What is in the observation for the sub-question and the task."""
        text = request.observation[:_LONGEST]
        if not text.strip() or _DEAD_END.search(text):
            return CuratedObservation(is_dead_end=True)
        asked = request.sub_question or argument_of(request.action)
        sentences = _weighed(text, f"{asked} {request.task}")
        relations = _relations(text, sentences, asked, request.task)
        found = [entity.name for entity in _whole(entities(text))]
        answer, direct = _answer(asked, request.task, sentences, relations, found)
        bridge = _bridge(request, answer, relations, found)
        closes = bool(answer) and _closes(request, answer or "", direct)
        return CuratedObservation(
            entities=tuple(dict.fromkeys(found)),
            facts=tuple(_facts(sentences, relations, about(text))),
            relations=tuple(CuratedRelation(subject=s, relation=r, value=v) for s, r, v, _ in relations),
            answer=answer,
            answers_task=closes,
            bridge_entity=bridge,
            next_queries=() if closes else tuple(_next(request, bridge, relations)),
            confidence=(0.8 if direct else 0.5) if answer else 0.2,
        )


# --- facts -----------------------------------------------------------------------------------------------------------


def _weighed(text: str, question: str) -> list[_Sentence]:
    """The sentences with the share of the question's terms in each; the first says what a page is about."""
    wanted = set(index_tokens(question))
    sentences = []
    for place, (start, end) in enumerate(sentence_spans(text)):
        said = text[start:end].strip()
        terms = set(index_tokens(said))
        weight = len(terms & wanted) / (len(wanted) or 1) + (0.15 if place == 0 else 0.0)
        sentences.append(_Sentence(said, start, start + len(text[start:end].rstrip()), weight))
    return sentences


_Stated = tuple[str, str, str, int]
"""Subject, relation, value, and where its sentence begins."""


def _relations(text: str, sentences: Sequence[_Sentence], asked: str, task: str) -> list[_Stated]:
    """Relations that the text states, those that are asked for first."""
    subject = next(iter(about(text)), "")
    found: list[tuple[int, _Stated]] = []
    for relation in RELATIONS:
        rank = 0 if relation.asked.search(asked) else 1 if relation.asked.search(task) else 2
        for sentence in sentences:
            for value in _values_of(relation, sentence.text):
                of = next(iter(about(sentence.text)), "") or subject
                if name_key(value) != name_key(of):
                    found.append((rank, (of, relation.name, value, sentence.start)))
    return [stated for _, stated in sorted(found, key=lambda each: each[0])]


def _values_of(relation: Relation, sentence: str) -> list[str]:
    matches = (pattern.search(sentence) for pattern in relation.stated)
    return list(dict.fromkeys(match.group("value").strip(" .,;，。") for match in matches if match))


def _facts(sentences: Sequence[_Sentence], relations: Sequence[_Stated], subjects: Sequence[str]) -> list[CuratedFact]:
    """The sentences that speak of what is asked, or state a relation, as they stand in the text."""
    stated = {start: (subject, relation, value) for subject, relation, value, start in reversed(relations)}
    telling = [each for each in sentences if each.text and (each.weight > 0 or each.start in stated)]
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
    asked: str, task: str, sentences: Sequence[_Sentence], relations: Sequence[_Stated], found: Sequence[str]
) -> tuple[str | None, bool]:
    """A candidate answer, and whether a pattern states it for what is asked."""
    for question in (asked, task):
        for relation in RELATIONS:
            value = next((each[2] for each in relations if each[1] == relation.name), None)
            if value and relation.asked.search(question) and _fits(relation, question_type(task), question is asked):
                return value, question is asked
    known = {name_key(entity.name) for entity in entities(f"{asked} {task}")}
    by_weight = sorted(sentences, key=lambda each: -each.weight)
    for question in (asked, task):
        value = _by_type(question, by_weight, known, found)
        if value:
            return value, False
    return None, False


def _fits(relation: Relation, kind: str, of_sub_question: bool) -> bool:
    """Whether a relation can answer a task of a kind; a sub-question may ask for anything."""
    if of_sub_question:
        return True
    places = ("location", "birthplace", "capital", "nationality")
    if kind == "place":
        return relation.name in places
    return kind in ("person", "other") and relation.name not in places


def _by_type(question: str, sentences: Sequence[_Sentence], known: set[str], found: Sequence[str]) -> str | None:
    """What of the right type stands in the most telling sentence."""
    kind = question_type(question)
    if kind == "choice":
        told = [each for each in choices(question) if any(each in sentence.text for sentence in sentences)]
        return told[0] if len(told) == 1 else None
    if kind in ("date", "number"):
        for sentence in sentences:
            wanted = [value for value in values(sentence.text) if value.kind == kind]
            if wanted:
                return wanted[0].surface
        return None
    if kind in ("person", "place", "organisation", "work"):
        for sentence in sentences:
            named = [entity.name for entity in _whole(entities(sentence.text)) if name_key(entity.name) not in known]
            if named:
                return named[0]
    return None


def _closes(request: CuratorRequest, answer: str, direct: bool) -> bool:
    """Whether an answer to the sub-question is one to the whole task: nothing the task asks for is left to find out."""
    open_relations = [relation for relation in RELATIONS if relation.asked.search(request.task)]
    asked = request.sub_question or argument_of(request.action)
    left = [relation for relation in open_relations if not relation.asked.search(asked)]
    return direct and not left and name_key(answer) not in name_key(request.task)


# --- the next hop ----------------------------------------------------------------------------------------------------


def _bridge(
    request: CuratorRequest, answer: str | None, relations: Sequence[_Stated], found: Sequence[str]
) -> str | None:
    """The entity over which the next hop goes: what was found, if the task does not name it already."""
    task, title = name_key(request.task), name_key(argument_of(request.action))
    fresh = [name for name in found if name_key(name) not in task and name_key(name) not in title]
    asked_for = [value for _, _, value, _ in relations if name_key(value) not in task]
    for name in (answer, *asked_for[:1], *fresh):
        if name and name_key(name) not in task and not name[:1].isdigit():
            return name
    return None


def _next(request: CuratorRequest, bridge: str | None, relations: Sequence[_Stated]) -> list[str]:
    """What to ask next: the bridge with what the task still asks for, the bridge alone, names not asked about yet."""
    done = {" ".join(index_tokens(query)) for query in (*request.asked, argument_of(request.action))}
    stated = {relation for _, relation, _, _ in relations}
    wanted = [each for each in RELATIONS if each.asked.search(request.task) and each.name not in stated]
    words = [match.group() for each in wanted if (match := each.asked.search(request.task))]
    queries = [f"{bridge} {word}" for word in words[:1]] + [bridge] if bridge else []
    queries += [entity.name for entity in _whole(entities(request.task))]
    fresh = [query for query in dict.fromkeys(queries) if query and " ".join(index_tokens(query)) not in done]
    return fresh[:_MOST_QUERIES]


def _whole(found: Sequence[Entity]) -> list[Entity]:
    """Entities that are no part of a longer one, unless that one joins two."""
    kept: list[Entity] = []
    for entity in found:
        inside = any(other.start <= entity.start and entity.end <= other.end for other in kept)
        if not inside and " and " not in entity.name and not entity.name[:1].isdigit():
            kept.append(entity)
    return kept
