"""What a passage is worth for what stands around it: its chunk, the names that lead to it, and the turns beside it.

A chunk is a stretch of prose of up to 400 tokens, or one turn of a talk. HotpotQA lives on names and two hops (-4 and
-10 points of recall at 5 without them), LoCoMo on the turns around (-14).
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from amb_core.reading import Layout
from amb_core.retrieval.lexical import LexicalIndex, TermScores
from amb_core.retrieval.mention_index import MentionIndex
from amb_core.text import about, dialogue_speaker, entities, index_tokens

if TYPE_CHECKING:
    from amb_core.memory.passage_index import PassageIndex

__all__ = ["PassageChunks"]

Floats = NDArray[np.float32]

_CHUNK = 400
_PROSE = (Layout.PROSE, Layout.LISTING)
_NAMED, _LED, _NOVELTY = 0.4, 0.5, 0.6
"""What a chunk gains that is about a name of the question, as a share of the best score; what the best ones lend to
those they lead to by a name; and what a word counts less that a better chunk has as well."""
_FIRST = 4
"""So many of the best chunks are chosen one by one: each lends to others, and takes the news from the next."""
_TERMS = 40
_REST = np.float32(0.5)
"""The share of a chunk's worth that a passage has by its own match."""
_BEFORE, _AFTER = (0.7, 0.5, 0.35, 0.25, 0.2, 0.15), (0.4, 0.3, 0.2, 0.15, 0.1)
"""What a term counts in a turn when it stands only 1, 2, … turns earlier or later."""
_SPEAKER, _ASKING, _SHORT = 0.4, 0.4, 80.0
"""What the turns of a speaker gain whom the question names, what a turn loses that only asks, and the words up to
which a turn depends on those around it in full."""
_QUESTION = re.compile(r"[^.!?。！？\n]*+[?？]")


