"""Observations of two-hop questions with what a curator should read off them: the bridge, or the answer."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from amb_bench.datasets import data_folder, load_hotpotqa
from amb_core.text import detect_language, index_tokens, name_key
from amb_team.curator import CuratorRequest
from amb_tools.hotpotqa import normalised_answer as plain

__all__ = ["Case", "Half", "chinese_cases", "hotpotqa_cases"]

Half = Literal["development", "held out"]

_SUFFIX = re.compile(r" \([^()]*\)$")


@dataclass(frozen=True, slots=True)
class Case:
    """One hop: what the curator is given, and the bridge entity or the answer it should find.

    `stated` says whether what is wanted stands in the observation word for word: no curator that invents nothing finds
    it otherwise (yes and no aside).
    """

    request: CuratorRequest
    wanted: str
    hop: Literal["first", "final"]
    kind: Literal["bridge", "comparison"]
    half: Half
    stated: bool


@dataclass(frozen=True, slots=True)
class _Page:
    title: str
    text: str
    facts: tuple[str, ...]


def hotpotqa_cases(*, folder: str | os.PathLike[str] | None = None) -> list[Case]:
    """The hops of the 100 questions of HotpotQA; the even ones are for development. UnreadableSource without data."""
    sample = load_hotpotqa(folder=folder, titles="none")
    texts = {passage.title: passage.text for passage in sample.passages}
    rows = json.loads((data_folder(folder) / "hotpotqa" / "hotpotqa_train.json").read_text(encoding="utf-8"))
    cases = []
    for number, (row, question) in enumerate(zip(rows, sample.questions, strict=True)):
        if len(question.gold) == 2:
            pages = [_page(title, texts[title], question.evidence) for title in question.gold]
            cases += _cases(row["question"], row["answer"], pages, kind=row["type"], half=_half(number))
    return cases


def chinese_cases() -> list[Case]:
    """The hops of two-hop questions in Chinese that are part of this package; the even ones are for development."""
    lines = (files("amb_bench") / "two_hop_questions.jsonl").read_text(encoding="utf-8").splitlines()
    cases = []
    for number, line in enumerate(lines):
        row = json.loads(line)
        pages = [_Page(title, text, (text,)) for title, text in row["pages"]]
        cases += _cases(row["question"], row["answer"], pages, kind=row["type"], half=_half(number))
    return cases


def _half(number: int) -> Half:
    return "held out" if number % 2 else "development"


def _page(title: str, text: str, evidence: Sequence[str]) -> _Page:
    return _Page(title, text, tuple(sentence for sentence in evidence if sentence and sentence in text))


def _cases(question: str, answer: str, pages: list[_Page], *, kind: Any, half: Half) -> list[Case]:
    """First and final hop; pages are put in the order in which one would come to them."""
    first, last = _in_order(question, answer, pages, kind)
    bridge = last.title if plain(last.title) in plain(first.text) else _SUFFIX.sub("", last.title)
    cases = []
    if kind == "bridge" and plain(bridge) not in plain(question):
        request = _request(question, first, known=())
        cases.append(Case(request, bridge, "first", "bridge", half, plain(bridge) in plain(first.text)))
    stated = plain(answer) in plain(last.text) or plain(answer) in ("yes", "no", "是", "否")
    if stated or kind == "comparison":
        cases.append(Case(_request(question, last, known=first.facts), answer, "final", kind, half, stated))
    return cases


def _in_order(question: str, answer: str, pages: list[_Page], kind: str) -> list[_Page]:
    """The page the question names before the other; of two that it names as well, the one without the answer."""
    if kind == "comparison":
        return pages
    asked = set(index_tokens(question))

    def named(page: _Page) -> float:
        title = _SUFFIX.sub("", page.title)
        terms = set(index_tokens(title))
        whole = name_key(title) in name_key(question)
        return 1.0 if whole else len(terms & asked) / max(len(terms), 1) * 0.9

    return sorted(pages, key=lambda page: (-named(page), plain(answer) in plain(page.text)))


def _request(question: str, page: _Page, *, known: tuple[str, ...]) -> CuratorRequest:
    verb = "搜索" if detect_language(question) == "zh" else "Search"
    title = _SUFFIX.sub("", page.title)
    asked = (title,)
    return CuratorRequest(
        task=question, action=f"{verb}[{title}]", observation=page.text, sub_question=title, known=known, asked=asked
    )
