"""A curator that asks a model once for each observation, and believes only what stands in the observation."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from amb_core.agents.prompted import Asker
from amb_core.chat.structured_chat import StructuredChat
from amb_core.chat.usage_meter import UsageMeter
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel
from amb_core.reading.quotes import has_pronoun, names_one_of
from amb_core.settings import Settings
from amb_core.team.actions import argument_of, normalised
from amb_core.team.curator import CuratedFact, CuratedObservation, CuratedRelation, Curator, CuratorRequest
from amb_core.team.dead_ends import is_dead_end, nothing_found
from amb_core.team.local_curator import LocalCurator
from amb_core.team.question_kind import choices_of, question_type
from amb_core.text import clip_tokens, find_unsupported, name_key
from amb_core.text.wordings import ANYWHERE, find_wording

__all__ = ["PromptedCurator"]

_log = logging.getLogger("amb.team")
_ROLE = "curator"
_OUTPUT = 900
_SHARE = 0.6
"""What share of the window the observation may take."""
_MOST_KNOWN, _KNOWN_TOKENS = 12, 60
_MOST_ASKED = 12
_LONGEST_QUOTE = 1_000
_LONGEST_RELATION = 40
_LATIN = re.compile(r"[^\W\u3400-\u9fff]")
_WHOLE_BEFORE, _WHOLE_AFTER = re.compile(r"(?<![^\W\u3400-\u9fff])"), re.compile(r"(?![^\W\u3400-\u9fff])")
_YES_NO = ("yes", "no", "是", "否")

_Name = Annotated[str, Field(max_length=200)]
_Text = Annotated[str, Field(max_length=_LONGEST_QUOTE)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class FactShape(_Shape):
    """One statement of the observation."""

    text: _Text
    subject: _Name = ""
    relation: _Name = ""
    value: _Name = ""


class CuratorShape(_Shape):
    """What the model answers."""

    entities: Annotated[list[_Name], Field(max_length=20)] = []
    facts: Annotated[list[FactShape], Field(max_length=8)] = []
    answer: _Name = ""
    answers_task: bool = False
    bridge_entity: _Name = ""
    next_queries: Annotated[list[_Name], Field(max_length=5)] = []
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.5
    is_dead_end: bool = False


class PromptedCurator:
    """A Curator on a chat model: one structured call for an observation; `local` stands in when that fails.

    `settings` say the language and the window, `meter` counts what is spent under the purpose `curator`. Names, values
    and facts that do not stand in the observation are dropped, word for word, white space aside.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        local: Curator | None = None,
        settings: Settings | None = None,
        meter: UsageMeter | None = None,
    ) -> None:
        self._asker = Asker(StructuredChat(chat, meter=meter), settings=settings or Settings())
        self._local = local or LocalCurator()

    def curate(self, request: CuratorRequest) -> CuratedObservation:
        """What is in the observation; the local curator's reading when no answer of the model can be used."""
        if is_dead_end(request.observation):
            return nothing_found(request)
        try:
            said = self._asked(request)
        except ModelError as error:
            _log.warning("an observation is read without the model, for it gave no usable answer: %s", error)
            return self._local.curate(request)
        curated = _checked(said, request)
        kept = curated.facts or curated.answer or curated.bridge_entity
        return curated if kept or _says_nothing(said) else self._local.curate(request)

    def _asked(self, request: CuratorRequest) -> CuratorShape:
        parts = {
            "task": request.task,
            "sub_question": request.sub_question or argument_of(request.action),
            "action": request.action,
            "observation": clip_tokens(request.observation, int(self._asker.window * _SHARE)),
            "known": [clip_tokens(fact, _KNOWN_TOKENS) for fact in request.known[-_MOST_KNOWN:]],
            "asked": list(request.asked[-_MOST_ASKED:]),
        }
        language = self._asker.language(request.task)
        return self._asker.ask(_ROLE, CuratorShape, parts, language=language, max_output_tokens=_OUTPUT)


def _says_nothing(said: CuratorShape) -> bool:
    """Whether the model says that there is nothing, rather than saying what is not there or leaving the list out."""
    claims = said.facts or said.answer.strip() or said.bridge_entity.strip()
    return said.is_dead_end or ("facts" in said.model_fields_set and not claims)