class PassageChunks:
    """The chunks of the prose in a `PassageIndex`, which they follow. Not thread-safe."""

    def __init__(self) -> None:
        self._words = LexicalIndex(k1=1.2, b=0.75)
        self._names = MentionIndex()
        self._chunk_of = array("i")
        """By passage: the number of its chunk, -1 for none."""
        self._speakers: list[str] = []
        self._asking = array("f")
        self._turns: Counter[str] = Counter()

    def follow(self, index: PassageIndex) -> None:
        """Take up the passages that came since the last look."""
        while len(self._chunk_of) < len(index):
            keys = index.beside(len(self._chunk_of))
            if index.layout(keys[0]) in _PROSE and not index.is_of_call(keys[0]):
                self._add(index, keys)
            else:
                self._chunk_of.extend([-1] * len(keys))

    def _add(self, index: PassageIndex, keys: range) -> None:
        begin, size, whose = keys.start, 0, ""
        for key in keys:
            passage = index.passage(key)
            speaker = dialogue_speaker(index.text(key)) or ""
            heading = passage.path if passage.path.startswith("#") else ""
            is_new = heading != index.passage(key - 1).path if heading and key > begin else False
            if key > begin and (speaker or is_new or size + index.sizes[key] > _CHUNK):
                self._close(index, range(begin, key), whose)
                begin, size, whose = key, 0, whose if whose and not speaker else ""
            whose, size = speaker or whose, size + index.sizes[key]
        self._close(index, range(begin, keys.stop), whose)

    def _close(self, index: PassageIndex, keys: range, speaker: str) -> None:
        number, place = len(self._speakers), index.place(keys[0])
        text = place.text[place.passage.start : index.passage(keys[-1]).end]
        self._chunk_of.extend([number] * len(keys))
        self._words.put(number, index_tokens(text))
        self._speakers.append(speaker)
        self._turns[speaker] += bool(speaker)
        self._asking.append(sum(map(len, _QUESTION.findall(text))) / len(text) if "?" in text or "？" in text else 0.0)
        self._names.put(number, about=about(text), mentions=[one.name for one in entities(text)])

    def answers(self, question: str, own: Floats) -> Floats:
        """How well each passage answers a question: its `own` match, or in a chunk what that is worth.

        The best passage of a chunk counts as much as the chunk, the others less by what they match themselves.
        """
        if not self._speakers:
            return own
        of = np.array(self._chunk_of, dtype=np.int64)
        asked = Counter(index_tokens(question))
        rare = sorted(idfs := self._words.idfs(asked), key=lambda term: (-idfs[term], term))[:_TERMS]
        found = self._words.match({term: float(asked[term]) for term in rare})
        turns = np.array([self._turns[name] > 1 if name else False for name in self._speakers], dtype=bool)
        gains = self._in_talk(found, turns, {*asked}) if turns.any() else found.at(np.arange(len(turns)))
        worth = self._chosen(gains, turns, question)
        best = np.zeros(len(worth), dtype=np.float32)
        np.maximum.at(best, of[of >= 0], own[of >= 0])
        share = np.where(best[of] > 0, own / np.maximum(best[of], np.float32(1e-9)), np.float32(1))
        return np.where(of < 0, own, worth[of] * (1 - _REST + _REST * share)).astype(np.float32)

    def _chosen(self, gains: Floats, turns: NDArray[np.bool_], question: str) -> Floats:
        """What each chunk is worth; the best come one by one.

        What a chunk is about that one of them names is raised, and so is what names what that is about; words that a
        better one has count less, so that a question about two things finds both.
        """
        own = gains.sum(axis=0)
        top = float(own.max(initial=0.0))
        for key, link in self._names.asked_for(question).items():
            own[key] += 0.0 if turns[key] else _NAMED * link.weight * top
        worth, covered, raised = own.copy(), np.zeros(len(gains), dtype=np.float32), np.zeros_like(own)
        is_open, fading = np.ones(len(own), dtype=bool), np.where(turns, np.float32(0), np.float32(_NOVELTY))
        last = np.inf
        for _ in range(min(_FIRST, len(own))):
            repeated = np.minimum(gains, covered[:, None]).sum(axis=0)
            value = np.where(is_open, own - fading * repeated + raised, -np.inf)
            best = int(value.argmax())
            worth[best] = last = min(last, float(value[best]))
            is_open[best] = False
            covered = np.maximum(covered, gains[:, best])
            for link in () if turns[best] else self._names.links(best):
                raised[link.key] = max(raised[link.key], _LED * link.weight * own[best])
        return np.where(is_open, np.minimum(own + raised, np.float32(last)), worth)

    def _in_talk(self, found: TermScores, turns: NDArray[np.bool_], asked: set[str]) -> Floats:
        """What each term adds to each chunk; to a turn also when it stands in the turns around it."""
        gains = found.at(np.arange(len(turns)))
        speakers = {name: {*index_tokens(name)} for name in self._turns if name and self._turns[name] > 1}
        named = {name for name, terms in speakers.items() if terms and terms <= asked}
        fixed = frozenset().union(*(speakers[name] for name in named))
        lengths = np.maximum(self._words.lengths(np.arange(len(turns))), np.float32(1))
        reach = np.minimum(np.float32(1), np.float32(_SHORT) / lengths) * turns
        lending = gains * (np.array([term not in fixed for term in found.terms], dtype=np.float32)[:, None] * turns)
        read = gains.copy()
        for far, share in enumerate(_BEFORE, start=1):
            np.maximum(read[:, far:], lending[:, :-far] * (np.float32(share) * reach[far:]), out=read[:, far:])
        for far, share in enumerate(_AFTER, start=1):
            np.maximum(read[:, :-far], lending[:, far:] * (np.float32(share) * reach[:-far]), out=read[:, :-far])
        said_by = np.array([name in named for name in self._speakers], dtype=np.float32)
        asking = np.array(self._asking, dtype=np.float32) * turns
        read *= (1 + np.float32(_SPEAKER) * said_by) * (1 - np.float32(_ASKING) * asking)
        return read
