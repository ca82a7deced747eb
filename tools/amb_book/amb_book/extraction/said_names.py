"""Names an author says once, in the place a plain sentence has for them: Ann went to Harrow, 秋寒死了."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from amb_book.extraction.chinese_name_words import GROUP, NO_NAME, NO_PLACE, PLACE_ENDS
from amb_book.extraction.english_naming import HONORIFICS, is_plain_word
from amb_book.extraction.english_titles import sex_of_name
from amb_book.extraction.naming import FoundName
from amb_book.extraction.passages import Passage
from amb_book.statements import EntityKind

__all__ = ["said_names"]

_WORD = r"[A-Z][a-z]+(?:['’-][A-Za-z][a-z]+)?"
_NAME = rf"(?:(?:{HONORIFICS})\.? )?{_WORD}(?: (?:of (?:the )?)?{_WORD}){{0,2}}"
_KIN = (
    "brother|sister|twin|husband|wife|son|daughter|father|mother|uncle|aunt|cousin|master|teacher|apprentice|pupil|"
    "enemy|friend|nephew|niece|grandfather|grandmother|grandson|granddaughter"
)
_WENT = (
    "arrived|arrives|came|comes|went|goes|walked|rode|rides|ran|fled|sailed|marched|returned|returns|travell?ed|"
    "travels|moved|journeyed|is|was|lives|lived|stays|stayed|waits|waited|hides|hid"
)
_WHEN = r"(?:,| (?:at (?:dusk|dawn|noon|night|midnight)|in the (?:morning|evening)|and|with|now|again)\b|[.!]?$)"
_ENGLISH = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(?P<c>{_NAME}) (?:now |also )?(?:{_WENT}) (?:back )?(?:to|at|in) (?P<l>{_WORD}(?: {_WORD})?)(?={_WHEN})",
        rf"^(?P<c>{_NAME}) (?:now )?(?:reached|reaches|entered|enters|left|leaves) (?P<l>{_WORD}(?: {_WORD})?)"
        rf"(?={_WHEN})",
        rf"^(?P<c>{_NAME}) (?:gave|gives|handed|hands|sold|sells|returned|sent) (?P<i>the (?:[a-z]+ ){{1,3}}?)"
        rf"to (?P<c2>{_NAME})(?={_WHEN})",
        rf"^(?P<c>{_NAME}) (?:now |still )?(?:owns|carries|wears|stole|bought|inherited) "
        r"(?P<i>the (?:[a-z]+ ?){1,3}?)(?=[.!]?$)",
        rf"^(?P<c>{_NAME}) (?:has )?(?:married|marries|killed|kills|betrayed|betrays|loves|hates|serves) "
        rf"(?P<c2>{_NAME})(?={_WHEN})",
        rf"^(?P<c>{_NAME}) (?:is|was) (?:the )?(?:(?:elder|younger|older|twin|only|half-|sworn) ?)*(?:{_KIN}) of "
        rf"(?P<c2>{_NAME})(?={_WHEN})",
        rf"^(?P<c>{_NAME}) (?:is|was) (?P<c2>{_NAME})['’]s? (?:(?:elder|younger|older|twin|only|sworn) )*(?:{_KIN})\b",
        rf"^(?P<i>[Tt]he (?:[a-z]+ ){{1,3}}?)(?:now )?belong(?:s|ed)? to (?P<c>{_NAME})(?={_WHEN})",
        rf"^(?P<c>{_NAME}) (?:now |finally )?(?:learn(?:s|ed|t)|master(?:s|ed)) (?:the )?"
        rf"(?P<a>{_WORD}(?: {_WORD}){{0,2}})(?={_WHEN})",
        rf"^(?P<c>{_NAME}) (?:is|was) (?:now |already )?(?:dead|wounded|alive|captured|imprisoned)\b",
    )
)
_NO = (
    "的了着过是在不没有也都就又便才却还很和与同跟把将被对向从到给让使得这那他她它我你们么吗呢吧啊说问谁何哪来去死归嫁娶"
)
_C = rf"(?![当今昨次每后前如然于但虽因忽终第有其此])(?:(?![{_NO}])[\u3400-\u9fff]|将(?=军)){{2,4}}?"
_L = rf"(?:(?![{_NO}])[\u3400-\u9fff]){{2,5}}?"
_I = _L
_END = r"(?=[，。！；]|$)"
_CHINESE_KIN = (
    "哥哥|兄长|大哥|弟弟|姐姐|妹妹|父亲|爹|母亲|娘|儿子|女儿|丈夫|妻子|师父|师傅|徒弟|弟子|师兄|师弟|师姐|师妹|叔叔|伯父|"
    "舅舅|姑姑|侄子|侄女|外甥|祖父|爷爷|祖母|奶奶|孙子|孙女|仇人|朋友|未婚妻|未婚夫"
)
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:^|[，；])(?P<c>{_C})(?:已经|已|终于|最后|昨夜|昨天)?(?:死了|战死了?|身亡|去世了?|阵亡了?|病死了?|病逝了?|遇害了?){_END}",
        rf"(?:^|[，；])(?P<c>{_C})(?:已经|已|又|连夜|终于)?(?:来到了?|到了|去了|回到了?|赶到了?|抵达了?|住在|身在|留在|逃到了?)"
        rf"(?P<l>{_L}){_END}",
        rf"(?:^|[，；])(?P<c>{_C})(?:把|将)(?P<i>{_I})(?:交给|传给|送给|还给|卖给|给)了?(?P<c2>{_C}){_END}",
        rf"(?:^|[，；])(?P<c>{_C})是(?P<c2>{_C})的(?:亲|结拜|义|双胞胎|同门)?(?:{_CHINESE_KIN}){_END}",
        rf"(?:^|[，；])(?P<c>{_C})(?:嫁给了?|娶了|杀了|杀死了?|背叛了?)(?P<c2>{_C}){_END}",
        rf"(?:^|[，；])(?P<c>{_C})(?:加入了?|投奔了?|叛出了?|离开了)(?P<g>{_C}){_END}",
        rf"(?:^|[，；])(?P<i>{_I})(?:如今|现在)?(?:归|属于)(?P<c>{_C})(?:所有)?{_END}",
    )
)
_NOBODY = frozenset(
    [*_CHINESE_KIN.split("|"), *"男主 女主 主角 男主角 女主角 配角 反派 英雄 敌人 读者 作者 大家 老将军 将军".split()]
)
"""Whom an author speaks of by kinship or by a part in the book, and not by a name."""
_TIME = re.compile("[一二三四五六七八九十百千数几半两][日天年月夜时]|[后前时]$")
_PLACE_END = re.compile(rf"(?:{PLACE_ENDS})$")
_QUARTER = re.compile("[东西南北]城")
"""No name of a town in a book that has a town already; said by an author, one of the book."""
_KINDS: dict[str, EntityKind] = {
    "c": "character",
    "c2": "character",
    "l": "location",
    "i": "item",
    "a": "ability",
    "g": "faction",
}


def said_names(passages: Iterable[Passage]) -> Iterator[FoundName]:
    """The names in sentences that tell one plain thing, by the place in which they stand; no questions.

    For what an author says, who sees them in a form before they are settled: a book is too full of other words.
    """
    for passage in passages:
        if passage.question:
            continue
        chinese = passage.language == "zh"
        for pattern in _CHINESE if chinese else _ENGLISH:
            for found in pattern.finditer(passage.told):
                named = {group: _bare(name) for group, name in found.groupdict().items() if name}
                if all(_is_name(name, group, chinese=chinese) for group, name in named.items()):
                    for group, name in named.items():
                        yield FoundName(name, _KINDS[group], 1, start=passage.start + found.start(group))


def _bare(name: str) -> str:
    """A name as it stands within a sentence: The jade pendant is the jade pendant."""
    return f"the {name[4:]}".strip() if name.startswith("The ") else name.strip()


def _is_name(name: str, group: str, *, chinese: bool) -> bool:
    """Whether nothing speaks against a word being a name."""
    if group in ("i", "a", "g"):
        return len(name) > 1
    if not chinese:
        first = name.split()[0]
        if first in ("Maybe", "Perhaps", "Option", "Chapter"):
            return False
        return not is_plain_word(first) or sex_of_name(first) != "" or re.fullmatch(HONORIFICS, first) is not None
    if name in NO_NAME or (name in NO_PLACE and not _QUARTER.fullmatch(name)):
        return False
    if group == "l":
        return _PLACE_END.search(name) is not None
    return name not in _NOBODY and _TIME.search(name) is None and (GROUP.match(name) is None or name.endswith("将军"))
