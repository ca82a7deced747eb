"""A checker that lets a chat model judge what the rules found, and believes of it only what it quotes."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Unpack

from pydantic import BaseModel, ConfigDict, Field

from amb_book.checking.checker import ConsistencyChecker, in_order
from amb_book.checking.draft import read_draft
from amb_book.checking.findings import BookParts, Evidence, Finding, FindingKind
from amb_book.checking.known import Known
from amb_book.checking.name_index import NameIndex
from amb_book.entities import Entity
from amb_book.episodes import EpisodeArchive
from amb_book.lore import LoreBase
from amb_book.plan import PlanGraph
from amb_core.agents.prompted import Asker
from amb_core.chat.structured_chat import StructuredChat
from amb_core.chat.usage_meter import UsageMeter
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel
from amb_core.settings import Settings
from amb_core.text import clip_tokens, estimate_tokens, find_quote

__all__ = ["PromptedChecker"]

_log = logging.getLogger("amb.narrative")
_ROLE = "checking"
_OUTPUT = 1_500
_DRAFT_SHARE, _FACTS_SHARE, _TEXT_SHARE = 0.4, 0.25, 0.1
"""What shares of the window the draft, the facts, and each of lore and passages may take."""
_MOST_SHOWN = 8
"""So many entries of lore and so many passages are shown."""
_MOST_STEPS = 60
_CONFIRMED, _ADDED = 0.97, 0.75

_Text = Annotated[str, Field(max_length=2_000)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class VerdictShape(_Shape):
    """Whether one of the findings holds."""

    n: int
    holds: bool
    quote: _Text = ""
    reason: _Text = ""


class AddedShape(_Shape):
    """A contradiction that the rules did not find."""

    kind: FindingKind
    quote: _Text
    id: _Text
    fact_quote: _Text
    reason: _Text = ""


class CheckingShape(_Shape):
    """What the model answers."""

    verdicts: Annotated[list[VerdictShape], Field(max_length=100)] = []
    added: Annotated[list[AddedShape], Field(max_length=12)] = []


class PromptedChecker:
    """A ConsistencyChecker on a chat model: one structured call a draft; the rules' findings stand when that fails.

    The model sees the facts about those whom the draft names, the plan, and what of the lore and the book's text fits
    the draft. It may confirm what `local` found, reject it with a quote of draft or material, and add a finding
    that quotes draft and evidence, all word for word.
    `settings` say the language and the window, `meter` counts what is spent under the purpose `checking`.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        local: ConsistencyChecker | None = None,
        settings: Settings | None = None,
        meter: UsageMeter | None = None,
    ) -> None:
        self._asker = Asker(
            StructuredChat(chat, meter=meter), settings=settings or Settings(), prompts="amb_book.prompts"
        )
        self._local = local or ConsistencyChecker()

    def check(self, draft: str, **book: Unpack[BookParts]) -> list[Finding]:
        """The findings in a draft, in its order; as ConsistencyChecker.check."""
        found, problem = self.looked_over(draft, **book)
        if problem:
            _log.warning("a draft is checked without the model, for it gave no usable answer: %s", problem)
        return found

    def looked_over(self, draft: str, **book: Unpack[BookParts]) -> tuple[list[Finding], str]:
        """The findings as `check` has them, and why the model had no say in them; "" where it had."""
        found = self._local.check(draft, **book)
        if not draft.strip():
            return found, ""
        facts, at, episodes = book["facts"], book.get("at"), book.get("episodes")
        known = Known(facts, facts.last_chapter if at is None else at, episodes)
        against = {
            **_settled(known, draft, int(self._asker.window * _FACTS_SHARE)),
            **_planned(book.get("plan")),
            **_fitting("l", _lore(book.get("lore"), draft), int(self._asker.window * _TEXT_SHARE)),
            **_fitting("t", _text(episodes, draft, known.at), int(self._asker.window * _TEXT_SHARE)),
        }
        try:
            said = self._asked(draft, found, against)
        except ModelError as error:
            return found, str(error)
        material = [draft, *(text for each in against.values() for text in (each.fact, each.source))]
        rejected = {
            each.n
            for each in said.verdicts
            if not each.holds and any(find_quote(each.quote, text) is not None for text in material)
        }
        confirmed = {each.n for each in said.verdicts if each.holds}
        kept = [
            replace(each, confidence=max(each.confidence, _CONFIRMED)) if number in confirmed else each
            for number, each in enumerate(found, 1)
            if number not in rejected
        ]
        return in_order([*kept, *_believed(said.added, draft, against, found)]), ""

    def _asked(self, draft: str, found: Sequence[Finding], against: Mapping[str, Evidence]) -> CheckingShape:
        by_kind: dict[str, list[tuple[str, Evidence]]] = {}
        for name, each in against.items():
            by_kind.setdefault(name[0], []).append((name, each))
        parts = {
            "draft": clip_tokens(draft, int(self._asker.window * _DRAFT_SHARE)),
            "facts": [
                {"id": name, "text": each.fact, "chapter": each.chapter, "source": each.source}
                for name, each in by_kind.get("f", ())
            ],
            "plan": [{"id": name, "text": each.fact} for name, each in by_kind.get("p", ())],
            "lore": [{"id": name, "text": each.fact} for name, each in by_kind.get("l", ())],
            "passages": [
                {"id": name, "text": each.fact, "chapter": each.chapter} for name, each in by_kind.get("t", ())
            ],
            "found": [
                {"n": number, "kind": each.kind, "sentence": each.sentence, "message": each.message}
                for number, each in enumerate(found, 1)
            ],
        }
        return self._asker.ask(
            _ROLE, CheckingShape, parts, language=self._asker.language(draft), max_output_tokens=_OUTPUT
        )


