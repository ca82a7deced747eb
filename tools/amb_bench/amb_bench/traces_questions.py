"""Expert questions about recorded runs: is what the gold answer needs in the block that memory gives for it?

*Strings*: the identifiers, figures and names of the gold answer that stand in the run and not in the question. *Turns*:
of the turns that question or answer name, those of which a piece is shown that no other turn has. The plain opponents
show passages that carry the number of their turn.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from amb_bench.tables import Table
from amb_bench.traces_sets import RecordedTrace
from amb_core import ContextAdapter, MemoryBank
from amb_core.retrieval import LexicalIndex
from amb_core.text import estimate_tokens
from amb_replay.later_use import strings_in
from amb_replay.recorded_run import RecordedRun, calls_in, flatten, message_text
from amb_replay.result_passages import passages_of, terms_of

__all__ = ["BUDGETS", "Evidence", "TurnPassages", "ask_about", "question_table", "turns_named"]

BUDGETS = (1_000, 2_000, 4_000)
_TURN = re.compile(r"(?i)\b(?:turn|step)s?\s+(\d+)(?:\s*(?:-|–|to|and)\s*(\d+))?")
_MARK, _EVERY, _MOST_MARKS = 30, 17, 400
_NEAR_TURNS = 3
Show = Callable[[str, int, "Evidence"], str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a gold answer needs: its strings, and the turns that are named."""

    strings: frozenset[str]
    turns: frozenset[int]


@dataclass(slots=True)
class _Shares:
    strings: list[float] = field(default_factory=list)
    turns: list[float] = field(default_factory=list)


def turns_named(text: str) -> set[int]:
    """The numbers of the turns or steps that a text names; short ranges count in full."""
    found: set[int] = set()
    for first, last in _TURN.findall(text):
        found.add(int(first))
        if last and 0 < int(last) - int(first) <= _NEAR_TURNS:
            found.update(range(int(first), int(last) + 1))
    return found


class _Turns:
    """The turns of a run: an action and what came back, by the number that its questions use."""

    def __init__(self, run: RecordedRun) -> None:
        self.run = run
        calls = {number: called for message in run.messages for number, called in calls_in(message)}
        self.texts: dict[int, str] = {}
        for at in run.results:
            message = run.messages[at]
            called = calls.get(str(message.get("tool_call_id")), {})
            number = re.sub(r"\D", "", str(message.get("tool_call_id"))) or len(self.texts)
            self.texts[int(number)] = f"{called.get('name')} {called.get('arguments')}\n{message_text(message)}"
        self.whole = "\n".join(self.texts.values())

    @cached_property
    def own_marks(self) -> dict[int, list[str]]:
        """Pieces of text that only one turn has."""
        marks = {number: _marks(flatten(text).text) for number, text in self.texts.items()}
        known = Counter(mark for found in marks.values() for mark in set(found))
        return {number: [mark for mark in found if known[mark] == 1] for number, found in marks.items()}

    def evidence(self, question: Mapping[str, str]) -> Evidence:
        """What the gold answer of a question needs."""
        asked, answer = question["question"], question["answer"]
        strings = {one for one in strings_in(answer) if one not in asked and one in self.whole}
        turns = {number for number in turns_named(f"{asked} . {answer}") if self.own_marks.get(number)}
        return Evidence(frozenset(strings), frozenset(turns))


def _marks(text: str) -> list[str]:
    return [text[at : at + _MARK] for at in range(0, max(1, len(text) - _MARK), _EVERY)][:_MOST_MARKS]


