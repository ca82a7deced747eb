"""Whether the newest message of the user asks something new or goes on with what was asked; the goal is changed here.

Structure decides first: who spoke last, and whether that was an answer. Then the words that refer to what was said
before, which each language has few of, and how much of the message the talk has not spoken of. What is not clear goes
on with what was asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from amb_core.adapter.chat_messages import calls_of, text_of
from amb_core.adapter.nested_runs import outer_run
from amb_core.bank_source import ANY_GOAL
from amb_core.models import InsightDoc
from amb_core.text import detect_language, index_tokens

if TYPE_CHECKING:
    from amb_core.adapter.context_adapter import ContextAdapter

__all__ = ["asked_anew", "begin_goal", "is_of_talk", "open_question"]

_QUESTION = re.compile(r"[?？]")
_DEMAND = re.compile(r"[?？]|\b(?:please|let me know|tell me|i need)\b|请|告诉我|需要", re.IGNORECASE)
_ANYTHING_ELSE = re.compile(
    r"\b(?:if|should you|is there|do you).*\b(?:else|further|questions)\b|you need anything\b|还有|其他|别的",
    re.IGNORECASE,
)
"""What the agent asks with one of these, after its answer, asks for another question."""
_PARTS = re.compile(r"(?<=[.!?。！？])\s*|\n+")
_CLOSERS = 3
"""So many sentences at the end of what the agent said may hold its question."""
_OPENS = re.compile(
    r"\b(?:by the way|something (?:else|different)|(?:one|another) (?:more |other )?(?:thing|question))\b"
    r"|^\W*(?:now|also)\b|对了|另外|还有一|别的|再问|^\W*(?:现在|还想问)",
    re.IGNORECASE,
)
"""What a speaker leaves a matter with."""
_REFERS = re.compile(
    r"\b(?:it|its|this|that|these|those|them|they|their|he|she|him|her|one|ones|both|same|then|instead|again|still|too"
    r"|another|else|(?<!is )(?<!are )there)\b|^\W*(?:or|but|so|better|ok|okay|fine|no|yes|what about|how about)\b"
    r"|[它这那其该]|[呢再改]|还是|还有|同样|^\W*(?:好|行|可以|要是|如果|要|能|有没有|不要|谁|第)",
    re.IGNORECASE,
)
"""What a speaker refers to something said before with, or joins a sentence to it."""
_NAMED = re.compile(r"\b(?:the|my|our|your)\s+(\w+(?:\s+\w+)?)", re.IGNORECASE)
"""A thing that both know; it refers where the talk has named it."""
_JOINED = re.compile(r"\W*and\b", re.IGNORECASE)
"""With it a question is joined to one before, or only begins: it must say more."""
_THANKS = re.compile(r"\b(?:thanks?|appreciate|have a)\b|谢|祝", re.IGNORECASE)
_ASKED = {"en": 3, "zh": 14}
"""So many tokens that the talk has not used make a question of its own; Chinese has two for each character."""
_TOLD = {"en": 5, "zh": 20}
"""The same for what is no question by its mark."""
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
        return said if followed and (goal == ANY_GOAL or _brings_more(said, goal, "")) else None
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
    return said if not _asks(answer) and _brings_more(said, talk, answer) else None


def _is_of_user(message: Message) -> bool:
    return message["role"] == "user" and not message.get("name")


def _asks(answer: str) -> bool:
    """Whether what the agent said ends with a demand, and not only with an offer to go on to something else."""
    closers = [part for part in _PARTS.split(answer) if part and part.strip()][-_CLOSERS:]
    return any(_DEMAND.search(part) and not _ANYTHING_ELSE.search(part) for part in closers)


def _brings_more(said: str, talk: str, answer: str) -> bool:
    """Whether it refers to nothing that was said, and enough of it is new to what was spoken of."""
    rest = " ".join(
        part for part in _PARTS.split(said) if part and (_QUESTION.search(part) or not _THANKS.search(part))
    )
    opens = any(_OPENS.search(part) for part in _PARTS.split(rest))
    if not opens and _REFERS.search(rest):
        return False
    spoken = set(index_tokens(f"{talk}\n{answer}"))
    if not opens and any(spoken.intersection(index_tokens(named)) for named in _NAMED.findall(rest)):
        return False
    new = set(index_tokens(rest)) - spoken
    asks = opens or (_QUESTION.search(rest) and not _JOINED.match(rest))
    least = _ASKED if asks else _TOLD
    return len(new) >= least[detect_language(said)]
