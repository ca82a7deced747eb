"""CreativityEngine: several writers, one reviewer, as many rounds as they are worth."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from amb_core.chat.metered import metered
from amb_core.chat.metering import Budget, UsageMeter
from amb_core.chat.structured import StructuredChat
from amb_core.errors import BudgetSpent, InvalidParameter, ModelError
from amb_core.narrative.creativity.looking_up import StoryTools
from amb_core.narrative.creativity.options import CreativeAnswer, CreativeOption, DraftChecker, Review
from amb_core.narrative.creativity.reviewing import Reviewer
from amb_core.narrative.creativity.writing import Writer
from amb_core.narrative.desk.answering import WorkshopAnswer
from amb_core.prompts import prompt
from amb_core.protocols import ChatModel
from amb_core.text import clip_tokens, detect_language

if TYPE_CHECKING:
    from amb_core.narrative.story import Story

__all__ = ["CreativityEngine"]

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
_SCORES = {"en": ("style", "tension", "plan", "consistency"), "zh": ("文风", "张力", "规划", "一致")}
_WORDS = {
    "en": {"option": "Option {number}:", "other": "Options that exist already; differ from them in more than words:"},
    "zh": {"option": "方案{number}：", "other": "已有的方案，请与之有实质不同："},
}


class CreativityEngine:
    """Invents options for a message: a Workshop for the desk. It keeps nothing between calls.

    `generators` writers, each with a stance of its own and with tools over the book's memory, write `options` options;
    a reviewer judges style, tension, the plan's goals and consistency (with `checker`, also by the book's facts); in
    each of the `rounds` after the first, what is not yet good is written anew from its review, and the better one is
    kept. `lookups` is the most one writer may look up; `budget` and `meter` limit and count what is spent, under the
    purposes `creative`, `creative_revision` and `creative_review`.
    """

    def __init__(
        self,
        chat: ChatModel,
        story: Story,
        *,
        generators: int = 2,
        options: int = 3,
        rounds: int = 1,
        checker: DraftChecker | None = None,
        lookups: int = 6,
        budget: Budget | None = None,
        meter: UsageMeter | None = None,
        max_output_tokens: int = 4_096,
    ) -> None:
        if not (1 <= generators <= 4 and 1 <= options <= 9 and 1 <= rounds <= 5 and 0 <= lookups <= 50):
            raise InvalidParameter("generators are 1 to 4, options 1 to 9, rounds 1 to 5, and lookups 0 to 50.")
        self.meter = meter or UsageMeter(budget=budget)
        self._story, self._options, self._rounds = story, options, rounds
        model = metered(chat, meter=self.meter)
        self._writers = [Writer(model, lookups=lookups, max_output_tokens=max_output_tokens) for _ in range(generators)]
        self._reviewer = Reviewer(StructuredChat(chat, meter=self.meter), story, checker=checker)

    def answer(self, messages: Sequence[Mapping[str, Any]]) -> WorkshopAnswer:
        """The options as the desk shows them, the best first, with the reason of each; ModelError without any."""
        found = self.options(messages).options
        language = _language(messages)
        if len(found) == 1:
            return WorkshopAnswer(found[0].text)
        head = _WORDS[language]["option"]
        told = [
            "\n".join(filter(None, (head.format(number=number), each.text, _judged(each.review, language))))
            for number, each in enumerate(found, 1)
        ]
        return WorkshopAnswer("\n\n".join(told), tuple(each.text for each in found))

    def options(self, messages: Sequence[Mapping[str, Any]], *, feedback: str = "") -> CreativeAnswer:
        """Options for a conversation in OpenAI's form; `feedback` is what its author says of earlier ones."""
        language = _language(messages)
        said = _conversation(messages, feedback)
        found = [
            CreativeOption(each.text, review, each.looked_up)
            for each, review in self._reviewed(list(self._written(said, language)), _asked(said), language)
        ]
        for _ in range(self._rounds - 1):
            found = self._better(found, said, language)
        return CreativeAnswer(tuple(sorted(found, key=lambda each: each.review.worth, reverse=True)))

    def revise(
        self, messages: Sequence[Mapping[str, Any]], option: CreativeOption | str, *, feedback: str
    ) -> CreativeOption:
        """One option written anew as its author says, and judged again."""
        given = option if isinstance(option, CreativeOption) else CreativeOption(option, Review())
        language = _language(messages)
        revised = self._revised(given, _conversation(messages, ""), feedback, language, self._writers[0])
        ((each, review),) = self._reviewed([revised], _asked(messages), language)
        return replace(each, review=review)

    # --- inside ------------------------------------------------------------------------------------------------------

    def _written(self, said: Sequence[Mapping[str, Any]], language: Literal["en", "zh"]) -> Iterator[CreativeOption]:
        """The first texts; those of a writer whose model fails are missing, unless all are."""
        there: list[str] = []
        failed: ModelError | None = None
        for number in range(self._options):
            writer = self._writers[number % len(self._writers)]
            stance = _STANCES[language][number % len(_STANCES[language])]
            try:
                text, looked = writer.write(
                    _opened(said, stance, there, language),
                    tools=StoryTools(self._story),
                    language=language,
                    purpose="creative",
                )
            except ModelError as error:
                failed = error
                if isinstance(error, BudgetSpent):
                    break
                continue
            there.append(text)
            yield CreativeOption(text, Review(), looked)
        if not there and failed is not None:
            raise failed

    def _reviewed(
        self, options: Sequence[CreativeOption], asked: str, language: Literal["en", "zh"]
    ) -> list[tuple[CreativeOption, Review]]:
        reviews = self._reviewer.review(asked, [each.text for each in options], language=language)
        return list(zip(options, reviews, strict=True))

    def _better(
        self, found: Sequence[CreativeOption], said: Sequence[Mapping[str, Any]], language: Literal["en", "zh"]
    ) -> list[CreativeOption]:
        """Each option, or what became of it when that is worth more."""
        tried: dict[int, CreativeOption] = {}
        for number, each in enumerate(found):
            told = _judged(each.review, language)
            if not told or (each.review.score >= _GOOD and not each.review.problems):
                continue
            try:
                tried[number] = self._revised(each, said, told, language, self._writers[number % len(self._writers)])
            except ModelError as error:
                _log.warning("an option stays as it is, for it could not be written anew: %s", error)
        if not tried:
            return list(found)
        judged = dict(zip(tried, self._reviewed(list(tried.values()), _asked(said), language), strict=True))
        anew = {number: replace(each, review=review) for number, (each, review) in judged.items()}
        return [
            max(each, anew.get(number, each), key=lambda one: one.review.worth) for number, each in enumerate(found)
        ]

    def _revised(
        self,
        option: CreativeOption,
        said: Sequence[Mapping[str, Any]],
        feedback: str,
        language: Literal["en", "zh"],
        writer: Writer,
    ) -> CreativeOption:
        """An option written anew from what was said of it."""
        request = prompt("creative_revision", language)
        messages = [
            *_opened(said, "", (), language),
            {"role": "assistant", "content": option.text},
            {"role": "user", "content": f"{request}\n\n{feedback}"},
        ]
        text, looked = writer.write(
            messages, tools=StoryTools(self._story), language=language, purpose="creative_revision"
        )
        return CreativeOption(text, option.review, (*option.looked_up, *looked), option.revisions + 1)


def _opened(
    said: Sequence[Mapping[str, Any]], stance: str, there: Sequence[str], language: Literal["en", "zh"]
) -> list[Mapping[str, Any]]:
    """A conversation under the writer's own instructions; the system message it came with is kept behind them."""
    given = [str(each["content"]) for each in said if each.get("role") == "system"]
    parts = [prompt("creative", language), *given, stance]
    if there:
        shown = "\n".join(f"- {clip_tokens(text, _SHOWN_TOKENS)}" for text in there)
        parts.append(f"{_WORDS[language]['other']}\n{shown}")
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


def _language(messages: Sequence[Mapping[str, Any]]) -> Literal["en", "zh"]:
    return detect_language(_asked(messages)[-2_000:])


def _judged(review: Review, language: Literal["en", "zh"]) -> str:
    """What an author is told of an option's worth."""
    scores = (review.style, review.tension, review.plan, review.consistency)
    named = zip(_SCORES[language], scores, strict=True)
    told = " · ".join(f"{name} {value:g}" for name, value in named if value is not None)
    lines = [f"[{told}] {review.reason}".strip() if told else review.reason]
    lines += [f"! {problem}" for problem in review.problems]
    return "\n".join(line for line in lines if line)
