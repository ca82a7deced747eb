"""TalkReader: what an author agreed in a talk, read off the whole of it with a chat model, part by part."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field

from amb_agents.chunking import chunk_spans
from amb_agents.prompted import Asker
from amb_agents.prompted.shapes import LongReadingShape
from amb_agents.prompts import prompt
from amb_book.desk.extractors import place_of
from amb_book.desk.read_off import Extracted, ReadOff
from amb_book.desk.task_context import conversation
from amb_book.desk.tasks import Turn
from amb_book.prompted_extractor import reading_request
from amb_book.prompts import book_prompt
from amb_book.statement_forms import BookForms, PlanPlaces
from amb_book.statements import PlanStatement
from amb_book.timed_chat import TimedChat
from amb_chat.structured_chat import StructuredChat
from amb_core.agent_io import ReadingRequest
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel
from amb_core.settings import Settings
from amb_core.text import clip_tokens, estimate_tokens
from amb_readers.prompted_reader import borne_out
from amb_readers.quotes import find_words

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["TalkReader"]

_OUTPUT = 6_000
_PART_TOKENS, _PART_SHARE = 24_000, 0.6
"""One question has so much of a talk at most, and such a share of the window."""
_MOST_PARTS = 40
_KNOWN_TOKENS, _PLAN_TOKENS, _STANDING_TOKENS = 1_200, 800, 2_000
_DRAFT_TOKENS = 25
"""What is shorter is no text of a chapter."""


class GoneShape(BaseModel):
    """An earlier decision that was withdrawn or replaced, and the words that say so."""

    n: int
    quote: Annotated[str, Field(max_length=1_500)]


class TalkShape(LongReadingShape):
    """What a reader answers, and beside it which earlier decisions hold no more, and where the chapter stands."""

    gone: Annotated[list[GoneShape], Field(max_length=60)] = []
    chapter_turns: Annotated[list[int], Field(max_length=40)] = []


@dataclass(frozen=True, slots=True)
class _Piece:
    """A turn, or a part of one that is too long for one question."""

    turn: Turn
    text: str
    part: int = 0

    @property
    def told(self) -> str:
        offered = ", options" if self.turn.context.get("options") else ""
        which = f", part {self.part}" if self.part else ""
        return f"[{self.turn.number} {self.turn.role}{offered}{which}]\n{self.text}"


class TalkReader:
    """Reads off what was agreed: every turn is shown, in as many questions as it takes, each with what stood before it.

    A decision is a statement of a reader, kept only if the author said or took the quote, which bears it out; one of an
    earlier part goes only with a quote that takes it back. `seconds` is the time of one question. What fails, or is
    more than 40 questions, is told by the turns that nobody read: the oldest of a talk that is too long. What is spent
    counts under the purpose `settling`.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        seconds: float | None = None,
    ) -> None:
        self._chat = TimedChat(chat, seconds=seconds)
        self._asker = Asker(StructuredChat(self._chat), settings=Settings(), prompts="amb_book.prompts")

    def extract(self, turns: Sequence[Turn], *, story: Story, chapter: int) -> ReadOff:
        """The decisions that stand at the end, each with its evidence and its place, and the chapter's text."""
        said = conversation(turns)
        parts = _parts(said, int(min(_PART_TOKENS, self._asker.window * _PART_SHARE)))
        reading = _Reading(said, story, chapter)
        unread = [piece.turn.number for part in parts[:-_MOST_PARTS] for piece in part]
        problems: list[str] = []
        shown = parts[-_MOST_PARTS:]
        for place, part in enumerate(shown):
            try:
                with self._chat.within():
                    answer = self._asked(part, reading)
            except ModelError as error:
                problems.append(str(error))
                unread += [piece.turn.number for left in shown[place:] for piece in left]
                break
            reading.take(answer, part)
        unread = unread if len(parts) > 1 else []  # nothing was read: the problem says so
        told: dict[str, Any] = {"problems": problems, "unread": unread, "withdrawn": reading.withdrawn}
        return ReadOff(reading.standing, **told, dropped=reading.dropped, draft=reading.draft)

    def _asked(self, part: Sequence[_Piece], reading: _Reading) -> TalkShape:
        text = "\n\n".join(piece.told for piece in part)
        request = reading.request(text)
        parts = {
            "chapter": reading.chapter,
            "known": clip_tokens("\n".join(request.known), _KNOWN_TOKENS),
            "plan": _clipped(reading.places.told, _PLAN_TOKENS),
            "standing": reading.told,
            "chapter_turns": reading.chapter_turns,
            "talk": text,
        }
        language = self._asker.language(text)
        system = f"{prompt('reading', language)}\n\n{book_prompt('reading_talk', language)}"
        return self._asker.ask(
            "settling", TalkShape, parts, language=language, max_output_tokens=_OUTPUT, system=system
        )


