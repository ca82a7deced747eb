"""What a page says for a goal, written by a model and held to the page."""

from __future__ import annotations

import json
import re

from amb_core.chat import metered
from amb_core.chat_io import ChatRequest
from amb_core.errors import ModelAnswerInvalid
from amb_core.protocols import ChatModel
from amb_core.text import detect_language, find_unsupported, sentence_spans
from amb_tools.pages import Page
from amb_tools.passages import passages_for
from amb_tools.prompts import visit_prompt

__all__ = ["ModelReader"]

_WINDOW = 6_000
_ANSWER_TOKENS = 1_500
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|$)", re.DOTALL)
_NOTHING = re.compile(r"\W*NOTHING\W*", re.IGNORECASE)


class ModelReader:
    """Asks a chat model for what bears on a goal, one call a page, counted under the purpose `visit`."""

    def __init__(self, chat: ChatModel, *, window_tokens: int = _WINDOW) -> None:
        self._chat = metered(chat)
        self._window = window_tokens

    def read(self, goal: str, page: Page) -> str:
        """What the page says, sentences that name what it does not name left out; empty when nothing bears on the goal.

        Raises a ModelError when no usable answer came.
        """
        passages = passages_for(goal, page, budget_tokens=self._window).text
        asked = {"goal": goal, "page": page.title, "passages": passages}
        language = detect_language(goal)
        reply = self._chat.complete(
            ChatRequest(
                messages=(
                    {"role": "system", "content": visit_prompt("zh" if language == "zh" else "en")},
                    {"role": "user", "content": json.dumps(asked, ensure_ascii=False)},
                ),
                max_output_tokens=_ANSWER_TOKENS,
                purpose="visit",
            )
        )
        text = _THOUGHTS.sub("", reply.text).strip()
        if reply.finish_reason != "stop" or not text:
            raise ModelAnswerInvalid(f"the answer of {reply.model or self._chat.model} is torn or empty")
        if _NOTHING.fullmatch(text):
            return ""
        kept = _held_to(text, [passages, page.title, goal])
        if not kept:
            raise ModelAnswerInvalid(f"{reply.model or self._chat.model} names what the page does not name")
        return kept


def _held_to(text: str, sources: list[str]) -> str:
    """The sentences all of whose numbers, dates and names are in the sources, in their layout."""
    kept: list[str] = []
    done = 0
    for start, end in sentence_spans(text):
        if not find_unsupported(text[start:end], sources):
            kept += [text[done:start], text[start:end]]
        done = end
    return "".join(kept).strip()
