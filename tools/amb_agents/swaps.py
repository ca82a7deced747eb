"""Two sentences that are the same, word for word, except for one value, and whether they are about the same.

They are about the same by a name in them, or by what their documents are about.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from amb_agents.slots import Slot, compare, find_slots
from amb_core.reading.outcomes import without_masks
from amb_core.text import index_tokens
from amb_core.text.english_vocabulary import word_set
from amb_core.text.language import HAN
from amb_core.text.pure_cache import text_cache
from amb_values import about, entities, name_key, values
from amb_values.chinese_segments import chinese_segments
from amb_values.common_words import is_common
from amb_values.titles import is_plain_phrase

__all__ = ["TextSubject", "named_subject", "same_subject", "subject_of", "swapped"]


_MOST_NAME_CHARS = 60
_FEWEST = {(True, False): 2, (False, False): 14, (True, True): 4, (False, True): 15}
"""Words (Chinese characters) in common, by whether the subject is named and by language."""
_FEWEST_BESIDE_NAMES = {False: 3, True: 4}
"""In common where two names differ: somebody may have two of what is told of in two words."""
_HAS_ONE = re.compile(r"\b(?:written|directed|painted|composed|designed|invented) by $|\bborn in $")
"""What only one is told of in so many words."""
_NAME = re.compile(r"[A-Z][\w'’-]*(?:[ .&–-]+(?:[A-Z][\w'’-]*|of|the|de|la|von|van|and))*\.?")
_LOWER = re.compile(r"\b[a-z]+\b")
_VERBS = frozenset(
    "is was are were be been has had have do does did can could will would may became becomes began won wrote made led "
    "took went came gave held ran left lost met built sold said stood sang grew got kept lies stands serves plays "
    "lives works contains includes consists features stars covers belongs refers runs starts ends opens closes costs "
    "weighs measures uses sits takes makes gives produces holds born died shot set cut put paid bought brought taught "
    "fought found known written seen taken given".split()
)
_TAKES_ONE = ("by", "of", "in", "at", "from", "with")
"""Before a name that a verb follows: it is no subject of that verb."""
_JOINS = re.compile(r"(?:\band|\bor|[&/、和与及]) ?$|, $")
_JOINED = re.compile(r" (?:and|or|&) [A-Z]|, [A-Z][^.]* (?:and|or) |[、和与及/]")
_SERIES = re.compile(r"(?:season|edition|赛季|年?[度届季]|学年|财年)")
"""After a date: it tells a member of a series from the others, and of another one something else is true."""
_RECURRING = ("won ", "awarded ", "elected ", "nominated ", "获得", "荣获", "当选", "提名")
"""What happens again: another date of it is another event."""
_DETERMINED = re.compile(r"\b(?:the|an?|this|that|its|his|her|their) $", re.IGNORECASE)
_ONE_PLACE = re.compile(
    r".*(?:位于|设在|地处|坐落[于在]|毕业于|出生[于在]|生于|的[^的，。]{1,8}[是为在])([\u4e00-\u9fff]{2,6})[。！]?$"
)
_ONE_OF = re.compile(
    r"(?:.*, )?(?:(?:[Oo]ne|[Ss]ome|[Ss]everal|[Tt]wo|[Aa]mong|[Aa]nother) |[Aa]n? (?:[A-Z][\w'’-]* )*"
    r"(?P<noun>(?!(?:of|the|and|to|in|for|from|with|at|on|by)\b)[a-z-]+) )"
    r"|(?:(?!唯一)[^是为叫，])*?(?:某[\u4e00-\u9fff]|(?<![第之唯统])一[位名个条座所间部只台辆艘张份]|之一(?=[是为叫在位])"
    r"|其中[一几两]|(?<![拥占])有[一几两]位)"
)
"""How a sentence begins that is about one of several: what is true of another of them disputes nothing."""
_MAIN = re.compile(r"\b(?:main|mainly|chiefly|mostly|only|primarily|principal(?:ly)?|first|last)\b")
_ONE_OBJECT = frozenset(
    "lies lie stands stood sits born died buried based located situated headquartered held lives lived belongs "
    "belonged refers begins began starts started ends ended opens opened closes closed flows rises married succeeded "
    "replaced crosses joined became named called known capital means".split()
)
"""Verbs of which a doer has one object or place; of others he may have several."""
_ONCE = frozenset(
    "written directed painted composed designed invented built founded owned led discovered published made created "
    "produced edited developed commissioned conducted narrated run managed headed constructed established completed "
    "signed elected appointed killed raised carved drawn sculpted taught engraved".split()
)
"""What is done of one thing once, by one and in one place."""
_PLAIN_SENTENCE = 8
"""Words up to a name in a sentence that tells no more than what somebody does."""
_BEING = frozenset("is are was were be been being".split())
_DONE = re.compile(
    r"[^由]*[\u4e00-\u9fff](?:过|(?<![为到娶给替承代])了|导演|执导|出演|主演|撰写|写|创作|出版|发表|翻译|设计|参演|停靠|访问|到访)《?$"
)
"""Before a Chinese name: what somebody has done at some time (去过), or made, of which there may be more."""
_OPENING = 4
_MAIL = re.compile(r"<[^<>\s]*>|\S+@\S+")
_CAPITAL = re.compile(r"\b[A-Z][a-z]+\b")
_PARTED = re.compile(r"[\s:：|\]】)）-]")


def is_verb(word: str) -> bool:
    """Whether a lower-case English word is probably a finite verb or a participle."""
    return word in _VERBS or (len(word) >= 5 and word.endswith("ed"))


def swapped(a: str, b: str, *, named: bool = False) -> tuple[Slot, Slot] | None:
    """The one value in which two sentences differ (offsets in the sentences), or None.

    `named` says that both are known to name the same subject: then fewer words in common are enough.
    """
    chinese = HAN.search(a) is not None
    if chinese != (HAN.search(b) is not None) or a == b:
        return None
    left, right = _same_ends(a, b, whole_words=not chinese)
    rest = a[:left] + a[len(a) - right :]
    shared = len(HAN.findall(rest)) if chinese else len(set(index_tokens(rest)))
    if shared < _FEWEST[named, chinese]:
        return None
    pair = _figures(a, b, left, right)
    if pair is None and shared >= _FEWEST_BESIDE_NAMES[chinese] - (_HAS_ONE.search(a[:left]) is not None):
        pair = _names(a, b, left, right, chinese=chinese)
    if pair is None or compare(*pair) != "different" or _is_one_of(a[: pair[0].start]):
        return None
    return pair


def _is_one_of(before: str) -> bool:
    """Whether what stands before a value names one of several: "A teacher at …", "One of …", 一名护士, 某校."""
    found = _ONE_OF.match(before)
    return found is not None and not is_verb(found["noun"] or "")


def _may_have_more(before: str) -> bool:
    """Whether what stands before a name says what somebody does, sells or has done, so that others may stand there."""
    words = re.findall(r"[\w'’-]+", before)
    at = next((n for n in range(len(words) - 1, -1, -1) if words[n].islower() and is_verb(words[n])), None)
    if at is None or _MAIN.search(before) or words[at] in _BEING:
        return False
    earlier = next((word for word in reversed(words[:at]) if word.islower() and is_verb(word)), "")
    if words[at] in _ONE_OBJECT:
        return earlier in ("has", "have")
    if earlier in ("was", "were"):  # once and for all
        return words[at] in ("visited", "seen", "used", "praised", "sold", "played")
    return len(words) <= _PLAIN_SENTENCE and (earlier not in _BEING or words[at] not in _ONCE)


def _same_ends(a: str, b: str, *, whole_words: bool) -> tuple[int, int]:
    """How many characters at the beginning and at the end both have."""
    left = _common(a, b)
    right = min(_common(a[::-1], b[::-1]), len(a) - left, len(b) - left)
    if whole_words:
        while left and a[left - 1].isalnum():
            left -= 1
        while right and a[-right].isalnum():
            right -= 1
    return left, right


def _common(a: str, b: str) -> int:
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _figures(a: str, b: str, left: int, right: int) -> tuple[Slot, Slot] | None:
    """Two figures or dates in one place, with nothing else that differs."""
    first, second = _slot_at(a, left, len(a) - right), _slot_at(b, left, len(b) - right)
    if first is None or second is None or "name" in (first.kind, second.kind):
        return None
    if a[: first.start] != b[: second.start] or a[first.end :] != b[second.end :]:
        return None
    return None if first.kind == "date" and (_is_scope(a, first) or _heads_entry(a, first)) else (first, second)


def _slot_at(sentence: str, start: int, end: int) -> Slot | None:
    """The one slot that holds all that differs."""
    holding = [slot for slot in find_slots(sentence) if slot.start <= start and end <= slot.end]
    return holding[0] if len(holding) == 1 else None


def _is_scope(sentence: str, date: Slot) -> bool:
    """Whether at another time something else may hold: "the 2006 season", "In 2006, 300 …", "won it in 2006"."""
    determined = _DETERMINED.search(sentence[: date.start]) and sentence[date.end : date.end + 2].strip().islower()
    opens = date.start <= _OPENING and any(s.kind == "number" and not s.fixed for s in find_slots(sentence))
    again = any(word in sentence for word in _RECURRING)
    return bool(determined or opens or again or _SERIES.match(sentence[date.end :].lstrip()))


def _heads_entry(sentence: str, date: Slot) -> bool:
    """Whether a day is that of an entry, as in a change log: before it stand names at most, and no verb or preposition.

    A Chinese sentence may begin with a day in words; that of an entry is parted from it.
    """
    if date.high - date.low >= 1:
        return False
    before = _MAIL.sub(" ", sentence[: date.start])
    if HAN.search(before) or _LOWER.search(before) or any(is_verb(word.lower()) for word in _CAPITAL.findall(before)):
        return False
    return not HAN.search(date.surface) or bool(_PARTED.match(sentence, date.end))


def _names(a: str, b: str, left: int, right: int, *, chinese: bool) -> tuple[Slot, Slot] | None:
    """Two names in one place behind a verb, unless several may stand there."""
    before, after = a[:left], a[len(a) - right :]
    if _JOINS.search(before) or _JOINED.match(after):
        return None
    if chinese:
        first, second = _slot_at(a, left, len(a) - right), _slot_at(b, left, len(b) - right)
        if first is None or second is None or "name" not in (first.kind, second.kind):
            first, second = _unlisted(a, left), _unlisted(b, left)
        if first is None or second is None or first.kind != second.kind or first.start < 2:
            return None
        same = a[: first.start] == b[: second.start] and a[first.end :] == b[second.end :]
        return (first, second) if same and first.kind == "name" and not _DONE.match(a[: first.start]) else None
    words = before.split()
    if not any(map(is_verb, _LOWER.findall(before))) or before[-1:] in "._/`" or _may_have_more(before):
        return None
    following = _LOWER.match(after.lstrip())
    if following and is_verb(following.group()) and words[-1].lower() not in _TAKES_ONE:
        return None
    spans = (a[left : len(a) - right].strip(" ."), b[left : len(b) - right].strip(" ."))
    if not all(_NAME.fullmatch(span) and len(span) <= _MOST_NAME_CHARS for span in spans):
        return None
    first, second = (Slot("name", s, left, left + len(s), "name", key=name_key(s)) for s in spans)
    return first, second


def _unlisted(sentence: str, at: int) -> Slot | None:
    """The Chinese name at the end of a sentence that says where something is, or what of it somebody is.

    Its form shows no name, but no everyday word is in it and only one can stand there.
    """
    place = _ONE_PLACE.match(sentence)
    if place is None or not place.start(1) <= at < place.end(1):
        return None
    if [one.kind for one in chinese_segments(place[1])] != ["unknown"]:
        return None
    return Slot("name", place[1], *place.span(1), "name", key=name_key(place[1]))


# --- whom two sentences are about ------------------------------------------------------------------------------------

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_HEAD = 200
_ENDS = (".", "。", "!", "！", "?", "？", ":", "：", ";", "；")
_SHORTEST_CHINESE, _LONGEST_CHINESE = 3, 14
_FEWEST_HEAD = 5
"""Characters before a value that name something, where no name is told apart in them."""
_SIZES = frozenset("mm cm m km ft mi m2 km2 ha mu acre m3 km3".split())
"""Units of length, area and volume."""
_LONGEST_WORD = 4
_OWNS = ("的", "有")
_UP_TO = re.compile(r"[\u4e00-\u9fff]{2,4}?(?=[的有是为在于建高长宽重共]|$)")
_KINDS = frozenset("人者员组班室厅间品物器机件料具费价票额量率值")
"""How Chinese words end that say what somebody or something is; names of their own end otherwise."""
_PART = re.compile("[主正副总].|[东西南北上下前后左右内外大小新旧老][门塔楼殿墙侧部岸区段坡院坝桥]")
_THINGS = word_set(
    """
    宿舍 车间 厂房 仓库 食堂 教室 礼堂 操场 球场 花园 庭院 院子 房子 房屋 屋顶 地板 墙壁 窗户 大门 围墙 楼梯 电梯
    走廊 阳台 厨房 浴室 卧室 客厅 钟楼 鼓楼 水塔 烟囱 牌坊 石碑 祠堂 戏台 凉亭 正殿 佛像 雕像 壁画 展厅 舞台 码头
    船坞 桥墩 桥面 路面 隧道 车道 大坝 堤坝 闸门 水渠 水井 池塘 鱼塘 泳池 水泵 油泵 阀门 管道 锅炉 电机 马达 轴承
    齿轮 引擎 轮胎 车轮 车厢 车身 机翼 机身 船体 货船 客船 渔船 汽车 卡车 客车 火车 列车 飞机 轮船 自行车 屏幕 键盘
    电脑 手机 相机 镜头 芯片 硬盘 电线 电缆 灯泡 路灯 冰箱 空调 洗衣机 书架 书桌 桌子 椅子 柜子 箱子 盒子 瓶子 杯子
    袋子 绳子 梯子 合金 钢材 木材 石材 水泥 玻璃 塑料 橡胶 陶瓷 布料 棉花 纸张 油漆 溶液 气体 液体 固体 粉末 晶体
    矿石 煤炭 石油 汽油 柴油 天然气 苹果 香蕉 西瓜 橙子 葡萄 大米 小麦 玉米 大豆 土豆 白菜 鸡蛋 牛奶 猪肉 牛肉 茶叶
    咖啡 啤酒 白酒 面包 蛋糕 食盐 白糖 老鼠 兔子 猫咪 小狗 马匹 奶牛 山羊 绵羊 公鸡 母鸡 鸭子 鲤鱼 蜜蜂 蝴蝶 蚂蚁
    树木 树干 树叶 花朵 果实 种子 根部 幼虫 雄鸟 雌鸟 雄性 雌性 身体 头部 尾巴 翅膀 牙齿 心脏 血液 骨骼 皮肤 体重
    身高 身长 体长 翼展 寿命 患者 病人 婴儿 儿童 老人 青年 女子 男子 选手 球员 歌手 职工 居民 城市 乡镇 广场 路线
    线路 厕所 片段 部份 行车线 换乘站 街区 商店 超市 餐厅 饭店 酒店 旅馆 市场 工地 矿井 井口 电站 基站 天线 铁塔 高塔
    灯塔 石桥 木桥 栈道 山洞 溶洞 温泉 瀑布 沙滩 海岸 草坪 跑道 停车场
    """
)
"""Everyday things, of which there are many."""
_PLURAL = re.compile(r"[A-Z][a-z]+s (?:are|were|have|cost|weigh|last|hold)\b")
_AFTER_SUBJECT = "的是有在了不很"
_DATED = re.compile(r"^\d|\d年|\d月|^[一二三四五六七八九十]+年")
_ARTICLE = re.compile(r"(?:The|An?) ")
_SHOWN = re.compile(r"(?:The|An?) ([A-Z][\w’'-]*(?: [A-Z\d][\w’'-]*)*)|([A-Z][\w’'-]*(?: [A-Z\d][\w’'-]*)+)")
_POINTING = re.compile(
    r"(?:It|Its|He|His|She|Her|They|Their|This|That|These|Those)\b|[他她它该此这那其本]|[前后]者|公司|会议|工厂|学校|医院"
)


@dataclass(frozen=True, slots=True)
class TextSubject:
    """What a text is about: its title, its names as written and folded, those of its title, and the title's years."""

    title: str
    names: tuple[str, ...]
    keys: frozenset[str]
    titles: frozenset[str]
    years: frozenset[str]


