"""What the words for a state come down to."""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["StateKind", "state_kind"]

StateKind = Literal["dead", "bound", "destroyed"]

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
        "destroyed",
        re.compile(
            r"\b(?:destroyed|burnt|burned|broken|sunk|wrecked|ruined|shattered|smashed|razed|melted|gone|demolished|"
            r"collapsed|"
            r"exploded|crashed|in (?:ruins|ashes|pieces)|scuttled|blown up|torn|levelled|lost at sea)\b"
            r"|毁|折断|断裂|断成|断为|碎|沉没|沉了|焚|坍|塌|^断了?$|烧|炸|熔|报废"
        ),
    ),
)
_NOT = re.compile(
    r"\b(?:not|no longer (?!alive)|un|presumed|believed|feared|thought|supposed|half|nearly|almost)\b"
    r"|^未|不再|没有|解除|假死|诈死|未死|濒死|半死|垂死|传闻|据说|误传|疑似|生死"
)


def state_kind(state: str) -> StateKind | None:
    """The kind of a state, None for one that no rule asks for."""
    low = state.casefold()
    if _NOT.search(low):
        return None
    return next((kind for kind, pattern in _KINDS if pattern.search(low)), None)
