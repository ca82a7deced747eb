"""Judging options: style, tension, goals of the plan and consistency, by a model and by the checker."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from amb_book.checking import DraftChecker
from amb_book.creativity.creative_options import Review
from amb_book.creativity.story_tools import StoryTools
from amb_book.cut_texts import CUT_MARK
from amb_book.prompts import book_prompt
from amb_chat.structured_chat import StructuredChat
from amb_core.errors import BudgetSpent, ModelError
from amb_core.text import clip_tokens

if TYPE_CHECKING:
    from amb_book.story import Story
from amb_core.rendering import Language

__all__ = ["Reviewer"]

_log = logging.getLogger("amb.narrative")
_OPTION_TOKENS = 2_000
_STYLE_TOKENS = 500
_MOST_PROBLEMS = 5

_Score = Annotated[float, Field(ge=0, le=10)]


class _Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _JudgedShape(_Shape):
    option: int
    style: _Score
    tension: _Score
    plan: _Score
    consistency: _Score
    reason: Annotated[str, Field(max_length=600)] = ""


class _ReviewShape(_Shape):
    reviews: Annotated[list[_JudgedShape], Field(max_length=12)]


class Reviewer:
    """Judges several options at once; where its model fails, only the checker has a say."""

    def __init__(self, chat: StructuredChat, story: Story, *, checker: DraftChecker | None) -> None:
        self._chat, self._story, self._checker = chat, story, checker

    def review(self, asked: str, options: Sequence[str], *, language: Language) -> list[Review]:
        """One review an option, in their order."""
        judged = self._judged(asked, options, language)
        return [
            Review(
                one.style if one else None,
                one.tension if one else None,
                one.plan if one else None,
                one.consistency if one else None,
                one.reason if one else "",
                self.problems(text),
            )
            for text, one in zip(options, judged, strict=True)
        ]

    def _judged(self, asked: str, options: Sequence[str], language: Language) -> list[_JudgedShape] | list[None]:
        wanted = set(range(1, len(options) + 1))

        def check(answer: _ReviewShape) -> str | None:
            missing = wanted - {each.option for each in answer.reviews}
            return f"there is no review of option {min(missing)}" if missing else None

        material = json.dumps(self._material(asked, options), ensure_ascii=False)
        messages = (
            {"role": "system", "content": book_prompt("creative_review", language)},
            {"role": "user", "content": material},
        )
        try:
            answer = self._chat.ask(messages, _ReviewShape, purpose="creative_review", check=check)
        except BudgetSpent:
            return [None] * len(options)
        except ModelError as error:
            _log.warning("options are not judged by a model, which failed: %s", error)
            return [None] * len(options)
        by_number = {each.option: each for each in answer.reviews}
        return [by_number[number] for number in sorted(wanted)]

    def _material(self, asked: str, options: Sequence[str]) -> dict[str, object]:
        tools = StoryTools(self._story)
        until = self._story.position().chapter
        last = self._story.episodes.chapter(until)[-1:] if until else []
        facts = [
            tools.call("facts_about", json.dumps({"name": mention.text}))
            for mention in {each.text: each for text in options for each in self._story.facts.mentions(text)}.values()
        ]
        return {
            "asked": clip_tokens(asked, _OPTION_TOKENS),
            "plan": tools.call("plan", "{}"),
            "facts": clip_tokens("\n".join(facts), _OPTION_TOKENS),
            "style_of_the_book": clip_tokens(last[0].text, _STYLE_TOKENS) if last else "",
            "options": [{"option": number, "text": _shown(text)} for number, text in enumerate(options, 1)],
        }

    def problems(self, text: str) -> tuple[str, ...]:
        """What the checker has against a text."""
        if self._checker is None:
            return ()
        story = self._story
        at = story.position().chapter
        found = self._checker.check(
            text, facts=story.facts, plan=story.plan, episodes=story.episodes, lore=story.lore, at=at
        )
        return tuple(each.message for each in found[:_MOST_PROBLEMS])


def _shown(text: str) -> str:
    """A text, or as much of it as fits, which bears a mark."""
    clipped = clip_tokens(text, _OPTION_TOKENS)
    return text if clipped == text else clipped + CUT_MARK