@text_cache(most=4_096)
def subject_of(text: str, topic: str = "") -> TextSubject:
    """The document of a text; `topic` names it where its own words do not."""
    text, topic = without_masks(text), without_masks(topic)  # what was masked is the name of nothing
    first, _, rest = text.strip().partition("\n")
    title = first if rest and len(first) <= _HEAD and not first.rstrip().endswith(_ENDS) else ""
    told = tuple(filter(_is_name, about(text)))
    given = tuple(filter(_is_name, (entity.name for entity in entities(topic))))
    heading = (*given, *(name for name in told if name in title))
    return TextSubject(
        " ".join(title.casefold().split()),
        (*told, *given),
        _keys((*told, *given)),
        _keys(heading),
        frozenset(_YEAR.findall(title)),
    )


def _keys(names: Iterable[str]) -> frozenset[str]:
    return frozenset(filter(None, map(name_key, names)))


@text_cache(most=4_096)
def named_subject(sentence: str, before: int) -> str:
    """The name of whom a sentence is about, when it stands before a place in it and before any verb; "" for none."""
    if _POINTING.match(sentence):
        return ""
    if (opening := _UP_TO.match(sentence[:before])) and opening[0] in _THINGS:
        return ""
    if HAN.search(sentence[:before]) and (head := _chinese_head(sentence, before)):
        return head
    if _is_kind(sentence[:before]):
        return ""
    found = ((sentence.find(name), name) for name in about(sentence) if _is_name(name))
    at, name = min(((at, name) for at, name in found if 0 <= at < before), default=(0, ""))
    if not name and (shown := _SHOWN.match(sentence)):
        return shown[1] or shown[2]
    if not name and (word := _opening_word(sentence[:before])):
        return word
    return "" if any(map(is_verb, _LOWER.findall(sentence[:at]))) else name


