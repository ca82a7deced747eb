"""The last chapters as they are written, for a writer who goes on from there: the newest whole, as far as it fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from amb_book.desk.background import Source
from amb_book.desk.desk_words import chapter_in
from amb_book.desk.tasks import Task
from amb_core.rendering import Language
from amb_core.text import clip_tokens, estimate_tokens

if TYPE_CHECKING:
    from amb_book.book_memory import BookMemory

__all__ = ["last_chapters", "scene_of"]

_MOST = 5
_NEWEST_SHARE = 0.6
_LEAST_TOKENS = 60
_LEFT_OUT: dict[Language, str] = {
    "en": "[{chars} characters before this are left out]",
    "zh": "[此前的 {chars} 字略去]",
}


def last_chapters(story: BookMemory, task: Task, *, budget_tokens: int) -> list[Source]:
    """The five chapters before the one a task is about, in their order: of the last one the most, of each the end.

    None for a task that is about no chapter. What is left out of one is told at its beginning.
    """
    if task.kind != "chapter" or budget_tokens <= 0:
        return []
    there = story.episodes.chapters()
    writing = chapter_in(task.title) or max([story.facts.last_chapter, *there], default=0) + 1
    numbers = [number for number in there if writing - _MOST <= number < writing][::-1]
    found: list[Source] = []
    left = budget_tokens
    for place, number in enumerate(numbers):
        room = int(left * _NEWEST_SHARE) if place == 0 and len(numbers) > 1 else left // (len(numbers) - place)
        if room < _LEAST_TOKENS:
            break
        text = _end_of(story.episodes.text(number), room, task.language)
        left -= estimate_tokens(text)
        found.insert(0, Source("chapter", f"chapter {number}", text, number, "before"))
    return found


def scene_of(story: BookMemory, task: Task) -> str:
    """What the scene that is written next is about: where each storyline stands in the plan, and what comes next."""
    if task.kind != "chapter":
        return ""
    return "\n".join(_planned(story))


def _planned(story: BookMemory) -> Iterator[str]:
    for line in story.plan.positions():
        for name in (line.step, line.next_step):
            if name:
                part = story.plan.part(name)
                yield f"{part.title}: {part.text}" if part.text else part.title


def _end_of(text: str, most: int, language: Language) -> str:
    """A text, or as much of its end as fits, from the beginning of a line where there is one."""
    if estimate_tokens(text) <= most:
        return text
    end = clip_tokens(text[::-1], most)[::-1]
    line = end.find("\n")
    end = end[line + 1 :] if 0 <= line < len(end) // 2 else end
    return f"{_LEFT_OUT[language].format(chars=len(text) - len(end))}\n{end.strip()}"
