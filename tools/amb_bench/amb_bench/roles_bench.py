"""Every role that a model plays, on labelled cases whose authors saw neither code nor prompts, beside its local twin.

`--model` asks a model, `--keep FOLDER` keeps its answers there; with `--keep` alone the kept answers are given again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from amb_book.checking import ConsistencyChecker, PromptedChecker
from amb_book.checking.findings import BookParts
from amb_book.desk.extractors import WrittenStatements
from amb_book.desk.talk_reader import TalkReader
from amb_book.desk.tasks import Turn
from amb_book.prompted_extractor import PromptedExtractor
from amb_book.story import Story
from pydantic import BaseModel

from amb_agents import local_agents
from amb_agents.prompted import llm_agents
from amb_bench.benches import BenchOptions
from amb_bench.role_cases import ROLES, KeptAnswers, Outcome, Score, found, overlap, read_cases, says
from amb_bench.tables import Table
from amb_chat import RetryPolicy, UsageMeter, metered, open_chat
from amb_core.agent_io import (
    AnalysisRequest,
    ClassificationRequest,
    JudgeRequest,
    NodeView,
    Statement,
    StructureRequest,
)
from amb_core.errors import InvalidParameter, ModelError
from amb_core.protocols import ChatModel
from amb_core.stores import open_store
from amb_longterm import LongTermMemory
from amb_readers import PromptedJudge
from amb_team import CuratedObservation, CuratorRequest, LocalCurator, PromptedCurator

__all__ = ["outcome", "tables"]

_QUICK = 5
_HALF = 0.5
_PATIENCE = 600.0
"""Seconds for one answer: a small model on a small machine is slow, and what it says is to be measured."""
_COLUMNS = (
    "role and who", "language", "n", "precision", "recall", "whole", "90 %", "refused", "repairs", "calls",
    "tokens in", "tokens out", "cost",
)  # fmt: skip

Case = Mapping[str, Any]


def tables(options: BenchOptions) -> Iterator[Table]:
    """A table for each role: the local twin, and the model where there is one."""
    unknown = set(options.only) - set(ROLES)
    if unknown:
        raise InvalidParameter(f"there is no role {min(unknown)!r}; there are: {', '.join(ROLES)}")
    most = options.questions or (_QUICK if options.quick else None)
    with TemporaryDirectory(prefix="amb-roles-") as made:
        kept = _model(options, Path(made))
        who = "" if kept is None else f", asked {kept.model}"
        for role in options.only or ROLES:
            rows: list[tuple[str | float, ...]] = []
            for language in (options.language,) if options.language else ("en", "zh"):
                cases = read_cases(role, language, folder=options.file)[:most]
                rows.append(_row(role, language, cases, None))
                if kept is not None:
                    rows.append(_row(role, language, cases, kept))
            yield Table(f"The role {role} on labelled cases{who}", _COLUMNS, tuple(rows), name=f"role-{role}")


def _model(options: BenchOptions, made: Path) -> KeptAnswers | None:
    if options.model is None and options.keep is None:
        return None
    chat = None
    if options.model:
        few = RetryPolicy(attempts=2)
        chat = open_chat(options.model, base_url=options.base_url, timeout=_PATIENCE, retries=few)
    return KeptAnswers(options.keep or made, chat=chat)


def _row(role: str, language: str, cases: list[dict[str, Any]], kept: KeptAnswers | None) -> tuple[str | float, ...]:
    meter, before = UsageMeter(), kept.repairs if kept is not None else 0
    outcomes = []
    for case in cases:
        if kept is not None:
            kept.begin_case()
        outcomes.append(outcome(role, case, chat=None if kept is None else metered(kept, meter=meter)))
    score, spent = Score(outcomes), meter.total
    parts = ("-" if part is None else part for part in (score.precision, score.recall))
    figures = (len(cases), *parts, score.whole, "{:.2f}–{:.2f}".format(*score.interval))
    if kept is None:
        return (f"{role}, local", language, *figures, "", "", "", "", "", "")
    cost = "" if meter.money is None else f"{meter.money:.4f}"
    used = (kept.repairs - before, spent.calls, spent.prompt_tokens, spent.completion_tokens, cost)
    return (f"{role}, model", language, *figures, score.refused, *used)


def outcome(role: str, case: Case, *, chat: ChatModel | None) -> Outcome:
    """What becomes of one case of a role with a model, or with its local twin."""
    try:
        return _RUNS[role](case, chat)
    except ModelError:
        return Outcome(0, 0, _wanted(role, case), refused=True)


def _wanted(role: str, case: Case) -> int:
    listed = {"extract": "statements", "curate": "facts", "check": "errors", "settle": "decisions", "condense": "keep"}
    if role == "topics":
        return len(case["segments"]) - 1
    return len(case[listed[role]]) if role in listed else int(case["label"] not in ("neither", "more", "unrelated"))


def _labelled(said: str, gold: str, *, none: str) -> Outcome:
    """A label: `none` says nothing, any other one thing."""
    right = said == gold and gold != none
    return Outcome(int(right), int(said not in (none, gold)), int(gold != none))


def _judge(case: Case, chat: ChatModel | None) -> Outcome:
    earlier, later = (
        Statement(text=each["text"], source=each["source"], at=_seconds(each.get("date")))
        for each in (case["earlier"], case["later"])
    )
    if chat is not None:
        (verdict,) = PromptedJudge(chat).judge(JudgeRequest(later=later, earlier=(earlier,))).verdicts
        return _labelled(verdict.relation, case["label"], none="neither")
    old, new = (
        NodeView(id=name, summary=one.text, context="", text=one.text, timestamp=one.at)
        for name, one in (("n1", earlier), ("n2", later))
    )
    relations = local_agents().analysis.analyse(AnalysisRequest(new=new, candidates=(old,))).relationships
    said = "conflict" if any(each.relationship == "conflict" for each in relations) else "neither"
    return _labelled(said, case["label"], none="neither")


def _seconds(date: str | None) -> float:
    try:
        return datetime.fromisoformat(date or "").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def _update(case: Case, chat: ChatModel | None) -> Outcome:
    """As the product takes it in: what is known is written without a judge, the new text with one.

    What is said of another known text than the one meant is false.
    """
    judge = None if chat is None else PromptedJudge(chat)
    with closing(open_store("memory://")) as store:
        with closing(LongTermMemory(store)) as memory:
            known = [memory.write(text, namespace="user_profile/u").id for text in case["known"]]
        with closing(LongTermMemory(store, judge=judge)) as memory:
            done = memory.write(case["new"], namespace="user_profile/u")
            record = next(each for each in memory.records(namespace="user_profile/u") if each.id == done.id)
            refused = "judging" in memory.stats().failures
    said = {"skipped": "same", "updated": "replaces", "merged": "same"}.get(done.status, "added")
    if said == "added" and record.disagreements:
        said = "contradicts"
    of = record.group if said == "contradicts" else done.id
    if said == case["label"] and case["which"] is not None and of != known[case["which"]]:
        said = "of another text"
    gold = "added" if case["label"] in ("more", "unrelated") else case["label"]
    return replace(_labelled(said, gold, none="added"), refused=refused)


def _extract(case: Case, chat: ChatModel | None) -> Outcome:
    """A statement is found by its value and quote; false is what was not plainly said. Unlisted true ones are free."""
    wanted = [each for each in case["statements"] if each["modality"] == "said" and each["polarity"] == "yes"]
    if chat is None:
        return Outcome(0, 0, len(wanted))
    with closing(Story(None)) as book:
        told = PromptedExtractor(chat, plan=book.plan).told(case["text"], known=book.facts, chapter=1)
    facts = [(_words(each.statement), each.evidence) for each in told.found if not hasattr(each.statement, "plan")]
    hits = sum(
        any(_tells(words, each["value"]) and overlap(quote, each["quote"]) for words, quote in facts) for each in wanted
    )
    false = sum(any(says(word, value) for word in words for value in case["never"]) for words, _ in facts)
    return Outcome(hits, false, len(wanted), refused=bool(told.problem))


def _words(statement: BaseModel | Mapping[str, Any]) -> list[str]:
    """The texts of a statement, without what it was read off."""
    told = statement.model_dump() if isinstance(statement, BaseModel) else statement
    return list(_texts({name: each for name, each in told.items() if name != "evidence"}))


def _texts(told: object) -> Iterator[str]:
    if isinstance(told, Mapping):
        told = tuple(told.values())
    if isinstance(told, (tuple, list)):
        for each in told:
            yield from _texts(each)
    elif told is not None and not isinstance(told, bool):
        yield str(told)


def _tells(words: list[str], value: str) -> bool:
    """Whether a statement has the value, or a part of it beside what the statement is about."""
    return any(says(word, value) for word in words) or any(says(value, word) for word in words[1:])


class _LocalNoted:
    """The local curator, which notes that it stood in for a model without a usable answer."""

    stood_in = False

    def curate(self, request: CuratorRequest) -> CuratedObservation:
        self.stood_in |= isinstance(sys.exception(), ModelError)
        return LocalCurator().curate(request)


def _curate(case: Case, chat: ChatModel | None) -> Outcome:
    local = _LocalNoted()
    curator = local if chat is None else PromptedCurator(chat, local=local)
    said = [
        fact.text
        for message in case["messages"]
        for fact in curator.curate(
            CuratorRequest(task=case["task"], action=f"say[{message['author']}]", observation=message["text"])
        ).facts
    ]
    hits = found(said, (fact["quote"] for fact in case["facts"]))
    false = found(said, case["never"])
    return Outcome(hits, false, len(case["facts"]), refused=local.stood_in)


def _check(case: Case, chat: ChatModel | None) -> Outcome:
    """What holds so far is lore of the book: sentences, as an author writes them."""
    with closing(Story(None)) as book:
        for number, fact in enumerate(case["facts"]):
            book.lore.put(f"fact {number}", fact)
        parts: BookParts = {"facts": book.facts, "lore": book.lore, "plan": book.plan}
        problem = ""
        if chat is None:
            findings = ConsistencyChecker().check(case["scene"], **parts)
        else:
            findings, problem = PromptedChecker(chat).looked_over(case["scene"], **parts)
    quotes = [error["quote"] for error in case["errors"]]
    said = [each.sentence for each in findings]
    hits = found(said, quotes)
    false = sum(not any(overlap(text, quote) for quote in quotes) for text in said)
    return Outcome(hits, false, len(quotes), refused=bool(problem))


def _settle(case: Case, chat: ChatModel | None) -> Outcome:
    turns = [
        Turn(role="author", text=f"{each['speaker']}: {each['text']}", at=float(number), number=number)
        for number, each in enumerate(case["talk"], 1)
    ]
    with closing(Story(None)) as book:
        extractor = WrittenStatements() if chat is None else TalkReader(chat)
        read = extractor.extract(turns, story=book, chapter=1)
    said = [word for each in read for word in _words(each.statement)]
    hits = sum(any(says(word, each["value"]) for word in said) for each in case["decisions"])
    false = sum(any(says(word, value) for word in said) for value in case["gone"])
    return Outcome(hits, false, len(case["decisions"]), refused=bool(getattr(read, "problems", None)))


def _condense(case: Case, chat: ChatModel | None) -> Outcome:
    """What a summary says beyond half the length of its text does not count: a copy keeps everything."""
    agents = local_agents() if chat is None else llm_agents(chat)
    summary = agents.structure.structure(StructureRequest(content=case["text"])).summary
    counted = summary[: int(len(case["text"]) * _HALF)]
    kept = sum(says(counted, each) for each in case["keep"])
    return Outcome(kept, sum(says(summary, each) for each in case["never"]), len(case["keep"]))


def _topics(case: Case, chat: ChatModel | None) -> Outcome:
    """A boundary is right where a cluster begins at the first character of a segment, white space aside."""
    text = "\n\n".join(case["segments"])
    wanted = set(accumulate(len(each) + 2 for each in case["segments"][:-1]))
    agents = local_agents() if chat is None else llm_agents(chat, fused=False)
    answer = agents.classification.classify(ClassificationRequest(text=text))
    said = {start + len(text[start:]) - len(text[start:].lstrip()) for one in answer.clusters for start, _ in one.spans}
    said.discard(0)
    return Outcome(len(said & wanted), len(said - wanted), len(wanted))


_RUNS: Mapping[str, Callable[[Case, ChatModel | None], Outcome]] = {
    "judge": _judge,
    "update": _update,
    "extract": _extract,
    "curate": _curate,
    "check": _check,
    "settle": _settle,
    "condense": _condense,
    "topics": _topics,
}