def _chinese_head(sentence: str, before: int) -> str:
    """What a Chinese sentence begins with before its value: a name, also of two characters, or all that stands there.

    A frame without 是 or 的 (海燕水库坝高 86 米) names its thing and what of it is measured in one.
    """
    named = next((one for one in values(sentence[:before]) if one.kind == "name" and one.start <= 1), None)
    if named is not None:  # 黄山|位于: a surname may take the beginning of a verb to it
        return next((one for one in about(sentence) if named.surface.startswith(one)), named.surface)
    head = sentence[:before].strip()
    return head if _is_frame(sentence, head) else ""


def _is_kind(head: str) -> bool:
    """Whether a head begins with a kind of thing, which has no name: somebody by what he does, a part, an amount.

    Everyday words with one character behind them are one too (教学|楼), and so are English plurals with their verb.
    """
    if not HAN.search(head):
        return _PLURAL.match(head) is not None
    word = _UP_TO.match(head)
    if word is None:
        return False
    segments = list(chinese_segments(word[0]))
    rest = len(word[0]) - (segments[0].end if segments[0].kind == "common" else 0)
    return word[0] in _THINGS or word[0][-1] in _KINDS or _PART.fullmatch(word[0]) is not None or rest <= 1


def _opening_word(head: str) -> str:
    """What a head begins with, where it is no everyday word and one follows (泰山|的海拔是, 洱海|面积); "" for none.

    One character is no word of its own before such as 为: 华为.
    """
    segments = list(chinese_segments(head))
    if len(segments) < 2 or segments[0].kind != "unknown" or segments[0].start:
        return ""
    end = segments[0].end
    if end == 1 and segments[1].kind == "function" and head[1] not in _AFTER_SUBJECT:
        end = 2
    return head[:end] if 1 < end <= _LONGEST_WORD else ""


