"""What the book knows of those whom a draft names, as of one chapter; every fact is asked for once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from amb_book.checking.findings import Evidence
from amb_book.checking.states import StateKind, state_kind
from amb_book.entities import HAS, HAS_STATUS, Entity
from amb_book.episodes import EpisodeArchive
from amb_book.fact_answers import Fact, Hook
from amb_book.facts import FactGraph
from amb_core.text import sentence_spans

__all__ = ["Known"]

_HOLDING = ("HAS_ABILITY", "LEARNT", "KNOWS_ABILITY")
_FEW = 5
_WORD = re.compile(r"\b[a-z]{4,}\b")
_TERM = re.compile(r"[A-Za-z]{4,}|[\u3400-\u9fff]{2}")


class Known:
    """The settled facts of a book at one chapter, read on demand and kept for the length of one check."""

    def __init__(self, facts: FactGraph, at: int, episodes: EpisodeArchive | None = None) -> None:
        self.at = at
        self._facts = facts
        self._episodes = episodes
        self._told: dict[str, list[Fact]] = {}
        self._attributes: dict[str, list[Fact]] | None = None
        self._texts: dict[int, list[str]] = {}
        self._places: dict[str, frozenset[str]] = {}
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

    def own(self, entity: Entity, *relations: str) -> list[Fact]:
        """What holds of an entity as the subject of some relations."""
        return [
            fact
            for fact in self.told(entity)
            if fact.relation in relations and fact.subject == entity.name and fact.until is None
        ]

    def status(self, entity: Entity) -> Fact | None:
        """The state an entity is in."""
        return next(reversed(self.own(entity, HAS_STATUS)), None)

    def state(self, entity: Entity) -> StateKind | None:
        """What kind of state that is."""
        fact = self.status(entity)
        return state_kind(fact.object) if fact is not None else None

    def place(self, entity: Entity) -> Fact | None:
        """Where an entity is."""
        return next(reversed(self.own(entity, "IS_AT", "LOCATED_IN")), None)

    def owner(self, item: Entity) -> Fact | None:
        """Whose a thing is."""
        held = [fact for fact in self.told(item) if fact.relation == "OWNS" and fact.object == item.name]
        return next((fact for fact in reversed(held) if fact.until is None), None)

    def holding(self, who: Entity, ability: Entity) -> Fact | None:
        """That somebody has, or had, an ability."""
        facts = [fact for fact in self.told(who) if fact.relation in _HOLDING and fact.object == ability.name]
        return facts[-1] if facts else None

    def holders(self, ability: Entity) -> list[Fact]:
        """Who has an ability."""
        return [
            fact
            for fact in self.told(ability)
            if fact.relation in _HOLDING and fact.object == ability.name and fact.until is None
        ]

    def properties(self, entity: Entity) -> list[Fact]:
        """The attributes of an entity; those of all are asked for at once, for many are."""
        if len(self.by_name.get(entity.name, ())) > 1:
            return self.own(entity, HAS)
        if self._attributes is None:
            self._attributes = {}
            for fact in sorted(self._facts.facts(relation=HAS, at=self.at), key=lambda fact: fact.since):
                self._attributes.setdefault(fact.subject, []).append(fact)
        return self._attributes.get(entity.name, [])

    def offices(self, entity: Entity) -> list[str]:
        """What somebody is by rank, job or title."""
        return [str(fact.object) for fact in self.properties(entity) if _OFFICE.search(fact.attribute)]

    def materials(self, text: str) -> dict[str, str]:
        """What those things are made of, by id, of whose names a text has a word."""
        words = set(_WORD.findall(text))
        items = [each for each in self.entities if each.kind == "item"]
        # A word that many things share tells none of them from the others.
        shared = Counter(word for each in items for word in set(_WORD.findall(each.name)) & words)
        named = [
            each
            for each in items
            if any(0 < shared[word] <= _FEW for word in _WORD.findall(each.name) if word in words)
        ]
        told = {
            each.id: [fact.object for fact in self.properties(each) if fact.attribute == "material"] for each in named
        }
        return {key: made[-1] for key, made in told.items() if made}

    def related(self, entity: Entity, relation: str) -> list[Fact]:
        """What holds between an entity and others, in either direction."""
        return [fact for fact in self.told(entity) if fact.relation == relation and fact.until is None]

    def hooks(self, status: str) -> list[Hook]:
        """The hooks in a state."""
        return self._facts.hooks(status, at=self.at)

    def around(self, place: str) -> frozenset[str]:
        """A place and everything it lies in."""
        if place not in self._places:
            found, open_places = {place}, [place]
            while open_places:
                for entity in self.by_name.get(open_places.pop(), ()):
                    for fact in self.own(entity, "LOCATED_IN", "IS_AT"):
                        if fact.object not in found:
                            found.add(fact.object)
                            open_places.append(fact.object)
            self._places[place] = frozenset(found)
        return self._places[place]

    def same_place(self, one: str, other: str) -> bool:
        """Whether somebody may be in both at once: they are one, one lies in the other, or nobody knows."""
        return other in self.around(one) or one in self.around(other)

    def seen_at(self, person: Entity, place: str, chapter: int) -> bool:
        """Whether the text of a chapter has somebody in a place: names both in one sentence."""
        who = {word for name in (person.name, *person.aliases) for word in name.split() if len(word) > 1}
        where = {place, *(word for word in place.split()[-1:] if len(word) > 3)}
        return any(
            any(word in sentence for word in who) and any(word in sentence for word in where)
            for sentence in self.sentences(chapter)
        )

    def were_apart(self, one: Entity, other: Entity) -> bool:
        """Whether the book tells of somebody who left one of two places for the other, or says how far it is."""
        if any(_FAR.search(fact.attribute) for each in (one, other) for fact in self.properties(each)):
            return True
        return bool(self._guests(one) & self._guests(other))

    def _guests(self, place: Entity) -> frozenset[str]:
        """Who was ever told to be in a place."""
        return frozenset(
            fact.subject for fact in self.told(place) if fact.relation == "IS_AT" and fact.object == place.name
        )

    # --- evidence ----------------------------------------------------------------------------------------------------

    def evidence(self, facts: Iterable[Fact]) -> tuple[Evidence, ...]:
        """Facts with their chapters and the sentences of the book they were read off."""
        return tuple(Evidence(fact.text, fact.since, fact.evidence or self._source(fact)) for fact in facts)

    def _source(self, fact: Fact) -> str:
        """The sentence of the fact's chapter that says most of it, "" when none names it."""
        wanted = _terms(fact.subject), _terms(fact.object)
        cues = _CUES.get(state_kind(fact.object) or fact.relation, _NEVER)
        best, found = 0.0, ""
        for sentence in self.sentences(fact.since):
            subject, told = (_share(terms, sentence) for terms in wanted)
            score = subject + told + (1.0 if cues.search(sentence) else 0.0)
            if score > best and (subject or told):
                best, found = score, sentence
        return found if best >= 1.0 else ""

    def sentences(self, chapter: int) -> list[str]:
        """The sentences of a chapter of the book, none when its text is not kept."""
        if self._episodes is None:
            return []
        if chapter not in self._texts:
            text = self._episodes.text(chapter)
            self._texts[chapter] = [text[start:end].strip() for start, end in sentence_spans(text)]
        return self._texts[chapter]


