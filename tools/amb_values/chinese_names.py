"""Names in Chinese text."""

import re
from collections.abc import Callable, Iterator

from amb_core.text.chinese_words import COMPOUND_SURNAMES, SURNAMES
from amb_core.text.lazy_patterns import lazy_pattern
from amb_values.names import Entity
from amb_values.word_anchors import opening_with

__all__ = ["chinese_entities"]

_HAN = "\u4e00-\u9fff"
_ANY_HAN = lazy_pattern(rf"[{_HAN}《「『“]")
_MARKED = lazy_pattern(
    r"《([^《》\n]{1,40})》|「([^「」，。；！？\n]{2,12})」|“([^“”，。；！？\n]{2,12})”|『([^『』，。；！？\n]{2,12})』|〈([^〈〉\n]{1,40})〉"
)
_FOREIGN = lazy_pattern(rf"[{_HAN}]{{1,8}}(?:[·‧・•]{{1}}(?:[{_HAN}-]{{1,8}}|[A-Z]\.?)){{1,4}}")
_DOT = lazy_pattern("[·‧・•]")
_KINDS = (
    "股份有限公司|有限公司|公司|集团|银行|大学|学院|中学|小学|学校|研究院|研究所|实验室|出版社|电视台|广播电台|电台|通讯社|日报|晚报|杂志|医院|博物馆|美术馆|图书馆|体育馆|"
    "体育场|公园|广场|大厦|中心|车站|火车站|机场|港口|铁路|高速公路|公路|国道|地铁站|轨道交通|大桥|隧道|水库|运河|半岛|群岛|海峡|山脉|高原|盆地|平原|沙漠|海湾|大陆|陆块|"
    "自治区|自治州|自治县|特别行政区|行政区|共和国|王国|帝国|王朝|联邦|合众国|委员会|基金会|协会|学会|联合会|联盟|组织|俱乐部|足球队|国家队|代表队|乐队|乐团|合唱团|剧院|剧团|"
    "战争|战役|之战|之乱|起义|革命|运动会|世界杯|锦标赛|联赛|奥运会|亚运会|杯赛|大奖赛|条约|协定|宣言|公约|法案|宪法|主义|理论|定理|定律|效应|方程|算法|教堂|清真寺|寺庙|神社|"
    "城堡|皇宫|故居|遗址|陵墓|内阁|政府|法院|议会|国会|部队|集团军|舰队|战舰|级战舰|航空|石油|证券|保险|科技|电子|传媒|唱片|影业|制药|汽车|奖|党|省|市|县|区|州|郡|镇|乡|村|站|"
    "路|街|桥|河|江|湖|海|岛|山|峰|寺|庙|塔|宫|陵|楼|阁|族|语|派|教|社|报|队|厂|港|湾|科|属|目|龙"
)
_KIND = opening_with(_KINDS, "".join(sorted({kind[0] for kind in _KINDS.split("|")})))
_BY_KIND = lazy_pattern(rf"{_KIND}(?![{_HAN}]?{_KIND})")
_STRONG = lazy_pattern(
    r"(?:公司|集团|银行|大学|学院|中学|研究院|研究所|出版社|电视台|医院|博物馆|机场|铁路|公路|大桥|共和国|王国|帝国|王朝|委员会|基金会|协会|俱乐部|世界杯|锦标赛|条约|教堂|车站|站|"
    r"省|市|县|区|州|郡|镇|队|党|奖)$"
)
_EDGE = frozenset(
    "的了在是和与及或于由从向被把将对为以之其该此这那各每等到至往经过并而且但也又还都就则即因所个名位座条种间次年月日时起今同距沿跨属称任当让使给按据随除自后前内外里间某另两几"
)
_VERB_WORDS = (
    r"位于|坐落|连接|前往|成为|加入|加盟|效力|毕业|任教|就读|担任|出任|作为|接替|转会|来自|包括|包含|成立|建立|创办|创立|进入|离开|获得|参加|相邻|邻近|附近|干线|起点|终点|途经|经由|"
    r"隶属|属于|直属|现为|原为|改为|更名|命名|组成|由于|根据|通过|使用|采用|推出|发行|出版|制作|执导|主演|导演|编剧|作曲|演唱|击败|战胜|对阵|访问|抵达|到达|返回|回到|转入|考入|"
    r"曾任|历任|现任|前任|时任|首任|著名|美籍|日本人|任职|就职|负责|管理|收购|合并|投资|控股|旗下|下属|所属|境内|全国|多个|许多|主要|其中|以及|或者|还是|没有|不是|就是|认为|表示|"
    r"宣布|指出|通车|开通|停靠|设有|拥有|具有|建设|兴建|生产|销售|研发|提供|[亿万千百]?[欧美日韩港]元|[亿万]元|一座|一个|一种|一条|一名|一家|这个|那个|该"
)
_VERB = opening_with(
    _VERB_WORDS, "".join(sorted({word[0] for word in _VERB_WORDS.split("|")} - {"["})) + "亿万千百欧美日韩港"
)
_VERBS = lazy_pattern(_VERB)
_TAIL = lazy_pattern(
    rf"[{''.join(sorted(_EDGE - set('里内外东西')))}]|{_VERB}|主演|饰演|出演|先生|女士|教授|博士|执教|获得"
)
_PERSON = lazy_pattern(
    rf"(?=[{SURNAMES}{''.join(name[0] for name in COMPOUND_SURNAMES)}])(?:(?<=[，。、；：（）()《》“”「」\s和与及由是为对向])|(?<=导演)|(?<=总统)|(?<=主席)|(?<=总理)|(?<=教授)|(?<=演员)|(?<=歌手)|(?<=作家)|"
    rf"(?<=皇帝)|(?<=将军)|(?<=教练)|(?<=球员)|(?<=记者)|(?<=部长)|(?<=市长)|(?<=经理)|(?<=校长)|(?<=院长)|^)"
    rf"((?:{'|'.join(COMPOUND_SURNAMES)})[{_HAN}]{{1,2}}|[{SURNAMES}][{_HAN}]{{1,2}})"
    rf"(?=[，。、；：（）()《》“”「」\s]|$|是|在|于|和|与|及|等|为|的|从|曾|被|将|出生|担任|毕业|说|表示|认为|先生|女士|教授|博士|执导|主演|饰演|获得|率|{_VERB})"
)
_NO_PERSON = lazy_pattern(
    r"(?:高[等级度速中]|马[上来]|江[苏西南]|方[面法式向]|白[色天]|金[属融额]|黄[色金]|何[时人种处]|许[多可]|任[何务]|应[该用当]|安[全徽排]|平[均方台]|时|成[为立功员]|常[常见]|万[人元]|"
    r"华[人语]|关[于系]|包[括含]|向[来]|全|易|温[度]|明[显代朝确]|文[化学字]|石[油头]|周[围边年]|单[位]|计[划算]|路[线]|能|水|连[接续]|容[易]|解[决释]|强[度调烈]|国|广[东西州泛]|东[部方北南]|山[东西区]|"
    r"党|都|后|公|相|红[色]|左[右]|支[持]|管[理]|经|元[年素朝]|武[器汉]|白[人]|车[站]|边|农|池|从|项[目]|程|程[序度]|章|花|林[业]|利[用益]|满|越[南]|古[代]|简[称单]|印[度]|宣[布]|房[屋]|谷|毕[业]|"
    r"齐|乐[队团]|盛|冷|辛|丰|师|居|步|索|幸|习|劳|查|权|于[是]|康|班|秋|伊|史[上料]|明[治]|成[都]|荣[誉获])"
)


