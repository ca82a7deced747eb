"""Where the story stands."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Position", "StorylinePosition"]


@dataclass(frozen=True, slots=True)
class StorylinePosition:
    """Where one storyline stands: the short outline and step that are in progress, and the step that comes next.

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
