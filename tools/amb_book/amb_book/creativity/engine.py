"""CreativityEngine: several writers, one reviewer, as many rounds as they are worth."""

from __future__ import annotations

import logging
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amb_book.checking import DraftChecker
from amb_book.creativity.creative_options import CreativeAnswer, CreativeOption, Review, judged, remarked, word
from amb_book.creativity.option_writer import Writer
from amb_book.creativity.reviewer import Reviewer
from amb_book.creativity.story_tools import StoryTools
from amb_book.desk.workshop import WorkshopAnswer, options_in
from amb_book.prompts import book_prompt
from amb_core.chat.metered_model import metered
from amb_core.chat.structured_chat import StructuredChat
from amb_core.chat.usage_meter import Budget, UsageMeter
from amb_core.errors import BudgetSpent, InvalidParameter, ModelError, ModelUnavailable
from amb_core.protocols import ChatModel
from amb_core.rendering import Language, strip_block
from amb_core.text import clip_tokens, detect_language

if TYPE_CHECKING:
    from amb_book.book_memory import BookMemory

__all__ = ["CreativityEngine", "asks_how_it_is"]

_log = logging.getLogger("amb.narrative")
_SHOWN_TOKENS = 250
_GOOD = 8.5
"""An option of this score without contradictions is not written anew."""
_STANCES: dict[str, tuple[str, ...]] = {
    "en": (
        "Your stance: follow the plan by the most natural road.",
        "Your stance: let it come out of what the people want, hide and fear.",
        "Your stance: find the turn that nobody expects and that every settled fact allows.",
        "Your stance: sharpen the conflict; let something be lost.",
    ),
    "zh": (
        "你的取向：沿最自然的路推进规划。",
        "你的取向：让情节出自人物的欲望、隐瞒与恐惧。",
        "你的取向：找一个谁也料不到、却为一切既定事实所容许的转折。",
        "你的取向：激化冲突，让有的东西失去。",
    ),
}
_MOST_OPTIONS = 9
_DESK = frozenset({book_prompt("desk", "en"), book_prompt("desk", "zh")})

_LONGEST_QUESTION = 200
_ENGLISH = re.compile(
    r"^(?:and |but |so )?(?:who|whose|whom|where|when|which|is|are|was|were|does|do|did|has|have|had)\b[^?\n]*\?$",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"^[^？?\n]*(?:谁|哪里|哪儿|在哪|哪一章|第几章|何时|什么时候|是不是|是否|有没有|吗)[^？?\n]*[？?]$"
)
_OPEN = re.compile(
    r"\b(?:could|might|should|would|can|may|shall|will|if|else|better|best|next|write|suggest|ideas?|options?|ways?)\b"
    r"|可以|可能|应该|应当|如果|要是|如何|怎么|怎样|更好|接下来|写|建议|方案|办法|会不会|能不能|会|能",
    re.IGNORECASE,
)


