"""Who acts and who speaks in a Chinese sentence."""

from __future__ import annotations

import re

__all__ = ["acts", "is_subject", "speaks", "thing_named_after"]

_SAY = "说|道|问|答|喊|叫|嚷|骂|叹|念|吩咐|喝|笑|开口|嘱咐|回答|应|嘀咕|低语|插嘴|催"
_SPOKEN_AFTER = re.compile(rf"^[^，。！？；“”\n]{{0,16}}(?:{_SAY})(?:道|着|了|声|一声)?[：:，,]\s*[“「]|^[：:]\s*[“「]")
_SPOKEN_MID = re.compile(r"^[^。！？；“”\n]{0,30}(?:道|说|问|答|喊|叫|笑|叹|开口)(?:道|着)?[：:，,]\s*[“「]")
_SPOKEN_END = re.compile(rf"^[^，。！？；“”\n]{{0,12}}(?:{_SAY})(?:道|了)?(?:[^，。！？；“”\n]{{0,6}})(?:[。，！？]|$)")
_SPOKEN_LATER = re.compile(
    r"^[^。！？；“”\n]{0,24}，[^，。！？；“”\n]{0,12}(?:说道|问道|喊道|叫道|答道|笑道|叹道|骂道|"
    r"[地着声]说|[地着声]道|[地着声]问|[地着声]喊|开口道)[。，：！？]"
)
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
_BODY = re.compile(
    rf"^的(?:手|手指|目光|眼睛|眼神|声音|嗓音|脸|拳|嘴角|身影)[^，。的]{{0,4}}(?:{_VERB}|响起|传来|落在|扫过|变)"
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
    return bool(_QUOTE_END.search(before) and (_SPOKEN_END.search(after) or _SPOKEN_LATER.search(after)))


def acts(before: str, after: str) -> bool:
    """Whether whoever is named does something, told as now: not what was done once, nor what is done to them."""
    if _HEARD.search(before) and _NOISE.search(after):
        return True
    if (_IS_WHO.search(before) and re.match(r"[，。！：—“]|$", after)) or _dealt_with(before, after):
        return True
    if _TURNS_OUT.search(before) and re.match(r"[，。！：—“]|$", after):
        return True
    if not _stands_first(before) or _PASSIVE_AFTER.search(after):
        return False
    if _DOES_NOT.search(after) or _TRULY_NOW.search(after):
        return True
    if _STILL.search(after):
        return False
    if after.startswith("的"):
        return bool(_BODY.search(after))
    found = _ACT.search(after)
    if found is not None:
        return not _RELATIVE.search(found.group("rest")) and not _gone(found.group("verb"), found.group("rest"))
    return bool(_DOES.search(after) or _EVENT.search(after)) and not _RELATIVE.search(after)


def _dealt_with(before: str, after: str) -> bool:
    """Whether others go with whoever is named, or wait for what they finish: as one does with the living only."""
    if after.startswith("的"):
        return False
    if _WITH.search(before) and re.match(r"[^，。的]{0,4}[上下进出走去来回坐到]", after):
        return True
    return bool(_UNTIL.search(before) and re.match(r"[^，。的]{1,8}[完了罢定好](?!以?后|三|五|十|几|多)", after))


_WITH = re.compile(r"(?:跟着|随着|陪着|挽着|缠着|追着|跟在|紧跟|随)$")
_UNTIL = re.compile(r"(?:^|[，。！？；：”])(?:直?等|待|趁|眼看|不等)$")
_IS_WHO = re.compile(
    r"(?:来|进|出|站|坐|走|推|敲|开门|说话|喊|叫|笑|应|迎面|领头|押|赶车|撑船|掌|接电话|端|打头|带路|"
    r"骑)[^，。！？；死葬生写留教]{0,8}的"
    r"(?:人|那人)?(?:正|竟|却|便|就|不)?(?:是|竟是)$"
)
_DOES_NOT = re.compile(
    r"^(?:却|也|都|还|仍|只|便|就|一直|半天|始终|倒|并)*(?:(?:没有?|未)(?:吭|说话|作声|做声|回头|抬头|答话|接话|理|"
    r"搭腔|看|笑|躲|吱声|言语|急着|"
    r"等|再|接|应|坐|睬|吃|喝|停|松手|动筷|敢|让)|不(?:肯|吭|慌|紧不慢|耐烦|以为|由|敢|等|说话|作声|答|理|动声色|急着|"
    r"停|松手|罢休|好意思|假思索|客气|禁|"
    r"觉|依不饶|解地))"
)
_HEARD = re.compile(r"(?:传来|响起了?|听见|听到|飘来|听得)$")
_NOISE = re.compile(r"^的?[^，。]{0,4}(?:声|咳|笑|叫|喊|脚步|嗓门|歌)")
_TURNS_OUT = re.compile(
    r"(?:转过|走|来|站|立|抬|露出|回头|现身|进|掀|坐)[^。！？]{0,14}(?:正是|竟是|却是|赫然是|便是)$"
)


def _stands_first(before: str) -> bool:
    """Whether a name stands where the one who acts stands, a title before it aside."""
    return bool(
        _PREFIX.search(before) or _PREFIX.search(_TITLE.sub("", before)) or _PREFIX.search(_GROUP.sub("", before))
    )


_GROUP = re.compile(
    r"[\u3400-\u9fff]{2,4}[阁教谷派门宗帮会楼堂寨营军部家府宫]的$|"
    r"[\u3400-\u9fff]{1,3}[阁教谷派门宗帮会楼堂寨营军部家府宫]的$"
)
_TITLE = re.compile(
    r"(?<=[，。！？；：”」、—…\s])?[\u3400-\u9fff]{0,4}?(?:主|将军|将|掌门|先生|师父|师傅|使|王|公|哥|"
    r"弟|姐|妹|叔|伯|爷|马|帅|尉|相|帝|后|妃|侯|夫人|大夫|长老|老人|"
    r"老板娘?|捕头|大人|道人|真人|大师|郎中|镖头|帮主|头领|当家|娘|丫头|小子)$"
)
_STILL = re.compile(
    r"^(?:[，。！？；、：]|是|有|叫|名|姓|本|原|已(?:经)?(?:死|故|逝|亡|去世|不在|葬)|曾|死|葬|埋|生|"
    r"在世|之|者|等|们|未|没|不曾|"
    r"不在|去世|病故|去了|走了|留下|[一二三四五六七八九十几两数半百]+[年月天日]前|若|要是|如果|会|能|该|"
    r"当年|当初|从前|当日|那年|"
    r"大名|早|才是|便是|就是|也是|这|那|一?死|临|与世|须发|年|身上|不在)"
)
_TRULY_NOW = re.compile(r"^(?:正|此刻|这会儿|眼下)(?!是|值|如|好|名|派)[^，。的]{2,}")
_EVENT = re.compile(
    r"^(?:[^，。！？；的被是死葬没未]{0,4})(?:亲自|亲手|浑身一|一[震怔愣惊颤凛滞顿笑叹哂]|当即|只得|只好|不由得?|不禁|"
    r"险些|差点|忙|登时|顿时|霎时|蓦地|总算|干脆|索性|"
    r"正要|正欲|刚要|才要|岂肯|哪肯|正为|大喜|大怒|大惊|大笑|暗暗|暗自|心[中里头]一|拍案|摇头|点头|应声|起身|转身|"
    r"回身|闻言|闻声|循声|失笑|莞尔|哑然|"
    r"默然|愕然|会意|语塞|嗤|啐|喏|嗯了|哎了|唔了|噢了|呵呵|哈哈|嘿嘿)"
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
    return _stands_first(before) or not before.strip()


def thing_named_after(before: str, after: str, *, article: bool = False) -> bool:
    """Whether the name stands for something else: a bridge, a grave, a son, a namesake."""
    return bool(_THING_AFTER.search(after) or _THING_BEFORE.search(before))


def _gone(verb: str, rest: str) -> bool:
    """Whether somebody only is said to have gone, as one says of the dead."""
    return verb in ("走", "去") and bool(re.match(r"^了(?:[，。！？；]|$|之后|以后|后)", rest + "。"))
