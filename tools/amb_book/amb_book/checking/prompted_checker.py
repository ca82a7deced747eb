"""A checker that lets a chat model judge what the rules found, and believes of it only what it quotes."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Unpack

from pydantic import BaseModel, ConfigDict, Field, model_validator

from amb_agents.prompted import Asker
from amb_book.checking.checker import ConsistencyChecker, in_order
from amb_book.checking.draft import read_draft, scenes_of
from amb_book.checking.findings import BookParts, Evidence, Finding, FindingKind
from amb_book.checking.known import Known
from amb_book.checking.material import Material, Materials
from amb_book.timed_chat import TimedChat
from amb_chat.structured_chat import StructuredChat
from amb_core.errors import ModelAnswerInvalid, ModelError
from amb_core.protocols import ChatModel
from amb_core.rendering import Language
from amb_core.settings import Settings
from amb_core.text import find_quote

__all__ = ["PromptedChecker"]

_log = logging.getLogger("amb.narrative")
_ROLE = "checking"
_OUTPUT = 2_500
_SCENE_SHARE = 0.3
"""What share of the window a scene may take."""
_MOST_CALLS = 80
_BEFORE_CHARS = 500
"""So much of what stands before a scene is shown with it: who "she" is."""
_CONFIRMED, _ADDED = 0.97, 0.75
_LEAST_LETTERS, _LEAST_HAN = 5, 2
_MARKS = " \t\r\n\u3000*＊#~=_·•◇◆☆★※—–-"

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

    @model_validator(mode="after")
    def _is_an_answer(self) -> CheckingShape:
        """Another schema says nothing of the scene: it is no word that all is well."""
        if not self.model_fields_set & {"verdicts", "added"}:
            raise ValueError("there are neither verdicts nor added")
        return self


class PromptedChecker:
    """A ConsistencyChecker on a chat model: a structured call a scene; the rules' findings stand where that fails.

    With each scene the model sees whom it names or may mean by a title, what holds of them as of the chapter, open
    steps of the plan, and what of the lore and the book's text bears on it; more facts than fit make a further call. It
    may confirm what the rules found, reject it with a quote of scene or material that shows why, and add a finding that
    quotes scene and evidence, all word for word. What it did not look at is told, never passed over. What is
    spent counts under the purpose `checking`; `seconds` is the time of one draft.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        seconds: float | None = None,
    ) -> None:
        self._chat = TimedChat(chat, seconds=seconds)
        self._asker = Asker(StructuredChat(self._chat), settings=Settings(), prompts="amb_book.prompts")

    def check(self, draft: str, **book: Unpack[BookParts]) -> list[Finding]:
        """The findings in a draft, in its order; as ConsistencyChecker.check."""
        found, problem = self.looked_over(draft, **book)
        if problem:
            _log.warning("a draft is not wholly checked by the model: %s", problem)
        return found

    def looked_over(self, draft: str, **book: Unpack[BookParts]) -> tuple[list[Finding], str]:
        """The findings as `check` has them, and what the model did not look at, and why; "" where it saw all."""
        with self._chat.within():
            return self._looked_over(draft, book)

    def _looked_over(self, draft: str, book: BookParts) -> tuple[list[Finding], str]:
        found = ConsistencyChecker().check(draft, **book)
        if not draft.strip():
            return found, ""
        facts, at = book["facts"], book.get("at")
        known = Known(facts, facts.last_chapter if at is None else at, book.get("episodes"))
        work = _Work(draft, found, Materials(book, known, window=self._asker.window))
        language = self._asker.language(draft)
        scenes = scenes_of(draft, int(self._asker.window * _SCENE_SHARE))
        calls = 0
        for place, (start, end) in enumerate(scenes):
            scene = _Scene(draft, start, end, [each for each in found if start <= each.start < end])
            pages = work.materials.of(scene.text)
            if calls + len(pages) > _MOST_CALLS:
                work.leave(scenes[place:], _words(language, "most", most=_MOST_CALLS))
                break
            calls += len(pages)
            try:
                for number, page in enumerate(pages):
                    work.take(scene, page, self._asked(scene, page, language, first=number == 0))
            except ModelAnswerInvalid as error:
                work.leave([(start, end)], str(error))
            except ModelError as error:
                work.leave(scenes[place:], str(error))
                break
            if pages[0].unseen:
                work.leave([(start, end)], _words(language, "facts"))
        return work.findings, work.problem(language)

    def _asked(self, scene: _Scene, page: Material, language: Language, *, first: bool) -> CheckingShape:
        found = scene.found if first else ()
        parts = {
            "before": scene.draft[max(0, scene.start - _BEFORE_CHARS) : scene.start],
            "draft": scene.text,
            "people": page.people,
            "facts": page.of("f"),
            "plan": page.of("p"),
            "lore": page.of("l"),
            "passages": page.of("t"),
            "found": [
                {"n": number, "kind": each.kind, "sentence": each.sentence, "message": each.message}
                for number, each in enumerate(found, 1)
            ],
        }
        return self._asker.ask(_ROLE, CheckingShape, parts, language=language, max_output_tokens=_OUTPUT)