class CreativityEngine:
    """Invents options for a message: a Workshop for the desk. It keeps nothing between calls.

    `generators` writers, each with a stance of its own and with tools over the book's memory, write `options` options;
    a reviewer judges style, tension, the plan's goals and consistency (with `checker`, also by the book's facts); in
    each of the `rounds` after the first, what is not yet good is written anew from its review, and the better one is
    kept. `lookups` is the most one writer may look up. After `seconds` no option is begun and nothing looked up any
    more; what is there is answered. `budget` and `meter` limit and count what is spent, under the purposes `creative`,
    `creative_revision` and `creative_review`.
    """

    def __init__(
        self,
        chat: ChatModel,
        story: BookMemory,
        *,
        generators: int = 2,
        options: int = 3,
        rounds: int = 1,
        checker: DraftChecker | None = None,
        lookups: int = 6,
        seconds: float | None = None,
        budget: Budget | None = None,
        meter: UsageMeter | None = None,
        max_output_tokens: int = 4_096,
    ) -> None:
        if not (1 <= generators <= 4 and 1 <= options <= 9 and 1 <= rounds <= 5 and 0 <= lookups <= 50):
            raise InvalidParameter("generators are 1 to 4, options 1 to 9, rounds 1 to 5, and lookups 0 to 50.")
        if seconds is not None and not seconds > 0:
            raise InvalidParameter(f"an answer may take more than 0 seconds, or None for any time, not {seconds}.")
        self.meter = meter or UsageMeter(budget=budget)
        self._story, self._options, self._rounds, self._seconds = story, options, rounds, seconds
        model = metered(chat, meter=self.meter)
        self._writers = [Writer(model, lookups=lookups, max_output_tokens=max_output_tokens) for _ in range(generators)]
        self._reviewer = Reviewer(StructuredChat(chat, meter=self.meter), story, checker=checker)

    def answer(self, messages: Sequence[Mapping[str, Any]]) -> WorkshopAnswer:
        """The options as the desk shows them, the best first, with the reason of each; ModelError without any.

        A short question for facts gets one answer, which is looked up.
        """
        if asks_how_it_is(_asked(messages)):
            return self._looked_up(messages)
        answer = self.options(messages)
        found, language = answer.options, _language(messages)
        if len(found) == 1:
            return WorkshopAnswer(found[0].text, note="\n".join(filter(None, (_warned(found[0]), answer.note))))
        remarks = tuple(remarked(each, language) for each in found)
        told = [
            "\n".join(filter(None, (word(language, "option", number=number), each.text, remark)))
            for number, (each, remark) in enumerate(zip(found, remarks, strict=True), 1)
        ]
        return WorkshopAnswer("\n\n".join(told), tuple(each.text for each in found), remarks, answer.note)

    def rework(self, messages: Sequence[Mapping[str, Any]], option: str, *, feedback: str) -> WorkshopAnswer:
        """An option written anew as its author says, with what speaks against it as a note; ModelError without any."""
        found = self.revise(messages, option, feedback=feedback)
        return WorkshopAnswer(found.text, note=_warned(found))

    def options(self, messages: Sequence[Mapping[str, Any]], *, feedback: str = "") -> CreativeAnswer:
        """Options for a conversation in OpenAI's form; `feedback` is what its author says of earlier ones."""
        language, until = _language(messages), self._until()
        said = _conversation(messages, feedback)
        written, note = self._written(said, language, until)
        found = self._reviewed(written, _asked(said), language)
        for _ in range(self._rounds - 1):
            found = self._better(found, said, language, until)
        notes = [note, "" if any(each.review.style is not None for each in found) else word(language, "unjudged")]
        ranked = sorted(found, key=lambda each: each.review.worth, reverse=True)
        return CreativeAnswer(tuple(ranked), "\n".join(filter(None, notes)))

    def revise(
        self, messages: Sequence[Mapping[str, Any]], option: CreativeOption | str, *, feedback: str
    ) -> CreativeOption:
        """One option written anew as its author says, and judged again."""
        given = option if isinstance(option, CreativeOption) else CreativeOption(option, Review())
        language, until = _language(messages), self._until()
        said = _conversation(messages, "")
        revised = self._revised(given, said, feedback, language, self._writers[0], until)
        (judged_anew,) = self._reviewed([revised], _asked(messages), language)
        return judged_anew

    # --- inside ------------------------------------------------------------------------------------------------------

    def _looked_up(self, messages: Sequence[Mapping[str, Any]]) -> WorkshopAnswer:
        language = _language(messages)
        text, looked = self._writers[0].write(
            messages, tools=StoryTools(self._story), language=language, purpose="creative", until=self._until()
        )
        found = CreativeOption(text, Review(problems=self._reviewer.problems(text)), looked)
        return WorkshopAnswer(text, note=remarked(found, language))

    def _until(self) -> float:
        return math.inf if self._seconds is None else time.monotonic() + self._seconds

    def _written(
        self, said: Sequence[Mapping[str, Any]], language: Language, until: float
    ) -> tuple[list[CreativeOption], str]:
        """The first texts, each once, and why there are fewer than wanted; ModelError when there is none."""
        found: dict[str, CreativeOption] = {}
        failed: ModelError | None = None
        asked, unreachable = 0, False
        for number in range(self._options):
            if (found or failed) and time.monotonic() >= until:
                break
            writer = self._writers[number % len(self._writers)]
            stance = _STANCES[language][number % len(_STANCES[language])]
            asked += 1
            try:
                text, looked = writer.write(
                    _opened(said, stance, tuple(found), language),
                    tools=StoryTools(self._story),
                    language=language,
                    purpose="creative",
                    until=until,
                )
            except ModelError as error:
                failed = error
                if isinstance(error, BudgetSpent) or unreachable:
                    break
                unreachable = isinstance(error, ModelUnavailable)
                continue
            unreachable = False
            for each in options_in(text) or (text,):  # a model that was asked for one may bring several all the same
                found.setdefault(each, CreativeOption(each, Review(), looked))
        if not found and failed is not None:
            raise failed
        fields = {"there": len(found), "wanted": self._options}
        if failed is not None:
            return list(found.values())[:_MOST_OPTIONS], word(language, "fewer", **fields, problem=str(failed)[:200])
        return list(found.values())[:_MOST_OPTIONS], "" if asked == self._options else word(language, "time", **fields)

    def _reviewed(self, options: Sequence[CreativeOption], asked: str, language: Language) -> list[CreativeOption]:
        reviews = self._reviewer.review(asked, [each.text for each in options], language=language)
        return [replace(each, review=review) for each, review in zip(options, reviews, strict=True)]

    def _better(
        self, found: Sequence[CreativeOption], said: Sequence[Mapping[str, Any]], language: Language, until: float
    ) -> list[CreativeOption]:
        """Each option, or what became of it when that is worth more."""
        tried: dict[int, CreativeOption] = {}
        for number, each in enumerate(found):
            told = judged(each.review, language)
            if not told or time.monotonic() >= until or (each.review.score >= _GOOD and not each.review.problems):
                continue
            try:
                writer = self._writers[number % len(self._writers)]
                tried[number] = self._revised(each, said, told, language, writer, until)
            except ModelError as error:
                _log.warning("an option stays as it is, for it could not be written anew: %s", error)
        if not tried:
            return list(found)
        anew = dict(zip(tried, self._reviewed(list(tried.values()), _asked(said), language), strict=True))
        return [
            max(each, anew.get(number, each), key=lambda one: one.review.worth) for number, each in enumerate(found)
        ]

    def _revised(
        self,
        option: CreativeOption,
        said: Sequence[Mapping[str, Any]],
        feedback: str,
        language: Language,
        writer: Writer,
        until: float,
    ) -> CreativeOption:
        """An option written anew from what was said of it."""
        request = book_prompt("creative_revision", language)
        messages = [
            *_opened(said, "", (), language),
            {"role": "assistant", "content": option.text},
            {"role": "user", "content": f"{request}\n\n{feedback}"},
        ]
        text, looked = writer.write(
            messages, tools=StoryTools(self._story), language=language, purpose="creative_revision", until=until
        )
        return CreativeOption(text, option.review, (*option.looked_up, *looked), option.revisions + 1)


