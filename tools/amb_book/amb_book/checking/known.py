"""What the book knows of those whom a draft names, as of one chapter; every fact is asked for once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from amb_book.checking.findings import Evidence
from amb_book.entities import HAS, HAS_STATUS, Entity
from amb_book.episodes import EpisodeArchive
from amb_book.fact_answers import Fact, Hook
from amb_book.facts import FactGraph
from amb_values import sentence_spans

__all__ = ["Known", "is_captivity", "is_death"]

_DEAD = re.compile(
    r"\b(?:dead|deceased|died|dies|killed|slain|executed|hanged|drowned|murdered|buried|perished|assassinated|"
    r"beheaded|fallen|passed away|no longer alive|poisoned to death)\b|^(?:is |was )?late$"
    r"|死|亡故|阵亡|身亡|已故|遇害|去世|病故|殉|牺牲|殒命|过世|病逝|逝世|仙逝|陨落|圆寂|坐化|驾崩|^薨|毙|丧命|"
    r"被杀|处决|斩首|自尽|自缢|亡$"
)
_BOUND = re.compile(
    r"\b(?:imprison\w*|jailed|captive|captured?|prisoner|in (?:prison|jail|gaol|custody)|locked (?:up|in|away)|chained|"
    r"arrested|under arrest|interned|held|detained|confined|hostage|kidnapped|abducted|behind bars|remanded)\b"
    r"|囚|被擒|被俘|关押|软禁|被捕|在押|入狱|俘虏|拘|羁|收监|下狱|坐牢|监禁|幽禁|禁足|绑架|被抓|落网|扣押|服刑|圈禁|被关|关在"
)
_NOT = re.compile(
    r"\b(?:not|no longer (?!alive)|un|presumed|believed|feared|thought|supposed|half|nearly|almost)\b"
    r"|^未|不再|没有|解除|假死|诈死|未死|濒死|半死|垂死|传闻|据说|误传|疑似|生死"
)


def is_death(state: str) -> bool:
    """Whether a state says that somebody is dead."""
    return _says(_DEAD, state)


def is_captivity(state: str) -> bool:
    """Whether a state says that somebody is held captive."""
    return not is_death(state) and _says(_BOUND, state)


def _says(kind: re.Pattern[str], state: str) -> bool:
    low = state.casefold()
    return kind.search(low) is not None and _NOT.search(low) is None


_TITLE_CHARS = 40
_TERM = re.compile(r"[A-Za-z]{4,}|[\u3400-\u9fff]{2}")


class Known:
    """The settled facts of a book at one chapter, read on demand and kept for the length of one check."""

    def __init__(self, facts: FactGraph, at: int, episodes: EpisodeArchive | None = None) -> None:
        self.at = at
        self._facts = facts
        self._episodes = episodes
        self._told: dict[str, list[Fact]] = {}
        self._texts: dict[int, list[str]] = {}
        self.entities: list[Entity] = facts.entities(at=at)
        self.by_name: dict[str, list[Entity]] = {}
        for entity in self.entities:
            self.by_name.setdefault(entity.name, []).append(entity)

    # --- facts -------------------------------------------------------------------------------------------------------

    def told(self, entity: Entity) -> list[Fact]:
        """All that was told of an entity up to the chapter, oldest first."""
        if entity.id not in self._told:
            self._told[entity.id] = self._facts.timeline(entity.id, at=self.at)
        return self._told[entity.id]

    def status(self, entity: Entity) -> Fact | None:
        """The state an entity is in."""
        told = (fact for fact in reversed(self.told(entity)) if fact.until is None and fact.subject == entity.name)
        return next((fact for fact in told if fact.relation == HAS_STATUS), None)

    def is_dead(self, entity: Entity) -> bool:
        """Whether the state of an entity comes down to death."""
        fact = self.status(entity)
        return fact is not None and is_death(fact.object)

    def is_bound(self, entity: Entity) -> bool:
        """Whether the state of an entity comes down to captivity."""
        fact = self.status(entity)
        return fact is not None and is_captivity(fact.object)

    def places(self, entity: Entity) -> list[Fact]:
        """Where an entity is, and what a place lies in."""
        told = (fact for fact in self.told(entity) if fact.until is None and fact.subject == entity.name)
        return [fact for fact in told if fact.relation in ("IS_AT", "LOCATED_IN")]

    def around(self, place: str) -> frozenset[str]:
        """A place and everything it lies in."""
        found, open_places = {place}, [place]
        while open_places:
            for entity in self.by_name.get(open_places.pop(), ()):
                lies_in = {fact.object for fact in self.places(entity)} - found
                found |= lies_in
                open_places += lies_in
        return frozenset(found)

    def titles(self) -> dict[str, list[str]]:
        """What somebody has or leads, by name: a rank or an office is what a draft may call them by."""
        found: dict[str, list[str]] = {}
        for relation in (HAS, "LEADS"):
            for fact in self._facts.facts(relation=relation, at=self.at):
                if len(fact.object) <= _TITLE_CHARS:
                    found.setdefault(fact.subject, []).append(fact.object)
        return found

    def hooks(self, status: str) -> list[Hook]:
        """The hooks in a state."""
        return self._facts.hooks(status, at=self.at)

    # --- evidence ----------------------------------------------------------------------------------------------------

    def evidence(self, facts: Iterable[Fact]) -> tuple[Evidence, ...]:
        """Facts with their chapters and the sentences of the book they were read off."""
        return tuple(Evidence(fact.text, fact.since, fact.evidence or self._source(fact)) for fact in facts)

    def _source(self, fact: Fact) -> str:
        """The sentence of the fact's chapter that says most of it, "" when none names it."""
        wanted = _terms(fact.subject), _terms(fact.object)
        best, found = 0.0, ""
        for sentence in self.sentences(fact.since):
            subject, told = (_share(terms, sentence) for terms in wanted)
            if subject + told > best:
                best, found = subject + told, sentence
        return found if best >= 1.0 else ""

    def sentences(self, chapter: int) -> list[str]:
        """The sentences of a chapter of the book, none when its text is not kept."""
        if self._episodes is None:
            return []
        if chapter not in self._texts:
            text = self._episodes.text(chapter)
            self._texts[chapter] = [text[start:end].strip() for start, end in sentence_spans(text)]
        return self._texts[chapter]


def _terms(text: str) -> set[str]:
    return {term.casefold() for term in _TERM.findall(text)}


def _share(terms: set[str], sentence: str) -> float:
    low = sentence.casefold()
    return sum(term in low for term in terms) / len(terms) if terms else 0.0
