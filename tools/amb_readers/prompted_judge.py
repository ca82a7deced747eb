"""A judge of statements that asks a model; what a verdict says is checked against the texts."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from datetime import UTC, datetime
from itertools import accumulate

from amb_agents.prompted.asker import Asker
from amb_agents.prompted.shapes import JudgeShape, VerdictShape
from amb_chat.structured_chat import StructuredChat
from amb_chat.usage_meter import UsageMeter
from amb_core.agent_io import JudgeAnswer, JudgeRequest, Statement, Verdict
from amb_core.chat_io import ChatReply
from amb_core.protocols import ChatModel
from amb_core.settings import Settings
from amb_core.text import clip_tokens, find_quote, index_tokens
from amb_readers.quotes import names_one_of
from amb_values import entities, values

__all__ = ["PromptedJudge"]


_EACH = 300
"""Tokens of an earlier statement that are shown."""
_ALIKE = 0.6
"""The share of words in which two descriptions of one thing agree."""
_OUTPUT, _OUTPUT_EACH = 150, 120
_LIKELY = 0.5
_RELATION = re.compile(r'"relation"\s*:\s*"(\w+)"')


class PromptedJudge:
    """A Judge that asks a chat model once for each later statement, however many earlier ones there are.

    `meter` counts what is spent and may hold a budget.
    """

    def __init__(self, chat: ChatModel, *, settings: Settings | None = None, meter: UsageMeter | None = None) -> None:
        self._asker = Asker(StructuredChat(chat, meter=meter), settings=settings or Settings())

    def judge(self, request: JudgeRequest) -> JudgeAnswer:
        """A verdict for each earlier statement; raises a ModelError when there is no usable answer."""
        if not request.earlier:
            return JudgeAnswer(verdicts=())
        later, most = clip_tokens(request.later.text, self._asker.window // 2), len(request.earlier)
        replies: list[ChatReply] = []
        answer = self._asker.ask(
            "judge",
            JudgeShape,
            {
                "earlier": [
                    {"n": n, **_shown(statement, clip_tokens(statement.text, _EACH))}
                    for n, statement in enumerate(request.earlier, 1)
                ],
                "later": _shown(request.later, later),
            },
            language=self._asker.language(later),
            max_output_tokens=_OUTPUT + _OUTPUT_EACH * most,
            heard=replies.append,
            check=lambda said: f"there are {most} earlier statements" if len(said.verdicts) > most else None,
        )
        sure = [*_probabilities(replies[-1]), *[None] * most]
        given = {one.n: (one, sure[at]) for at, one in reversed([*enumerate(answer.verdicts)])}
        found = (_verdict(*given.get(n, (None, None))) for n in range(1, most + 1))
        return JudgeAnswer(
            verdicts=tuple(
                admit_verdict(verdict, earlier=earlier, later=request.later)
                for verdict, earlier in zip(found, request.earlier, strict=True)
            )
        )


def _shown(statement: Statement, text: str) -> dict[str, str]:
    """A statement as material: its text, and where they are known its source and the day it was told."""
    day = datetime.fromtimestamp(statement.at, tz=UTC).date().isoformat() if statement.at else ""
    return {"text": text} | {name: told for name, told in (("source", statement.source), ("date", day)) if told}


def _probabilities(reply: ChatReply) -> list[float | None]:
    """How probable each relation of an answer was, in their order; [] where the endpoint does not say."""
    told = "".join(token for token, _ in reply.logprobs)
    ends = [*accumulate(len(token) for token, _ in reply.logprobs)]
    found: list[float | None] = []
    for each in _RELATION.finditer(told):
        first, last = bisect_right(ends, each.start(1)), bisect_left(ends, each.end(1))
        found.append(math.exp(min(0.0, sum(value for _, value in reply.logprobs[first : last + 1]))))
    return found


def _verdict(said: VerdictShape | None, probability: float | None) -> Verdict:
    """What the answers come to: a change or a conflict is of one attribute that holds one value.

    A model tells apart what two statements are about before it says how they stand to each other; a weak one that then
    calls every two of a kind a change is not believed, nor one that holds its own word for less probable than not.
    """
    if said is None:
        return Verdict()
    if probability is not None and probability < _LIKELY:
        return Verdict(reason=said.reason, probability=probability)
    if not _is_one(said.about_earlier, said.about_later) or (said.relation != "same" and not said.only_one):
        return Verdict(reason=said.reason)
    return Verdict(
        relation=said.relation,
        attribute=" ".join(said.about_later.split()),
        quote_earlier=said.quote_earlier,
        quote_later=said.quote_later,
        reason=said.reason,
        decided_by=said.decided_by,
        probability=probability,
    )


def _is_one(about: str, other: str) -> bool:
    """Whether two descriptions name one thing: most of their words are the same."""
    first, second = set(index_tokens(about)), set(index_tokens(other))
    return bool(first) and len(first & second) >= _ALIKE * len(first | second)


# --- what a verdict must pass ----------------------------------------------------------------------------------------

_QUESTIONS = ("?", "？", "吗", "吗。")
_EXACT = ("number", "date", "unit", "negation")


def admit_verdict(verdict: Verdict, *, earlier: Statement, later: Statement) -> Verdict:
    """The verdict itself, or "neither" in place of one that the two texts do not bear out.

    Two texts say the same only with the same figures, dates, units, negations and names. A change and a conflict need
    a quote from each text, word for word (white space aside), that differ; what only asks changes nothing.
    """
    if verdict.relation == "neither":
        return verdict
    if verdict.relation == "same":
        stands = _have_equal_values(earlier.text, later.text)
    else:
        stands = (
            find_quote(verdict.quote_earlier, earlier.text) is not None
            and find_quote(verdict.quote_later, later.text) is not None
            and verdict.quote_earlier.casefold() != verdict.quote_later.casefold()
            and not any(text.rstrip().endswith(_QUESTIONS) for text in (earlier.text, verdict.quote_later))
        )
    return verdict if stands else Verdict(reason=verdict.reason)


def _have_equal_values(one: str, other: str) -> bool:
    """Whether two texts have the same figures, dates, units and negations, and each name of one, or a telling part of
    it, stands in the other.
    """
    first, second = ({(each.kind, each.key) for each in values(text) if each.kind in _EXACT} for text in (one, other))
    return first == second and _names_all(one, in_words_of=other) and _names_all(other, in_words_of=one)


def _names_all(text: str, *, in_words_of: str) -> bool:
    words = set(index_tokens(in_words_of))
    return all(
        words.issuperset(index_tokens(entity.name)) or names_one_of(in_words_of, (entity.name,))
        for entity in entities(text)
    )
