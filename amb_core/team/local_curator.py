"""Reads off an observation what a team needs, without a model: stated relations, names, the next hop."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from amb_core.team.actions import argument_of, bare_name, is_page_name, normalised
from amb_core.team.curator import CuratedFact, CuratedObservation, CuratedRelation, CuratorRequest
from amb_core.team.dead_ends import is_dead_end, nothing_found
from amb_core.team.question_kind import question_type
from amb_core.text import Entity, about, entities, index_tokens, name_key, sentence_spans, values
from amb_core.text.proper_names import core_names

__all__ = ["EntityExtractor", "LocalCurator"]

_LONGEST = 12_000
"""Characters of an observation that are read; a page says what it is about at its beginning."""
_MOST_FACTS, _MOST_QUERIES = 5, 3
_STATES = 0.2
"""How much surer a sentence is a fact that states a relation."""
_ASKED, _NAMED = 0.8, 0.3
"""How sure an answer is: of the relation that was asked for, or a name beside the question's words."""

_WORD = r"[A-Z][\w'’-]{0,30}\.?"
_NAME = rf"{_WORD}(?: (?:(?:of|the|de|da|van|von|la|le) ){{0,2}}{_WORD}){{0,6}}"
_QUOTE = r"[\"“][^\"“”]{1,80}[\"”]"
_HAN = r"[\u4e00-\u9fff·A-Za-z]{2,16}?"
_BOOK = r"《[^《》]{1,40}》"
_SMALL = r"(?:[a-z][a-z-]{0,20} ){0,4}?"
_ALSO = r"(?:(?:, and|,| and) [a-z-]{2,20}){0,6}"
"""What else somebody did to the same thing: directed, written, produced, and co-edited by."""
_BEHIND = r"(?=[，。；、,;（(]|$|于|和|与|的)"
_VERBS = (
    ("director", "directed", "directed", "执导|导演", r"\bdirect(?:or|ed|s)\b|导演|执导"),
    ("author", "wrote", "written", "创作|撰写|编剧|写|著", r"\b(?:author|writer|wrote|written)\b|作者|创作|编剧|所著"),
    ("creator", "created", "created", "创造", r"\bcreat(?:or|ed)\b|创造"),
    ("producer", "produced", "produced", "制作|监制", r"\bproduce[rd]\b|制作|监制|制片"),
    ("founder", "founded", "founded", "创办|创立|创建|成立", r"\bfound(?:er|ed)\b|创始人|创建者|创办|创立|创建"),
)  # fmt: skip
"""A relation, its verb (active, passive, Chinese), and the words of a question that ask for it."""
_SPOUSE = r"\b(?:spouse|wife|husband|married)\b|妻子|丈夫|配偶|结婚|嫁给"


def _made(active: str, passive: str, chinese: str) -> tuple[str, ...]:
    """`X directed Y` and `Y was directed by X`; `X执导了《Y》` and `《Y》由X执导`."""
    return (
        rf"{passive}{_ALSO} by {_SMALL}(?P<value>{_NAME})",
        rf"(?P<value>{_NAME}) {active} {_SMALL}(?P<subject>{_QUOTE}|{_NAME})",
        rf"由(?P<value>{_HAN})(?:等\d*人?)?(?:[在于][\u4e00-\u9fff\d]{{1,10}}?)?所?(?:{chinese})",
        rf"是(?P<value>{_HAN})所?(?:{chinese})的",
        rf"(?:^|[，；])(?P<value>(?!由){_HAN})(?:{chinese})了?(?P<subject>{_BOOK})",
    )


