"""The same questions, answered by the same model from requests of the same size that each way made.

`demo` asks for facts in large results of this machine, `hotpotqa` for two-hop answers among 42 passages that an agent
has read page by page, `ama` what experts ask of recorded runs (AMA-Bench): those of its questions whose gold answer is
short and stands in the run, since words cannot judge the others. `--model` asks a model, and `--keep FOLDER`
keeps its answers, so that a run that was stopped goes on, and a finished one is shown again without a model. An answer
is right if it holds the gold answer, or shares half of its words with it (F1). The model gets each request as one text:
small ones know no tool messages.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from amb_bench.bench_metrics import mean
from amb_bench.benches import BenchOptions
from amb_bench.role_cases import KeptAnswers
from amb_bench.tables import Table
from amb_bench.traces_sets import load_sets
from amb_chat import RetryPolicy, open_chat
from amb_core import Settings
from amb_core.chat_io import ChatRequest
from amb_core.errors import InvalidParameter, ModelError
from amb_core.text import estimate_tokens
from amb_replay.bounded_arms import WindowWithPassages, clear_tool_uses
from amb_replay.demo import talk_of
from amb_replay.recorded_run import RecordedRun, message_text
from amb_replay.replay_arms import AMB, AmbArm, Arm, Moments, PreparedArm
from amb_replay.trace import Trace
from amb_tools.hotpotqa import f1_score, normalised_answer
from amb_tools.hotpotqa.hotpot_questions import load_questions

_PAGE = 3
"""Passages of one page."""

__all__ = ["Asked", "Read", "is_right", "reads", "sign_test", "tables"]

_BOUND = 2_000
_DISTRACTORS = 40
_PATIENCE = 900.0
_MOST_TOKENS = 60
_SHORT_ANSWER = 6
_SOURCES = ("demo", "hotpotqa", "ama")
_QUICK = 3
_TELL = "Answer the question from the text, in a few words. Write nothing but the answer."

WAYS: dict[str, Callable[[Moments], Arm]] = {
    "window+bm25": lambda of: PreparedArm(of, WindowWithPassages()),
    "clear-tool-uses": lambda of: PreparedArm(of, clear_tool_uses),
    AMB: AmbArm,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A transcript that ends in a question, and the gold answer."""

    messages: tuple[Any, ...]
    question: str
    gold: str


@dataclass(frozen=True, slots=True)
class Read:
    """What the model made of one way's request: how many tokens that had, and whether the gold answer stood in it."""

    answer: str
    tokens: int
    held: bool
    right: bool
    f1: float


def tables(options: BenchOptions) -> Iterator[Table]:
    """Two tables for each source: every way, and AMB against each other one, question by question."""
    if unknown := set(options.only) - set(_SOURCES):
        raise InvalidParameter(f"there is no part {min(unknown)!r}; there are: {', '.join(_SOURCES)}")
    if options.model is None and options.keep is None:
        raise InvalidParameter("name a model to ask, --model NAME --base-url URL, or --keep FOLDER with its answers")
    most = options.questions or (_QUICK if options.quick else 60)
    with TemporaryDirectory(prefix="amb-reader-") as made:
        few = RetryPolicy(attempts=2)
        chat = None
        if options.model:
            chat = open_chat(options.model, base_url=options.base_url, timeout=_PATIENCE, retries=few)
        kept = KeptAnswers(options.keep or Path(made), chat=chat)
        for source in options.only or _SOURCES:
            found = [reads(one, kept) for one in islice(_asked(source, options), most)]
            yield from _tables(source, found, kept.model)


def reads(asked: Asked, chat: KeptAnswers) -> dict[str, Read]:
    """What the model says to a question with each way's request; a request that it refuses is a wrong answer."""
    run = RecordedRun(Trace("reader", (*asked.messages, {"role": "assistant", "content": ""})))
    found: dict[str, Read] = {}
    for name, opened in WAYS.items():
        arm = opened(Moments(run, _BOUND, 0, Settings(prompt_budget_tokens=_BOUND)))
        texts = list(map(message_text, arm.request(run.calls[-1], _BOUND, ())))
        if isinstance(arm, AmbArm):
            arm.close()
        told = "\n\n".join(texts)
        prompt = f"{told}\n\n{_TELL}\nQuestion: {asked.question}\nAnswer:"
        request = ChatRequest(({"role": "user", "content": prompt},), temperature=0.0, max_output_tokens=_MOST_TOKENS)
        try:
            answer = chat.complete(request).text.strip()
        except ModelError:
            answer = ""
        f1 = f1_score(answer, asked.gold)
        held = normalised_answer(asked.gold) in normalised_answer(told.replace(asked.question, ""))
        found[name] = Read(answer, sum(map(estimate_tokens, texts)), held, is_right(answer, asked.gold), f1)
    return found


