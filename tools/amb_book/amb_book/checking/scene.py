"""A draft beside the book: its sentences, whom they name, who acts in them, and what the book knows of those."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType

from amb_book.checking import chinese, english
from amb_book.checking.draft import QUOTED, Draft, Sentence
from amb_book.checking.findings import Finding, FindingKind
from amb_book.checking.frames import Frames
from amb_book.checking.known import Known
from amb_book.checking.name_index import Named, NameIndex
from amb_book.fact_answers import Fact
from amb_book.lore import LoreEntry

__all__ = ["Scene", "either"]


def either(sentence: Sentence) -> ModuleType:
    """The grammar of a sentence's language."""
    return chinese if sentence.language == "zh" else english


class Scene:
    """Everything a rule asks about a draft."""

    def __init__(self, draft: Draft, known: Known, *, lore: Iterable[LoreEntry] = ()) -> None:
        self.draft, self.known = draft, known
        quotes = [
            (sentence.start + found.start(), sentence.start + found.end())
            for sentence in draft.sentences
            for found in re.finditer(f"{QUOTED}+", sentence.told)
        ]
        self.index = NameIndex(each for each in known.entities if each.kind != "hook")
        names = self.index.named(draft.text, quotes=quotes)
        starts = [each.start for each in names]
        self.names: list[list[Named]] = [
            names[bisect_left(starts, sentence.start) : bisect_left(starts, sentence.end)]
            for sentence in draft.sentences
        ]
        self.frames = Frames(draft, lore)

    def doers(self, number: int) -> list[Named]:
        """Those who act or speak in the narration of a sentence."""
        return [each for each in self._people(number) if self._acts(number, each)]

    def _people(self, number: int) -> list[Named]:
        """The people whom the narration of a sentence names: an inn may bear somebody's name, but does not act."""
        told = [each for each in self.names[number] if not each.spoken]
        people = [(each, tuple(entity for entity in each.entities if entity.kind == "character")) for each in told]
        return [replace(each, entities=entities) for each, entities in people if entities]

    def _acts(self, number: int, each: Named) -> bool:
        sentence = self.draft.sentences[number]
        start, end = each.start - sentence.start, each.end - sentence.start
        return bool(either(sentence).acts(sentence.told[:start], sentence.told[end:]))

    def ids(self, number: int) -> frozenset[str]:
        """Whom and what a sentence names, in narration and in speech, by id."""
        return frozenset(entity.id for each in self.names[number] for entity in each.entities)

    def without_names(self, text: str) -> tuple[list[Named], str]:
        """The names of the book in a text, and the rest of it; a text that is nothing but a name is its own rest."""
        named = self.index.named(text)
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