def _opened(
    said: Sequence[Mapping[str, Any]], stance: str, there: Sequence[str], language: Language
) -> list[Mapping[str, Any]]:
    """A conversation under the writer's own instructions; a system message it came with is kept behind them.

    The desk's own is not: it asks for several options in one answer.
    """
    given = [str(each["content"]) for each in said if each.get("role") == "system"]
    given = [each for each in given if each not in _DESK]
    parts = [book_prompt("creative", language), *given, stance]
    if there:
        shown = "\n".join(f"- {clip_tokens(text, _SHOWN_TOKENS)}" for text in there)
        parts.append(f"{word(language, 'other')}\n{shown}")
    system = {"role": "system", "content": "\n\n".join(part for part in parts if part)}
    return [system, *(each for each in said if each.get("role") != "system")]


def _conversation(messages: Sequence[Mapping[str, Any]], feedback: str) -> list[Mapping[str, Any]]:
    if not any(each.get("role") == "user" for each in messages):
        raise InvalidParameter("there is nothing to invent for; pass the author's message as one of role user.")
    if not feedback:
        return list(messages)
    return [*messages, {"role": "user", "content": feedback}]


def _asked(messages: Sequence[Mapping[str, Any]]) -> str:
    return next((str(each["content"]) for each in reversed(messages) if each.get("role") == "user"), "")


def _warned(option: CreativeOption) -> str:
    return "\n".join(f"! {problem}" for problem in option.review.problems)


def _language(messages: Sequence[Mapping[str, Any]]) -> Language:
    return detect_language(strip_block(_asked(messages))[-2_000:])  # the block's names may be of another language


def asks_how_it_is(message: str) -> bool:
    """Whether a message is one short question for facts: where several answers would only be one in other words."""
    said = strip_block(message).strip()
    if len(said) > _LONGEST_QUESTION or _OPEN.search(said):
        return False
    return bool(_ENGLISH.match(said) or _CHINESE.match(said))
