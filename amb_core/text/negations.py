"""Words that turn a statement round, English and Chinese, without the words that only look like them."""

import re

from amb_core.text.english_vocabulary import word_set
from amb_core.text.lazy_patterns import lazy_pattern, opening_with, word_anchors

__all__ = ["negation_spans"]

_ENGLISH = lazy_pattern(
    r"(?:no longer|not|never|cannot|without|none|nobody|nothing|nowhere|neither|nor|no one|"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|might|need|ought|ca|wo|sha|ai)n?['’]?t|"
    r"(?:fail|fails|failed|failing) to|unable to|incapable of|(?:refuse|refuses|refused|decline|declines|declined) to|"
    r"lack|lacks|lacked|lacking|absence of|hardly|barely|scarcely|no(?!\.?\s?\d))\b",
    re.IGNORECASE,
)
_STARTS = word_set(
    "no not never cannot without none nobody nothing nowhere neither nor isn aren wasn weren don doesn didn hasn haven hadn",
    "can couldn won wouldn shouldn mustn mightn needn oughtn shan ain isnt arent wasnt werent dont doesnt didnt hasnt havent",
    "hadnt cant couldnt wont wouldnt shouldnt fail fails failed failing unable incapable refuse refuses refused decline",
    "declines declined lack lacks lacked lacking absence hardly barely scarcely",
)
_ENGLISH_TRAP = lazy_pattern(
    r"not (?:only|just|merely|simply|to mention)\b|no (?:doubt|wonder|sooner|matter (?:how|what|who|where|when|which))\b|"
    r"without (?:a )?doubt\b|nothing but\b|(?:none|nothing) other than\b|wont\b|cant\b(?= of)",
    re.IGNORECASE,
)
_CHINESE_TRAP = lazy_pattern(
    opening_with(
        r"不得不|不能不|不会不|无不|并非不|不[仅但断过同少久论管禁愧料锈丹时妨止单光已惜惑倒]|不动产|不一[样致定]?|不可避免|差不多|对不起|"
        r"了不起|无[论疑数锡线比奈限机敌双名产印聊意]|无人机|非[常洲凡典得遗物]|[除是南北西东中莫无韩]非|未[来免央]|[乙丁己辛癸]未|没[收落关]|"
        r"[沉淹埋出吞覆湮隐]没|南无|虚无|是否",
        "不无并差对了非除是南北西东中莫韩未乙丁己辛癸没沉淹埋出吞覆湮隐虚",
    )
)
_CHINESE = lazy_pattern(
    opening_with(
        r"从未|从不|从来没有?|并未|并不|并非|尚未|还没有?|没有|毫无|不再|绝不|决不|不[是会能可要得]?|未能?|无法?|非|没|勿|莫",
        "从并尚还没毫不绝决未无非勿莫",
    )
)


def negation_spans(text: str) -> list[tuple[int, int]]:
    """(start, end) of every negation, in text order."""
    spans = [
        found.span()
        for start, _ in word_anchors(text, _STARTS)
        if (found := _ENGLISH.match(text, start)) and not _ENGLISH_TRAP.match(text, start)
    ]
    if text.isascii():
        return spans
    index = 0
    traps = [found.span() for found in _CHINESE_TRAP.finditer(text)]
    for found in _CHINESE.finditer(text):
        while index < len(traps) and traps[index][1] <= found.start():
            index += 1
        if index == len(traps) or traps[index][0] >= found.end():
            spans.append(found.span())
    return sorted(spans)
