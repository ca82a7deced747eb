"""Whether the newest message of the user asks something new, or goes on with what was asked.

Structure decides, before any word: who spoke last and whether that was an answer, who asks whom, how much is said, and
how much of it the talk has not spoken of. Words count as tokens that overlap, and as
the few that mark a demand or an offer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from amb_core.adapter.chat_messages import calls_of, text_of
from amb_core.text import detect_language, index_tokens
from amb_core.user_banks import ANY_GOAL

__all__ = ["asked_anew"]

_QUESTION = re.compile(r"[?？]")
_DEMAND = re.compile(r"[?？]|\b(?:please|let me know|tell me)\b|请|告诉我", re.IGNORECASE)
_OFFER = re.compile(r"\W*(?:if|should you|如果?|若)(?!\w)|\W*(?:如|若)", re.IGNORECASE)
_PARTS = re.compile(r"(?<=[.!?。！？])\s*|\n+")
_CLOSERS = 3
"""So many sentences at the end of what the agent said may hold its question."""
_ASKED = {"en": 3, "zh": 8}
"""So many tokens that the talk has not used make a question of its own; Chinese has two for each character."""
_TOLD = {"en": 5, "zh": 12}
"""The same for what is no question by its mark."""
_SHARE = 0.5
"""At least this share of what is said is new to the talk."""
_MOST_CHARS = 4_000
"""What is longer is a text to work on, and no question."""

Message = Mapping[str, Any]


def asked_anew(messages: Sequence[Message], *, goal: str, followed: bool) -> str | None:
    """The newest message of the user where it opens another question than `goal`, else None.

    `messages` are OpenAI-style. `followed` says that the goal came from the talk, so that a transcript which begins
    with another question, its history left out, is compared with it.
    """
    users = [at for at, message in enumerate(messages) if message["role"] == "user" and not message.get("name")]
    if not users:
        return None
    newest, said = users[-1], text_of(messages[users[-1]].get("content")).strip()
    if not said or said == goal or len(said) > _MOST_CHARS:
        return None
    if len(users) == 1:
        return said if followed and (goal == ANY_GOAL or _brings_more(said, goal, "")) else None
    before = messages[newest - 1]
    if before["role"] != "assistant" or calls_of(before):
        return None  # something more while the agent is at work
    talk = "\n".join([goal, *(text_of(messages[at].get("content")) for at in users[:-1])])[-_MOST_CHARS:]
    answer = text_of(before.get("content"))
    worked = any(message["role"] == "tool" or calls_of(message) for message in messages[users[-2] : newest])
    return said if not _asks(answer, talk, worked=worked) and _brings_more(said, talk, answer) else None


def _asks(answer: str, talk: str, *, worked: bool) -> bool:
    """Whether what the agent said ends with a demand, and not with an offer of more after its work was done.

    An offer speaks of nothing that the talk speaks of; an agent that called no tool since it was asked offers nothing.
    """
    parts = [part for part in _PARTS.split(answer) if part and part.strip()]
    closers = parts[-_CLOSERS:]
    if not worked:
        return any(_DEMAND.search(part) or _OFFER.match(part) for part in closers)
    spoken = set(index_tokens("\n".join([talk, *parts[:-_CLOSERS]])))
    asking = (part for part in closers if _DEMAND.search(part) and not _OFFER.match(part))
    return any(spoken.intersection(index_tokens(part)) for part in asking)


def _brings_more(said: str, talk: str, answer: str) -> bool:
    """Whether enough of it is new to what was spoken of."""
    tokens = set(index_tokens(said))
    new = tokens - set(index_tokens(talk)) - set(index_tokens(answer))
    least = (_ASKED if _QUESTION.search(said) else _TOLD)[detect_language(said)]
    return len(new) >= least and len(new) >= _SHARE * len(tokens)
