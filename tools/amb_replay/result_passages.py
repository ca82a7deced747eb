"""Passages of tool results, ranked by BM25: the plain opponent of a memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from amb_core.retrieval import LexicalIndex
from amb_core.text import estimate_tokens, index_tokens
from amb_replay.later_use import Used
from amb_replay.recorded_run import flatten, message_text, role_of

__all__ = ["ResultPassages", "passages_of", "terms_of"]

_PASSAGE = 110
_BETWEEN = 1
"""Tokens of the line between two passages, which the estimate of a passage mostly holds already."""
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
    """The passages of the results of one run, in which those that fell out of a request are looked for."""

    def __init__(self) -> None:
        self._index = LexicalIndex(k1=1.2, b=0.6)
        self._texts: list[str] = []
        self._from: list[int] = []
        self._next = 0

    def add(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Take in the results among the messages so far that are new."""
        for at in range(self._next, len(messages)):
            if role_of(messages[at]) == "tool":
                for piece in passages_of(message_text(messages[at])):
                    self._index.put(len(self._texts), terms_of(piece))
                    self._texts.append(piece)
                    self._from.append(at)
        self._next = max(self._next, len(messages))

    def matching(
        self,
        messages: Sequence[Mapping[str, Any]],
        gone: Collection[int],
        *,
        tokens: int,
        count: Callable[[str], int] = estimate_tokens,
    ) -> str:
        """The best passages of the results at the places `gone` for the newest words, calls and result."""
        weights = dict.fromkeys(terms_of(_query(messages)), 1.0)
        scores = self._index.scores(weights, size=len(self._texts))
        return self._gathered((int(at) for at in np.argsort(-scores, kind="stable")), gone, tokens, count)

    def holding(self, used: Sequence[Used], gone: Collection[int], *, tokens: int, count: Callable[[str], int]) -> str:
        """The passages that hold most of what is used: what somebody who knows the next action would show."""
        wanted = [one.text for one in used]
        inside = [at for at in range(len(self._texts)) if self._from[at] in gone]
        lowered = {at: self._texts[at].lower() for at in inside}
        worth = {at: sum(one in self._texts[at] or one in lowered[at] for one in wanted) for at in inside}
        order = sorted((at for at in inside if worth[at]), key=lambda at: -worth[at] / (30 + count(self._texts[at])))
        return self._gathered(order, gone, tokens, count)

    def _gathered(self, order: Iterable[int], gone: Collection[int], tokens: int, count: Callable[[str], int]) -> str:
        chosen: list[int] = []
        seen: set[str] = set()
        left = tokens
        for at in order:
            text = self._texts[at]
            if self._from[at] not in gone or text in seen or (cost := count(text) + _BETWEEN) > left:
                continue
            seen.add(text)
            chosen.append(at)
            left -= cost
            if left < _LEAST:
                break
        return "\n---\n".join(self._texts[at] for at in sorted(chosen))


def _query(messages: Sequence[Mapping[str, Any]]) -> str:
    """What is asked of the passages: the newest words and calls, the newest words of a user, how a result begins."""
    limits = {"assistant": 10_000, "user": 1_500, "tool": 600}
    newest = {role_of(message): message for message in messages}
    return " ".join(
        flatten(message_text(newest[role])[: 4 * most]).text[:most] for role, most in limits.items() if role in newest
    )