def _checked(said: CuratorShape, request: CuratorRequest) -> CuratedObservation:
    """The answer without what it invents."""
    text = request.observation
    facts = tuple(_facts(said, request))
    answer = _answer(said.answer, request)
    closes = said.answers_task and answer is not None
    bridge = None if closes else _bridge(said.bridge_entity, request)
    return CuratedObservation(
        entities=tuple(dict.fromkeys(name for each in said.entities if (name := _written(each, text)))),
        facts=facts,
        relations=tuple(
            CuratedRelation(subject=fact.subject, relation=fact.relation, value=fact.value)
            for fact in facts
            if fact.subject and fact.relation and fact.value
        ),
        answer=answer,
        answers_task=closes,
        bridge_entity=bridge,
        next_queries=() if closes else tuple(_queries(said.next_queries, request)),
        confidence=said.confidence if answer else min(said.confidence, 0.2),
        is_dead_end=said.is_dead_end and not facts and answer is None,
    )


def _facts(said: CuratorShape, request: CuratorRequest) -> Iterator[CuratedFact]:
    """The facts that are quoted, each once; a part of one that is not there is left empty."""
    seen: set[tuple[int, int]] = set()
    for fact in said.facts:
        place = _place(fact.text, request.observation)
        if place is None or place in seen:
            continue
        seen.add(place)
        start, end = place
        relation = " ".join(fact.relation.split())
        # a weak model repeats the sentence as relation and as value
        is_relation = len(relation) <= _LONGEST_RELATION and normalised(fact.value) != normalised(fact.text)
        quote = request.observation[start:end]
        subject = _subject(fact.subject, quote, request)
        value = _written(fact.value, quote) if is_relation and subject else ""
        yield CuratedFact(
            text=quote,
            start=start,
            end=end,
            subject=subject,
            relation=relation if value else "",
            value=value,
            confidence=max(said.confidence, 0.5),
        )


def _subject(name: str, quote: str, request: CuratorRequest) -> str:
    """What a quote is about: it names it, or has a pronoun for what the observation, task or action names."""
    if not names_one_of(quote, [name]) and not has_pronoun(quote):
        return ""
    sources = (quote, request.observation, request.task, request.action, *request.known)
    return next((written for source in sources if (written := _written(name, source))), "")


def _answer(said: str, request: CuratorRequest) -> str | None:
    """The answer as the observation writes it; yes and no to a yes-no question, one of the two for a choice."""
    kind = question_type(request.task)
    bare = said.strip(" .。").casefold()
    if bare in _YES_NO:
        return bare if kind == "yes-no" else None
    if kind == "choice":
        named = next((name for name in choices_of(request.task) if name_key(name) == name_key(said)), None)
        if named is not None:
            return named
    return _written(said, request.observation) or None


def _bridge(said: str, request: CuratorRequest) -> str | None:
    other = next((name for name in choices_of(request.task) if said and name_key(name) == name_key(said)), None)
    return other or _written(said, request.observation) or None


def _queries(said: Sequence[str], request: CuratorRequest) -> Iterator[str]:
    """Queries that name nothing new and were not made."""
    done = {normalised(query) for query in (*request.asked, argument_of(request.action))}
    sources = (request.task, request.observation, *request.known)
    for query in said[:3]:
        bare = " ".join(query.split())
        if bare and normalised(bare) not in done and not find_unsupported(bare, sources):
            done.add(normalised(bare))
            yield bare


def _written(said: str, text: str) -> str:
    """What was said as a text writes it; "" when it does not stand there as whole words."""
    place = _place(said, text)
    return "" if place is None else " ".join(text[place[0] : place[1]].split())


def _place(said: str, text: str) -> tuple[int, int] | None:
    """Where something stands in a text, case and white space aside; Latin words are met whole."""
    parts = said.split()
    if not parts:
        return None
    before = _WHOLE_BEFORE if _LATIN.match(parts[0]) else ANYWHERE
    after = _WHOLE_AFTER if _LATIN.match(parts[-1][-1]) else ANYWHERE
    return next(find_wording(_lower(text), [_lower(part) for part in parts], before=before, after=after), None)


def _lower(text: str) -> str:
    """In lower case, but every character in its place: what becomes two of them stays."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)