def _is_frame(sentence: str, head: str) -> bool:
    """Whether words before a measure name a thing: no everyday word begins them, and no verb stands among them.

    Of figures only the size of a thing counts; a number, a time or a price may be anybody's.
    """
    if len(HAN.findall(head)) < _FEWEST_HEAD or not is_plain_phrase(head):
        return False
    measured = any(one.unit in _SIZES and sentence[len(head) : one.start].strip() == "" for one in find_slots(sentence))
    return measured and next(chinese_segments(head)).kind == "unknown"


def same_subject(
    a: str,
    b: str,
    slots: tuple[Slot, Slot],
    documents: tuple[TextSubject, TextSubject],
    *,
    same_topic: bool = False,
    apart: bool = False,
    alone: bool = False,
) -> bool | None:
    """Whether two sentences are about the same; None where neither they nor their documents say it.

    A name that a sentence begins with is enough; one further inside has to be what one of the documents is about, or
    both have to be about the same. Of documents that were asked for `apart`, a sentence that does not say of what it is
    is about its own, unless the titles of both name the same. A sentence that stands `alone` has no document.
    """
    left, right = documents
    if left.years and right.years and left.years.isdisjoint(right.years):
        return False
    told = name_key(a)  # what only the sentence itself tells says nothing about its text
    shared = same_topic or bool(left.titles & right.titles) or any(key not in told for key in left.keys & right.keys)
    names = named_subject(a, slots[0].start), named_subject(b, slots[1].start)
    listed = _is_listed(a, names[0])
    if all(names) and (listed or not alone):
        key = name_key(names[0])
        if key != name_key(names[1]):
            return False
        # Two characters may be a part of anything, which in texts about two things is a part of each.
        is_weak = HAN.search(names[0]) is not None and len(names[0]) < _SHORTEST_CHINESE and left.keys and right.keys
        begins = _begins(a, names[0]) and not is_weak
        about = left.titles | right.titles if left.titles and right.titles else left.keys | right.keys
        if begins or shared or (listed and any(key in one or one in key for one in about)):
            return True
        if not listed and _has_one(a, names[0], slots[0]) and _tell_of(key, documents):
            return True
    if apart and not (_says_of_what(a, slots[0]) or any(map(_tells, left.titles & right.titles))):
        return False
    if same_topic or (left.keys and right.keys):
        return shared
    return left.title == right.title if left.title and right.title else None


