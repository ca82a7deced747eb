"""A curator on a reader: one call to a model for each observation, and what it says is what the observation says."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from amb_chat.usage_meter import UsageMeter
from amb_core.agent_io import ReadingAnswer, ReadingRequest, Statement
from amb_core.errors import ModelError
from amb_core.protocols import ChatModel
from amb_core.settings import Settings
from amb_core.text import clip_tokens
from amb_readers import PromptedReader
from amb_readers.quotes import as_written
from amb_team.actions import argument_of, normalised
from amb_team.curator import (
    CuratedFact,
    CuratedObservation,
    CuratedRelation,
    Curator,
    CuratorRequest,
    is_dead_end,
    nothing_found,
)
from amb_team.local_curator import LocalCurator
from amb_team.question_kind import choices_of, question_type
from amb_values import entities, name_key

__all__ = ["PromptedCurator"]

_log = logging.getLogger("amb.team")
_MOST_KNOWN, _KNOWN_TOKENS = 12, 60
_MOST_FACTS, _MOST_QUERIES = 8, 3
_SURE, _UNSURE = 0.8, 0.2


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
        asked = ReadingRequest(
            text=request.observation,
            only_statements=True,
            goal=request.task,
            question=request.sub_question or argument_of(request.action),
            known=tuple(clip_tokens(fact, _KNOWN_TOKENS) for fact in request.known[-_MOST_KNOWN:]),
            asked=request.asked[-_MOST_KNOWN:],
        )
        try:
            read = self._reader.read(asked)
        except ModelError as error:
            _log.warning("an observation is read without the model, for it gave no usable answer: %s", error)
            return self._local.curate(request)
        curated = _curated(read, request)
        if read.dropped and not (curated.facts or curated.answer or curated.bridge_entity):
            return self._local.curate(request).model_copy(update={"dropped": read.dropped})
        return curated


def _curated(read: ReadingAnswer, request: CuratorRequest) -> CuratedObservation:
    """What was read, as the team needs it: each quoted sentence is a fact, with the first relation that it states."""
    stated = [each for each in read.statements if _states(each)]
    quoted = {each.span: each for each in reversed((*stated, *read.statements))}
    facts = tuple(_fact(each) for _, each in sorted(quoted.items())[:_MOST_FACTS])
    answer = _answer(read.answer, request)
    closes = read.answers_goal and answer is not None
    queries = () if closes else tuple(_queries(read.missing, request))
    names = [name for each in read.statements for name in (each.subject, *(it.name for it in entities(each.value)))]
    return CuratedObservation(
        entities=tuple(dict.fromkeys(names)),
        facts=facts,
        relations=tuple(CuratedRelation.of(each) for each in stated),
        answer=answer,
        answers_task=closes,
        bridge_entity=_bridge([*choices_of(request.task), answer or "", *names], queries, request),
        next_queries=queries,
        confidence=_SURE if answer else _UNSURE,
        is_dead_end=bool(read.missing) and not (facts or answer or read.dropped),
        dropped=read.dropped,
    )


def _states(told: Statement) -> bool:
    """Whether a statement says what is so; a weak model repeats the sentence as its value."""
    is_so = told.modality == "said" and told.polarity == "affirmed"
    return is_so and bool(told.attribute) and normalised(told.value) != normalised(told.text)


def _fact(told: Statement) -> CuratedFact:
    start, end = told.span
    relation = CuratedRelation.of(told).model_dump() if _states(told) else {}
    return CuratedFact(text=told.text, start=start, end=end, confidence=_SURE, **relation)


def _answer(said: str, request: CuratorRequest) -> str | None:
    """The answer as the observation writes it; yes and no to a yes-no question, one of the two for a choice."""
    if question_type(request.task) == "yes-no" and said in ("yes", "no", "是", "否"):
        return said
    named = next((name for name in choices_of(request.task) if name_key(name) == name_key(said)), None)
    return named or as_written(said, request.observation) or None


def _bridge(names: Sequence[str], queries: Sequence[str], request: CuratorRequest) -> str | None:
    """The first of some names that the next search has and this one has not."""
    asked, wanted = name_key(argument_of(request.action)), next(iter(queries), "")
    return next((each for each in names if as_written(each, wanted) and name_key(each) not in asked), None)


def _queries(said: Sequence[str], request: CuratorRequest) -> Iterator[str]:
    """Queries that were not made."""
    done = {normalised(query) for query in (*request.asked, argument_of(request.action))}
    for query in said[:_MOST_QUERIES]:
        if normalised(query) not in done:
            done.add(normalised(query))
            yield query
