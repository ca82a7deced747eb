"""PromptedExtractor: what a reader finds in a text of a book, as statements of the book."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from amb_book.desk.read_off import Extracted
from amb_book.statements import EntityKind, PlanKind, parsed
from amb_core.agent_io import ReadingRequest, Statement
from amb_core.agents.chunking import chunk_spans
from amb_core.agents.prompted import PromptedReader
from amb_core.agents.prompted.shapes import LongReadingShape
from amb_core.chat.usage_meter import UsageMeter
from amb_core.errors import InvalidInput, ModelError
from amb_core.protocols import ChatModel
from amb_core.settings import Settings
from amb_core.text import detect_language

if TYPE_CHECKING:
    from amb_book.facts import FactGraph
    from amb_book.plan import PlanGraph

__all__ = ["PromptedExtractor", "Told"]

_PIECE_TOKENS = 3_000
"""A text is read piece by piece."""
_STATES = ("DEAD", "ALIVE", "MISSING", "IMPRISONED", "WOUNDED", "DESTROYED")
_KINDS = frozenset(kind.upper() for kind in get_args(EntityKind)) - {"HOOK"}
_HOOKS = {"HOOK": "Unresolved", "HOOK_RESOLVED": "Resolved"}
_OWN = {*_STATES, *_KINDS, *_HOOKS, "STATUS", "ALSO_CALLED"}
"""Attributes that are no relation, in the words of the prompt."""
_SURE = 0.9
_GOAL = {"en": "chapter {}", "zh": "第 {} 章"}


class Told(NamedTuple):
    """What a model read off: the statements believed, why that is not all ("" where it is), and how many were not."""

    found: list[Extracted]
    problem: str
    dropped: int


class PromptedExtractor:
    """Reads statements off a text with a chat model, one structured call for a piece of it.

    What the reader's quote does not bear out, and what is no statement of a book, is dropped and counted. `plan` says
    where what is planned belongs. `meter` counts what is spent under the purpose `extraction`.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        plan: PlanGraph | None = None,
        settings: Settings | None = None,
        meter: UsageMeter | None = None,
    ) -> None:
        self._reader = PromptedReader(
            chat,
            purpose="extraction",
            prompts="amb_book.prompts",
            shape=LongReadingShape,
            settings=settings,
            meter=meter,
        )
        self._plan = plan

    def told(self, text: str, *, known: FactGraph, chapter: int) -> Told:
        """What the model itself reads off a text, piece by piece to its end, as far as it is believed."""
        found: list[Extracted] = []
        dropped, named = 0, dict[str, str]()
        for start, end in chunk_spans(text, limit=min(_PIECE_TOKENS, self._reader.most_tokens)):
            told = self._told(text[start:end], known, chapter, named)
            found += told.found
            dropped += told.dropped
            if told.problem:
                return Told(found, told.problem, dropped)
        return Told(found, "", dropped)

    def _told(self, text: str, known: FactGraph, chapter: int, named: dict[str, str]) -> Told:
        """What is read off one piece; `named` has the kinds of those of earlier pieces, and gets those of this one."""
        try:
            read = self._reader.read(_request(text, known, chapter, named))
        except ModelError as error:
            return Told([], str(error), 0)
        kinds = {each.subject: each.attribute.lower() for each in read.statements if each.attribute in _KINDS}
        named |= {each.subject: named.get(each.subject, "character") for each in read.statements} | kinds
        book = _Book(known, chapter, self._plan, named)
        told = [each for each in read.statements if each.modality in ("said", "planned")]
        dropped = read.dropped
        found: list[Extracted] = []
        for each in told:
            plain = book.plain(each)
            try:
                found += [Extracted(parsed([plain])[0], each.text, _SURE)] if plain is not None else []
            except InvalidInput:
                dropped += 1
        return Told(found, "", dropped)


def _request(text: str, known: FactGraph, chapter: int, named: Iterable[str]) -> ReadingRequest:
    """The text with what the book says of whom it names, and the names of all others."""
    here = {each.id: each for mention in known.mentions(text, at=chapter) for each in mention.entities}
    told = [fact.text for each in here for fact in known.about(each, at=chapter).facts]
    groups = [(each.name, *each.aliases) for each in known.entities(at=chapter)]
    groups += [(name,) for name in named if not known.resolve(name, at=chapter)]
    return ReadingRequest(
        text=text,
        kind="book",
        only_statements=True,
        goal=_GOAL[detect_language(text)].format(chapter),
        known=(*dict.fromkeys(told), ", ".join(name for name, *_ in groups)),
        names=tuple(groups),
    )


class _Book:
    """What statements of a reader are as statements of a book: in their JSON form."""

    def __init__(self, known: FactGraph, chapter: int, plan: PlanGraph | None, kinds: Mapping[str, str]) -> None:
        self._known, self._chapter, self._plan, self._kinds = known, chapter, plan, kinds

    def plain(self, told: Statement) -> dict[str, Any] | None:
        """The JSON form; None for what the book has or does not keep, {} for what is no statement."""
        if told.modality == "planned":
            return _planned(told, self._plan)
        attribute = re.sub(r"\W+", "_", told.attribute.strip())
        name, there = attribute.upper(), self._known.resolve(told.subject, at=self._chapter)
        kind = there[0].kind if there else self._kinds[told.subject]
        if name in _HOOKS:
            hook = told.value if name == "HOOK" else told.subject
            return {"hook": hook, "status": _HOOKS[name]} if name == "HOOK" or there else {}
        names_two = attribute == name or self._known.resolve(told.value, at=self._chapter)
        if name not in _OWN and name.isascii() and names_two:
            until = told.polarity == "denied"
            return {"subject": told.subject, "relation": name, "object": told.value, "until": until}
        if told.polarity == "denied" or (name in _KINDS and there):
            return None
        if name == "STATUS" or name in _STATES:
            return {"status": {"of": told.subject, "is": told.value if name == "STATUS" else name.lower()}}
        entity: dict[str, Any] = {"entity": told.subject, "kind": kind}
        if name == "ALSO_CALLED":
            return {**entity, "aliases": [told.value]}
        return entity if name in _KINDS else {**entity, "properties": {told.attribute: told.value}}


def _planned(told: Statement, plan: PlanGraph | None) -> dict[str, Any]:
    """A part of the plan, in one line that says whom it is about."""
    line = told.value if told.subject in told.value else f"{told.subject}: {told.value}"
    title = f"{line} ({told.time})" if told.time and told.time not in line else line
    kind, within = _belongs(plan)
    return {"plan": title, "kind": kind, "title": title, "within": within}


_WITHIN: tuple[tuple[PlanKind, PlanKind], ...] = (
    ("short_outline", "step"),
    ("long_outline", "short_outline"),
    ("general_outline", "long_outline"),
)


def _belongs(plan: PlanGraph | None) -> tuple[PlanKind, str | None]:
    """What a new part is: a step of the outline in progress, or an outline where there is none to put a step into."""
    if plan is None:
        return "step", None
    for outer, inner in _WITHIN:
        there = plan.parts(outer)
        if there:
            begun = [part for part in there if part.status == "InProgress"]
            return inner, (begun or there)[-1].id
    return "general_outline", None
