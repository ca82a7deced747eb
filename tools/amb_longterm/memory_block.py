"""Long-term memories as a block for a prompt: bounded, escaped, by kind."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from amb_core.rendering import Language, escape
from amb_core.rendering.labels import MEMORIES_CLOSE, MEMORIES_HEADS, MEMORIES_OPEN
from amb_core.text import clip_tokens, estimate_tokens
from amb_longterm.memory_records import MemoryHit, MemoryType, day_of

__all__ = ["RenderedMemories", "memories_block"]

_LARGEST_SHARE = 0.6
"""No memory takes more of the room than this."""
_Kind = Literal["profile", "facts", "traces", "effects"]
_KINDS: tuple[_Kind, ...] = ("profile", "facts", "effects", "traces")
_HEADINGS: dict[Language, dict[_Kind, str]] = {
    "en": {
        "profile": "The user's own preferences:",
        "facts": "Definitions and facts:",
        "effects": "Queries and files of earlier tasks:",
        "traces": "Earlier tasks, in the words of who did them:",
    },
    "zh": {
        "profile": "用户自己的偏好：",
        "facts": "口径与事实：",
        "effects": "以往任务的查询与文件：",
        "traces": "以往任务（执行者所述）：",
    },
}
_BEFORE = {"en": " (before: {})", "zh": "（此前：{}）"}
_SHOWN_EARLIER = 80
_BRACKET = re.compile(r"\W*?[\[［【〔]")
_ALSO = {"en": " (also told as: {})", "zh": "（也说：{}）"}
_TOLD = {"en": " (told differently: {})", "zh": "（说法不一：{}）"}
_REPORTED = {"en": " (a worker's finding)", "zh": "（子智能体得出）"}


@dataclass(frozen=True, slots=True)
class RenderedMemories:
    """A block ("" when nothing fits) and the memories it shows."""

    text: str = ""
    shown: tuple[MemoryHit, ...] = ()


def memories_block(
    hits: Sequence[MemoryHit], *, budget_tokens: int, language: Language, profile: str = ""
) -> RenderedMemories:
    """The block of the hits that fit, the first of them first served, within `budget_tokens` tokens, tags included.

    Only hits of the namespace `profile` are shown as the user's own preferences. No text can close the block, open
    another or pose as a role; one memory stands behind one dash.
    """
    shown: list[tuple[_Kind, str, MemoryHit]] = []
    longest = max(20, int(budget_tokens * _LARGEST_SHARE))
    text = ""
    found = [each for hit in hits for each in (hit, *hit.older)]
    # One text with two sets of labels is two records, and one line.
    once = {(each.namespace, " ".join(each.content.split())): each for each in reversed(found)}
    distinct = sorted(once.values(), key=found.index)
    many = Counter(hit.group for hit in distinct if hit.group)
    for hit in distinct:
        line = _line(hit, longest, language, is_dated=many[hit.group] > 1)
        tried = [*shown, (_kind(hit, profile), line, hit)]
        whole = _block(tried, language)
        if estimate_tokens(whole) <= budget_tokens:
            shown, text = tried, whole
    return RenderedMemories(text, tuple(hit for _, _, hit in shown))


def _block(shown: Sequence[tuple[_Kind, str, MemoryHit]], language: Language) -> str:
    lines = [MEMORIES_OPEN, MEMORIES_HEADS[language]]
    for kind in _KINDS:
        of_kind = [line for each, line, _ in shown if each == kind]
        lines += [_HEADINGS[language][kind], *of_kind] if of_kind else []
    return "\n".join([*lines, MEMORIES_CLOSE])


def _kind(hit: MemoryHit, profile: str) -> _Kind:
    match hit.metadata.get("type", MemoryType.DOMAIN_FACTS):
        case MemoryType.USER_PROFILE if hit.namespace == profile:
            return "profile"
        case MemoryType.DOMAIN_FACTS:
            return "facts"
        case MemoryType.TOOL_EFFECTS:
            return "effects"
        case _:
            return "traces"


def _line(hit: MemoryHit, longest: int, language: Language, *, is_dated: bool) -> str:
    """One memory behind a dash; further lines of it are indented.

    One that is near others, or that was changed, stands with its date, and one that is over with both of its dates.
    """
    text = escape(hit.content.strip())
    if hit.wordings:
        text += escape(_ALSO[language].format(" / ".join(" ".join(each.split()) for each in hit.wordings)))
    if hit.valid_to is not None:
        text = f"[{day_of(hit.valid_from)} – {day_of(hit.valid_to)}] {text}"
    elif is_dated or hit.replaced or _BRACKET.match(text):  # the first date of a line is ours
        text = f"[{day_of(hit.updated_at)}] {text}"
    facts = hit.metadata.get("type") == MemoryType.DOMAIN_FACTS
    told = [" / ".join(each.values) for each in hit.disagreements if facts and len(each.values) > 1]
    if hit.replaced and not told:
        text += escape(_BEFORE[language].format(" ".join(hit.replaced.split())[:_SHOWN_EARLIER]))
    if estimate_tokens(text) > longest:
        text = clip_tokens(text, longest).rstrip() + "…"
    if facts and hit.metadata.get("source") == "worker":
        text += _REPORTED[language]
    if told:
        text += escape(_TOLD[language].format("; ".join(told[-2:])))
    return "- " + "\n  ".join(line for line in text.splitlines() if line.strip())