class _Reading:
    """What stands so far while a talk is read."""

    def __init__(self, said: Sequence[Turn], story: Story, chapter: int) -> None:
        self.story, self.chapter = story, chapter
        self._drafts = {turn.number: turn for turn in said if not turn.context.get("options")}
        self.standing: list[Extracted] = []
        self.chapter_turns: list[int] = []
        self.withdrawn: list[str] = []
        self.dropped = 0
        self._read = False
        self._kinds: dict[str, str] = {}
        self._shown: list[Extracted] = []

    @property
    def places(self) -> PlanPlaces:
        """The parts of the plan, those that stand among them."""
        places = PlanPlaces(self.story.plan)
        for each in self.standing:
            if isinstance(each.statement, PlanStatement):
                places.add(each.statement)
        return places

    @property
    def told(self) -> list[dict[str, Any]]:
        """What stands, numbered, for the next question: the newest, as much as there is room for."""
        found, left = list[Extracted](), _STANDING_TOKENS
        for each in reversed(self.standing):
            left -= estimate_tokens(_line(each))
            if left < 0:
                break
            found.insert(0, each)
        self._shown = found
        return [{"n": number, "statement": _line(each)} for number, each in enumerate(found, 1)]

    @property
    def draft(self) -> str | None:
        """The chapter's text, in the order of its turns; None when no part was read."""
        if not self._read:
            return None
        return "\n\n".join(self._drafts[number].text.strip() for number in self.chapter_turns)

    def take(self, answer: TalkShape, part: Sequence[_Piece]) -> None:
        """Add what a part decides, and take out what it takes back."""
        self._read = True
        last = max((piece.turn.number for piece in part), default=0)
        heard = [turn for number, turn in self._drafts.items() if number <= last]
        here = "\n\n".join(piece.text for piece in part if piece.turn.role == "author")
        gone = {each.n for each in answer.gone if len(each.quote.strip()) > 1 and find_words(each.quote, here)}
        out = [each for number, each in enumerate(self._shown, 1) if number in gone]
        self.withdrawn += map(_line, out)
        self.standing = [each for each in self.standing if all(each is not other for other in out)]
        self.standing += self._believed(answer, part, heard)
        numbers = [number for number in answer.chapter_turns if self._is_draft(number)]
        self.chapter_turns = list(dict.fromkeys(numbers)) or self.chapter_turns

    def _believed(self, answer: TalkShape, part: Sequence[_Piece], heard: Sequence[Turn]) -> Iterator[Extracted]:
        request = self.request("\n\n".join(piece.text for piece in part))
        text = "\n\n".join(turn.text for turn in heard)
        told = borne_out(answer.statements, request.model_copy(update={"text": text}))
        formed = BookForms(self.story.facts, self.chapter, places=self.places, kinds=self._kinds).of(told)
        self.dropped += len(answer.statements) - len(told) + formed.dropped
        for each in formed.found:
            yield replace(each, turn=place_of(each.evidence, heard))

    def request(self, text: str) -> ReadingRequest:
        """A text with what the book and the plan know of whom it names."""
        asked = reading_request(text, self.story.facts, self.chapter, self._kinds)
        parts = self.places.names
        unnamed = tuple(name for part in parts for name in part)
        return asked.model_copy(update={"names": (*asked.names, *parts), "unnamed": unnamed})

    def _is_draft(self, number: int) -> bool:
        turn = self._drafts.get(number)
        return turn is not None and estimate_tokens(turn.text) >= _DRAFT_TOKENS


def _parts(said: Sequence[Turn], most: int) -> list[list[_Piece]]:
    """The turns in parts for one question each; one that is too long alone is cut between its sentences."""
    parts: list[list[_Piece]] = []
    room = 0
    for piece in (piece for turn in said for piece in _pieces(turn, most)):
        price = estimate_tokens(piece.told)
        if not parts or price > room:
            parts.append([])
            room = most
        parts[-1].append(piece)
        room -= price
    return parts


def _pieces(turn: Turn, most: int) -> list[_Piece]:
    spans = chunk_spans(turn.text, limit=most)
    if len(spans) < 2:
        return [_Piece(turn, turn.text)]
    return [_Piece(turn, turn.text[start:end], number) for number, (start, end) in enumerate(spans, 1)]


def _line(each: Extracted) -> str:
    told = each.statement.plain()
    told.pop("evidence", None)
    return json.dumps(told, ensure_ascii=False)


def _clipped(told: Sequence[dict[str, str]], most: int) -> list[dict[str, str]]:
    """As many as there is room for."""
    kept: list[dict[str, str]] = []
    for each in told:
        most -= estimate_tokens(json.dumps(each, ensure_ascii=False))
        if most < 0:
            break
        kept.append(each)
    return kept
