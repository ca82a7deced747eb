"""What the words for a state come down to."""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["StateKind", "state_kind"]

StateKind = Literal["dead", "senseless"]

_KINDS: tuple[tuple[StateKind, re.Pattern[str]], ...] = (
    (
        "dead",
        re.compile(
            r"\b(?:dead|deceased|died|dies|killed|slain|executed|hanged|drowned|murdered|buried|perished|assassinated|"
            r"beheaded|fallen|passed away|no longer alive|poisoned to death)\b|^(?:is |was )?late$"
            r"|死|亡故|阵亡|身亡|已故|遇害|去世|病故|殉|牺牲|殒命|过世|病逝|逝世|仙逝|陨落|圆寂|坐化|驾崩|^薨|毙|丧命|"
            r"被杀|处决|斩首|自尽|自缢|亡$"
        ),
    ),
    (
        "senseless",
        re.compile(
            r"\b(?:unconscious|comatose|coma|senseless|asleep|out cold|stupor|sedated)\b|昏迷|昏睡|不省人事|沉睡|不醒|"
            r"昏厥|失去意识|植物人"
        ),
    ),
)
_NOT = re.compile(
    r"\b(?:not|no longer (?!alive)|un|presumed|believed|feared|thought|supposed|half|nearly|almost)\b"
    r"|^未|不再|没有|解除|假死|诈死|未死|濒死|半死|垂死|传闻|据说|误传|疑似|生死"
)


def state_kind(state: str) -> StateKind | None:
    """The kind of a state, None for one that no rule asks about."""
    low = state.casefold()
    if _NOT.search(low):
        return None
    return next((kind for kind, pattern in _KINDS if pattern.search(low)), None)
