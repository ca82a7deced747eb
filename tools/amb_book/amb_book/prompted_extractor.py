"""PromptedExtractor: statements read off a text by one structured call; only what stands in the text is believed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from amb_book.desk.read_off import Extracted
from amb_book.statements import PlanKind, parsed
from amb_core.agents.prompted import Asker
from amb_core.chat.structured_chat import StructuredChat
from amb_core.chat.usage_meter import UsageMeter
from amb_core.errors import InvalidInput, ModelError
from amb_core.protocols import ChatModel
from amb_core.reading.quotes import has_pronoun, names_one_of
from amb_core.settings import Settings
from amb_core.text import clip_tokens, estimate_tokens, sentence_spans

if TYPE_CHECKING:
    from amb_book.facts import FactGraph
    from amb_book.plan import PlanGraph

__all__ = ["PromptedExtractor", "Told"]

_OUTPUT = 4_000
_PIECE_TOKENS = 3_000
_MOST_PIECES = 12
_KNOWN_TOKENS = 1_200
_TALK_TOKENS, _TALK_SHARE = 24_000, 0.6
"""A talk is one question of at most so many tokens, and of such a share of the window."""

_Name = Annotated[str, Field(max_length=200)]
_Quote = Annotated[str, Field(max_length=1_500)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ToldShape(_Shape):
    """One statement as a model tells it."""

    kind: Literal["entity", "relation", "status", "hook", "plan"]
    evidence: _Quote
    name: _Name
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.7
    entity_kind: Literal["character", "location", "item", "faction", "ability", "thing"] = "character"
    aliases: Annotated[list[_Name], Field(max_length=6)] = []
    attribute: _Name = ""
    value: _Name = ""
    relation: Annotated[str, Field(max_length=60)] = ""
    other: _Name = ""
    ended: bool = False


class ExtractionShape(_Shape):
    """What a model answers."""

    statements: Annotated[list[ToldShape], Field(max_length=60)]


class Told(NamedTuple):
    """What a model read off: the statements believed, why that is not all ("" where it is), and how many were not."""

    found: list[Extracted]
    problem: str
    dropped: int


class PromptedExtractor:
    """Reads statements off a text or a talk with a chat model, one structured call for a piece of it.

    A statement is kept only if its evidence stands in the text word for word, white space aside, and names what it is
    about and the value it says, or has a pronoun for somebody the text or the book names. `plan` says where what is
    planned belongs. `meter` counts what is spent under the purpose `extraction`.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        plan: PlanGraph | None = None,
        settings: Settings | None = None,
        meter: UsageMeter | None = None,
    ) -> None:
        self._asker = Asker(
            StructuredChat(chat, meter=meter), settings=settings or Settings(), prompts="amb_book.prompts"
        )
        self._plan = plan

    def told(self, text: str, *, known: FactGraph, chapter: int) -> Told:
        """What the model itself reads off a text, piece by piece, as far as it is believed."""
        found: list[Extracted] = []
        dropped = 0
        for piece in _pieces(text) if text.strip() else ():
            try:
                answer = self._asked(piece, known, chapter)
            except ModelError as error:
                return Told(found, str(error), dropped)
            believed = list(_believed(answer, piece, known, chapter, self._plan))
            found += believed
            dropped += len(answer.statements) - len(believed)
        return Told(found, "", dropped)

    def most_chars(self, talk: str) -> int:
        """How many characters of a talk are shown to the model in one question."""
        most = min(_TALK_TOKENS, self._asker.window * _TALK_SHARE)
        return int(most * len(talk) / max(estimate_tokens(talk), 1))

    def of_talk(self, talk: str, *, quotable: str, known: FactGraph, chapter: int) -> Told:
        """What the model reads off a whole talk and quotes from what may be quoted."""
        if not talk.strip():
            return Told([], "", 0)
        try:
            answer = self._asked(talk, known, chapter)
        except ModelError as error:
            return Told([], str(error), 0)
        found = list(_believed(answer, quotable, known, chapter, self._plan))
        return Told(found, "", len(answer.statements) - len(found))

    def _asked(self, text: str, known: FactGraph, chapter: int) -> ExtractionShape:
        language = self._asker.language(text)
        parts = {"chapter": chapter, "known": _known(text, known, chapter), "text": text}
        return self._asker.ask("extraction", ExtractionShape, parts, language=language, max_output_tokens=_OUTPUT)


