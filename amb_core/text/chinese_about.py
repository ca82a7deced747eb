"""What a Chinese text is about: the subject of its first sentence and its other names."""

import re
from collections.abc import Iterator

__all__ = ["chinese_subjects"]

_ADVERBIAL = re.compile(r"(?:在|于|自|由于|根据|随着|为了|当|从|因)[^，。]{1,25}[，]")
_TITLE = re.compile(r"[《〈]([^》〉\n]{1,40})[》〉]")
_STOP = re.compile(
    r"[（(，。；！？\n〈]|是(?!否)|为(?=[中一美日英法德世])|位于|指的?是?|又[名称译]|又被?称|亦[称作]|简称|别[名称]|俗称|也[叫称作]|即(?!将)|"
    r"于\d|于(?:公元|西元|民国|[一二三四五六七八九]{2})|成立|签署于|发生于|起源于|来源于|来自|建[于成]|属于?(?=于|[\u4e00-\u9fff]{0,6}[科属目])|在(?=[\d一二三华中国大])|"
    r"由(?=[\u4e00-\u9fff]{1,12}(?:组成|制作|创|开发|负责|出版|发行|主演|执导|生产))|(?<=[\u4e00-\u9fff]{2})[、]|有限公司(?=于)|本身|总共|拥有|包括|含有?(?=[\u4e00-\u9fff])|"
    r"出生|毕业|担任|曾(?=任|经|是)|被(?=[\u4e00-\u9fff])|的(?=一|主要|历史|总)"
)
_ALIAS = re.compile(
    r"(?:又名|又称为?|又译为?|又被?称[为作]?|亦称为?|亦作|亦译|简称为?|别名|别称|俗称|也称为?|也叫|也作|即|或称|或译|旧称|原名|本名|全名|全称|昵称|绰号|"
    r"艺名|笔名|外文名|英文名|英文|英语|学名|台译|港译|通称|通常称为|更名为|字|号)[:：为]?[“「《\"]?([^，。；、（）()“”「」《》\"\n]{2,30})"
)
_FOREIGN = re.compile(r"[A-Za-z][\w.'’ -]{1,60}[\w.]")
_COMPANY = re.compile(r"(?:股份)?(?:有限)?(?:责任)?公司$")
_PRONOUN = re.compile(
    r"(?:他|她|它|我|你|您|这|那|此|该|本|其|有|各|某|每|前身|以下|以上|目前|现在|今天|昨天|明天|同时|但|而|如果|因为|所以|虽然)"
)


def _tidy(name: str) -> str:
    return name.strip(" \t\r\n“”「」『』《》\"'，、：:-*#")


def _forms(name: str) -> Iterator[str]:
    yield name
    parts = re.split("[·‧・•]", name)
    if len(parts) > 2:
        yield f"{parts[0]}·{parts[-1]}"
    if short := _COMPANY.sub("", name):
        yield short


def chinese_subjects(body: str) -> Iterator[str]:
    """Names in the order of how surely they are the subject; lazily, so that a caller may stop after a few."""
    sentence = body[:400]
    if title := _TITLE.match(sentence):
        yield _tidy(title[1])
        rest = sentence[title.end() :]
    else:
        for _ in range(2):
            if (skipped := _ADVERBIAL.match(sentence)) and skipped.end() < len(sentence):
                sentence = sentence[skipped.end() :]
        stop = _STOP.search(sentence, 1)
        head = _tidy(sentence[: stop.start()] if stop else sentence[:0])
        if not 2 <= len(head) <= 30 or _PRONOUN.match(head):
            return
        yield from _forms(head)
        rest = sentence[stop.start() :] if stop else ""
    first = re.split(r"[。\n]", rest, maxsplit=1)[0]
    for found in _ALIAS.finditer(first[:160]):
        yield from _forms(_tidy(found[1]))
    if rest.startswith(("（", "(")) and (foreign := _FOREIGN.search(rest[: rest.find("）") if "）" in rest else 80])):
        yield foreign.group()
