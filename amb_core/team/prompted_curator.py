"""A curator on a reader: one call to a model for each observation, and what it says is what the observation says."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from amb_core.agent_io import ReadingAnswer, ReadingRequest, Statement
from amb_core.agents.prompted import PromptedReader
from amb_core.chat.usage_meter import UsageMeter
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel
from amb_core.reading.quotes import as_written
from amb_core.settings import Settings
from amb_core.team.actions import argument_of, normalised
from amb_core.team.curator import CuratedFact, CuratedObservation, CuratedRelation, Curator, CuratorRequest
from amb_core.team.dead_ends import is_dead_end, nothing_found
from amb_core.team.local_curator import LocalCurator
from amb_core.team.question_kind import choices_of, question_type
from amb_core.text import clip_tokens, entities, name_key

__all__ = ["PromptedCurator"]

_log = logging.getLogger("amb.team")
_MOST_KNOWN, _KNOWN_TOKENS, _MOST_ASKED = 12, 60, 12
_MOST_FACTS, _MOST_QUERIES = 8, 3
_SURE, _UNSURE = 0.8, 0.2
_YES_NO = ("yes", "no", "是", "否")


class PromptedCurator:
    """A Curator on a chat model: one structured call for an observation; `local` stands in when that fails.

    `settings` say the language and the window, `meter` counts what is spent under the purpose `curator`. What the
    observation does not bear out is dropped and counted.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        local: Curator | None = None,
        settings: Settings | None = None,
        meter: UsageMeter | None = None,
    ) -> None:
        self._reader = PromptedReader(chat, purpose="curator", settings=settings, meter=meter)
        self._local = local or LocalCurator()

    def curate(self, request: CuratorRequest) -> CuratedObservation:
        """What is in the observation; the local curator's reading when no answer of the model can be used."""
        if is_dead_end(request.observation):
            return nothing_found(request)
        try:
            read = self._reader.read(_reading(request))
        except ModelError as error:
            _log.warning("an observation is read without the model, for it gave no usable answer: %s", error)
            return self._local.curate(request)
        curated = _curated(read, request)
        if read.dropped and not (curated.facts or curated.answer or curated.bridge_entity):
            return self._local.curate(request).model_copy(update={"dropped": read.dropped})
        return curated


def _reading(request: CuratorRequest) -> ReadingRequest:
    return ReadingRequest(
        text=request.observation,
        parts=frozenset(("statements",)),
        goal=request.task,
        question=request.sub_question or argument_of(request.action),
        known=tuple(clip_tokens(fact, _KNOWN_TOKENS) for fact in request.known[-_MOST_KNOWN:]),
        asked=request.asked[-_MOST_ASKED:],
    )


def _curated(read: ReadingAnswer, request: CuratorRequest) -> CuratedObservation:
    """What was read, as the team needs it."""
    told = [each for each in read.statements if each.modality == "said" and each.polarity == "yes"]
    stated = [each for each in told if each.attribute and normalised(each.value) != normalised(each.text)]
    answer = _answer(read.answer, request)
    closes = read.answers_goal and answer is not None
    queries = () if closes else tuple(_queries(read.missing, request))
    facts = tuple(_facts(read.statements, stated))
    return CuratedObservation(
        entities=tuple(dict.fromkeys(_names(read.statements))),
        facts=facts,
        relations=tuple(CuratedRelation.of(each) for each in stated),
        answer=answer,
        answers_task=closes,
        bridge_entity=None if closes else _bridge(answer, queries, read.statements, request),
        next_queries=queries,
        confidence=_SURE if answer else _UNSURE,
        is_dead_end=bool(read.missing) and not (facts or answer or read.dropped),
        dropped=read.dropped,
    )


def _facts(read: Sequence[Statement], stated: Sequence[Statement]) -> Iterator[CuratedFact]:
    """The sentences that were quoted, each once, with the first relation that each states."""
    for start, end in list(dict.fromkeys(each.span for each in read))[:_MOST_FACTS]:
        text = next(each.text for each in read if each.span == (start, end))
        first = next((each for each in stated if each.span == (start, end)), Statement(text=text))
        yield CuratedFact(
            text=text,
            start=start,
            end=end,
            subject=first.subject,
            relation=first.attribute,
            value=first.value,
            confidence=_SURE,
        )


def _names(read: Sequence[Statement]) -> Iterator[str]:
    """Of what something is told, and the names that are told of it."""
    for each in read:
        yield each.subject
        yield from (entity.name for entity in entities(each.value))


def _answer(said: str, request: CuratorRequest) -> str | None:
    """The answer as the observation writes it; yes and no to a yes-no question, one of the two for a choice."""
    kind = question_type(request.task)
    if said in _YES_NO:
        return said if kind == "yes-no" else None
    names = choices_of(request.task) if kind == "choice" else ()
    named = next((name for name in names if name_key(name) == name_key(said)), None)
    return named or as_written(said, request.observation) or None


def _bridge(
    answer: str | None, queries: Sequence[str], read: Sequence[Statement], request: CuratorRequest
) -> str | None:
    """The thing that the next search is about: of the two that are compared, the answer, or what was read."""
    asked = name_key(argument_of(request.action))
    names = [*choices_of(request.task), *([answer] if answer else []), *(each.value for each in read), *_names(read)]
    wanted = next(iter(queries), "")
    return next((name for name in names if name_key(name) not in asked and as_written(name, wanted)), None)


def _queries(said: Sequence[str], request: CuratorRequest) -> Iterator[str]:
    """Queries that were not made."""
    done = {normalised(query) for query in (*request.asked, argument_of(request.action))}
    for query in said[:_MOST_QUERIES]:
        if normalised(query) not in done:
            done.add(normalised(query))
            yield query
