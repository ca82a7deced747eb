"""Passages of tool results, ranked by BM25: the plain opponent of a memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from amb_core.retrieval import LexicalIndex
from amb_core.text import estimate_tokens, index_tokens
from amb_replay.later_use import Used
from amb_replay.recorded_run import RecordedRun, message_text

__all__ = ["ResultPassages", "passages_of", "terms_of"]

_PASSAGE = 110
_LEAST = 40
"""What is left of a block below this is left empty."""
_PARTS = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}|[0-9]+")


def terms_of(text: str) -> list[str]:
    """Index terms, and beside an identifier its parts."""
    words = [word for word in re.findall(r"\w+", text) if "_" in word or (not word.islower() and not word.isdigit())]
    return index_tokens(text) + [part.lower() for word in words for part in _PARTS.findall(word) if part != word]


def passages_of(text: str, *, tokens: int = _PASSAGE) -> Iterator[str]:
    """Pieces of about so many tokens that end at line breaks where there are any."""
    piece: list[str] = []
    size = 0
    for line in _lines(text, most=4 * tokens):
        cost = estimate_tokens(line)
        if piece and size + cost > tokens:
            yield "\n".join(piece)
            piece, size = [], 0
        piece.append(line)
        size += cost
    if piece:
        yield "\n".join(piece)


def _lines(text: str, *, most: int) -> Iterator[str]:
    for line in text.split("\n"):
        if len(line) <= 2 * most:
            if line.strip():
                yield line
        else:
            yield from (line[at : at + most] for at in range(0, len(line), most))


class ResultPassages:
    """The passages of a run's results before a call: those of the results that fell out of a window are looked for."""

    def __init__(self, run: RecordedRun) -> None:
        self._run = run
        self._index = LexicalIndex(k1=1.2, b=0.6)
        self._texts: list[str] = []
        self._costs: list[int] = []
        self._from: list[int] = []
        self._next = 0

    def matching(self, call: int, gone: set[int], *, tokens: int, used: Sequence[Used]) -> str:
        """The best passages for the agent's newest words, calls and result; `used` is not looked at."""
        self._add_until(call)
        weights = dict.fromkeys(terms_of(self._query(call)), 1.0)
        scores = self._index.scores(weights, size=len(self._texts))
        order = [int(at) for at in np.argsort(-scores, kind="stable") if self._from[at] in gone]
        return self._gathered(order, tokens)

    def holding(self, call: int, gone: set[int], *, tokens: int, used: Sequence[Used]) -> str:
        """The passages that hold most of what is used: what somebody who knows the next action would show."""
        self._add_until(call)
        wanted = [one.text for one in used]
        inside = [at for at in range(len(self._texts)) if self._from[at] in gone]
        lowered = {at: self._texts[at].lower() for at in inside}
        worth = {at: sum(one in self._texts[at] or one in lowered[at] for one in wanted) for at in inside}
        order = sorted((at for at in inside if worth[at]), key=lambda at: -worth[at] / (30 + self._costs[at]))
        return self._gathered(order, tokens)

    def _add_until(self, call: int) -> None:
        for at in range(self._next, call):
            if self._run.roles[at] == "tool":
                for piece in passages_of(message_text(self._run.messages[at])):
                    self._index.put(len(self._texts), terms_of(piece))
                    self._texts.append(piece)
                    self._costs.append(estimate_tokens(piece))
                    self._from.append(at)
        self._next = max(self._next, call)

    def _query(self, call: int) -> str:
        limits = {"assistant": 10_000, "user": 1_500, "tool": 600}
        newest = {self._run.roles[at]: at for at in range(call)}
        return " ".join(self._run.flat[newest[role]].text[:most] for role, most in limits.items() if role in newest)

    def _gathered(self, order: Sequence[int], tokens: int) -> str:
        chosen: list[int] = []
        seen: set[str] = set()
        left = tokens
        for at in order:
            if self._texts[at] in seen or self._costs[at] > left:
                continue
            seen.add(self._texts[at])
            chosen.append(at)
            left -= self._costs[at]
            if left < _LEAST:
                break
        return "\n---\n".join(self._texts[at] for at in sorted(chosen))
