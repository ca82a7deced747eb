"""Who acts and who speaks in a Chinese sentence."""

from __future__ import annotations

import re

__all__ = ["acts", "is_subject", "speaks", "thing_named_after"]

_SAY = "说|道|问|答|喊|叫|嚷|骂|叹|念|吩咐|喝|笑|开口|嘱咐|回答|应|嘀咕|低语|插嘴|催"
_SPOKEN_AFTER = re.compile(rf"^[^，。！？；“”\n]{{0,16}}(?:{_SAY})(?:道|着|了|声|一声)?[：:，,]\s*[“「]|^[：:]\s*[“「]")
_SPOKEN_MID = re.compile(r"^[^。！？；“”\n]{0,30}(?:道|说|问|答|喊|叫|笑|叹|开口)(?:道|着)?[：:，,]\s*[“「]")
_SPOKEN_END = re.compile(rf"^[^，。！？；“”\n]{{0,12}}(?:{_SAY})(?:道|了)?(?:[^，。！？；“”\n]{{0,6}})(?:[。，！？]|$)")
_QUOTE_END = re.compile(r"[”」]\s*$")
_ADVERB = (
    r"(?:也|都|就|便|又|才|还|却|正|已经|已|忽然|突然|猛地|猛然|缓缓|慢慢|轻轻|连忙|急忙|赶紧|立刻|随即|"
    r"当即|一把|一手|一边|"
    r"一面|亲自|默默|静静|悄悄|低声|高声|大声|沉声|冷冷地?|淡淡地?|微微|只|只是|仍|仍然|依旧|终于|照旧|"
    r"照例|独自|一个人|竟|竟然|果然|早|早已|"
    r"并肩|一同|一起|双双|齐齐|飞快地?|大步|快步|匆匆|从[^，。的]{1,8}?|在[^，。的]{1,8}?(?:里|上|下|边|"
    r"旁|前|后|中|外|内|口|头|处)|对[^，。的]{1,6}?|向[^，。的]{1,6}?|朝[^，。的]{1,6}?|"
    r"把[^，。]{1,8}?|将[^，。]{1,8}?|给[^，。]{1,4}?|替[^，。]{1,4}?|跟[^，。]{1,4}?|[^，。的]{1,3}?地)"
)
_VERB = (
    r"(?:站|坐|走|跑|推|拉|拔|捋|握|举|抬|放|打|望|看了|看着|看见|看不|看向|看到|盯|听见|听着|点头|点了|点亮|摇|"
    r"摆|转|回头|回过|回来|跪|拜|"
    r"骑|跳|冲|挥|砍|刺|杀了|喝了|喝着|喝道|喝茶|喝酒|吃|咳|叹|皱|伸|抓|接过|接住|递|取|披|戴|系|解|掀|"
    r"撩|迈|踏|蹲|俯|倚|靠|扶|背着|挑|"
    r"捡|拾|擦|写下|写着|读|念|唱|打开|推开|开口|敲|按|掏|塞|扔|抛|提|拿|抱|端|捧|领|率|带着|进|出来|"
    r"出去|出现|赶到|赶来|来到|"
    r"到了|闯|跨|登|策马|翻身|退|闪|躲|飞|掠|落|扑|抢|夺|射|拉开|咬|睁|闭|眯|瞪|哭|笑|哼|骂|喊|叫|问|答|"
    r"说|道|吩咐|应|护|"
    r"挡|拦|搂|拍|摸|抚|捻|捏|折|压|劈|斩|削|切|煮|倒了|斟|敬|收|搁|摊|铺|卷|拱手|抱拳|躬身|起身|转身|"
    r"俯身|侧身|欠身|微笑|冷笑|大笑|"
    r"苦笑|沉默|犹豫|迟疑|愣|怔|醒|吹|吸|呼|嗅|尝|指着|指了|招|挤|钻|爬|游|划|撑|驾|勒|牵|喂|拖|拽|扯|"
    r"挪|搬|起得|起来|"
    r"起床|捋|束|缠|倒|盛|舀|晃|甩|撒|弯腰|低头|抬头|探|翻|跃|纵|踱|迎|敬|拂)"
)
_ACT = re.compile(
    rf"^(?:、[^，。、]{{2,4}})?(?:和|与|同|跟)?(?:{_ADVERB}*|"
    rf"[^，。！？；的被是死葬没未不]{{0,6}}?)(?P<verb>{_VERB})(?P<rest>[^，。！？；]*)"
)
_RELATIVE = re.compile(
    r"^[^，。在到向往从对把将着了起]{0,4}的(?!时候|手|剑|刀|枪)|^过(?!一|了|那|这|两|[三四五六七八九十几半]|她|他|去|"
    r"来|身|头)|"
    r"^[^，。]{0,2}[教说讲住见用做写当养救爱学提问待带骗帮欠打]过(?!来|去|身|头|神|了|脸|\w{0,2}[，。])|"
    r"^了(?:三|五|十|几|多)?[^，。]{0,3}年"
)
_PREFIX = re.compile(
    r"(?:^|[，。！？；：”」、—…\s]|[他她它]们?和|这时|此时|此刻|忽然|突然|只见|却见|就见|便见|只听|却听|"
    r"听见|看见|望见|见到|于是|然后|但|但是|可|可是|而|"
    r"接着|随后|片刻后|不料|谁知|原来|门外|门口的?|身旁的?|一旁的?|对面的?|身后的?|身边的?|"
    r"[首座旁边前后外内里中上下口头面侧左右间]的|由|被|和|与|同|跟|连|老|小|"
    r"(?:^|[，。！？；：”—…\s]|只见|却见|就见|便见|忽见|但见|原来|不料)[那这]位?)$"
)
_PASSIVE_AFTER = re.compile(r"^(?:被|遭|挨|受)")
_NOT_SUBJECT = re.compile(
    r"(?:把|将|给|对|向|替|为|朝|像|如|似|比|叫|是|的|让|在|从|往|到|了|着|过|见过|问|想|念|等|找|杀|救|葬|爱|恨)$"
)
_THING_AFTER = re.compile(
    r"^(?:桥|庙|祠|坟|墓|路|街|巷|客栈|碑|像|牌位|灵位|灵前|剑法|刀法|纪念|传|遗|堂|馆|阁|楼|亭|渡|村|"
    r"镇|号|坡|井|的(?:坟|墓|灵|牌位|尸|遗|画像|像|"
    r"名字|名号|故事|儿子|女儿|孙子|弟弟|哥哥|徒弟|弟子|妻|夫人|父|母|侄|影子|鬼魂|魂|骨|棺|死|仇|徒|旧))"
)
_THING_BEFORE = re.compile(
    r"(?:名叫|叫做|名为|唤作|也叫|又叫|同名的|另一个|自称|小名|改名|取名|冒充|假扮|扮作|扮成|假冒|小)$"
)