_STATED = (
    *((name, _made(active, passive, chinese)) for name, active, passive, chinese, _ in _VERBS),
    ("spouse", (
        rf"\bmarried (?:to )?{_SMALL}(?P<value>{_NAME})",
        rf"(?:spouse|wife|husband)(?: of (?P<subject>{_NAME}))?(?: is| was|,)? {_SMALL}(?P<value>{_NAME})",
        rf"(?:(?:^|[，；])(?P<subject>{_HAN}))?(?:与|和|嫁给|娶了?)(?P<value>{_HAN})(?:结婚|成婚|结为)",
        rf"(?:(?P<subject>{_HAN})的)?(?:妻子|丈夫|配偶)(?:是|为|：)?(?P<value>{_HAN}){_BEHIND}",
    )),
    ("is", (
        rf"^(?P<subject>{_QUOTE}|{_NAME})(?: \([^()]{{0,200}}\))? (?:is|was) (?:an?|the) (?P<value>[^.,;]{{2,200}})",
        rf"^(?P<subject>{_BOOK}|{_HAN})是(?:一[\u4e00-\u9fff])?(?P<value>[^，。；]{{2,60}})",
    )),
)  # fmt: skip
_PATTERNS = tuple((name, tuple(map(re.compile, forms))) for name, forms in _STATED)
_ASKED_BY = {name: re.compile(asked, re.IGNORECASE) for name, *_, asked in (*_VERBS, ("spouse", _SPOUSE))}
_ASKED_FOR = (
    re.compile(rf"由(?P<value>{_HAN})(?:等\d*人?)?(?:所|领导的)?(?P<relation>[\u4e00-\u9fff]{{2}})"),
    re.compile(rf"(?P<relation>[\u4e00-\u9fff]{{2}})(?:是|为|：)(?P<value>{_HAN}){_BEHIND}"),
)
"""The same with any other verb or noun that a question has; an English name is found by its capitals anyhow."""


class EntityExtractor:
    """Reads relations off sentences: X directed, wrote, created, produced or founded Y, was married to Y, is a Y."""

    def extract(self, sentence: str, *, subject: str = "", asked: Set[str] = frozenset()) -> list[CuratedRelation]:
        """What a sentence states, what somebody made first; `subject` stands in where it names none itself.

        `asked` are index terms of a question: what is done or held, in one of these words, is stated as well.
        """
        found: dict[CuratedRelation, None] = {}
        subject = next(iter(about(sentence)), "") or subject
        for relation, forms in (*_PATTERNS, ("", _ASKED_FOR)):
            for form in forms:
                for match in form.finditer(sentence):
                    parts = match.groupdict("")
                    name, value = relation or parts["relation"], _bare(parts["value"])
                    of = _bare(parts.get("subject", "")) or subject
                    is_asked = relation or asked & set(index_tokens(name))
                    if is_asked and value and name_key(value) != name_key(of):
                        found[CuratedRelation(subject=of, relation=name, value=value)] = None
        return list(found)


def asked_relations(question: str) -> dict[str, str]:
    """The relations whose words a question has, each with the word, in the order of the question."""
    found = ((asked.search(question), name) for name, asked in _ASKED_BY.items())
    return {name: word for _, name, word in sorted((at.start(), name, at.group()) for at, name in found if at)}


def _bare(name: str) -> str:
    return name.strip(' .,;，。"“”《》')


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence at characters `start:end`, the share of the question's terms it has, what it states, and its names."""

    text: str
    start: int
    end: int
    share: float
    stated: tuple[CuratedRelation, ...]
    names: tuple[Entity, ...]


class LocalCurator:
    """A Curator by five patterns and names; all that it says stands in the observation or is a name of the question."""

    def __init__(self) -> None:
        self._extractor = EntityExtractor()

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
            relations=tuple(_verbs(read)),
            answer=answer,
            answers_task=closes,
            bridge_entity=None if closes else bridge,
            next_queries=() if closes else _next_queries(request, bridge, read),
            confidence=sure,
        )

    def _read(self, text: str, question: str, title: str) -> list[_Sentence]:
        """The sentences of a text, each with what it states and its share of the question's terms but the title's."""
        terms = _terms(question) - _terms(title)
        subject = next(iter(about(text)), title)
        found = []
        for start, end in sentence_spans(text):
            said = text[start:end].strip()
            begin = text.find(said, start)
            share = len(terms & _terms(said)) / (len(terms) or 1)
            stated = tuple(self._extractor.extract(said, subject=subject, asked=terms))
            names = tuple(each for each in core_names(said) if name_key(each.name) and not each.name[:1].isdigit())
            if said:
                found.append(_Sentence(said, begin, begin + len(said), share, stated, names))
        return found

    def _closes(self, request: CuratorRequest, read: Sequence[_Sentence], *, is_asked: bool) -> bool:
        """Whether an answer is one to the task.

        No relation that it asks for is open; and it asks for nothing else, or an earlier hop named this page.
        """
        asked = asked_relations(request.task)
        known = {each.relation for text in request.known for each in self._extractor.extract(text)}
        if not asked.keys() <= known | {each.relation for each in _verbs(read)}:
            return False
        here = argument_of(request.action)
        told = " ".join((here, *request.known, *(each.subject for each in _verbs(read))))
        if is_asked and asked and not _terms(request.task) - _terms(" ".join(asked.values())) - _terms(told):
            return True
        title = name_key(bare_name(here))
        is_new = bool(title) and title not in name_key(request.task)
        return is_new and any(title in name_key(text) for text in request.known)


