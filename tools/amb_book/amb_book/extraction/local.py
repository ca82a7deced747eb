"""LocalExtractor: statements read off prose or talk by rules, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from amb_book.extraction.chinese_rules import chinese_kin_rules, chinese_rules
from amb_book.extraction.claims import Claim, claims_of
from amb_book.extraction.corrections import correction
from amb_book.extraction.english_bearers import titled_mentions
from amb_book.extraction.english_rules import english_rules
from amb_book.extraction.english_titles import Sex, sex_of
from amb_book.extraction.form import readings_of
from amb_book.extraction.hooks import hook_readings
from amb_book.extraction.marking import Actor, Marked, Marker, placed_names
from amb_book.extraction.modality import decided, is_planned, is_real, is_request
from amb_book.extraction.new_names import new_names, places_of
from amb_book.extraction.passages import BLOT, Passage, passages_of
from amb_book.extraction.planned import plan_reading
from amb_book.extraction.reading import Reading
from amb_book.extraction.scenes import Scenes

if TYPE_CHECKING:
    from amb_book.fact_answers import Mention
    from amb_book.facts import FactGraph
    from amb_book.plan import PlanGraph

__all__ = ["LocalExtractor"]

_ARTICLE = re.compile(r"(?<![^\s\"“‘])The (?=[A-Za-z])")


class LocalExtractor:
    """Reads off a text who and what is new, and what becomes true in it; nothing only planned, asked or guessed.

    What an author says of later chapters becomes a part of the plan; `plan` says where it belongs, without one it is a
    step. A `finished` text is a book's: all whom it names are known, and what it tells is no plan of its author. Every
    reading has the sentence it stands in. What the facts already say is left out.
    """

    def __init__(self, *, plan: PlanGraph | None = None, finished: bool = False) -> None:
        self._plan, self._finished = plan, finished

    def extract(
        self,
        text: str,
        *,
        known: FactGraph,
        chapter: int,
        new: Mapping[str, Actor] | None = None,
        narrator: Actor | None = None,
    ) -> list[Reading]:
        """The statements of a text that is settled for a chapter, those on whom there is first.

        `new` are names of a finished text that the facts do not know yet, `narrator` is who says I in it.
        """
        passages = list(passages_of(text))
        told = list(text)
        for passage in passages:
            told[passage.start : passage.end] = passage.told
        unquoted = _ARTICLE.sub("the ", "".join(told))
        actors = new_names(text, known=known, chapter=chapter) if not self._finished else dict(new or {})
        mentions = known.mentions(unquoted, at=chapter)
        names = placed_names(mentions, places_of(actors, unquoted))
        if self._finished:
            people = known.entities("character", at=chapter)
            names = sorted([*names, *titled_mentions(unquoted, names, people)], key=lambda each: each[0])
        claims: list[Claim] = []
        others: list[Reading] = []
        marker, scenes = Marker(names, _sexes(mentions), strict=self._finished, narrator=narrator), Scenes()
        for passage in passages:
            marked = marker.mark(passage)
            others += hook_readings(passage, known=known, chapter=chapter)
            if not self._finished and is_planned(passage, chapter=chapter):
                reading = plan_reading(passage, marked, plan=self._plan)
                others += [reading] if reading is not None else []
            elif self._finished or not is_request(passage):
                found = list(_claims(passage, marked, finished=self._finished))
                claims += [*found, *scenes.after(passage, marked, found)]
                corrected = correction(passage, marked, claims) if not self._finished else None
                claims += [corrected] if corrected is not None else []
        if self._finished:
            claims += _said_kin(text, passages, known, chapter)
        claims = [each for each in claims if narrator is None or not _dies(each, narrator)]
        first = _first_sentences(passages, names)
        return [*readings_of(claims, first, known=known, chapter=chapter), *others]


def _dies(claim: Claim, one: Actor) -> bool:
    """Whether somebody is said to be dead, who tells that himself."""
    dead = claim.relation == "STATUS" and claim.value == "dead" and claim.subject == one
    return dead or (claim.relation == "KILLED" and claim.object == one)


def _said_kin(text: str, passages: Sequence[Passage], known: FactGraph, chapter: int) -> Iterator[Claim]:
    """Who is whose kin by what people of a Chinese book say."""
    quoted = [each for each in passages if BLOT in each.told and each.language == "zh" and "之" in each.text]
    if not quoted:
        return
    marker = Marker(placed_names(known.mentions(text, at=chapter), []), strict=True)
    for each in quoted:
        said = "".join(char if told == BLOT else "，" for char, told in zip(each.text, each.told, strict=True))
        passage = replace(each, told=said)
        marked = marker.mark(passage)
        for rule in chinese_kin_rules():
            for match in rule.pattern.finditer(marked.text):
                if is_real(passage, marked.place(match.start()), marked.place(match.end()), planned=True):
                    yield from claims_of(rule, match, marked, passage)


def _sexes(mentions: Sequence[Mention]) -> dict[str, Sex]:
    """Whose names those of the people are, by all the names they have."""
    found: dict[str, Sex] = {}
    for entity in dict.fromkeys(each.entities[0] for each in mentions if len(each.entities) == 1):
        sexes: set[Sex] = {sex for name in (entity.name, *entity.aliases) if (sex := sex_of(name))}
        if entity.kind == "character" and len(sexes) == 1:
            found[entity.name] = sexes.pop()
    return found


def _claims(passage: Passage, marked: Marked, *, finished: bool) -> Iterator[Claim]:
    """What the rules read off a sentence, in the order in which it stands there."""
    if "<" not in marked.text:
        return
    rules = chinese_rules() if passage.language == "zh" else english_rules()
    agreed = decided(passage)
    found: list[tuple[int, Claim]] = []
    for rule in rules:
        for match in rule.pattern.finditer(marked.text):
            start, end = marked.place(match.start()), marked.place(match.end())
            if start >= agreed and is_real(passage, start, end, now=rule.now, planned=finished):
                found += [(match.start(), each) for each in claims_of(rule, match, marked, passage)]
    yield from (claim for _, claim in sorted(found, key=lambda each: each[0]))


def _first_sentences(passages: Sequence[Passage], names: Sequence[tuple[int, int, Actor | None]]) -> dict[Actor, str]:
    """The sentence in which each new name first stands; none for who only is asked about."""
    found: dict[Actor, str] = {}
    asked = {each for each in passages if each.question and BLOT not in each.told}
    place = 0
    for start, _, actor in names:
        while place < len(passages) and passages[place].end <= start:
            place += 1
        if actor is not None and not actor.known and place < len(passages) and passages[place] not in asked:
            found.setdefault(actor, passages[place].text)
    return found
