"""Which sentences of a draft tell what is, and which only what was, is dreamt, read, feared, planned or pretended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from amb_book.checking import frame_words as words
from amb_book.checking.draft import Draft, Sentence

__all__ = ["Frames"]

_NEAR = 1
"""How many paragraphs away a word may stand that explains a sentence."""
_TELLS = 2
"""How many sentences away a letter or a story may stand of which a sentence tells."""
_SHOWS = 1
"""How many sentences away a picture may stand that shows what a sentence tells."""
_SOUNDS = 2
"""How many sentences away a recording, a stage or a simulator may be named."""
_LASTS = 3
"""For how many sentences a memory goes on."""
_SLEEP = 3
"""How many paragraphs away the waking may stand that makes a dream of what was told."""

_SPEECH_ENDS = re.compile(r"[”\"]\s*\w+ (?:\w+ly )?(?:the |old |poor )?$")


class Frames:
    """Finds the sentences of a draft that are not told as happening, here and now."""

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
        self._inside = list(self._of_old())

    def _where(self, patterns: Mapping[str, re.Pattern[str]]) -> list[int]:
        return [
            number for number, each in enumerate(self._draft.sentences) if patterns[each.language].search(each.told)
        ]

    def _of_old(self) -> Iterator[bool]:
        inside, until = False, -1
        for sentence in self._draft.sentences:
            language = sentence.language
            opens = words.OPENS[language].search(sentence.told) is not None
            if inside and not opens and (words.RETURNS[language].search(sentence.told) or sentence.paragraph > until):
                inside = False
            if opens:
                inside, until = True, sentence.paragraph + 1
            elif sentence.first and words.SCENE_OF_OLD[language].search(sentence.told):
                inside, until = True, sentence.paragraph
            yield inside or words.WHEN[language].search(sentence.told) is not None

    def unreal(self, number: int) -> bool:
        """Whether the sentence tells of earlier times, or stands in a dream, a memory, a text."""
        return self._inside[number]

    def explained(self, number: int) -> bool:
        """Whether something near speaks of a dream, a memory, a letter, a ghost, a play, a namesake or the like."""
        return (
            any(self._paragraphs(number, each) <= _NEAR for each in self._seen)
            or any(abs(number - each) <= _TELLS for each in self._text if self._near(number, each))
            or any(abs(number - each) <= _SHOWS for each in self._picture)
            or any(abs(number - each) <= _SOUNDS for each in self._played)
            or self._dreamt(number)
            or any(-1 <= number - each <= _LASTS for each in self._memory if self._near(number, each))
        )

    def imagined(self, number: int) -> bool:
        """Whether somebody sleeps, or a sentence or one beside it speaks of a dream, a text, a picture or a play."""
        words = (*self._seen, *self._text, *self._picture, *self._played)
        return self._dreamt(number) or any(abs(number - each) <= 1 for each in words)

    def written(self, number: int) -> bool:
        """Whether the paragraph of a sentence speaks of a letter, a story or a recording whose words it may quote."""
        return any(self._paragraphs(number, each) <= _NEAR for each in (*self._text, *self._played))

    def _dreamt(self, number: int) -> bool:
        """Whether somebody fell asleep before, and nobody woke since, or wakes only afterwards."""
        asleep = [each for each in self._sleeps if each <= number and self._paragraphs(number, each) <= _SLEEP]
        if asleep and not any(asleep[-1] < each <= number for each in self._wakes):
            return True
        return any(each > number and self._paragraphs(number, each) <= _SLEEP for each in self._wakes)

    def _paragraphs(self, number: int, other: int) -> int:
        return abs(self._draft.sentences[number].paragraph - self._draft.sentences[other].paragraph)

    def _near(self, number: int, other: int) -> bool:
        return self._paragraphs(number, other) == 0

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
