"""Who holds an office, said beside the name: "the chief executive, Karel Tamm, …", "董事长陈大伟表示"."""

import re
from collections.abc import Iterator
from dataclasses import replace

from amb_core.agents.attribute_words import BORDER, SLOT, SURNAMES
from amb_core.agents.chinese_claim_words import ZH_OFFICES
from amb_core.agents.clauses import frame_tokens
from amb_core.agents.quantities import Slot
from amb_core.agents.statement import Sentence, Statement
from amb_core.agents.topics import Topic
from amb_core.text import name_key
from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["office_statements"]

_OFFICE = (
    r"chief executive(?: officer)?|CEO|chairman|chairwoman|chair of the board|mayor|managing director|medical director"
    r"|artistic director|executive director|director|president|captain|editor|principal|headteacher|governor"
    r"|chief engineer|harbour master|head coach"
)
_TITLED = r"(?:(?:Dr|Prof|Mr|Mrs|Ms|Sir|Dame)\.? )?"
_NAME = rf"{_TITLED}(?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’.-]*){{1,3}})"
_HOUSE = (
    r"(?:hospital|company|firm|school|museum|city|town|yard|university|college|bank|airport|club|institute|charity)"
)
_OWNER = rf"(?:(?:[Ii]ts|[Tt]he|(?P<owner>[A-Z][\w&]+(?: [A-Z][\w&]+){{0,4}})['’]s?|[Tt]he {_HOUSE}['’]s) )"
_OF = rf"(?: of (?:the {_HOUSE}|(?P<of>[A-Z][\w&]+(?: [A-Z][\w&]+){{0,4}})))?"
# "its chief executive, Karel Tamm, did not reply" and "said Priya Raman, the hospital's medical director"
_BESIDE = (
    lazy_pattern(rf"(?<![\w,] ){_OWNER}(?P<office>{_OFFICE}){_OF}, {_NAME}(?=,|\.|$)"),
    lazy_pattern(rf"\b{_NAME}, {_OWNER}(?P<office>{_OFFICE}){_OF}(?=,|\.|;|$)"),
)
_ANY_OFFICE = lazy_pattern(rf"\b(?:{_OFFICE})\b")
_CHANGED = lazy_pattern(
    r"\b(?:left|former|formerly|then|until|resign\w*|retire\w*|succeed\w*|replac\w*|took over|step\w* down|appoint\w*"
    r"|new|next|acting|deputy|vice|elect|died|late)\b|前任|原任|曾任|时任|卸任|辞|退休|接任|接替|副|代理|候任|[前原新]$",
    re.IGNORECASE,
)
_ZH_HOUSE = re.compile(r"[该本我]?(?:公司|集团|医院|学校|船?厂|馆|院)")
_ZH_BESIDE = lazy_pattern(
    rf"(?:^|[，,。；\s、])(?P<owner>{_ZH_HOUSE.pattern}|[\u4e00-\u9fff]{{2,10}}?)?的?"
    rf"(?P<office>{ZH_OFFICES.pattern})(?P<name>[{SURNAMES}][\u4e00-\u9fff]{{1,2}}?)"
    r"(?=介绍|表示|说|告诉|指出|透露|认为|称|坦言|强调|宣布|[，,。])"
)


def office_statements(within: Sentence, topic: Topic) -> Iterator[Statement]:
    """Statements on who holds an office of what the sentence is about, or of the owner it names."""
    if not (ZH_OFFICES if within.chinese else _ANY_OFFICE).search(within.text) or _CHANGED.search(within.text):
        return
    patterns = (_ZH_BESIDE,) if within.chinese else _BESIDE
    for pattern in patterns:
        for found in pattern.finditer(within.text):
            groups = found.groupdict()
            owner = groups.get("owner") or groups.get("of") or ""
            keys = topic.keys
            if within.chinese:
                owner = "" if _ZH_HOUSE.fullmatch(owner) or topic.name.endswith(owner) else owner
            if owner:
                keys = frozenset([name_key(owner)])
            if keys:
                yield _statement(found, within, owner or topic.name, keys, own=bool(owner))


def _statement(found: re.Match[str], within: Sentence, subject: str, keys: frozenset[str], *, own: bool) -> Statement:
    name, office = found["name"], found["office"]
    start = within.start + found.start("name")
    slot = Slot("name", name, start, start + len(name), "name", keys=frozenset([name_key(name)]))
    words = frozenset() if within.chinese else frame_tokens(office.split())
    return Statement(
        subject=subject,
        wording=office,
        value=name,
        kind="name",
        polarity=True,
        within=replace(within, figures=()),
        slot=slot,
        subjects=keys,
        named=True,
        pointing="named",
        frame=words,
        words=words,
        before="is",
        plain=f"{subject}{'' if own else BORDER}{office}为{SLOT}" if within.chinese else "",
    )
