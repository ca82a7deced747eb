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
            r"\b(?:dead|deceased|died|dies|killed|slain|executed|hanged|drowned|murdered|buried|perished|assassinated|"
            r"beheaded|fallen|passed away|no longer alive|poisoned to death)\b|^(?:is |was )?late$"
            r"|死|亡故|阵亡|身亡|已故|遇害|去世|病故|殉|牺牲|殒命|过世|病逝|逝世|仙逝|陨落|圆寂|坐化|驾崩|^薨|毙|丧命|"
            r"被杀|处决|斩首|自尽|自缢|亡$"
        ),
    ),
    (
        "bound",
        re.compile(
            r"\b(?:imprison\w*|jailed|captive|captured?|prisoner|in (?:prison|jail|gaol|custody)|locked (?:up|in|"
            r"away)|chained|"
            r"arrested|under arrest|interned|held|detained|confined|hostage|kidnapped|abducted|behind bars|remanded)\b"
            r"|囚|被擒|被俘|关押|软禁|被捕|在押|入狱|俘虏|拘|羁|收监|下狱|坐牢|监禁|幽禁|禁足|绑架|被抓|落网|扣押|"
            r"服刑|圈禁|被关|关在"
        ),
    ),
    (
        "senseless",
        re.compile(
            r"\b(?:unconscious|comatose|coma|senseless|asleep|out cold|stupor|sedated)\b|昏迷|昏睡|不省人事|沉睡|不醒|"
            r"昏厥|失去意识|植物人"
        ),
    ),
    ("mute", re.compile(r"\b(?:mute|dumb|speechless|voiceless)\b|哑|失声")),
    ("blind", re.compile(r"^blind(?:ed)?$|^失明$|^双目失明$|^瞎|^目盲$")),
    (
        "destroyed",
        re.compile(
            r"\b(?:destroyed|burnt|burned|broken|sunk|wrecked|ruined|shattered|smashed|razed|melted|gone|demolished|"
            r"collapsed|"
            r"exploded|crashed|in (?:ruins|ashes|pieces)|scuttled|blown up|torn|levelled|lost at sea)\b"
            r"|毁|折断|断裂|断成|断为|碎|沉没|沉了|焚|坍|塌|^断了?$|烧|炸|熔|报废"
        ),
    ),
    (
        "missing",
        re.compile(
            r"\b(?:missing|lost(?! (?:his|her|its|their|an?|one|both|the|all|two|most|much|heart|hope|blood)\b)|"
            r"vanished|disappeared|unaccounted)\b|失踪|遗失|下落不明|不见|失联|不知去向|不知所踪|"
            r"走失|丢失"
        ),
    ),
    ("besieged", re.compile(r"\b(?:besieged|under siege|surrounded|sealed)\b|被围|围困|封闭|封锁")),
    ("wounded", re.compile(r"\b(?:wounded|injured|hurt|maimed|shot)\b|受伤|重伤|负伤|伤重|骨折|中箭|中枪")),
)
_NOT = re.compile(
    r"\b(?:not|no longer (?!alive)|un|presumed|believed|feared|thought|supposed|half|nearly|almost)\b"
    r"|^未|不再|没有|解除|假死|诈死|未死|濒死|半死|垂死|传闻|据说|误传|疑似|生死"
)


def state_kind(state: str) -> StateKind | None:
    """The kind of a state, None for one that forbids nothing."""
    low = state.casefold()
    if _NOT.search(low):
        return None
    return next((kind for kind, pattern in _KINDS if pattern.search(low)), None)