def is_right(answer: str, gold: str) -> bool:
    """Whether an answer holds the gold one, as whole words, or shares half of its words with it."""
    said, wanted = f" {normalised_answer(answer)} ", f" {normalised_answer(gold)} "
    return wanted in said or f1_score(answer, gold) >= 0.5


# --- what is asked ----------------------------------------------------------------------------------------------------


def _asked(source: str, options: BenchOptions) -> Iterator[Asked]:
    return {"demo": _of_demo, "hotpotqa": _of_hotpotqa, "ama": _of_ama}[source](options)


def _of_demo(options: BenchOptions) -> Iterator[Asked]:
    for language in (options.language,) if options.language else ("en", "zh"):
        talk = talk_of("zh" if language == "zh" else "en", questions=30)
        first = min(talk.asked) - 1
        for fact in talk.asked.values():
            said = {"role": "user", "content": fact.question}
            yield Asked((*talk.trace.messages[:first], said), fact.question, fact.answer)


def _of_hotpotqa(options: BenchOptions) -> Iterator[Asked]:
    questions, passages = load_questions(options.data)
    for number, one in enumerate(questions):
        lot = random.Random(number)
        wanted = list(dict.fromkeys(title for title, _ in one.supporting))
        others = lot.sample([title for title in passages if title not in wanted], _DISTRACTORS)
        titles = lot.sample([*wanted, *others], len(wanted) + _DISTRACTORS)
        read = _pages_of([f"{title}\n{' '.join(passages[title])}" for title in titles])
        begins = {"role": "user", "content": "Read all pages. I shall ask you about them."}
        asks = {"role": "user", "content": one.text}
        yield Asked((begins, *read, {"role": "assistant", "content": "Done."}, asks), one.text, one.answer)


def _of_ama(options: BenchOptions) -> Iterator[Asked]:
    """Questions on all runs in turn, the first of each before the second of any."""
    runs = [one for each in load_sets(options.data, names=("ama_",)) for one in each.traces if one.questions]
    for at in range(max((len(one.questions) for one in runs), default=0)):
        for one in runs:
            if at < len(one.questions):
                told = one.questions[at]
                said = {"role": "user", "content": told["question"]}
                asked = Asked((*one.trace.messages, said), told["question"], told["answer"])
                if _can_be_judged(asked):
                    yield asked


def _can_be_judged(asked: Asked) -> bool:
    """Whether the gold answer is a few words that stand in the transcript, and not in the question."""
    gold = f" {normalised_answer(asked.gold)} "
    read = normalised_answer("\n".join(map(message_text, asked.messages[:-1])))
    return (
        len(asked.gold.split()) <= _SHORT_ANSWER
        and gold in f" {read} "
        and gold not in f" {normalised_answer(asked.question)} "
    )


# --- what came of it --------------------------------------------------------------------------------------------------


def _tables(source: str, found: Sequence[dict[str, Read]], model: str) -> Iterator[Table]:
    rows = []
    for way in WAYS:
        each = [one[way] for one in found]
        shares = (100 * mean([read.right for read in each]), 100 * mean([read.f1 for read in each]))
        held = 100 * mean([read.held for read in each])
        rows.append((way, *shares, held, mean([read.tokens for read in each])))
    columns = ("request by", "right, %", "F1, %", "gold in the request, %", "tokens")
    yield Table(f"{source}: answers of {model} from {_BOUND:,} tokens ({len(found)} questions)", columns, tuple(rows))
    pairs = []
    for way in WAYS:
        if way != AMB:
            won = sum(one[AMB].right and not one[way].right for one in found)
            lost = sum(one[way].right and not one[AMB].right for one in found)
            pairs.append((f"AMB and {way}", won, lost, len(found) - won - lost, sign_test(won, lost)))
    yield Table(f"{source}: in pairs", ("", "AMB alone right", "the other alone", "alike", "p"), tuple(pairs))


def sign_test(won: int, lost: int) -> float:
    """How probable so uneven a split is if neither is better (two-sided)."""
    n = won + lost
    return min(1.0, sum(comb(n, at) for at in range(max(won, lost), n + 1)) * 2 / 2**n) if n else 1.0


def _pages_of(texts: Sequence[str]) -> list[dict[str, Any]]:
    """A call and its result for each page of a few texts."""
    messages: list[dict[str, Any]] = []
    for at in range(0, len(texts), _PAGE):
        call = {"name": "read", "arguments": json.dumps({"page": at // _PAGE})}
        calls = [{"id": f"c{at}", "type": "function", "function": call}]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages.append({"role": "tool", "tool_call_id": f"c{at}", "content": "\n\n".join(texts[at : at + _PAGE])})
    return messages