def _tell_of(key: str, documents: tuple[TextSubject, TextSubject]) -> bool:
    """Whether every text that names what it is about names this."""
    return all(any(key in one or one in key for one in each.keys) for each in documents if each.keys)


def _has_one(sentence: str, word: str, slot: Slot) -> bool:
    """Whether what a sentence tells of its first word is told of things by name: a year, somebody, what it has.

    A measure directly behind it (水深 20 米, 门票价格 60 元) may be anything's.
    """
    return slot.kind != "number" or sentence[len(word) : len(word) + 1] in _OWNS


def _is_listed(sentence: str, name: str) -> bool:
    """Whether a name is known by its form, as a frame or as a subject; not every opening word is one."""
    if not HAN.search(name) or not sentence.startswith(name) or _begins(sentence, name):
        return True
    return any(one.startswith(name) for one in filter(_is_name, about(sentence)))


def _tells(title: str) -> bool:
    """Whether a title names one thing: "Report" and "Test results" stand above a text about anything."""
    return not all(map(is_common, title.split()))


def _says_of_what(sentence: str, slot: Slot) -> bool:
    """Whether a name stands in a sentence before its value, in Chinese also behind it.

    A count, a size, a status or the day of a change need none to be understood; a year or a month is history.
    """
    if slot.kind == "date" and slot.high - slot.low >= 1:
        return True
    names = [one for one in values(sentence) if one.kind == "name"]
    return any(one.end <= slot.start or (slot.end <= one.start and HAN.search(one.surface)) for one in names)


def _begins(sentence: str, name: str) -> bool:
    """Whether a sentence begins with the name: a capital after the article, or a Chinese name that its form shows."""
    bare = _ARTICLE.sub("", name)
    if HAN.search(bare):
        told = (value for value in values(sentence) if value.kind == "name" and value.start <= 1)
        known = any(bare.startswith(value.surface) or value.surface.startswith(bare) for value in told)
        return known or (sentence.startswith(bare) and _is_frame(sentence, bare))
    return bare[:1].isupper() and _ARTICLE.sub("", sentence).startswith(bare)


def _is_name(name: str) -> bool:
    """Whether what a text is said to be about is a name: with a capital beside the article, or short Chinese."""
    bare = _ARTICLE.sub("", name)
    if HAN.search(bare):
        return _SHORTEST_CHINESE <= len(bare) <= _LONGEST_CHINESE and not _DATED.search(bare)
    return any(map(str.isupper, bare)) and not any(map(is_verb, _LOWER.findall(bare)))
