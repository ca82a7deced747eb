"""A draft beside the book: its sentences, whom they name, who acts in them, and what the book knows of those."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import ModuleType

from amb_book.checking import chinese, english
from amb_book.checking.draft import QUOTED, Draft, Sentence
from amb_book.checking.findings import Finding, FindingKind
from amb_book.checking.frames import Frames
from amb_book.checking.known import Known
from amb_book.checking.lore_of_death import LoreOfDeath
from amb_book.checking.name_index import Named, NameIndex
from amb_book.entities import Entity
from amb_book.fact_answers import Fact
from amb_book.lore import LoreEntry
from amb_book.statements import EntityKind

__all__ = ["Scene", "either"]

_ITS = re.compile(r"\bits\b|它")


def either(sentence: Sentence) -> ModuleType:
    """The grammar of a sentence's language."""
    return chinese if sentence.language == "zh" else english


class Scene:
    """Everything a rule asks about a draft."""

    def __init__(self, draft: Draft, known: Known, *, lore: Iterable[LoreEntry] = ()) -> None:
        self.lore = LoreOfDeath(draft, tuple(lore))
        self.draft = draft
        self.known = known
        self._doers: dict[int, list[tuple[Named, bool]]] = {}
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
        plain = tuple(replace(each, told=self.unnamed(number)) for number, each in enumerate(draft.sentences))
        self.frames = Frames(replace(draft, sentences=plain))
        self.renamed = frozenset(
            each.text
            for sentence, named in zip(draft.sentences, self.names, strict=True)
            for each in named
            if _NAMESAKE[sentence.language].search(draft.text[max(0, each.start - 24) : each.start])
        )

    # --- who ---------------------------------------------------------------------------------------------------------

    def entities(self, kind: EntityKind) -> list[Entity]:
        """Those of a kind whom the draft may name anywhere, in its order, each once."""
        found = {entity.id: entity for names in self.names for each in names for entity in each.entities}
        return [entity for entity in found.values() if entity.kind == kind]

    def told(self, number: int, kind: str | None = None) -> list[Named]:
        """Those whom the narration of a sentence names, things named after them left out."""
        sentence = self.draft.sentences[number]
        found = [each for each in self.names[number] if not each.spoken]
        if kind is None:
            return found
        if kind != "character":
            return [each for each in found if all(entity.kind == kind for entity in each.entities)]
        # An inn may bear somebody's name, but does not speak: of what a name may mean, people are those who act.
        people = [(each, tuple(entity for entity in each.entities if entity.kind == kind)) for each in found]
        return [
            replace(each, entities=entities) if entities != each.entities else each
            for each, entities in people
            if entities
            and not self._is_thing(sentence, each)
            and (entities == each.entities or not _ITS.search(sentence.told))
        ]

    def _is_thing(self, sentence: Sentence, each: Named) -> bool:
        before, after = self.around(sentence, each)
        article = each.text != each.entities[0].name or each.entities[0].name.lower().startswith("the ")
        return each.text in self.renamed or bool(either(sentence).thing_named_after(before, after, article=article))

    @staticmethod
    def around(sentence: Sentence, each: Named) -> tuple[str, str]:
        """What the narration says before and after a name."""
        start, end = each.start - sentence.start, each.end - sentence.start
        return sentence.told[:start], sentence.told[end:]

    def doers(self, number: int) -> list[tuple[Named, bool]]:
        """Those who act or speak in the narration of a sentence, and whether they speak."""
        if number not in self._doers:
            self._doers[number] = list(self._found_doers(number))
        return list(self._doers[number])

    def _found_doers(self, number: int) -> Iterator[tuple[Named, bool]]:
        sentence = self.draft.sentences[number]
        grammar = either(sentence)
        for each in self.told(number, "character"):
            before, after = self.around(sentence, each)
            speaks = grammar.speaks(before, after)
            if speaks or grammar.acts(before, after):
                yield each, speaks

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

    def unnamed(self, number: int) -> str:
        """What the narration of a sentence tells, as long as it is, names of people blotted: a Will is no will."""
        sentence = self.draft.sentences[number]
        blot = "某" if sentence.language == "zh" else "N"
        told = list(sentence.told)
        for each in self.names[number]:
            if not each.spoken and any(entity.kind == "character" for entity in each.entities):
                start, end = each.start - sentence.start, each.end - sentence.start
                told[start:end] = [blot if letter.isalnum() else letter for letter in told[start:end]]
        return "".join(told)

    # --- findings ----------------------------------------------------------------------------------------------------

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


_NAMESAKE = {
    "en": re.compile(
        r"\b(?:(?:named|called|christened) (?:their|the|a|his|her|its) \w+|named|called|christened|"
        r"nicknamed|namesake|another|a second|baptised|answer(?:s|ed) to(?: the name)?)(?: for| after)?(?: "
        r"the)?\s*[“\"]?\s*$"
    ),
    "zh": re.compile(
        r"(?:名叫|叫做|名为|唤作|也叫|又叫|名字叫|名字也叫|取名叫?|起名叫?|姓名|同名同姓的|另一个)[“「]?$"
    ),
}
