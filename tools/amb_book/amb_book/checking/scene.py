"""A draft beside the book: its sentences, whom they name, who acts in them, and what the book knows of those."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType

from amb_book.checking import chinese, english
from amb_book.checking.draft import QUOTED, Draft, Sentence
from amb_book.checking.findings import Finding, FindingKind
from amb_book.checking.frames import Frames
from amb_book.checking.known import Known
from amb_book.entities import Entity
from amb_book.fact_answers import Fact, Mention
from amb_book.lore import LoreEntry
from amb_book.name_book import NameIndex
from amb_book.statements import EntityKind

__all__ = ["Scene", "either"]


def either(sentence: Sentence) -> ModuleType:
    """The grammar of a sentence's language."""
    return chinese if sentence.language == "zh" else english


class Scene:
    """Everything a rule asks about a draft."""

    def __init__(self, draft: Draft, known: Known, *, lore: Iterable[LoreEntry] = ()) -> None:
        self.draft, self.known = draft, known
        self.index = NameIndex(each for each in known.entities if each.kind != "hook")
        names = self.index.mentions(draft.text)
        starts = [each.start for each in names]
        self.names: list[list[Mention]] = [
            names[bisect_left(starts, sentence.start) : bisect_left(starts, sentence.end)]
            for sentence in draft.sentences
        ]
        self.frames = Frames(draft, lore)

    def entities(self, kind: EntityKind) -> list[Entity]:
        """Those of a kind whom the draft may name anywhere, in its order, each once."""
        found = {entity.id: entity for names in self.names for each in names for entity in each.entities}
        return [entity for entity in found.values() if entity.kind == kind]

    def doers(self, number: int) -> list[Mention]:
        """Those who act or speak in the narration of a sentence."""
        return [each for each in self._people(number) if self._acts(number, each)]

    def is_spoken(self, number: int, each: Mention) -> bool:
        """Whether a name stands in what somebody says."""
        sentence = self.draft.sentences[number]
        return sentence.told[each.start - sentence.start] == QUOTED

    def _people(self, number: int) -> list[Mention]:
        """The people whom the narration of a sentence names: an inn may bear somebody's name, but does not act."""
        told = [each for each in self.names[number] if not self.is_spoken(number, each)]
        people = [(each, tuple(entity for entity in each.entities if entity.kind == "character")) for each in told]
        return [replace(each, entities=entities) for each, entities in people if entities]

    def _acts(self, number: int, each: Mention) -> bool:
        sentence = self.draft.sentences[number]
        start, end = each.start - sentence.start, each.end - sentence.start
        return bool(either(sentence).acts(sentence.told[:start], sentence.told[end:]))

    def ids(self, number: int) -> frozenset[str]:
        """Whom and what a sentence names, in narration and in speech, by id."""
        return frozenset(entity.id for each in self.names[number] for entity in each.entities)

    def without_names(self, text: str) -> tuple[list[Mention], str]:
        """The names of the book in a text, and the rest of it; a text that is nothing but a name is its own rest."""
        named = self.index.mentions(text)
        rest = text
        for each in reversed(named):
            if each.text != text:
                rest = f"{rest[: each.start]} {rest[each.end :]}"
        return named, rest

    def finding(
        self,
        kind: FindingKind,
        number: int,
        entities: Iterable[str],
        message: tuple[str, str],
        *,
        facts: Iterable[Fact],
        confidence: float,
    ) -> Finding:
        """A finding in a sentence; `message` in English and in Chinese."""
        sentence = self.draft.sentences[number]
        return Finding(
            kind,
            sentence.text,
            sentence.start,
            sentence.end,
            tuple(dict.fromkeys(entities)),
            message[self.draft.language == "zh"],
            self.known.evidence(facts),
            confidence,
        )
