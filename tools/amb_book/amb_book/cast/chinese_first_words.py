"""Chinese names told from one sentence: a surname where only a person can stand, and houses by who belongs to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.cast.chinese_name_words import FUNCTION, NO_NAME, TITLES
from amb_book.cast.found_names import Evidence
from amb_core.text.common_chinese import COMMON_WORDS
from amb_core.text.surnames import COMPOUND_SURNAMES

__all__ = ["first_sight"]

_H = r"\u3400-\u9fff"
_SAFE = (
    "林王李张刘陈杨赵周吴徐孙胡朱何郭罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛阎潘杜戴钟汪姜范姚谭廖邹熊陆郝孔崔邱秦顾侯邵孟"
    "陶戚窦苗葛奚鲍费岑滕毕邬卞伍狄臧茅庞屈项蓝席娄蔺屠翟桂晏瞿艾耿匡巩聂辛阚简饶沙鞠蒯游竺桓邢翁荀靳邰仇栾甘祖符欧沐"
    "钱汤尹黎乔贺赖龚殷裴霍柳甄岳楚虞俞詹聂焦柴阮穆尤褚"
)
_DOUBTFUL = "高马方石金白江龙万常武文田夏任余于叶雷段易毛黄康史洪凌云花严章鲁施纪倪莫庄明温冷祝童骆燕"
_NO = (
    "的了着过是在不没有也都就又便才却还很和与同跟把将被对向从到给让使得这那他她它我你们么吗呢吧啊道说问答笑叹喊叫骂喝想看见听走来去站坐起"
    "第上下里外前后一二四五六七八九十两几个只带死嫁娶杀住回逃进出今已拜加学受失昏为最每各某些"
)
_AFTER_STRONG = (
    "死|咽|断了?气|战死|病死|病故|病倒|自尽|自杀|牺牲|去世|过世|嫁|娶|杀|刺|救|加入|拜入|拜|投靠|学会|练成|领悟|掌握|学到|受伤|受了|昏|今年|年方|"
    "成了|连夜|教会|教|身负|身受|身怀|去年|前年|那年|当年|为徒|手里|手中|手上|身上|怀里|关进|打|救|找|等|追|逼|骗|骂|"
    "失踪|外号|绰号|收了?|一|原是|原来|本是|本来|昨|昏迷|背叛|关进|押|摸|掏|抬|伸|咬|握|推|醒|病|疼|怕|气|"
    "被|把|将|带着|带|领着|住在|住|搬|回到|回了|来到|到了|赶到|走进|走到|逃|进了|出了|离开|躲|藏|成了亲|结婚|订|爱上|喜欢|恨|当上|当了|做了|担任|"
    "接任|成为|接过|拿|得到|偷|抢|夺|买|卖|送|交给|递给|从|说|道|笑|问|哭|点头|摇头|站|坐|躺|跪|的(?:父亲|母亲|爹|娘|妹妹|弟弟|哥哥|姐姐|儿子|女儿|"
    "丈夫|妻子|师父|师傅|徒弟|未婚|叔叔|舅舅|爷爷|奶奶|手里|手中|身上|怀里|尸体|坟)|，人称|，绰号|，外号|，字|走|跑|看|想|听|怀孕|生下|去了|又|也|才|终于|已经|一直|从来|差点|没"
)
_AFTER_WEAK = "是|在|到|有|和|与|同|跟|向|对|之|就|便|却|还|都|[，。；！？、“”：]|$|喜|不"
_BEFORE = r"(?:^|(?<=[，。！？；：”“」、—…\n\s把将被给和与同跟从叫见是让替对向了的岁]))"
_ONE = "一(?![声下把个直时剑刀枪脚拳步口眼边面起阵次日夜早头路同样些点会向定家])|[二三四五六七八九](?=[娘郎姑爷妹哥公叔婶儿斤])|(?<=老)[二三四五六七八九]"
_GIVEN = rf"(?:(?:(?![{_NO}])[{_H}]|{_ONE})){{1,2}}?"
_WHOLE = "|".join(COMPOUND_SURNAMES)
_SEEN = re.compile(
    rf"{_BEFORE}(?P<n>(?:(?P<s>{_WHOLE}|[{_SAFE}])|[{_DOUBTFUL}]){_GIVEN})(?:(?P<strong>(?={_AFTER_STRONG}))|(?={_AFTER_WEAK}))",
    re.MULTILINE,
)
_KIN = re.compile(
    rf"(?:的|位|叫|做)?(?:父亲|母亲|妹妹|弟弟|哥哥|姐姐|儿子|女儿|丈夫|妻子|师父|徒弟|掌门|阁主|门主|教主|帮主|宗主|庄主|城主|长老|将军|太守|县令)"
    rf"(?P<n>(?:{_WHOLE}|[{_SAFE}{_DOUBTFUL}]){_GIVEN})(?={_AFTER_STRONG}|{_AFTER_WEAK})"
)
_NAME = rf"(?:{_WHOLE}|[{_SAFE}{_DOUBTFUL}]){_GIVEN}"
_PLAINLY = re.compile(
    "把|被|将|嫁|娶|死了|去世|今年|年方|的(?:父亲|母亲|妹妹|弟弟|哥哥|姐姐|儿子|女儿|丈夫|妻子|师父|徒弟)|，人称|结婚"
)
_OBJECT = re.compile(
    rf"(?:嫁给了?|娶了|迎娶了?|交给了?|送给了?|传给了?|还给了?|递给了?|留给了?|卖给了?|杀了|杀死了?|救了|救下了?|打伤了?|归了?|属于|爱上了?|"
    rf"喜欢上了?|恨|拜了?|从|带着|领着|跟着|陪着|遇见了?|遇到了?|见到了?|找到了?|名叫|叫做|就是|岁的|收|收了|生下了?)(?P<n>{_NAME})(?={_AFTER_STRONG}|{_AFTER_WEAK}|第|为)"
)
_PAIR = re.compile(
    rf"{_BEFORE}(?P<n>{_NAME})(?:和|与|同|跟)(?P<m>{_NAME})(?={_AFTER_STRONG}|{_AFTER_WEAK}|去年|今年|一起|两|结|吵|打|约|商)"
)
_IS = re.compile(
    rf"{_BEFORE}(?P<n>{_NAME})(?=(?:就|正|本|原)?是[^，。；！？]{{1,9}}(?:妹妹|弟弟|哥哥|姐姐|儿子|女儿|丈夫|妻子|父亲|母亲|师父|徒弟|弟子|掌门|未婚夫|"
    rf"未婚妻|独生女|独子|闺女|大夫|医生|老师|铁匠|木匠|堂主|阁主|门主|帮主|教主|宗主|谷主|庄主|长老|护法|孙子|孙女|侄子|侄女)|有[^，。；！？]{{0,4}}(?:女儿|儿子|妹妹|弟弟|哥哥|姐姐)|(?:的|，)?[一二三四五六七八九十]{{1,3}}岁)"
)
_HOUSE = re.compile(
    rf"(?:^|(?<=[，。！？；：”“、\n\s是在了到入从为和与的]))(?P<n>(?:(?![{_NO}])[{_H}]){{1,3}}(?:门|派|帮|教|宗|阁|宫|谷|堂|盟|会|山庄|书院|镖局))"
    r"(?=的?(?:外门|内门|大|老|新任|前任|现任|首席)?(?:弟子|掌门|长老|门主|帮主|教主|宗主|阁主|宫主|谷主|堂主|盟主|会长|护法|门人|庄主|镖师|镖头))"
)


def first_sight(text: str) -> Iterator[Evidence]:
    """Names that one sentence may be enough for."""
    for pattern in (_SEEN, _KIN, _OBJECT, _PAIR, _IS):
        for found in pattern.finditer(text):
            strong = pattern is not _SEEN or found["strong"] is not None
            for group in ("n", "m") if pattern is _PAIR else ("n",):
                name = found[group]
                doubtful = name[0] in _DOUBTFUL and len(name) == 2 and not _PLAINLY.match(text, found.end(group))
                if _may(name):
                    weight = (0.5 if doubtful else 1.0) if strong else 0.5
                    yield Evidence(name, found.start(group), "character", weight)
    for found in _HOUSE.finditer(text):
        yield Evidence(found["n"], found.start("n"), "faction", 1.0)


def _may(name: str) -> bool:
    if name in NO_NAME or name in COMMON_WORDS or any(char in FUNCTION for char in name[1:] if char != "一"):
        return False
    return re.fullmatch(rf"[{_H}]{{1,2}}?(?:{TITLES})", name) is None and not name.endswith(
        ("家", "人", "子", "手", "头")
    )
