"""Runs whose early tool outputs answer a late question: gold passages among distractors, dialogues, long documents."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice

from amb_bench.datasets import Passage, Question, Sample, load_cmrc, load_hotpotqa, load_locomo
from amb_values import sentences

__all__ = ["among_distractors", "as_sessions", "chinese", "dialogues", "documents", "multi_hop"]

Folder = str | os.PathLike[str] | None
_SHARED = 10
"""One question per so many distractors shares a memory with others, whose gold passages are distractors for it."""
_DOCUMENT = 12
"""Passages of one long document."""


def among_distractors(sample: Sample, *, distractors: int, questions: int, seed: int = 7) -> Iterator[Sample]:
    """Memories of `distractors` + 2 passages with the questions they answer.

    The gold passages lie at random places in the first third, everything else is in random order.
    """
    rng = random.Random(seed)
    asked = list(islice((question for question in sample.questions if question.evidence), questions))
    size = max(1, distractors // _SHARED)
    for start in range(0, len(asked), size):
        group = asked[start : start + size]
        gold = {name for question in group for name in question.gold}
        others = [passage for passage in sample.passages if passage.id not in gold]
        rng.shuffle(others)
        others = others[: max(0, distractors + 2 - len(gold))]
        third = max(len(gold), (len(others) + len(gold)) // 3)
        early = [passage for passage in sample.passages if passage.id in gold] + others[: third - len(gold)]
        rng.shuffle(early)
        ordered = [*early, *others[third - len(gold) :]]
        timed = tuple(replace(passage, timestamp=60.0 * at) for at, passage in enumerate(ordered))
        yield Sample(sample.name, timed, tuple(group))


def multi_hop(folder: Folder) -> Sample:
    """HotpotQA: the supporting sentences of two passages are the evidence."""
    return load_hotpotqa(folder=folder)


def chinese(folder: Folder, *, seed: int = 7) -> Sample:
    """CMRC 2018: one question per passage, its evidence the sentence with the answer."""
    whole = load_cmrc(folder=folder)
    texts = {passage.id: passage.text for passage in whole.passages}
    questions = list(whole.questions)
    random.Random(seed).shuffle(questions)
    once = {question.gold[0]: question for question in reversed(questions)}
    return replace(whole, questions=tuple(_with_sentence(question, texts) for question in once.values()))


def _with_sentence(question: Question, texts: dict[str, str]) -> Question:
    answer = question.evidence[0]
    found = next((said for said in sentences(texts[question.gold[0]]) if answer in said), answer)
    return replace(question, evidence=(found,))


def dialogues(folder: Folder, *, questions: int) -> list[Sample]:
    """LoCoMo: a passage per turn, stamped with its time; the evidence of a question are the turns without the stamp."""
    return [_asked(sample, questions) for sample in load_locomo(folder=folder)]


def _asked(sample: Sample, questions: int) -> Sample:
    said = {passage.id: passage.text.partition("] ")[2] for passage in sample.passages}
    step = max(1, len(sample.questions) // questions)
    chosen = [replace(q, evidence=tuple(said[name] for name in q.gold)) for q in sample.questions[::step][:questions]]
    return replace(sample, questions=tuple(chosen))


def as_sessions(sample: Sample) -> Sample:
    """The same dialogue with each session as one passage: its time on top, then a line per turn."""
    sessions = []
    for source, group in groupby(sample.passages, key=lambda passage: passage.source):
        turns = list(group)
        stamp = turns[0].text.partition("] ")[0].lstrip("[")
        text = "\n".join([stamp, *(turn.text.partition("] ")[2] for turn in turns)])
        sessions.append(Passage(source, text, source, timestamp=turns[0].timestamp))
    return replace(sample, passages=tuple(sessions))


def documents(sample: Sample, *, seed: int = 7) -> Sample:
    """The passages in random order, a dozen at a time joined to one document."""
    mixed = list(sample.passages)
    random.Random(seed).shuffle(mixed)
    parts: list[Sequence[Passage]] = [mixed[at : at + _DOCUMENT] for at in range(0, len(mixed), _DOCUMENT)]
    joined = tuple(
        Passage(f"document {at}", "\n\n".join(passage.text for passage in part), f"document {at}", timestamp=60.0 * at)
        for at, part in enumerate(parts)
    )
    return replace(sample, passages=joined)