def _marked(text: str) -> Iterator[Entity]:
    for match in _MARKED.finditer(text):
        group = match.lastindex or 1
        yield Entity(match[group], match.start(group), match.end(group))
    for match in _FOREIGN.finditer(text) if _DOT.search(text) else ():
        name = match.group()
        lead = 0
        first = re.match(rf"[{_HAN}]+", name)
        for index, char in enumerate(first.group()[:-1] if first else ""):
            if char in _EDGE and index < 4:
                lead = index + 1
        end = match.end()
        last = max(name.rfind(dot) for dot in "·‧・•") + 2
        if tail := _TAIL.search(text, match.start() + last, end):
            end = tail.start()
        yield Entity(text[match.start() + lead : end], match.start() + lead, end)


def _left_edge(text: str, end: int) -> int:
    """Where a name that ends at `end` may begin: after the nearest mark, function character or verb."""
    start = end
    while start > 0 and end - start < 12 and "\u4e00" <= (char := text[start - 1]) <= "\u9fff" and char not in _EDGE:
        start -= 1
    return max((verb.end() for verb in _VERBS.finditer(text, start, end)), default=start)


def _by_kind(text: str) -> Iterator[Entity]:
    for kind in _BY_KIND.finditer(text):
        follower = text[kind.end() : kind.end() + 1]
        if len(kind.group()) == 1 and "\u4e00" <= follower <= "\u9fff" and follower not in _EDGE:
            continue
        start = _left_edge(text, kind.start())
        before = kind.start() - start
        if 1 <= before <= 10 and (before >= 2 or _STRONG.search(kind.group())):
            yield Entity(text[start : kind.end()], start, kind.end())


def chinese_entities(text: str) -> Iterator[Entity]:
    """Mentions in no particular order; spans may nest."""
    if text.isascii() or not _ANY_HAN.search(text):
        return
    yield from _marked(text)
    yield from chinese_name_finder()(text)


def chinese_name_finder() -> Callable[[str], Iterator[Entity]]:
    """What finds names that nothing marks: the rules here, or the model of the extra `zh` where it is chosen."""
    from amb_values.name_finder import chosen_model  # most texts are not Chinese

    model = chosen_model()
    return _by_rules if model is None else model.names


def _by_rules(text: str) -> Iterator[Entity]:
    yield from _by_kind(text)
    for match in _PERSON.finditer(text):
        if not _NO_PERSON.match(match[1]):
            yield Entity(match[1], match.start(1), match.end(1))