def _settled(known: Known, draft: str, most_tokens: int) -> dict[str, Evidence]:
    """The facts about those whom a draft names, by number: the newest first, as many as there is room for."""
    named: dict[str, Entity] = {}
    for each in NameIndex(known.entities).named(draft):
        named |= {entity.id: entity for entity in each.entities}
    named |= {entity.id: entity for entity in known.entities if entity.kind == "hook"}
    told = {fact.id: fact for entity in named.values() for fact in known.told(entity)}
    newest = sorted(told.values(), key=lambda fact: -fact.since)
    found: dict[str, Evidence] = {}
    for evidence in known.evidence(newest):
        most_tokens -= estimate_tokens(evidence.fact) + estimate_tokens(evidence.source)
        if most_tokens < 0:
            break
        found[f"f{len(found) + 1}"] = evidence
    return found


def _planned(plan: PlanGraph | None) -> dict[str, Evidence]:
    steps = plan.parts("step", status="Pending") if plan is not None else []
    return {f"p{number}": Evidence(f"{step.title}: {step.text}") for number, step in enumerate(steps[:_MOST_STEPS], 1)}


def _lore(lore: LoreBase | None, draft: str) -> Iterator[Evidence]:
    for each in lore.search(draft, k=_MOST_SHOWN) if lore is not None else ():
        yield Evidence(f"{each.key}: {each.text}")


def _text(episodes: EpisodeArchive | None, draft: str, at: int) -> Iterator[Evidence]:
    for each in episodes.search(draft, k=_MOST_SHOWN, at=at) if episodes is not None else ():
        yield Evidence(each.text, each.chapter)


def _fitting(letter: str, found: Iterable[Evidence], most_tokens: int) -> dict[str, Evidence]:
    """What there is room for, the best first, by letter and number."""
    kept: dict[str, Evidence] = {}
    for each in found:
        most_tokens -= estimate_tokens(each.fact)
        if most_tokens < 0:
            break
        kept[f"{letter}{len(kept) + 1}"] = each
    return kept


def _believed(
    added: Sequence[AddedShape], draft: str, against: Mapping[str, Evidence], found: Sequence[Finding]
) -> Iterator[Finding]:
    """What the model adds, when draft and fact are quoted word for word and the rules have not reported it."""
    reported: set[tuple[Any, int]] = {(each.kind, each.start) for each in found}
    sentences = read_draft(draft).sentences
    for each in added:
        evidence = against.get(each.id)
        place = find_quote(each.quote, draft) if each.quote.strip() else None
        if evidence is None or place is None or not _stands_in(each.fact_quote, evidence):
            continue
        start, end = place
        whole = next((one for one in sentences if one.start <= start < one.end), None)
        if whole is not None and (each.kind, whole.start) in reported:
            continue
        yield Finding(each.kind, draft[start:end], start, end, (), each.reason, (evidence,), _ADDED)


def _stands_in(quote: str, evidence: Evidence) -> bool:
    return bool(quote.strip()) and any(find_quote(quote, text) is not None for text in (evidence.fact, evidence.source))
