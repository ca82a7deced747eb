"""What the creativity engine brings: options with what they are worth, and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from amb_core.rendering import Language

__all__ = ["CreativeAnswer", "CreativeOption", "LookedUp", "Review", "judged", "remarked", "word"]


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Something a generator looked up while it wrote, and what it was told."""

    tool: str
    arguments: str
    answer: str


@dataclass(frozen=True, slots=True)
class Review:
    """What an option is worth, each from 0 to 10; None where no evaluator could say. `reason` is for the author."""

    style: float | None = None
    tension: float | None = None
    plan: float | None = None
    consistency: float | None = None
    reason: str = ""
    problems: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        """The mean of what is known, 5 when nothing is; consistency counts twice."""
        known = (self.style, self.tension, self.plan, self.consistency, self.consistency)
        there = [each for each in known if each is not None]
        return sum(there) / len(there) if there else 5.0

    @property
    def worth(self) -> tuple[int, float]:
        """What options are ranked by: fewer contradictions first, then the score."""
        return (-len(self.problems), self.score)


@dataclass(frozen=True, slots=True)
class CreativeOption:
    """One option: its text, what it is worth, what was looked up for it."""

    text: str
    review: Review
    looked_up: tuple[LookedUp, ...] = ()


@dataclass(frozen=True, slots=True)
class CreativeAnswer:
    """The options, the best first; `note` says what did not go well: fewer than wanted, or not judged."""

    options: tuple[CreativeOption, ...]
    note: str = ""


# --- in words -------------------------------------------------------------------------------------------------------

_MOST_SHOWN = 6

_WORDS: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "option": "Option {number}:",
        "other": "Options that exist already; differ from them in more than words:",
        "looked": "Looked up: {what}",
        "fewer": "The model brought {there} of {wanted} options: {problem}",
        "unjudged": "The options are not judged, for the model's review of them could not be used.",
    },
    "zh": {
        "option": "方案{number}：",
        "other": "已有的方案，请与之有实质不同：",
        "looked": "查证：{what}",
        "fewer": "模型只给出 {wanted} 个方案中的 {there} 个：{problem}",
        "unjudged": "各方案未经评审：模型的评审无法使用。",
    },
}
_SCORES: Mapping[Language, tuple[str, ...]] = {
    "en": ("style", "tension", "plan", "consistency"),
    "zh": ("文风", "张力", "规划", "一致"),
}


def word(language: Language, key: str, **fields: object) -> str:
    """One of the engine's own sentences."""
    return _WORDS[language][key].format(**fields)


def judged(review: Review, language: Language) -> str:
    """What an author is told of an option's worth."""
    scores = (review.style, review.tension, review.plan, review.consistency)
    named = zip(_SCORES[language], scores, strict=True)
    told = " · ".join(f"{name} {value:g}" for name, value in named if value is not None)
    lines = [f"[{told}] {review.reason}".strip() if told else review.reason]
    lines += [f"! {problem}" for problem in review.problems]
    return "\n".join(line for line in lines if line)


def remarked(option: CreativeOption, language: Language) -> str:
    """What an option is worth, and what was looked up for it."""
    looked = list(dict.fromkeys(_asked(each) for each in option.looked_up))[:_MOST_SHOWN]
    lines = [judged(option.review, language), word(language, "looked", what="; ".join(looked)) if looked else ""]
    return "\n".join(filter(None, lines))


def _asked(looked: LookedUp) -> str:
    """What was looked up, in short: the tool and what it was asked for."""
    try:
        given = json.loads(looked.arguments or "{}")
    except ValueError:
        return looked.tool
    values = [str(value) for value in given.values() if value] if isinstance(given, dict) else []
    return f"{looked.tool} {', '.join(values)}".strip()[:80]