def _terms(text: str) -> set[str]:
    """The index terms of a text; of Chinese those of two characters."""
    return {term for term in index_tokens(text) if len(term) > 1}


def _verbs(read: Sequence[_Sentence]) -> list[CuratedRelation]:
    """What is stated by a verb, and not only that something is something."""
    return [stated for each in read for stated in each.stated if stated.relation != "is"]


def _primary(request: CuratorRequest, read: Sequence[_Sentence]) -> tuple[str | None, float]:
    """The main entity of the observation, as the words of the query decide, and how sure that is.

    Of a relation that was asked for it is the side which the query does not name; else, in the sentence that has most
    of the question's terms, the new name nearest to one. Two things that are compared have none.
    """
    asked = request.sub_question or argument_of(request.action)
    known = name_key(f"{asked} {argument_of(request.action)} {request.task}")
    for question, named in ((asked, name_key(asked)), (request.task, known)):
        for each in _asked_first(question, _verbs(read)):
            new = next((side for side in (each.value, each.subject) if side and name_key(side) not in named), None)
            if new:
                return new, _ASKED
    if question_type(request.task) in ("yes-no", "choice"):
        return None, 0.0
    terms = _terms(request.task) - _terms(argument_of(request.action))
    for sentence in sorted(read, key=lambda each: -each.share):
        names = [each for each in sentence.names if name_key(each.name) not in known]
        if names:
            places = [place for term in terms if (place := sentence.text.casefold().find(term)) >= 0]
            return min(names, key=lambda each: _distance(each, places)).name, _NAMED
    return None, 0.0


def _distance(name: Entity, places: Sequence[int]) -> int:
    """Characters from a name to the nearest of some places; without any the first name is the nearest."""
    return min((abs(name.start - place) for place in places), default=name.start)


def _asked_first(question: str, stated: Sequence[CuratedRelation]) -> list[CuratedRelation]:
    """What is stated in the words of a question, in the order in which it asks."""
    terms, order = _terms(question), list(asked_relations(question))
    found = [each for each in stated if each.relation in order or terms & _terms(each.relation)]
    return sorted(found, key=lambda each: order.index(each.relation) if each.relation in order else len(order))


def _value_kind(request: CuratorRequest) -> str | None:
    """`date` or `number` where the sub-question, or the task after its first hop, asks for one; else None."""
    asked = request.sub_question.rstrip()
    in_words = asked.endswith(("?", "？"))
    title = name_key(bare_name(argument_of(request.action)))
    kind = question_type(asked if in_words else request.task)
    return kind if kind in ("date", "number") and (in_words or title not in name_key(request.task)) else None


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
        first = next(iter(each.stated), CuratedRelation(subject="", relation="", value=""))
        sure = min(0.5 + each.share / 2 + _STATES * bool(_verbs([each])), 0.95)
        facts.append(
            CuratedFact(
                text=each.text, start=each.start, end=each.end, subject=first.subject, relation=first.relation,
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
    stated = {each.relation for each in _verbs(read)}
    if bridge and not is_page_name(query):
        left = [word for relation, word in asked_relations(request.task).items() if relation not in stated]
        bridge = f"{bridge} {left[0]}" if left else bridge
    names = [entity.name for entity in entities(request.task) if name_key(entity.name) not in name_key(query)]
    queries: list[str] = [bridge, *names] if bridge else names
    return tuple([each for each in dict.fromkeys(queries) if normalised(each) not in done][:_MOST_QUERIES])