def speaks(before: str, after: str) -> bool:
    """Whether whoever is named between two halves of a sentence says something in it."""
    if _NOT_SUBJECT.search(before):
        return False
    if _SPOKEN_AFTER.search(after) or (_PREFIX.search(before) and _SPOKEN_MID.search(after)):
        return not re.match(r"^(?:的(?!声音)|死|葬|、)", after)
    return bool(_QUOTE_END.search(before) and _SPOKEN_END.search(after))


def acts(before: str, after: str) -> bool:
    """Whether whoever is named does something, told as now: not what was done once, nor what is done to them."""
    if not _PREFIX.search(before) or _PASSIVE_AFTER.search(after):
        return False
    if _STILL.search(after) or after.startswith("的"):
        return False
    found = _ACT.search(after)
    if found is not None:
        return not _RELATIVE.search(found.group("rest")) and not _gone(found.group("verb"), found.group("rest"))
    return bool(_DOES.search(after)) and not _RELATIVE.search(after)


_STILL = re.compile(
    r"^(?:[，。！？；、：]|是|有|叫|名|姓|本|原|已(?:经)?(?:死|故|逝|亡|去世|不在|葬)|曾|死|葬|埋|生|"
    r"在世|之|者|等|们|未|没|不曾|"
    r"不在|去世|病故|去了|走了|留下|[一二三四五六七八九十几两数半百]+[年月天日]前|若|要是|如果|会|能|该|"
    r"当年|当初|从前|当日|那年|"
    r"大名|早|才是|便是|就是|也是|这|那|一?死|临|与世|须发|年|身上|不在)"
)
_DOES = re.compile(
    r"^(?:[^，。！？；的被是死葬埋没未躺卧]{1,6}(?:着|了(?!三|五|十|几|多|好几)|在(?!世)|出|下(?!的)|"
    r"上(?!的)|起|住|开|进|成|道|向|往|到))|"
    r"^(?:头|眼|手|脸|嘴|身子|声音|目光|袖|脚下)[^，。的]{0,4}(?:也不|一|微|轻|里|上|中)|^(?:把|将|从|"
    r"向|往|朝|对|给|替|为|拿|用|差|命|令|派|教|请|催|拉|拍|指|冲|跨|捻|抚)[^，。]"
)


def is_subject(before: str, after: str) -> bool:
    """Whether whoever is named may be the one who does what follows."""
    if (
        after.startswith("的")
        or before.endswith(("被", "由"))
        or _NOT_SUBJECT.search(before)
        or _PASSIVE_AFTER.search(after)
    ):
        return False
    return bool(_PREFIX.search(before)) or not before.strip()


def thing_named_after(before: str, after: str, *, article: bool = False) -> bool:
    """Whether the name stands for something else: a bridge, a grave, a son, a namesake."""
    return bool(_THING_AFTER.search(after) or _THING_BEFORE.search(before))


def _gone(verb: str, rest: str) -> bool:
    """Whether somebody only is said to have gone, as one says of the dead."""
    return verb in ("走", "去") and bool(re.match(r"^了(?:[，。！？；]|$|之后|以后|后)", rest + "。"))