def _known(text: str, known: FactGraph, chapter: int) -> str:
    """Names the text has with what the book says of them, then the other names."""
    named = {each.id: each for mention in known.mentions(text, at=chapter) for each in mention.entities}
    told = [fact.text for each in named for fact in known.about(each, at=chapter).facts]
    others = [entity.name for entity in known.entities(at=chapter)]
    return clip_tokens("\n".join([*dict.fromkeys(told), ", ".join(others)]), _KNOWN_TOKENS)


def _pieces(text: str) -> list[str]:
    """A text in pieces of whole sentences that fit into one question; the last ones of a text that is too long."""
    pieces: list[str] = []
    begin = end = spent = 0
    for first, last in sentence_spans(text):
        price = estimate_tokens(text[first:last])
        if spent and spent + price > _PIECE_TOKENS:
            pieces.append(text[begin:end])
            begin, spent = first, 0
        end, spent = last, spent + price
    return [*pieces, text[begin:end]][-_MOST_PIECES:]


def _believed(
    answer: ExtractionShape, text: str, known: FactGraph, chapter: int, plan: PlanGraph | None
) -> Iterator[Extracted]:
    """The statements whose evidence stands in the text and names what they are about."""
    for told in answer.statements:
        evidence = _place(told.evidence, text)
        if evidence is None or not _speaks_of(told, evidence, text, known, chapter):
            continue
        if told.kind == "entity" and not told.value and not told.aliases and known.resolve(told.name, at=chapter):
            continue
        try:
            (statement,) = parsed([_plain(told, plan)])
        except InvalidInput:
            continue
        yield Extracted(statement, evidence, told.confidence)


def _place(said: str, text: str) -> str | None:
    """What was said as the text writes it, white space aside; None where it does not stand there."""
    parts = said.split()
    if not parts:
        return None
    found = re.search(r"\s+".join(map(re.escape, parts)), text)
    return None if found is None else found.group()


def _speaks_of(told: ToldShape, evidence: str, text: str, known: FactGraph, chapter: int) -> bool:
    """Whether every name is one of the book or the text, and the evidence bears the statement out."""
    if told.kind == "plan":
        return True
    if told.kind == "hook":
        return bool(told.value == "Unresolved" or known.resolve(told.name, at=chapter))
    ends = [told.name, *([told.other] if told.kind == "relation" else [])]
    there = [
        [name, *(each for it in known.resolve(name, at=chapter) for each in (it.name, *it.aliases))] for name in ends
    ]
    if not all(name in text or len(names) > 1 for name, names in zip(ends, there, strict=True)):
        return False
    if any(alias not in text for alias in told.aliases):
        return False
    if told.kind == "entity" and told.value and told.value.casefold() not in evidence.casefold():
        return False
    named = [names_one_of(evidence, names) for names in there]
    return all(named) or (has_pronoun(evidence) and (len(named) == 1 or any(named)))


def _plain(told: ToldShape, plan: PlanGraph | None) -> dict[str, Any]:
    """The statement in its JSON form."""
    match told.kind:
        case "entity":
            properties = {told.attribute: told.value} if told.attribute and told.value else {}
            return {"entity": told.name, "kind": told.entity_kind, "aliases": told.aliases, "properties": properties}
        case "relation":
            relation = re.sub(r"\W+", "_", told.relation.strip()).upper()
            return {"subject": told.name, "relation": relation, "object": told.other, "until": told.ended}
        case "status":
            return {"status": {"of": told.name, "is": told.value}}
        case "hook":
            return {"hook": told.name, "status": told.value}
        case "plan":
            kind, within = _belongs(plan)
            return {"plan": told.name, "kind": kind, "title": told.name, "within": within}


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
