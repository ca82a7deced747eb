"""Who answers a message: a workshop with a model, or the book's memory alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from amb_book.desk.background import Source
from amb_book.desk.desk_words import Language, say
from amb_book.desk.story_block import chosen_within, story_lines

__all__ = ["Workshop", "WorkshopAnswer", "memory_answer", "options_in"]

_OPTION = re.compile(
    r"^[#*\s]*(?:option\s+\d+|方案\s*[一二三四五六七八九\d]+)[*\s]*[:：][*\s]*", re.IGNORECASE | re.MULTILINE
)
_MEMORY_TOKENS = 900


@dataclass(frozen=True, slots=True)
class WorkshopAnswer:
    """What a workshop answers; `options` are the alternatives it offers, whole, when it offers any.

    `remarks` say of each option what it is worth and what was looked up for it, `note` what did not go well.
    """

    text: str
    options: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    note: str = ""


class Workshop(Protocol):
    """Invents. It keeps nothing: all it knows is in the messages, in OpenAI's chat form, and in the book's memory.

    ModelError when it brings no text.
    """

    def answer(self, messages: Sequence[Mapping[str, Any]]) -> WorkshopAnswer: ...

    def rework(self, messages: Sequence[Mapping[str, Any]], option: str, *, feedback: str) -> WorkshopAnswer:
        """An option written anew as its author says."""
        ...


def memory_answer(sources: Sequence[Source], *, chapter: int, language: Language) -> str:
    """What memory has on a message, for an author to read; without a model it is all there is to say."""
    shown = chosen_within(
        [each for each in sources if each.kind not in ("position", "chapter")],
        budget_tokens=_MEMORY_TOKENS,
        language=language,
    )
    if not shown:
        return say(language, "memory_empty")
    lines = story_lines(shown, language=language, budget_tokens=_MEMORY_TOKENS)
    return "\n".join([say(language, "memory", chapter=chapter), *lines])


def options_in(text: str) -> tuple[str, ...]:
    """The alternatives of an answer, as they stand under `Option 1:` and so on; one alone is none."""
    heads = list(_OPTION.finditer(text))
    if len(heads) < 2:
        return ()
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return tuple(filter(None, (text[head.end() : end].strip() for head, end in zip(heads, ends, strict=True))))