class TurnPassages:
    """Passages that carry the number of their turn, shown in several orders."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        pieces = [(number, piece) for number, text in texts.items() for piece in passages_of(text)]
        self._turn = [number for number, _ in pieces]
        self._texts = [f"Turn {number}: {piece}" for number, piece in pieces]
        self._costs = [estimate_tokens(text) for text in self._texts]
        self._index = LexicalIndex(k1=1.2, b=0.6)
        for key, text in enumerate(self._texts):
            self._index.put(key, terms_of(text))

    def _ranked(self, question: str) -> list[int]:
        scores = self._index.scores(dict.fromkeys(terms_of(question), 1.0), size=len(self._texts))
        return [int(at) for at in np.argsort(-scores, kind="stable")]

    def by_words(self, question: str, budget: int, needs: Evidence) -> str:
        """By BM25."""
        return self._gathered(self._ranked(question), budget)

    def named_first(self, question: str, budget: int, needs: Evidence) -> str:
        """Those of the turns that the question names, then by BM25."""
        named = turns_named(question)
        return self._gathered(sorted(self._ranked(question), key=lambda at: self._turn[at] not in named), budget)

    def newest(self, question: str, budget: int, needs: Evidence) -> str:
        """The newest."""
        return self._gathered(range(len(self._texts) - 1, -1, -1), budget)

    def oracle(self, question: str, budget: int, needs: Evidence) -> str:
        """Those that hold what the gold answer needs: about the most that so many tokens can show."""
        worth = [sum(one in text for one in needs.strings) for text in self._texts]
        worth = [found + (turn in needs.turns) for found, turn in zip(worth, self._turn, strict=True)]
        wanted = (at for at, found in enumerate(worth) if found)
        return self._gathered(sorted(wanted, key=lambda at: -worth[at] / (60 + self._costs[at])), budget)

    def _gathered(self, order: Iterable[int], budget: int) -> str:
        chosen: list[int] = []
        for at in order:
            if self._costs[at] <= budget:
                chosen.append(at)
                budget -= self._costs[at]
        return "\n".join(self._texts[at] for at in sorted(chosen))


Shares = Mapping[tuple[str, int], _Shares]
"""What each way shows at each budget."""


def question_table(traces: Sequence[RecordedTrace], found: Iterable[Shares]) -> Table:
    """The share of strings and of turns that each way shows at each budget, in per cent, over all questions."""
    shares: defaultdict[tuple[str, int], _Shares] = defaultdict(_Shares)
    for of_trace in found:
        for key, of_way in of_trace.items():
            shares[key].strings += of_way.strings
            shares[key].turns += of_way.turns
    ways = list(dict.fromkeys(way for way, _ in shares))
    asked = sum(len(one.questions) for one in traces)
    rows = [(way, *(cell for budget in BUDGETS for cell in _cells(shares[way, budget]))) for way in ways]
    counts = _Shares() if not ways else shares[ways[0], BUDGETS[0]]
    return Table(
        f"questions' evidence, {asked} questions on {len(traces)} runs; strings n={len(counts.strings)}, "
        f"turns n={len(counts.turns)}; per cent",
        ("shown", *(f"{what} {budget:,}" for budget in BUDGETS for what in ("strings", "turns"))),
        tuple(rows),
        {"questions": asked},
        name="traces questions",
    )


def ask_about(one: RecordedTrace) -> Shares:
    """Ask all questions about a run, at every budget, of memory and of the plain ways."""
    shares: defaultdict[tuple[str, int], _Shares] = defaultdict(_Shares)
    run = RecordedRun(one.trace)
    turns = _Turns(run)
    passages = TurnPassages(turns.texts)
    with MemoryBank(run.goal) as bank:
        ContextAdapter(bank).intercept_context(list(run.messages))

        def recalled(question: str, budget: int, needs: Evidence) -> str:
            return bank.recall(question, budget_tokens=budget).text

        ways: dict[str, Show] = {
            "AMB": recalled,
            "BM25, passages with turns": passages.by_words,
            "named turns, then BM25": passages.named_first,
            "newest passages": passages.newest,
            "oracle": passages.oracle,
        }
        for question in one.questions:
            needs = turns.evidence(question)
            for way, show in ways.items():
                for budget in BUDGETS:
                    _count(shares[way, budget], flatten(show(question["question"], budget, needs)).text, needs, turns)
    return shares


def _count(shares: _Shares, shown: str, needs: Evidence, turns: _Turns) -> None:
    if needs.strings:
        shares.strings.append(sum(one in shown for one in needs.strings) / len(needs.strings))
    if needs.turns:
        held = sum(any(mark in shown for mark in turns.own_marks[number]) for number in needs.turns)
        shares.turns.append(held / len(needs.turns))


def _cells(shares: _Shares) -> tuple[float | str, ...]:
    return tuple(100 * sum(found) / len(found) if found else "–" for found in (shares.strings, shares.turns))
