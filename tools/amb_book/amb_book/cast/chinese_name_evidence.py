"""What Chinese prose says of names: who stands where only a person can, and places one goes to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from amb_book.cast.chinese_name_words import FUNCTION, TITLES
from amb_book.cast.found_names import Evidence, FoundName
from amb_core.text.chinese_words import COMPOUND_SURNAMES, SURNAMES
from amb_values.chinese_segments import COMMON_WORDS, chinese_segments

__all__ = ["chinese_evidence", "chinese_names"]

_H = r"\u3400-\u9fff"
_NO = (
    "的了着过是在不没有也都就又便才却还很和与同跟把将被对向从到给让使得这那他她它我你们么吗"
    "呢吧啊道说问答笑叹喊叫骂喝想看见听走来去站坐起上下里外中前后一二三四五六七八九十两几"
    "个只低高大小声冷淡轻沉微忽突连忙急立即随缓慢点摇抬回转皱睁开拱抱啃压掀凑拎拿握攥"
    "曰嫁娶死杀逃搬偷抢夺卖买扶拔抽劈砍刺射骑牵擦抹叩敲磕跪挥撑接递狠怒瞪拉提扬俯仰伏倚靠躺蹲推敛垂摸捧拍缩伸今"
)
_WORDS_RATHER = frozenset("从向都应东边双支单终相后时经全干于和")
_USUAL = "".join(char for char in SURNAMES if char not in _WORDS_RATHER)
_SURNAME = "|".join([*COMPOUND_SURNAMES, f"[{_USUAL}]"])
_PERSON = rf"((?:{_SURNAME})(?:(?![{_NO}])[{_H}]){{1,2}}?)"
_COUNTED = re.compile(
    rf"(?<=[，。！？；：”」、—…\n\s把将和与同跟对向被给是让替]){_PERSON}(?=[{_NO}，。、；：！？今年狠拉从不压提摘取沉掀])"
)
_PLACE = (
    "客栈|酒楼|书院|山庄|王府|皇宫|大殿|水牢|地牢|镇|城|村|关|渡|崖|寺|庙|观|宫|殿|府|州|郡|县|岭|湖|岛|峰|谷|寨|"
    "堡|坡|涧|泽|原|洞|坞|港|湾|井|京|阁|楼|山|河|江|林|庄"
)
_VISITED = re.compile(
    rf"(?:来到|回到|赶到|抵达|到了|进了|进入|走进|离开|前往|赶往|去往|逃到|逃离|逃出|住在|守在|位于|坐落在|"
    rf"登上|上了|出了|直奔|经过|路过|途经|潜入|驻守|"
    rf"镇守)((?:(?![{_NO}])[{_H}]){{1,3}}(?:{_PLACE}))(?=[，。；！？、的里中上外脚下时后那东西南北]|城[里中内外]|$)"
)
_SAFE = (
    "林王李张刘陈杨赵周吴徐孙胡朱何郭罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛阎潘杜戴钟汪姜范姚谭廖邹熊陆郝孔崔邱秦顾侯邵孟"
    "陶戚窦苗葛奚鲍费岑滕毕邬卞伍狄臧茅庞屈项蓝席娄蔺屠翟桂晏瞿艾耿匡巩聂辛阚简饶沙鞠蒯游竺桓邢翁荀靳邰仇栾甘祖符欧沐"
    "钱汤尹黎乔贺赖龚殷裴霍柳甄岳楚虞俞詹聂焦柴阮穆尤褚"
)
_DOUBTFUL = "高马方石金白江龙万常武文田夏任余于叶雷段易毛黄康史洪凌云花严章鲁施纪倪莫庄明温冷祝童骆燕"
_NO_FIRST = (
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
_ONE = (
    "一(?![声下把个直时剑刀枪脚拳步口眼边面起阵次日夜早头路同样些点会向定家])"
    "|[二三四五六七八九](?=[娘郎姑爷妹哥公叔婶儿斤])|(?<=老)[二三四五六七八九]"
)
_GIVEN = rf"(?:(?:(?![{_NO_FIRST}])[{_H}]|{_ONE})){{1,2}}?"
_WHOLE = "|".join(COMPOUND_SURNAMES)
_SEEN = re.compile(
    rf"{_BEFORE}(?P<n>(?:(?P<s>{_WHOLE}|[{_SAFE}])|[{_DOUBTFUL}]){_GIVEN})(?:(?P<strong>(?={_AFTER_STRONG}))|(?={_AFTER_WEAK}))",
    re.MULTILINE,
)


def chinese_evidence(text: str) -> Iterator[Evidence]:
    """Names of a text with what stands around them says of their kind; of one mention both short and long forms."""
    for found in _COUNTED.finditer(text):
        yield from _lengths(text, found)
    yield from _at_first_sight(text)
    for found in _VISITED.finditer(text):
        if not _is_common(found[1]):
            yield Evidence(found[1], found.start(1), "location", 1.0)


def chinese_names(found: Sequence[FoundName]) -> list[FoundName]:
    """The names without shorter or longer forms of the same that were met by the way."""
    by_name = {each.name: each for each in found}
    return [each for each in found if not _is_half(each, by_name)]


def _is_half(each: FoundName, by_name: dict[str, FoundName]) -> bool:
    """Whether a name is a shorter form of one met about as often, or a longer one met less often than the shorter."""
    if each.kind != "character" or not each.name.isalpha() or each.name.isascii():
        return False
    longer = [one for name, one in by_name.items() if len(name) == len(each.name) + 1 and name.startswith(each.name)]
    if any(one.count * 2 > each.count for one in longer):
        return True
    shorter = by_name.get(each.name[:-1])
    return shorter is not None and each.count * 2 <= shorter.count


def _lengths(text: str, found: re.Match[str]) -> Iterator[Evidence]:
    """The name as it was matched and, where the next character may belong to it, one longer."""
    name, end = found[1], found.end(1)
    if _is_common(name):
        return
    yield Evidence(name, found.start(1), "character", 0.5)
    longest = 4 if name[:2] in COMPOUND_SURNAMES else 3
    following = text[end : end + 1]
    if len(name) < longest and "\u3400" <= following <= "\u9fff" and following not in _NO and name[0] not in "阿老小":
        yield Evidence(name + following, found.start(1), "character", 0.5)


def _is_common(name: str) -> bool:
    return any(each.kind == "common" and each.end - each.start == len(name) for each in chinese_segments(name))


def _at_first_sight(text: str) -> Iterator[Evidence]:
    """Names that one sentence may be enough for: a surname where only a person can stand."""
    for found in _SEEN.finditer(text):
        name = found["n"]
        if _may_name(name):
            doubtful = name[0] in _DOUBTFUL and len(name) == 2
            yield Evidence(
                name, found.start(), "character", 1.0 if found["strong"] is not None and not doubtful else 0.5
            )


def _may_name(name: str) -> bool:
    if name in COMMON_WORDS or any(char in FUNCTION for char in name[1:] if char != "一"):
        return False
    return re.fullmatch(rf"[{_H}]{{1,2}}?(?:{TITLES})", name) is None and not name.endswith(
        ("家", "人", "子", "手", "头")
    )
