"""Who answers a message: a workshop with a model, or the book's memory alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from amb_book.cut_texts import whole_reply, without_thoughts
from amb_book.desk.background import Source
from amb_book.desk.desk_words import Language, say
from amb_book.desk.story_block import chosen_within, story_lines
from amb_core.chat_io import ChatRequest
from amb_core.errors import ModelAnswerInvalid
from amb_core.protocols import ChatModel
from amb_core.rendering import strip_block

__all__ = ["ChatWorkshop", "RevisingWorkshop", "Workshop", "WorkshopAnswer", "memory_answer", "options_in"]

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

    ModelError when it brings no answer.
    """

    def answer(self, messages: Sequence[Mapping[str, Any]]) -> WorkshopAnswer: ...


@runtime_checkable
class RevisingWorkshop(Workshop, Protocol):
    """One that also writes an option anew as its author says; ModelError when it brings no text."""

    def rework(self, messages: Sequence[Mapping[str, Any]], option: str, *, feedback: str) -> WorkshopAnswer: ...


class ChatWorkshop:
    """A call of a chat model, which goes on when it was cut off; under `Option 1:` and so on stand the options."""

    def __init__(self, chat: ChatModel, *, max_output_tokens: int = 4_096) -> None:
        self._chat, self._most = chat, max_output_tokens

    def answer(self, messages: Sequence[Mapping[str, Any]]) -> WorkshopAnswer:
        """The model's answer without blocks of ours and without its thoughts."""
        request = ChatRequest(tuple(messages), max_output_tokens=self._most, purpose="desk")
        reply = whole_reply(self._chat, request)
        text = strip_block(without_thoughts(reply.text)).strip()
        if not text:
            raise ModelAnswerInvalid("the model answered nothing", spent=reply.usage)
        return WorkshopAnswer(text, options_in(text))


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
