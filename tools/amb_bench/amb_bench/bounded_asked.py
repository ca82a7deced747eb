"""An agent that reads page after page for one question: how much of the answer its last request holds."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from amb_bench.bench_metrics import evidence_share, mean
from amb_bench.datasets import Passage, Question, Sample
from amb_bench.tables import Table
from amb_core import Settings
from amb_core.rendering import escape
from amb_core.text import estimate_tokens
from amb_replay.recorded_run import RecordedRun, message_text
from amb_replay.replay_arms import AMB, ARMS, AmbArm, Moments
from amb_replay.trace import Trace

__all__ = ["asked_table", "pages_of"]

_BUDGET, _BLOCK = 4_000, 800
_PAGE = 3
"""Passages of one page."""
_WAYS = ("window", "window+bm25", AMB)


def asked_table(name: str, samples: Iterable[Sample]) -> Table:
    """The share of gold sentences word for word in the last request, in per cent, at the tokens that AMB sends."""
    shares: defaultdict[str, list[float]] = defaultdict(list)
    for sample in samples:
        for question in sample.questions:
            if question.evidence:
                for way, text in _last_requests(question, sample.passages).items():
                    evidence = [escape(said) if way == AMB else said for said in question.evidence]
                    shares[way].append(max(evidence_share(text, evidence), evidence_share(text, question.evidence)))
    return Table(
        f"{name}: gold sentences in the last request of {_BUDGET:,} tokens, % ({len(shares[AMB])} questions)",
        ("way", "gold sentences"),
        tuple((way, 100.0 * mean(found)) for way, found in shares.items()),
    )


def _last_requests(question: Question, passages: Sequence[Passage]) -> dict[str, str]:
    """What each way sends at last, when all pages are read."""
    run = RecordedRun(_reading(question, passages))
    settings = Settings(prompt_budget_tokens=_BUDGET, block_tokens=_BLOCK)
    of = Moments(run, _BUDGET, _BLOCK, settings)
    sent = dict.fromkeys(run.calls, _BUDGET)
    found: dict[str, str] = {}
    for way in (AMB, *(way for way in _WAYS if way != AMB)):
        arm = ARMS[way](of)
        for call in run.calls:
            texts = [message_text(message) for message in arm.request(call, sent[call], ())]
            found[way] = "\n".join(texts)
            if way == AMB:
                sent[call] = sum(map(estimate_tokens, texts))
        if isinstance(arm, AmbArm):
            arm.close()
    return found


def _reading(question: Question, passages: Sequence[Passage]) -> Trace:
    """The run: the question, a call and its result for each page, and an answer."""
    read = pages_of([each.text for each in passages])
    begins = {"role": "user", "content": question.text}
    return Trace("reading", (begins, *read, {"role": "assistant", "content": "Done."}), format="openai-chat")


def pages_of(texts: Sequence[str]) -> list[dict[str, Any]]:
    """A call and its result for each page of a few texts."""
    messages: list[dict[str, Any]] = []
    for at in range(0, len(texts), _PAGE):
        call = {"name": "read", "arguments": json.dumps({"page": at // _PAGE})}
        calls = [{"id": f"c{at}", "type": "function", "function": call}]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages.append({"role": "tool", "tool_call_id": f"c{at}", "content": "\n\n".join(texts[at : at + _PAGE])})
    return messages
