"""Which words for a state say that somebody is dead."""

from __future__ import annotations

import re

__all__ = ["says_dead"]

_DEAD = re.compile(
    r"\b(?:dead|deceased|died|dies|killed|slain|executed|hanged|drowned|murdered|buried|perished|assassinated|"
    r"beheaded|fallen|passed away|no longer alive|poisoned to death)\b|^(?:is |was )?late$"
    r"|死|亡故|阵亡|身亡|已故|遇害|去世|病故|殉|牺牲|殒命|过世|病逝|逝世|仙逝|陨落|圆寂|坐化|驾崩|^薨|毙|丧命|"
    r"被杀|处决|斩首|自尽|自缢|亡$"
)
_NOT = re.compile(
    r"\b(?:not|no longer (?!alive)|un|presumed|believed|feared|thought|supposed|half|nearly|almost)\b"
    r"|^未|不再|没有|解除|假死|诈死|未死|濒死|半死|垂死|传闻|据说|误传|疑似|生死"
)


def says_dead(state: str) -> bool:
    """Whether a state is death, and not presumed, half or undone."""
    low = state.casefold()
    return bool(_DEAD.search(low)) and not _NOT.search(low)
