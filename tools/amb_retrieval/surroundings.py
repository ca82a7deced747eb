"""What a text is worth for what stands around it: names that lead to it, and the turns of a talk beside it.

Taken out alone, names and two hops cost HotpotQA 4 and 10 points of recall at 5, novelty 4, turns LoCoMo 14.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from amb_core.retrieval.lexical import LexicalIndex, Packed, TermScores
from amb_core.text import index_tokens
from amb_retrieval.mention_index import MentionIndex, NameLink

__all__ = ["Surroundings", "Worth"]

Floats = NDArray[np.float32]
Keys = NDArray[np.int64]

_POOL = 1_024
"""So many of the best texts by words are read with what stands around them; the work of a question is bounded by it."""
_NAMED, _LED, _NOVELTY = np.float32(0.4), np.float32(0.5), np.float32(0.6)
"""What a text gains that is about a name of the question, as a share of the best score; what the best ones lend to
those they lead to by a name; and what a word counts less that a better text has as well."""
_FIRST = 4
"""So many of the best are chosen one by one: each lends to others, and takes what is new from the next."""
_BEFORE, _AFTER = (0.7, 0.5, 0.35, 0.25, 0.2, 0.15), (0.4, 0.3, 0.2, 0.15, 0.1)
_BESIDE = (
    *((-far, share) for far, share in enumerate(_BEFORE, start=1)),
    *((far, share) for far, share in enumerate(_AFTER, start=1)),
)
"""What a term counts in a turn when it stands only so many turns away."""
_SPEAKER, _ASKING, _SHORT = np.float32(0.4), np.float32(0.4), np.float32(80)
"""What the turns of a speaker gain whom the question names, what a turn loses that only asks, and the words up to
which a turn depends on those around it in full."""
_QUESTION = re.compile(r"[^.!?。！？\n]*+[?？]")
_MIN_TURNS = 2
"""Who speaks only once may as well be the title in "Title: text"."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What each text is worth, float32 by key, and by key why it is more than its words: a reason, and via whom."""

    scores: Floats
    why: dict[int, tuple[str, int | None]]


