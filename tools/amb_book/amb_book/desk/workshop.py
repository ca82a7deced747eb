"""Who answers a message: a workshop with a model, or the book's memory alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from amb_book.desk.background import Source
from amb_book.desk.desk_words import Language, say
from amb_book.desk.story_block import chosen_within, story_lines
from amb_book.desk.tasks import Turn

__all__ = ["Taken", "Workshop", "WorkshopAnswer", "has_open_options", "memory_answer", "options_in", "taken_option"]

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


_DIGITS = {**{char: value for value, char in enumerate("零一二三四五六七八九")}, "两": 2}
_NUMBER = r"(?P<number>[1-9]|[一二两三四五六七八九])"
_THERE = r"(?=\s*(?:$|[.,:;!\n]|please\b|but\b|with\b))"
_TAKEN = re.compile(
    r"^\s*(?:(?:i(?:'ll|’ll| will| would)?\s+|let(?:'|’)?s\s+|we\s+)?(?:take|choose|pick|use|go with|want)\s+"
    rf"(?:(?:the\s+)?(?:option\s+|number\s+){_NUMBER}\b|{_NUMBER.replace('number', 'bare')}{_THERE})"
    rf"|option\s+{_NUMBER.replace('number', 'alone')}{_THERE}"
    rf"|(?:我|咱们|我们)?(?:就)?(?:选择|选用|采用|选|用|要)\s*(?:第)?\s*(?:方案)?\s*{_NUMBER.replace('number', 'han')}"
    r"(?:个|号)?(?:方案)?(?=\s*(?:$|[。，：；！,.;!\n]|吧|但|，))"
    rf"|方案\s*{_NUMBER.replace('number', 'plan')}(?=\s*(?:$|[。，：；！,.;!\n]|吧|但)))"
    r"(?P<end>吧?[\s.,:;!。，：；！]*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Taken:
    """Option number `number` of those offered last, its text, and what the author says to it."""

    number: int
    text: str
    feedback: str


def taken_option(turns: Sequence[Turn]) -> Taken | None:
    """The option the last turn takes of those offered before it; None where it takes none.

    Read is only what stands at the very beginning, as `I take option 2`, `Option 2, but …`, `我选方案二`.
    """
    if not turns:
        return None
    found = _TAKEN.match(turns[-1].text)
    if found is None:
        return None
    told = next(each for name, each in found.groupdict().items() if name != "end" and each is not None)
    number = int(told) if told.isdigit() else _DIGITS[told]
    answers = [turn for turn in turns[:-1] if turn.role == "desk" and turn.context.get("kind") == "answer"]
    offered = next((options for turn in reversed(answers) if (options := _options(turn))), [])
    if not offered and answers:  # a model that brought one option answered it as it is
        offered = [answers[-1].text]
    if not 1 <= number <= len(offered):
        return None
    return Taken(number, offered[number - 1], turns[-1].text[found.end() :].strip())


def has_open_options(turns: Sequence[Turn]) -> bool:
    """Whether the desk's last answer offers options of which none was taken."""
    answers = [turn for turn in turns if turn.role == "desk" and turn.context.get("kind") == "answer"]
    return bool(answers and _options(answers[-1]))


def _options(turn: Turn) -> list[str]:
    options = turn.context.get("options")
    return [str(each) for each in options] if turn.role == "desk" and isinstance(options, list) else []
