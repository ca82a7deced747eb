"""What the words for a state come down to."""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["StateKind", "state_kind"]

StateKind = Literal["dead", "bound", "senseless", "mute", "blind", "destroyed", "missing", "besieged", "wounded"]

_KINDS: tuple[tuple[StateKind, re.Pattern[str]], ...] = (
    (
        "dead",
        re.compile(
            r"^(?:is |was )?(?:dead|deceased|died|dies|killed|slain|executed|hanged|drowned|murdered|late|buried)\b"
            r"|死|亡故|阵亡|身亡|已故|遇害|去世|病故|殉|牺牲|殒命"
        ),
    ),
    (
        "bound",
        re.compile(
            r"\b(?:imprison\w*|jailed|captive|captured?|prisoner|in prison|locked up|chained|arrested|interned|"
            r"held)\b"
            r"|囚|被擒|被俘|关押|软禁|被捕|在押|入狱|俘虏"
        ),
    ),
    ("senseless", re.compile(r"\b(?:unconscious|comatose|in a coma|senseless|asleep)\b|昏迷|昏睡|不省人事|沉睡")),
    ("mute", re.compile(r"\b(?:mute|dumb|speechless|voiceless)\b|哑|失声")),
    ("blind", re.compile(r"^blind(?:ed)?$|^失明$|^双目失明$|^瞎")),
    (
        "destroyed",
        re.compile(
            r"\b(?:destroyed|burnt|burned|broken|sunk|wrecked|ruined|shattered|smashed|razed|melted|gone)\b"
            r"|毁|折断|断裂|断成|破碎|碎裂|沉没|焚|坍塌|^断$|^碎$"
        ),
    ),
    ("missing", re.compile(r"\b(?:missing|lost|vanished|disappeared)\b|失踪|遗失|下落不明|不见")),
    ("besieged", re.compile(r"\b(?:besieged|under siege|surrounded|sealed)\b|被围|围困|封闭|封锁")),
    ("wounded", re.compile(r"\b(?:wounded|injured|hurt|maimed|badly burnt|shot)\b|受伤|重伤|负伤|伤重|骨折|中箭|中枪")),
)
_NOT = re.compile(r"\b(?:not|no longer|un)\b|^未|不再|没有|解除|假死|诈死")


def state_kind(state: str) -> StateKind | None:
    """The kind of a state, None for one that forbids nothing."""
    low = state.casefold()
    if _NOT.search(low):
        return None
    return next((kind for kind, pattern in _KINDS if pattern.search(low)), None)
