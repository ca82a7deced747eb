"""Whether the newest message of the user asks something new or goes on with what was asked; the goal is changed here.

Structure decides: who spoke last, whether that was an answer, whether the message asks, and how much of it the talk has
not spoken of. What is not clear goes on with what was asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from amb_core.adapter.chat_messages import calls_of, text_of
from amb_core.adapter.nested_runs import outer_run
from amb_core.bank_source import ANY_GOAL
from amb_core.models import InsightDoc
from amb_core.text import detect_language, index_tokens
from amb_core.text.text_spans import asks, plain_sentences

if TYPE_CHECKING:
    from amb_core.adapter.context_adapter import ContextAdapter

__all__ = ["asked_anew", "begin_goal", "is_of_talk", "open_question"]

_ASKED = {"en": 3, "zh": 14}
"""So many tokens that the talk has not used make a question of its own; Chinese has two for each character."""
_MOST_CHARS = 4_000
"""What is longer is a text to work on, and no question."""

Message = Mapping[str, Any]


def is_of_talk(insight: InsightDoc) -> bool:
    """Whether the goal came from a talk, or from nobody yet."""
    return bool(insight.earlier) or insight.task_goal == ANY_GOAL


def open_question(adapter: ContextAdapter, asked: str | None) -> None:
    """Make it the goal, and let nothing stand that was said for the last one.

    Several agents on one bank, and an agent inside another one's call, keep the goal they have.
    """
    bank, alone = adapter.bank, adapter.shared is None and adapter.team is None and outer_run() is None
    if not asked or asked == bank.insight.task_goal or not alone or bank.closed:
        return
    adapter.attempt("change the goal", partial(bank.host.change_goal, asked))


def begin_goal(adapter: ContextAdapter, asked: str, *, anew: bool = False) -> None:
    """Make the goal what a framework itself says is asked: where the bank was given none, or a run begins `anew`."""
    if anew or is_of_talk(adapter.bank.insight):
        open_question(adapter, asked.strip())


def asked_anew(messages: Sequence[Message], *, goal: str, followed: bool) -> str | None:
    """The newest message of the user where it opens another question than `goal`, else None.

    `messages` are OpenAI-style. `followed` says that the goal came from the talk, so that a transcript which begins
    with another question, its history left out, is compared with it.
    """
    users = (at for at in reversed(range(len(messages))) if _is_of_user(messages[at]))
    newest = next(users, None)
    if newest is None:
        return None
    said = text_of(messages[newest].get("content")).strip()
    if not said or said == goal or len(said) > _MOST_CHARS:
        return None
    last = next(users, None)
    if last is None:
        return said if followed and (goal == ANY_GOAL or _opens(said, goal)) else None
    before = messages[newest - 1]
    if before["role"] != "assistant" or calls_of(before):
        return None  # something more while the agent is at work
    asked: list[str] = []
    for at in chain([last], users):
        asked.append(text_of(messages[at].get("content")))
        if sum(map(len, asked)) > _MOST_CHARS:
            break
    talk = "\n".join([goal, *reversed(asked)])[-_MOST_CHARS:]
    answer = text_of(before.get("content"))
    return said if _is_offer(answer) and _opens(said, f"{talk}\n{answer}") else None


def _is_of_user(message: Message) -> bool:
    return message["role"] == "user" and not message.get("name")


def _is_offer(answer: str) -> bool:
    """Whether the agent is done: it asks for nothing, or only, behind its answer, whether there is more."""
    return not asks(answer) or len(plain_sentences(answer)) > 1


def _opens(said: str, talk: str) -> bool:
    """Whether something said asks, wherever in it, and enough of it is new to what was spoken of."""
    if not any(asks(said[start:end]) for start, end in plain_sentences(said)):
        return False
    return len(set(index_tokens(said)) - set(index_tokens(talk))) >= _ASKED[detect_language(said)]
