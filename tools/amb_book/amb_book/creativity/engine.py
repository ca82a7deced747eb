"""CreativityEngine: several options by one writer, judged by one reviewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from amb_book.checking import DraftChecker
from amb_book.creativity.creative_options import CreativeAnswer, CreativeOption, Review, remarked, word
from amb_book.creativity.option_writer import Writer
from amb_book.creativity.reviewer import Reviewer
from amb_book.creativity.story_tools import StoryTools
from amb_book.desk.workshop import WorkshopAnswer, options_in
from amb_book.prompts import book_prompt
from amb_book.timed_chat import TimedChat
from amb_chat.structured_chat import StructuredChat
from amb_chat.usage_meter import Budget, UsageMeter, metered
from amb_core.errors import BudgetSpent, InvalidParameter, ModelError, ModelUnavailable
from amb_core.protocols import ChatModel
from amb_core.rendering import Language, strip_block
from amb_core.text import clip_tokens, detect_language

if TYPE_CHECKING:
    from amb_book.story import Story

__all__ = ["CreativityEngine"]

_SHOWN_TOKENS = 250
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


class CreativityEngine:
    """Invents options for a message: a Workshop for the desk. It keeps nothing between calls.

    A writer with tools over the book's memory writes `options` options, each with a stance of its own; a reviewer
    judges style, tension, the plan's goals and consistency (with `checker`, also by the book's facts). `lookups` is the
    most that may be looked up for one. `budget` and `meter` limit and count what is spent, under the purposes
    `creative`, `creative_revision` and `creative_review`; `seconds` is the time of one answer: fewer options, or none
    judged, rather than a longer wait.
    """

    def __init__(
        self,
        chat: ChatModel,
        story: Story,
        *,
        options: int = 3,
        checker: DraftChecker | None = None,
        lookups: int = 6,
        budget: Budget | None = None,
        meter: UsageMeter | None = None,
        seconds: float | None = None,
    ) -> None:
        if not (1 <= options <= _MOST_OPTIONS and 0 <= lookups <= 50):
            raise InvalidParameter(f"options are 1 to {_MOST_OPTIONS}, and lookups 0 to 50.")
        self.meter = meter or UsageMeter(budget=budget)
        self._story, self._options = story, options
        self._chat = TimedChat(chat, seconds=seconds)
        self._writer = Writer(metered(self._chat, meter=self.meter), lookups=lookups)
        self._reviewer = Reviewer(StructuredChat(self._chat, meter=self.meter), story, checker=checker)

    def answer(self, messages: Sequence[Mapping[str, Any]]) -> WorkshopAnswer:
        """The options as the desk shows them, the best first, with the reason of each; ModelError without any."""
        answer = self.options(messages)
        found, language = answer.options, _language(messages)
        if len(found) == 1:
            problems = (f"! {each}" for each in found[0].review.problems)
            return WorkshopAnswer(found[0].text, note="\n".join(filter(None, (*problems, answer.note))))
        remarks = tuple(remarked(each, language) for each in found)
        told = [
            "\n".join(filter(None, (word(language, "option", number=number), each.text, remark)))
            for number, (each, remark) in enumerate(zip(found, remarks, strict=True), 1)
        ]
        return WorkshopAnswer("\n\n".join(told), tuple(each.text for each in found), remarks, answer.note)

    def rework(self, messages: Sequence[Mapping[str, Any]], option: str, *, feedback: str) -> WorkshopAnswer:
        """An option written anew as its author says, with what speaks against it as a note; ModelError without any."""
        language = _language(messages)
        told = [
            *_opened(messages, "", (), language),
            {"role": "assistant", "content": option},
            {"role": "user", "content": f"{book_prompt('creative_revision', language)}\n\n{feedback}"},
        ]
        with self._chat.within():
            text, _ = self._writer.write(
                told, tools=StoryTools(self._story), language=language, purpose="creative_revision"
            )
        return WorkshopAnswer(text, note="\n".join(f"! {problem}" for problem in self._reviewer.problems(text)))

    def options(self, messages: Sequence[Mapping[str, Any]]) -> CreativeAnswer:
        """Options for a conversation in OpenAI's form."""
        if not any(each.get("role") == "user" for each in messages):
            raise InvalidParameter("there is nothing to invent for; pass the author's message as one of role user.")
        language = _language(messages)
        with self._chat.within():
            written, note = self._written(messages, language)
            reviews = self._reviewer.review(_asked(messages), [each.text for each in written], language=language)
        found = [replace(each, review=review) for each, review in zip(written, reviews, strict=True)]
        notes = [note, "" if any(each.review.style is not None for each in found) else word(language, "unjudged")]
        ranked = sorted(found, key=lambda each: each.review.worth, reverse=True)
        return CreativeAnswer(tuple(ranked), "\n".join(filter(None, notes)))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _written(self, said: Sequence[Mapping[str, Any]], language: Language) -> tuple[list[CreativeOption], str]:
        """The first texts, each once, and why there are fewer than wanted; ModelError when there is none."""
        found: dict[str, CreativeOption] = {}
        failed: ModelError | None = None
        unreachable = False
        for number in range(self._options):
            stance = _STANCES[language][number % len(_STANCES[language])]
            opened = _opened(said, stance, tuple(found), language)
            try:
                text, looked = self._writer.write(
                    opened, tools=StoryTools(self._story), language=language, purpose="creative"
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
        if failed is None:
            return list(found.values())[:_MOST_OPTIONS], ""
        if not found:
            raise failed
        fields = {"there": len(found), "wanted": self._options, "problem": str(failed)[:200]}
        return list(found.values())[:_MOST_OPTIONS], word(language, "fewer", **fields)


def _opened(
    said: Sequence[Mapping[str, Any]], stance: str, there: Sequence[str], language: Language
) -> list[Mapping[str, Any]]:
    """A conversation under the writer's own instructions; a system message it came with is kept behind them."""
    given = [str(each["content"]) for each in said if each.get("role") == "system"]
    parts = [book_prompt("creative", language), *given, stance]
    if there:
        shown = "\n".join(f"- {clip_tokens(text, _SHOWN_TOKENS)}" for text in there)
        parts.append(f"{word(language, 'other')}\n{shown}")
    system = {"role": "system", "content": "\n\n".join(part for part in parts if part)}
    return [system, *(each for each in said if each.get("role") != "system")]


def _asked(messages: Sequence[Mapping[str, Any]]) -> str:
    return next((str(each["content"]) for each in reversed(messages) if each.get("role") == "user"), "")


def _language(messages: Sequence[Mapping[str, Any]]) -> Language:
    return detect_language(strip_block(_asked(messages))[-2_000:])  # the block's names may be of another language