class Surroundings:
    """The names in texts and who says them, by integer key; keys ascend in the order of telling. Not thread-safe."""

    def __init__(self) -> None:
        self.names = MentionIndex()
        self._speaker_of: dict[int, str] = {}
        self._turns: Counter[str] = Counter()
        self._asking: dict[int, float] = {}

    def put(self, key: int, text: str, *, about: Iterable[str], mentions: Iterable[str], speaker: str | None) -> None:
        """Insert or replace a text."""
        self.remove(key)
        self.names.put(key, about=about, mentions=mentions)
        if speaker:
            self._speaker_of[key] = speaker
            self._turns[speaker] += 1
            if "?" in text or "？" in text:
                self._asking[key] = sum(map(len, _QUESTION.findall(text))) / len(text)

    def remove(self, key: int) -> None:
        """Forget a text; an unknown key is no error."""
        self.names.remove(key)
        self._asking.pop(key, None)
        speaker = self._speaker_of.pop(key, None)
        if speaker is not None:
            self._turns[speaker] -= 1
            if not self._turns[speaker]:
                del self._turns[speaker]

    def packed(self) -> Packed:
        """Everything in it as JSON values."""
        said = [[key, name, self._asking.get(key, 0.0)] for key, name in sorted(self._speaker_of.items())]
        return {"names": self.names.packed(), "said": said}

    def restore(self, packed: Packed) -> None:
        """Become what `packed` was made of."""
        self.names.restore(packed["names"])
        self._speaker_of = {key: name for key, name, _ in packed["said"]}
        self._asking = {key: asking for key, _, asking in packed["said"] if asking}
        self._turns = Counter(self._speaker_of.values())

    def links(self, key: int) -> Iterator[NameLink]:
        """Texts that one leads to by a name, strongest first; those over names of speakers say nothing."""
        return (link for link in self.names.links(key) if not self._speaks(link.name))

    def shared(self, key: int) -> Iterator[NameLink]:
        """Texts that mention a rare name which this one mentions too, strongest first."""
        return (link for link in self.names.shared(key) if not self._speaks(link.name))

    def worth(
        self,
        question: str,
        terms: TermScores,
        own: Floats,
        *,
        words: LexicalIndex,
        weight: float = 1.0,
        meant: Floats | None = None,
        closed: Collection[int] = (),
    ) -> Worth:
        """What each text is worth for a question, in about [0, 1].

        `own` is what its words alone score, by key, in [0, 1]; words have that `weight`, and `meant` is added as it is.
        The best come one by one: what one of them names is raised, and so is what names what it is about. Words that a
        better one has count less, so that a question about two things finds both. `closed` keys lend and gain nothing.
        """
        turns = np.zeros(len(own), dtype=bool)
        turns[[key for key, name in self._speaker_of.items() if self._speaks(name)]] = True
        pool = self._pool(own, turns)
        gains = self._in_talk(terms, pool, turns, words, {*index_tokens(question)}) if turns.any() else terms.at(pool)
        gains = gains * np.float32(weight / max(float(gains.sum(axis=0).max(initial=0.0)), 1e-9))
        scores = own * np.float32(weight)
        scores[pool] = gains.sum(axis=0)
        if meant is not None:
            scores += meant
        why: dict[int, tuple[str, int | None]] = {}
        top = max(float(scores.max(initial=0.0)), 1e-9)
        for key, link in self.names.asked_for(question).items():
            if not self._speaks(link.name):
                scores[key] += _NAMED * np.float32(link.weight * top)
                why[key] = (link.reason, None)
        scores[list(closed)] = -np.inf
        return Worth(self._chosen(scores, gains, pool, turns, why), why)

    def _chosen(
        self, own: Floats, gains: Floats, pool: Keys, turns: NDArray[np.bool_], why: dict[int, tuple[str, int | None]]
    ) -> Floats:
        raised, is_open, chosen = np.zeros_like(own), np.ones(len(own), dtype=bool), list[int]()
        covered = np.zeros((len(gains), 1), dtype=np.float32)
        fading = np.where(turns[pool], np.float32(0), _NOVELTY)  # a talk goes on about one thing
        for _ in range(min(_FIRST, len(own))):
            value = own + raised
            value[pool] -= fading * np.minimum(gains, covered).sum(axis=0)
            value[~is_open] = -np.inf
            best = int(value.argmax())
            if value[best] <= 0:
                break
            chosen.append(best)
            is_open[best] = False
            at = int(np.searchsorted(pool, best))
            if at < len(pool) and pool[at] == best:
                covered = np.maximum(covered, gains[:, at : at + 1])
            for link in () if turns[best] else self.links(best):
                lent = _LED * np.float32(link.weight) * own[best]
                if is_open[link.key] and lent > raised[link.key]:
                    raised[link.key] = lent
                    why[link.key] = (link.reason, best)
        scores = own + raised
        least = float(scores[is_open].max(initial=0.0))
        for best in reversed(chosen):  # none of the others comes before these, in the order they were chosen in
            least = max(least * 1.001, float(scores[best]))
            scores[best] = least
        return scores

    def _speaks(self, name: str) -> bool:
        return self._turns.get(name, 0) >= _MIN_TURNS

    def _pool(self, own: Floats, turns: NDArray[np.bool_]) -> Keys:
        """Ascending keys of the best by words, in a talk with those beside them."""
        found = np.flatnonzero(own > 0)
        if len(found) > _POOL:
            found = found[np.argpartition(-own[found], _POOL)[:_POOL]]
        beside = [found - far for far, _ in _BESIDE] if turns.any() else []
        pool = np.unique(np.concatenate([found, *beside]).astype(np.int64))
        return pool[(pool >= 0) & (pool < len(own))]

    def _in_talk(
        self, terms: TermScores, pool: Keys, turns: NDArray[np.bool_], words: LexicalIndex, asked: Collection[str]
    ) -> Floats:
        """What each term adds to each text; to a turn also where it stands in the turns around it.

        The name of a speaker counts only where it stands, and raises what that speaker says.
        """
        gains = terms.at(pool)
        named = {name for name in self._turns if self._speaks(name) and _all_in(index_tokens(name), asked)}
        fixed = {term for name in named for term in index_tokens(name)}
        spoken = turns[pool].astype(np.float32)
        reach = np.minimum(np.float32(1), _SHORT / np.maximum(words.lengths(pool), np.float32(1))) * spoken
        lending = gains * np.array([term not in fixed for term in terms.terms], dtype=np.float32)[:, None] * spoken
        read = gains.copy()
        for far, share in _BESIDE:
            at = np.minimum(np.searchsorted(pool, pool + far), len(pool) - 1)
            there = (pool[at] == pool + far) * reach * np.float32(share)
            np.maximum(read, lending[:, at] * there, out=read)
        keys = pool.tolist()
        says = np.array([self._speaker_of.get(key) in named for key in keys], dtype=np.float32)
        asking = np.array([self._asking.get(key, 0.0) for key in keys], dtype=np.float32) * spoken
        read *= (1 + _SPEAKER * says) * (1 - _ASKING * asking)
        return read


def _all_in(words: Sequence[str], asked: Collection[str]) -> bool:
    return bool(words) and all(word in asked for word in words)
