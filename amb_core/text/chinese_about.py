"""What a Chinese text is about: the subject of its first sentence and its other names."""

import re
from collections.abc import Iterator

from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["chinese_subjects", "subject_head"]

_ADVERBIAL = lazy_pattern(
    r"(?:[在于自当]|由于|根据|随着|为了|因|截至|到)[^，。]{1,25}?(?:[中时后前上下里内年月日来]|期间|以来|方面|领域|过程|规定|情况)，"
    r"|(?:\d{2,4}|[〇零一二三四五六七八九十]{2,4})年(?:\d{1,2}月)?(?:\d{1,2}[日号])?[初末底]?，|(?:近日|目前|今天|昨天|据悉|近年来|此外|同时|另外)，?"
)
_REPORTED = lazy_pattern(r"据[^，。]{1,15}[，]")
_TITLE = lazy_pattern(r"[《〈]([^》〉\n]{1,40})[》〉]")
_ASIDE = lazy_pattern(r"[（(]([^（()）\n]{0,200})[）)]")
_STOP = lazy_pattern(
    r"[（(，。；：！？\n〈]|(?<![于但还就可总若或])是(?!否)|(?<![因作成称认名行以])为(?![民人])|(?<=[\u4e00-\u9fff]{3})(?<![所拥具享])有(?!限|机|色|线)|位[于处]|坐落|地处|"
    r"指的|[是]指|指(?=[^南挥数标导定针])|又[名称译]|又被?称|亦[称作名]|简称|全称|别[名称]|俗称|也[叫称作]|即(?!将|时|墨|使)|或[称译]|本名|原名|"
    r"[适用产始归属源来建毕]于|于(?=[\d公西民一二三四五六七八九十])|成立|签署|发生于?|起源|来源|来自|建成|属(?=[\u4e00-\u9fff]{0,6}[科目])|"
    r"(?<=[\u4e00-\u9fff]{2})在|由(?=[（(\u4e00-\u9fff])|自(?=[\d从一二])|从(?=[\d一二])|(?<=[\u4e00-\u9fff]{2})、|本身|总共|拥有|包[括含]|含(?=有)|"
    r"出生|毕业|担任|曾(?=任|经|是|在|获)|现[任为]|被(?=[\u4e00-\u9fff])|的(?=一|主要|历史|总)|分为|划分|举[行办]|开始|使用|采用|获得|参加|表示|"
    r"达到|增长|下降|上升|超过|突破|位居|位列|高达|约[为有\d]|通常|一般|往往|均[为是]|共[有计]|周[一二三四五六日]|星期|今[天日年]|昨[天日]|近日|日前|正式|计划|再次|首次|"
    r"宣布|推出|发[布表售]|认为|指出|[说称](?=[：，])|继(?=去|承)|汲取|可[以能]|不[是会能]|会(?=[在被])|将(?=[在于被会])|已[经于]?"
)
_MARK = r"(?:^|(?<=[，、（(；;：: ]))"
_ALIAS = lazy_pattern(
    rf"{_MARK}(?:又名为?|又称为?|又译为?|又作|又被?称[为作]?|亦称为?|亦作|亦译|亦名|简称为?|英文简称|英文缩写|缩写为?|别名为?|别称为?|俗称为?|俗名为?|"
    r"也称为?|也叫|也作|即|或称为?|或译为?|或名|旧称|旧名|原名|本名|全名|全称|昵称|绰号|艺名|笔名|外文名|英文名|英文|英语|学名|台译|港译|通称|通常称为|更名为|"
    r"人称|中文名|正名|字|号)[:：为]?\s*[“「《\"]?([^，。；、（）()“”「」《》\"\n]{2,30})"
)
_FOREIGN = lazy_pattern(r"[A-Za-zÀ-ɏ][\wÀ-ɏ.'’ -]{1,60}[\w.]")
_COMPANY = lazy_pattern(r"(?:股份|控股)?(?:有限)?(?:责任)?公司$")
_HONORIFIC = lazy_pattern(r"(?<=[\u4e00-\u9fff]{2})(?:教授|博士|爵士|先生|女士|院士|将军|老师|医生)$")
_PRONOUN = lazy_pattern(
    r"[他她它我你您这那此该本其有各某每是为就也都不]|前身|以下|以上|目前|现在|今天|昨天|明天|同时|但|而|如果|因为|所以|虽然|由于|一[个种位名]|当(?=.{0,20}时)"
)
_LONGEST_HEAD = 40
_CHOICE = lazy_pattern(r"或者?|、")


def _tidy(name: str) -> str:
    return name.strip(" \t\r\n“”「」『』《》\"'，、：:-*#")


def _forms(name: str) -> Iterator[str]:
    """The name as written, then without the middle parts of a foreign name, a company's legal form, or an honorific."""
    yield name
    parts = re.split("[·‧・•]", name)
    if len(parts) > 2:
        yield f"{parts[0]}·{parts[-1]}"
    for pattern in (_COMPANY, _HONORIFIC):
        if (short := pattern.sub("", name)) and short != name:
            yield short
    latin = re.search(r"(?<=[\u4e00-\u9fff]{2})\s?[A-Za-z][A-Za-z' ]{3,}$", name)
    if latin:
        yield name[: latin.start()]


def _other_names(rest: str) -> Iterator[str]:
    first = re.split(r"[。\n]", rest, maxsplit=1)[0][:200]
    for found in _ALIAS.finditer(first):
        yield from _forms(_tidy(re.split(r"[或及和与]|以及", found[1], maxsplit=1)[0]))
    aside = _ASIDE.match(rest)
    if aside and (foreign := _FOREIGN.search(aside[1])):
        yield foreign.group()


def subject_head(sentence: str) -> tuple[int, int]:
    """(start, end) of the words before the verb or the first mark, after adverbial clauses; (0, 0) without any."""
    start = 0
    for _ in range(2):
        if skipped := _ADVERBIAL.match(sentence, start):
            start = skipped.end()
    stop = _STOP.search(sentence, start + 1, start + 2 * _LONGEST_HEAD)
    return (start, stop.start()) if stop else (0, 0)


def chinese_subjects(body: str) -> Iterator[str]:
    """Names of the first sentence's subject, the surest first; nothing when its subject is no name."""
    sentence = body[:500]
    if reported := _REPORTED.match(sentence):
        sentence = sentence[reported.end() :]
    if title := _TITLE.match(sentence):
        yield _tidy(title[1])
        yield from _other_names(sentence[title.end() :])
        return
    start, end = subject_head(sentence)
    head = _tidy(sentence[start:end])
    if not 2 <= len(head) <= _LONGEST_HEAD or _PRONOUN.match(head):
        return
    choices = [choice for choice in _CHOICE.split(head) if len(choice) > 1]
    for choice in choices if len(choices) == 2 else [head]:
        yield from _forms(choice)
    owner, _, owned = head.partition("的")
    if owned and len(owner) > 1 and not _PRONOUN.match(owner):
        yield owner
    yield from _other_names(sentence[end:])
