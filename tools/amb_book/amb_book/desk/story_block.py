"""What the book's memory has, as an escaped block for a prompt and as lines for an author; bounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from amb_book.desk.background import Source, SourceKind
from amb_core.rendering import Language, escape, escape_line, quoted_lines
from amb_core.rendering.labels import STORY_CLOSE, STORY_HEADS, STORY_OPEN
from amb_core.text import clip_tokens, estimate_tokens

__all__ = ["StoryBlock", "chosen_within", "story_block", "story_lines"]

_ORDER: tuple[SourceKind, ...] = ("position", "fact", "hook", "lore", "passage", "plan", "chapter")
_LARGEST_SHARE = 0.3
"""No single line takes more of the room than this."""
_HEADINGS: dict[Language, dict[SourceKind, str]] = {
    "en": {
        "position": "Last settled chapter:",
        "fact": "Has happened (facts as of that chapter):",
        "hook": "Hooks that are still open:",
        "lore": "How this world is:",
        "passage": "From the text of the book:",
        "plan": "Planned, has NOT happened:",
        "chapter": "The last chapters, as they are written; go on from here, in this style:",
    },
    "zh": {
        "position": "最近结算的章节：",
        "fact": "已发生（截至该章的事实）：",
        "hook": "尚未回收的伏笔：",
        "lore": "世界设定：",
        "passage": "原文片段：",
        "plan": "仅为规划，尚未发生：",
        "chapter": "最近几章的正文；由此续写，保持文风：",
    },
}
_TASK = {"en": "Task: {}", "zh": "任务：{}"}
_EARLIER = {"en": "Earlier in this task, in short:", "zh": "本任务此前讨论的摘要："}
_CHAPTER = {"en": " (ch. {})", "zh": "（第 {} 章）"}


@dataclass(frozen=True, slots=True)
class StoryBlock:
    """A block, the sources that stand in it, and its estimated tokens."""

    text: str
    shown: tuple[Source, ...]
    tokens: int


def story_block(
    sources: Sequence[Source],
    *,
    title: str,
    summary: str,
    budget_tokens: int,
    language: Language,
    chapters: Sequence[Source] = (),
) -> StoryBlock:
    """The block of a task: its title, what memory has within `budget_tokens`, and the summary of earlier turns.

    `chapters` are shown as they are, last of what memory has.

    No text in it can close the block, open another or pose as a role.
    """
    shown = chosen_within(sources, budget_tokens=budget_tokens, language=language)
    lines = [STORY_OPEN, STORY_HEADS[language], _TASK[language].format(escape_line(title))]
    lines += story_lines(shown, language=language, said=escape, budget_tokens=budget_tokens)
    for each in chapters:
        lines += [_HEADINGS[language]["chapter"]] if each is chapters[0] else []
        lines += [_CHAPTER[language].format(each.chapter).strip(), *quoted_lines(each.text)]
    if summary:
        lines += [_EARLIER[language], *quoted_lines(summary)]
    text = "\n".join([*lines, STORY_CLOSE])
    return StoryBlock(text, (*shown, *chapters), estimate_tokens(text))


def story_lines(
    sources: Sequence[Source],
    *,
    language: Language,
    said: Callable[[str], str] = lambda text: text,
    budget_tokens: int = 1_200,
) -> list[str]:
    """The sources under a heading for each kind; what is planned stands apart from what has happened."""
    lines: list[str] = []
    for kind in _ORDER:
        of_kind = [source for source in sources if source.kind == kind]
        lines += [_HEADINGS[language][kind]] if of_kind else []
        lines += [f"- {_indented(said(_line(source, language, budget_tokens)))}" for source in of_kind]
    return lines


def chosen_within(sources: Sequence[Source], *, budget_tokens: int, language: Language) -> list[Source]:
    """The sources that fit, by turns from every kind, so that none crowds out another."""
    queues = [[source for source in sources if source.kind == kind] for kind in _ORDER]
    left = float(budget_tokens)
    taken: list[Source] = []
    while any(queues):
        for queue in queues:
            if not queue:
                continue
            source = queue.pop(0)
            price = estimate_tokens(_line(source, language, budget_tokens)) + 3
            if price <= left:
                taken.append(source)
                left -= price
    return [source for source in sources if source in taken]


def _line(source: Source, language: Language, budget_tokens: int) -> str:
    longest = max(20, int(budget_tokens * _LARGEST_SHARE))
    text = source.text.strip()
    if estimate_tokens(text) > longest:
        text = clip_tokens(text, longest).rstrip() + "…"
    return text + (_CHAPTER[language].format(source.chapter) if source.chapter and source.kind != "position" else "")


def _indented(text: str) -> str:
    """One source behind one dash; its further lines are indented."""
    return "\n  ".join(line for line in text.splitlines() if line.strip())
