"""What a model concludes from a run: each conclusion quotes a call of the run, or it is dropped."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from pydantic import BaseModel, Field

from amb_agents.prompts import prompt
from amb_chat import StructuredChat
from amb_core.errors import ModelError
from amb_core.frozen import Frozen
from amb_core.protocols import ChatModel
from amb_core.rendering import escape_line
from amb_core.text import clip_tokens, detect_language, find_quote
from amb_experience.run_steps import RunStep
from amb_values import find_unsupported

__all__ = ["ReadInsight", "read_insights"]

_log = logging.getLogger("amb.experience")
_MOST, _STEP_TOKENS, _ALL_TOKENS, _ANSWER_TOKENS = 3, 160, 4_000, 600
_GOAL = {"en": "Goal: {}", "zh": "目标：{}"}


class ReadInsight(Frozen):
    """A conclusion, and the entry of the run that it stands on."""

    text: str
    entries: tuple[str, ...]


class _Insight(BaseModel):
    text: str = Field(max_length=400)
    call: int
    quote: str = Field(max_length=400)


class _Insights(BaseModel):
    insights: list[_Insight] = Field(max_length=_MOST)


def read_insights(chat: ChatModel, *, goal: str, steps: Sequence[RunStep]) -> list[ReadInsight]:
    """At most three conclusions whose quote stands in the call they name and whose values the run has; [] on trouble.

    One call of the model, of about 5,000 tokens at most.
    """
    told = "\n".join(f"{step.number}. {clip_tokens(escape_line(step.content), _STEP_TOKENS)}" for step in steps)
    language = detect_language(goal or told)
    content = f"{_GOAL[language].format(escape_line(goal))}\n{clip_tokens(told, _ALL_TOKENS)}"
    messages = [{"role": "system", "content": prompt("insights", language)}, {"role": "user", "content": content}]
    try:
        answer = StructuredChat(chat).ask(messages, _Insights, purpose="experience", max_output_tokens=_ANSWER_TOKENS)
    except ModelError as error:
        _log.warning("no conclusions were read from a run (%s)", type(error).__name__)
        return []
    by_number = {step.number: step for step in steps}
    found = [(each, by_number[each.call]) for each in answer.insights if each.call in by_number]
    return [ReadInsight(text=each.text, entries=(step.entry,)) for each, step in found if _stands(each, step, goal)]


def _stands(insight: _Insight, step: RunStep, goal: str) -> bool:
    """Whether the quote is there, what it says is more than the quote, and no value in it is made up."""
    text = insight.text.strip()
    if not text or not insight.quote.strip() or find_quote(insight.quote, step.content) is None:
        return False
    copied = find_quote(text, step.content) is not None
    return not copied and not find_unsupported(text, [step.content, goal])
