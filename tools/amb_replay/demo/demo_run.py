"""The talk of the demo and what each way sends of it: large results are read, then questions come about facts in them.

Every way gets the same talk and the same bound. A fact is there when its subject and its answer stand in one message of
the request, not further from each other than a few lines; the question itself, which names the subject, does not count.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from amb_core import Settings
from amb_replay.bounded_arms import WindowWithPassages, clear_tool_uses, window
from amb_replay.demo.demo_material import Fact, Result, results
from amb_replay.recorded_run import RecordedRun, message_text
from amb_replay.replay_arms import AMB, FULL, AmbArm, Arm, Moments, PreparedArm
from amb_replay.request_cost import PromptCache
from amb_replay.trace import Trace

if TYPE_CHECKING:
    from amb_core.rendering import Language

__all__ = ["QUESTIONS", "WAYS", "Talk", "Way", "evidence", "run_ways", "talk_of"]

QUESTIONS = 25
_SEED = 25
"""Which facts are asked is drawn by lot, once; nobody has chosen among several draws."""
_NEAR = 300
"""So many characters at most between what is asked about and what is said of it."""
_SHOWN = 200
_TASK = {
    "en": "Read what the tools bring. I shall ask you about single facts in it later.",
    "zh": "请读取工具带回的内容。之后我会问您其中的具体事实。",
}
_READ = {"en": "I have read all of it.", "zh": "都读完了。"}


@dataclass(frozen=True, slots=True)
class Talk:
    """The messages of the talk, the results in it, and by the place of each answer what was asked."""

    trace: Trace
    asked: Mapping[int, Fact]
    results: Sequence[Result]


@dataclass(slots=True)
class Way:
    """What one way sent: the tokens of each request, all of them as billed with a cache, and for each question the text
    that has its fact, "" where there is none.
    """

    name: str
    tokens: list[int] = field(default_factory=list)
    billed: float = 0.0
    found: list[str] = field(default_factory=list)

    @property
    def facts(self) -> int:
        """How many questions had their fact in the request."""
        return sum(map(bool, self.found))


WAYS: Mapping[str, Callable[[Moments], Arm]] = {
    FULL: lambda of: PreparedArm(of, lambda messages, bound, count: messages),
    "clear-tool-uses": lambda of: PreparedArm(of, clear_tool_uses),
    "window": lambda of: PreparedArm(of, window),
    "window+bm25": lambda of: PreparedArm(of, WindowWithPassages()),
    AMB: AmbArm,
}
"""Everything; LangChain's way to clear tool results but the newest three; the newest messages; these with passages that
BM25 finds; AMB."""


def talk_of(language: Language, *, questions: int = QUESTIONS) -> Talk:
    """The talk; on one machine it is always the same."""
    read = results(language)
    messages: list[dict[str, Any]] = [{"role": "user", "content": _TASK[language]}]
    for number, one in enumerate(read):
        called = {"name": one.tool, "arguments": json.dumps(one.arguments, ensure_ascii=False)}
        call = {"id": f"call_{number:02}", "type": "function", "function": called}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": one.text})
    messages.append({"role": "assistant", "content": _READ[language]})
    asked: dict[int, Fact] = {}
    for fact in _drawn(read, questions):
        messages.append({"role": "user", "content": fact.question})
        asked[len(messages)] = fact
        messages.append({"role": "assistant", "content": fact.answer})
    return Talk(Trace("demo", tuple(messages)), asked, read)


def _drawn(read: Sequence[Result], count: int) -> list[Fact]:
    """Facts by lot, as many from each result as from any other, of those that no other result tells."""
    lot, chosen = random.Random(_SEED), list[Fact]()
    flat = [" ".join(one.text.split()) for one in read]
    order = lot.sample(range(len(read)), len(read))
    for at in (order * count)[: count + len(order)]:
        others = [text for number, text in enumerate(flat) if number != at]
        for fact in lot.sample(read[at].facts, len(read[at].facts)):
            if fact not in chosen and not any(fact.subject in text and fact.answer in text for text in others):
                chosen.append(fact)
                break
        if len(chosen) == count:
            break
    return chosen


def evidence(messages: Sequence[Mapping[str, Any]], fact: Fact) -> str:
    """The text of a request that says the fact, beside the question about it; "" where none does."""
    for message in messages:
        text = " ".join(message_text(message).split()).replace(fact.question, "")
        at = text.find(fact.answer)
        while at >= 0:
            end = at + len(fact.answer)
            near = text.rfind(fact.subject, max(0, at - _NEAR), end + _NEAR)
            if near >= 0:
                return text[min(near, at) : max(near + len(fact.subject), end)][: _SHOWN + _NEAR]
            at = text.find(fact.answer, at + 1)
    return ""


def run_ways(talk: Talk, *, bound: int) -> Iterator[Way]:
    """Each way with the whole talk, request by request."""
    run = RecordedRun(talk.trace)
    for name, opened in WAYS.items():
        arm, way, cache = opened(Moments(run, bound, 0, Settings(prompt_budget_tokens=bound))), Way(name), PromptCache()
        for call in run.calls:
            messages = arm.request(call, bound, ())
            sent = [run.sent(message) for message in messages]
            cost = cache.take([wire for wire, _ in sent], [run.tokens_of(message) for message in messages])
            way.tokens.append(cost.tokens)
            way.billed += cost.billed()
            if call in talk.asked:
                way.found.append(evidence(messages, talk.asked[call]))
        if isinstance(arm, AmbArm):
            arm.close()
        yield way
