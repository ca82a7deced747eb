"""Who acts and who speaks in a Chinese sentence."""

from __future__ import annotations

import re

__all__ = ["acts", "is_subject"]

_BEFORE = re.compile(
    r"(?:^|[，。！？；：”」、—…\s]|[他她它]们?和|这时|此时|此刻|忽然|突然|[只却就便忽但]见|[只便却]听|[听看望]见|见到|于是|然后|"
    r"但|但是|可|可是|而|接着|随后|不料|谁知|原来|门[外口]的?|[身一]旁的?|对面的?|身[后边]的?|[首座旁边前后外内里中上下口头面侧左右间]的|"
    r"由|被|和|与|同|跟|连|老|小|(?:^|[，。！？；：”—…\s]|[只却就便忽但]见|原来|不料)[那这]位?)$"
)
"""What stands before somebody who does something."""
_SAYS = (
    "说|道|问|答|喊|叫|嚷|骂|叹|念|吩咐|喝|笑|开口|应|催|点头|摇头|摆|站|坐|走|跑|跪|跳|冲|骑|推|拉|拿|举|抬|放|打|看|望|听|"
    "伸|抓|接|递|扶|退|闯|转|拔|握|披|睁|皱|哼|哭|咳"
)
_DOES = re.compile(
    rf"^(?:[^，。！？；的被是死葬没未不]{{0,6}}?(?:{_SAYS})|[^，。！？；的被是死葬埋没未躺卧]{{1,6}}(?:着|了(?!三|五|十|几|多|好几)|"
    r"在(?!世)|出|下(?!的)|上(?!的)|起|住|开|进|成|道|向|往|到)|(?:头|眼|手|脸|嘴|身子|声音|目光)[^，。的]{0,4}(?:也不|一|微|轻|里|上|中)|"
    r"(?:把|将|从|向|往|朝|对|给|替|为|用|命|令|派|请|催|拍|指|捻|抚)[^，。])"
)
_STILL = re.compile(
    r"^(?:[，。！？；、：]|是|有|名|姓|本|原|已(?:经)?(?:死|故|逝|亡|去世|不在|葬)|曾|死|葬|埋|生|在世|的|之|者|等|们|未|没|不[是在曾会能该]|被|遭|挨|"
    r"受|去世|病故|去了|走了|留下|[一二三四五六七八九十几两数半百]+[年月天日]前|若|要是|如果|会|能|该|当[年初日]|从前|那年|早|才是|便是|"
    r"就是|也是|这|那|一?死|临|与世|年|身上)"
)
"""What tells nothing of an act here and now."""


def acts(before: str, after: str) -> bool:
    """Whether whoever is named between two halves of a sentence speaks or does something, told as now."""
    if not _BEFORE.search(before) or _STILL.search(after):
        return re.match(r"[：:]\s*[“「]", after) is not None
    return _DOES.search(after) is not None


def is_subject(before: str, after: str) -> bool:
    """Whether whoever is named may be the one who does what follows."""
    return (
        not after.startswith(("的", "被", "遭", "挨", "受"))
        and not before.endswith(("被", "由"))
        and bool(_BEFORE.search(before))
    )