@dataclass(frozen=True)
class _Scene:
    """draft[start:end], and what the rules found in it."""

    draft: str
    start: int
    end: int
    found: Sequence[Finding]

    @property
    def text(self) -> str:
        return self.draft[self.start : self.end]


@dataclass
class _Work:
    """What became of the rules' findings, what was added, and what nobody looked at."""

    draft: str
    found: Sequence[Finding]
    materials: Materials
    added: list[Finding] = field(default_factory=list)
    rejected: set[int] = field(default_factory=set)
    confirmed: set[int] = field(default_factory=set)
    left: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def take(self, scene: _Scene, page: Material, said: CheckingShape) -> None:
        """Believe of an answer what it quotes."""
        shown = [scene.text, *(text for each in page.against.values() for text in (each.fact, each.source))]
        for verdict in said.verdicts:
            if not 1 <= verdict.n <= len(scene.found):
                continue
            each = scene.found[verdict.n - 1]
            if verdict.holds:
                self.confirmed.add(id(each))
            elif _shows(verdict.quote, each.entities) and any(find_quote(verdict.quote, text) for text in shown):
                self.rejected.add(id(each))
        self.added += self._believed(said.added, scene, page)

    def leave(self, spans: Sequence[tuple[int, int]], why: str) -> None:
        """Note that the model did not look at parts of the draft."""
        self.left.setdefault(why, []).extend(spans)

    @property
    def findings(self) -> list[Finding]:
        kept = [
            replace(each, confidence=max(each.confidence, _CONFIRMED)) if id(each) in self.confirmed else each
            for each in self.found
            if id(each) not in self.rejected - self.confirmed
        ]
        return in_order([*kept, *self.added])

    def problem(self, language: Language) -> str:
        """What was not looked at, by the places in the draft, and why."""
        told = []
        for why, spans in self.left.items():
            ends = [spans[0]]
            for start, end in spans[1:]:
                joins = not self.draft[ends[-1][1] : start].strip(_MARKS)
                ends[-1:] = [(ends[-1][0], end)] if joins else [ends[-1], (start, end)]
            places = (_words(language, "place", first=start + 1, last=end) for start, end in ends)
            told.append(f"{', '.join(places)}: {why}")
        return "; ".join(told)

    def _believed(self, added: Sequence[AddedShape], scene: _Scene, page: Material) -> Iterator[Finding]:
        """What the model adds, when scene and evidence are quoted word for word and it was not reported yet."""
        sentences = read_draft(scene.text).sentences
        reported = {(each.kind, each.start) for each in (*scene.found, *self.added)}
        for each in added:
            evidence = page.against.get(each.id)
            place = find_quote(each.quote, scene.text) if _shows(each.quote) else None
            if evidence is None or place is None or not _stands_in(each.fact_quote, evidence):
                continue
            start, end = place
            whole = next((one for one in sentences if one.start <= start < one.end), None)
            begin = scene.start + (whole.start if whole is not None else start)
            if {(each.kind, begin), (each.kind, scene.start + start)} & reported:
                continue
            reported.add((each.kind, begin))
            said = scene.text[start:end]
            names = self.materials.names_in(said)
            spot = scene.start + start, scene.start + end
            yield Finding(each.kind, said, *spot, names, each.reason, (evidence,), _ADDED)


def _shows(quote: str, names: Sequence[str] = ()) -> bool:
    """Whether a quote says something besides names: five letters or two characters at least."""
    rest = quote
    for name in names:
        rest = rest.replace(name, " ")
    letters = [char for char in rest if char.isalpha()]
    return len(letters) >= _LEAST_LETTERS or sum("\u3400" <= char <= "\u9fff" for char in letters) >= _LEAST_HAN


def _stands_in(quote: str, evidence: Evidence) -> bool:
    return bool(quote.strip()) and any(find_quote(quote, text) is not None for text in (evidence.fact, evidence.source))


_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "place": "characters {first} to {last}",
        "most": "a draft is at most {most} questions; check it in parts",
        "facts": "there was no room for all older facts about those who are named there",
    },
    "zh": {
        "place": "第 {first} 至 {last} 字",
        "most": "一份草稿至多提问 {most} 次，请分段检查",
        "facts": "有关其中人物的较早的事实未能全部列入",
    },
}


def _words(language: Language, key: str, **fields: object) -> str:
    return _WORDS[language][key].format(**fields)
