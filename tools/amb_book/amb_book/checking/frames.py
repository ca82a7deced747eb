"""Which sentences of a draft tell what is, and which only what was, is dreamt, read, feared, planned or pretended."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

from amb_book.checking import draft_frame_words as words
from amb_book.checking.draft import Draft, Sentence

__all__ = ["Frames"]

_TELLS = 2
"""How many sentences away a letter or a story may stand of which a sentence tells."""
_SHOWS = 1
"""How many sentences away a picture may stand that shows what a sentence tells."""
_SOUNDS = 2
"""How many sentences away a recording, a stage or a simulator may be named."""
_LASTS = 3
"""For how many sentences a memory goes on."""
_SLEEP = 3
"""How many paragraphs later the waking may stand that makes a dream of what was told."""

_SPEECH_ENDS = re.compile(r"[”\"]\s*\w+ (?:\w+ly )?(?:the |old |poor )?$")


class Frames:
    """Finds the sentences of a draft that are not told as happening, here and now.

    A frame ends with its passage: with its paragraph, or with the next one where that ends in a colon. What is told may
    be explained up to the paragraph after it.
    """

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._told = {each.start: each.told for each in draft.sentences}
        self._seen = self._where(words.SEEN)
        self._text = self._where(words.TEXT)
        self._picture = self._where(words.PICTURE)
        self._played = self._where(words.PLAYED)
        self._sleeps = self._where(words.SLEEPS)
        self._wakes = self._where(words.WAKES)
        self._memory = self._where(words.MEMORY)
        self._paragraphs = [each.paragraph for each in draft.sentences]
        self.begins = list(self._passages())
        """For each sentence the number of the one that begins its passage."""
        self._inside = list(self._of_old())

    def _where(self, patterns: Mapping[str, re.Pattern[str]]) -> list[int]:
        return [
            number for number, each in enumerate(self._draft.sentences) if patterns[each.language].search(each.told)
        ]

    def _passages(self) -> Iterator[int]:
        begins = paragraph = 0
        leads_on = False
        for number, sentence in enumerate(self._draft.sentences):
            if sentence.first:
                begins, paragraph = paragraph if leads_on else number, number
            leads_on = sentence.told.rstrip().endswith((":", "："))
            yield begins

    def _of_old(self) -> Iterator[bool]:
        inside, passage = False, 0
        for sentence, begins in zip(self._draft.sentences, self.begins, strict=True):
            language = sentence.language
            opens = words.OPENS[language].search(sentence.told) is not None
            if inside and not opens and (words.RETURNS[language].search(sentence.told) or begins > passage):
                inside = False
            if opens or (sentence.first and words.SCENE_OF_OLD[language].search(sentence.told)):
                inside, passage = True, begins
            yield inside or words.WHEN[language].search(sentence.told) is not None

    def unreal(self, number: int) -> bool:
        """Whether the sentence tells of earlier times, or stands in a dream, a memory, a text."""
        return self._inside[number]

    def explained(self, number: int) -> bool:
        """Whether something near speaks of a dream, a memory, a letter, a ghost, a play, a namesake or the like."""
        begins, ends = self.begins[number], self._end(number, 0)
        return (
            _any(self._seen, begins, self._end(number, 1))
            or _any(self._text, max(begins, number - _TELLS), min(ends, number + _TELLS))
            or _any(self._picture, max(begins, number - _SHOWS), number + _SHOWS)
            or _any(self._played, max(begins, number - _SOUNDS), number + _SOUNDS)
            or self._dreamt(number)
            or _any(self._memory, max(begins, number - _LASTS), min(ends, number + 1))
        )

    def imagined(self, number: int) -> bool:
        """Whether somebody sleeps, or a sentence or one beside it speaks of a dream, a text, a picture or a play."""
        words = (self._seen, self._text, self._picture, self._played)
        begins = max(self.begins[number], number - 1)
        return self._dreamt(number) or any(_any(each, begins, number + 1) for each in words)

    def written(self, number: int) -> bool:
        """Whether the passage of a sentence speaks of a letter, a story or a recording whose words it may quote."""
        return any(_any(each, self.begins[number], self._end(number, 1)) for each in (self._text, self._played))

    def _dreamt(self, number: int) -> bool:
        """Whether somebody fell asleep before, and nobody woke since, or wakes only afterwards."""
        asleep = bisect_right(self._sleeps, number) - 1
        sleeps = asleep >= 0 and self._sleeps[asleep] >= self.begins[number]
        if sleeps and not _any(self._wakes, self._sleeps[asleep] + 1, number):
            return True
        return _any(self._wakes, number + 1, self._end(number, _SLEEP))

    def _end(self, number: int, paragraphs: int) -> int:
        """The number of the last sentence so many paragraphs later."""
        return bisect_right(self._paragraphs, self._paragraphs[number] + paragraphs) - 1

    def doubted(self, sentence: Sentence, until: int | None = None) -> bool:
        """Whether what a sentence says is only thought, feared, hoped, denied or compared, in the clause up to a place
        or the one before it.
        """
        language = sentence.language
        before = self._told.get(sentence.start, sentence.told)[:until]
        if sentence.told.rstrip().endswith(("?", "？")):
            return True
        if language == "zh" and words.SAID_ZH.search(before):
            return True
        if language == "en" and words.THINKS.search(before) and not _SPEECH_ENDS.search(before):
            return True
        clauses = [each for each in words.CLAUSES[language].split(before) if each.strip()] or [""]
        if words.DOUBT[language].search(clauses[-1]):
            return True
        return len(clauses) > 1 and words.GOVERNS[language].search(clauses[-2]) is not None


def _any(places: Sequence[int], first: int, last: int) -> bool:
    """Whether one of the sorted places lies from the first to the last."""
    place = bisect_left(places, first)
    return place < len(places) and places[place] <= last
