"""What a document's title names: the thing itself, without the kind of document, the year and the section."""

import re
from functools import lru_cache

from amb_core.agents.clauses import is_verb
from amb_core.text.common_words import is_common
from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["entity_of", "is_headline", "is_section", "years_of"]

_GENRE = (
    r"(?:(?:ward|annual|quarterly|half-year|yearly|interim|final|technical|financial|inspection|progress|activity"
    r"|audit|patient|product|company|corporate|press|safety|data|fact|project|visitor|user|official|city|short|public|prescribing"
    r"|site) )*"
    r"(?:report|leaflet|profile|overview|summary|fact ?sheet|data ?sheet|factsheet|datasheet|brochure|handbook|manual"
    r"|guide|protocol|register|registry|record|entry|release|announcement|statement|bulletin|newsletter|review|notes?|page|wiki"
    r"|wikipedia|encyclop[a]?edia|article|directory|information|info|faq|figures|specifications?|monograph|dossier|audit"
    r"|minutes|memo|briefing|portrait|interview|feature)"
)
_YEAR = r"(?:\(?(?:for |in |of |fy ?)?(?:19|20)\d\d(?:[–/-](?:19|20)?\d\d)?\)?)"
_AFTER = lazy_pattern(
    rf"(?:['’]s)?(?:\s*[:|,–—-]\s*|\s+)(?:{_YEAR}\s+)?(?:(?:the|an?) )?{_GENRE}(?:[\s,:]+{_YEAR})?\s*$", re.IGNORECASE
)
_BEFORE = lazy_pattern(
    rf"^(?:the )?(?:{_YEAR} )?(?:{_GENRE}(?: (?:for|on|of|about|from)(?: the board of)?)"
    rf"|(?:a |our )?visit to|(?:welcome|coming) to|inside|about"
    rf"|meet|{_GENRE}(?: {_YEAR})?[:,])\s+(?:the )?(?=[A-Z])",
    re.IGNORECASE,
)
# ": information for visitors", "(valid from 1 May)"
_SAID_OF_IT = lazy_pattern(r"(?::\s+[a-z].*|\s+\((?:valid|updated|as of|revised|draft|extract|issued)\b[^()]*\))$")
_TRAILING_YEAR = lazy_pattern(rf"[\s,:–—-]+{_YEAR}$", re.IGNORECASE)
_REPORT_YEAR = lazy_pattern(
    r"\b(?:report|accounts|results|review)(?: for| of|,)? ((?:19|20)\d\d)\b"
    r"|\b((?:19|20)\d\d) (?:[a-z]+ )?(?:report|accounts)\b"
    r"|((?:19|20)\d\d)年?(?:年?度|年)?(?:[\u4e00-\u9fff]{0,4})?(?:报告|年报)|年报[（(]?((?:19|20)\d\d)",
    re.IGNORECASE,
)
_DATED = lazy_pattern(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December) (?:19|20)\d\d"
)
_ZH_BEFORE = lazy_pattern(r"^(?:走进|探访|走近|专访|探秘|揭秘|聚焦|认识|初识|关于)")
_ZH_ASIDE = lazy_pattern(r"[（(](?:摘要|节选|全文|[^（）()]{0,12}(?:更新|修订|版))[）)]$")
_ZH_YEAR_BEFORE = lazy_pattern(r"^(?:19|20)\d\d年度?")
_ZH_YEAR = lazy_pattern(r"[（(]?(?:19|20)\d\d年?度?[）)]?$")
_ZH_AFTER = lazy_pattern(
    r"(?:的)?(?:[（(]?(?:19|20)\d\d(?:年)?(?:度)?[）)]?)?(?:年度|季度|半年度?|企业|公司|项目|工程|产品|技术|检查|监管|工作|基本|官方|新闻|社会责任"
    r"|临床|用药|安全|运行|运营|使用|登记|统计|药品|患者|定期|设备|局务会|董事会|会议)*"
    r"(?:报告|年报|简介|概况|介绍|名录|公报|报道|说明书|说明|白皮书|手册|档案|资料|数据表|百科|公告|侧记|纪实|访问记|见闻|通报|信息|备案|须知|指南|规程|条目|词条|登记表|一览|情况|纪要|台账)$"
)
_ZH_SECTION = lazy_pattern(
    r"(?:基本)?(?:财务|经营|概况|历史|沿革|员工|人员|领导|管理层?|设施|业务|简介|背景|数据|产能|规模|交通|生产|产品|治理|组织|建设|运营|运行|安全|环境|信息|参数|情况"
    r"|位置|人事|服务|成立|发展|技术|指标|团队|展望|总结|结语|说明|剂量|用法|用量|适应症)+(?:与|和|及|、)?"
    r"(?:财务|经营|历史|员工|人员|领导|管理|设施|业务|数据|产能|规模|交通|生产|产品|治理|组织|建设|运营|运行|安全|环境|参数|情况|位置|概况|发展|服务|指标|用量)*$"
)
_CJK = lazy_pattern(r"[\u3400-\u9fff]")
_WORD = lazy_pattern(r"[A-Za-z][\w'’-]*")
_LONGEST_SECTION = 5


@lru_cache(maxsize=4_096)
def entity_of(title: str) -> str:
    """What "Marlowe General Hospital: annual report 2024" is on; the title itself where it says no more."""
    kept = title.strip()
    if _CJK.search(kept):
        kept = _ZH_BEFORE.sub("", _ZH_ASIDE.sub("", kept))
        short = _ZH_AFTER.sub("", _ZH_YEAR.sub("", kept)).strip("：:— -")
        short = _ZH_YEAR_BEFORE.sub("", short) if _ZH_AFTER.search(_ZH_YEAR.sub("", kept)) else kept
        return short if len(short) > 2 else title
    short = _BEFORE.sub("", _SAID_OF_IT.sub("", kept), count=1)
    short = _AFTER.sub("", short, count=1)
    if short != kept:
        short = _TRAILING_YEAR.sub("", short)
    words = _WORD.findall(short)
    return short if words and words[0][0].isupper() and not all(map(is_common, words)) else title


@lru_cache(maxsize=4_096)
def is_section(heading: str) -> bool:
    """Whether a heading names a part of a document ("Finances", "经营情况") rather than a thing."""
    if any(char.isdigit() for char in heading):
        return False
    if _CJK.search(heading):
        return len(heading) <= 10 and _ZH_SECTION.match(heading) is not None
    words = _WORD.findall(heading)
    return 0 < len(words) <= _LONGEST_SECTION and all(map(is_common, words))


def is_headline(title: str) -> bool:
    """Whether an English title is a line of news rather than a name: in capitals, with a verb or dated."""
    words = _WORD.findall(title)
    if len(words) < 3:
        return _DATED.search(title) is not None
    return (
        title.isupper()
        or _DATED.search(title) is not None
        or any(word[0].islower() and is_verb(word) for word in words[1:])
    )


def years_of(*titles: str) -> frozenset[str]:
    """The years that reports are on, by their titles."""
    found = (match for title in titles for match in _REPORT_YEAR.finditer(title))
    return frozenset(next(filter(None, match.groups())) for match in found)
