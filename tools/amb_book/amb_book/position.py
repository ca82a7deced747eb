"""Where the story stands."""

from __future__ import annotations

from dataclasses import dataclass

from amb_core.rendering import Language
from amb_core.text import detect_language

__all__ = ["Position", "StorylinePosition"]

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "none": "Nothing is settled yet.",
        "chapter": "After chapter {number}: {title}",
        "line": "{storyline}: {outline}, {completed} of {steps} steps done",
        "now": "; now: {title}",
        "next": "; next: {title}",
    },
    "zh": {
        "none": "尚未结算任何章节。",
        "chapter": "第 {number} 章之后：{title}",
        "line": "{storyline}：{outline}，共 {steps} 步，已完成 {completed} 步",
        "now": "；当前：{title}",
        "next": "；下一步：{title}",
    },
}


@dataclass(frozen=True, slots=True)
class StorylinePosition:
    """Where one storyline stands: the short outline and step that are in progress, and the step that comes next.

    Once a step is completed and none was started, the one behind it is where the story stands.

    Ids of plan parts, with their titles; "" where there is none. `completed` and `steps` count steps.
    """

    storyline: str
    outline: str = ""
    outline_title: str = ""
    step: str = ""
    step_title: str = ""
    next_step: str = ""
    next_title: str = ""
    completed: int = 0
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """The last settled chapter (0 before the first), and where each storyline stands; every fact is asked for at it."""

    chapter: int = 0
    chapter_title: str = ""
    storylines: tuple[StorylinePosition, ...] = ()

    @property
    def text(self) -> str:
        """The position in words, one line for the chapter and one a storyline, in the language of the titles."""
        titles = " ".join([self.chapter_title, *(line.outline_title + line.step_title for line in self.storylines)])
        words = _WORDS[detect_language(titles)]
        head = words["chapter"].format(number=self.chapter, title=self.chapter_title) if self.chapter else words["none"]
        return "\n".join([head.rstrip(" :："), *(_told(line, words) for line in self.storylines)])


def _told(line: StorylinePosition, words: dict[str, str]) -> str:
    told = words["line"].format(
        storyline=line.storyline, outline=line.outline_title, completed=line.completed, steps=line.steps
    )
    told += words["now"].format(title=line.step_title) if line.step_title else ""
    return told + (words["next"].format(title=line.next_title) if line.next_title else "")