_OFFICE = re.compile(r"rank|job|role|title|office|occupation|profession|职|身份|称|官|头衔", re.IGNORECASE)
_FAR = re.compile(r"距|distance|miles|leagues|days?_from", re.IGNORECASE)
_NEVER = re.compile(r"(?!)")
_CUES = {
    "dead": re.compile(
        r"\b(?:dead|died|dies?|killed|stabbed|hanged|buried|drowned|last breath)\b|死|亡|没有气息|葬|杀|断气|去了"
    ),
    "bound": re.compile(r"\b(?:prison\w*|locked|chain\w*|taken|cell|tower|arrest\w*)\b|囚|擒|关|锁|牢|押"),
    "senseless": re.compile(r"\b(?:nothing would wake|unconscious|did not wake|swoon\w*)\b|昏|不醒|晕"),
    "destroyed": re.compile(r"\b(?:burn\w*|burnt|broke\w*|sank|sunk|destroyed|ashes)\b|毁|断|焦|烧|碎|沉"),
    "OWNS": re.compile(r"\b(?:gave|give|hers?|his|mine|yours)\b|给|归|递|送|的了"),
    "IS_AT": re.compile(r"\b(?:came|went|reached|at|in)\b|到|在|回"),
}


def _terms(text: str) -> set[str]:
    return {term.casefold() for term in _TERM.findall(text)}


def _share(terms: set[str], sentence: str) -> float:
    low = sentence.casefold()
    return sum(term in low for term in terms) / len(terms) if terms else 0.0
