"""What abilities do: a draft uses one without its name by words of the name, of the lore, or common ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from amb_book.checking.content import terms
from amb_book.checking.english_words import is_act
from amb_book.checking.known import Known
from amb_book.entities import Entity
from amb_book.lore import LoreEntry
from amb_core.text import index_tokens

__all__ = ["Effects"]

_COMMON: tuple[tuple[str, str], ...] = (
    (
        r"lip.?reading|reading lips|唇语|读唇",
        r"\bread (?:\w+ )?(?:lips|mouth)|\blips? (?:moved|shaped)[^.]{0,40}\bread\b|"
        r"(?:嘴唇|嘴巴|嘴型|口型|一张一合)[^。]{0,16}(?:读|念|认|看出|报|说出)|(?:读|念|认|"
        r"看)[^。，]{0,6}(?:嘴唇|口型|嘴型)",
    ),
    (
        r"cipher|code|script|runes?|tongue|language|glyphs?|hieroglyph|shorthand|密码|密文|暗语|古文|文字|外语|"
        r"[语文字]$",
        r"\b(?:read|translated|deciphered|decoded|construed)\b(?: \w+){0,3} (?:aloud|off|out|it|them|every "
        r"(?:line|word)|"
        r"line by line|without a pause)\b[^.]{0,60}\b(?:strokes|glyphs?|runes?|script|cipher|code|signs|marks|"
        r"letters)\b|"
        r"\b(?:strokes|glyphs?|runes?|script|cipher|code|signs|marks)\b[^.]{0,60}\b(?:read|translated|deciphered|"
        r"decoded|"
        r"in (?:plain )?English|sum by sum|word (?:by|for) word|line by line|without (?:once )?(?:stopping|a pause))\b",
    ),
    (
        r"lock.?pick|picking locks|lockcraft|safe.?crack|开锁|撬锁|溜门|盗术",
        r"\bpicked (?:the|a|his|her|its|every|each)(?: \w+)? lock\b|\block\b[^.]{0,40}\b(?:picks?|hairpin|wire|pin)\b|"
        r"\b(?:picks?|hairpin|bent wire)\b[^.]{0,50}\block\b|"
        r"(?:铁丝|发卡|发簪|钩针|回形针|钢丝)[^。]{0,16}(?:锁|门)[^。]{0,8}(?:开|弹|咔)|锁[^。]{0,8}(?:被[他她]?|"
        r"叫[他她])?(?:拨|捅|撬)开",
    ),
    (
        r"midwife|delivering babies|接生|助产",
        r"\bdelivered (?:the|a|her|of|\w+['’]s) (?:\w+ )?(?:baby|child|boy|girl|twins|infant)\b|\bcut the cord\b|"
        r"剪(?:断)?脐带|"
        r"(?:把|将)[^。，]{0,6}(?:娃娃?|孩子|婴儿|胎)[^。]{0,10}(?:接|迎|拽|拉)(?:了?下来|了?出来|到)",
    ),
    (
        r"forger|forging|handwriting|仿字|摹字|仿写|笔迹|仿书|临摹",
        r"\bforged (?:the|his|her|a)\b|\bin (?:\w+ )?(?:[A-Z]\w+['’]s|another (?:man|woman|person)['’]s) (?:own "
        r")?hand(?:writing)?\b|"
        r"(?:照着|仿着?|学着|模仿)[^。，]{0,8}(?:笔迹|笔法|字迹|手书|字)[^。]{0,10}(?:写|补|描|填)|(?:写|补|摹|"
        r"描)[^。]{0,16}(?:笔迹|字迹|笔法)[^。]{0,8}"
        r"(?:一模一样|分毫不差|无二|一般无二|如出一辙)",
    ),
    (
        r"poison|辨毒|识毒|尝毒|验毒",
        r"\b(?:tast|sniff|smell|sip)\w*\b[^.]{0,60}\b(?:poison|arsenic|hemlock|aconite|nightshade|belladonna)\b|"
        r"(?:尝|嗅|闻|舌尖|沾)[^。]{0,20}(?:毒|乌头|砒霜|鹤顶|断肠|曼陀罗|附子|钩吻|雷公藤)",
    ),
    (
        r"heal(?:ing)?\b|治愈|疗伤|医术|治疗",
        r"\bwounds? (?:closed|knit|sealed|healed) (?:under|beneath|at)\b|\b(?:laid|put|pressed) (?:his|her) "
        r"(?:hands?|palms?)\b"
        r"[^.]{0,60}\b(?:closed|knit|healed|mended)\b|(?:掌心|手掌|指尖|手)[^。]{0,20}(?:伤口|创口|"
        r"血)[^。]{0,8}(?:愈合|合拢|收口|止住)",
    ),
    (
        r"mind.?reading|telepath|thought.?reading|读心|心灵感应|他心通|听心",
        r"\b(?:heard|read|caught|picked up)\b(?: \w+){0,3} (?:thoughts?|mind)\b|(?:听见|听到|读到|读出|"
        r"捕捉到)[^。，]{0,8}(?:心声|心里的?话|心思|念头|"
        r"心里在想)",
    ),
    (
        r"telekinesis|mind.?moving|念动力|念力|隔空|御物",
        r"\b(?:floated|rose|lifted|slid|flew)\b[^.]{0,40}\bwithout (?:\w+ )?(?:being )?touch\w*|\bwithout "
        r"(?:anyone )?touching (?:it|them)\b|"
        r"(?:凭空|自己|悬空)[^。]{0,10}(?:飘|浮|飞|悬)(?:了?起来|到|过来)",
    ),
    (
        r"teleport|blink|瞬移|瞬间移动|缩地|挪移",
        r"\b(?:vanished|winked out|disappeared)\b[^.]{0,60}\b(?:reappeared|appeared again|was (?:standing "
        r")?(?:behind|across|on the other))\b|"
        r"(?:瞬移|闪身|凭空)[^。]{0,10}(?:消失|不见|出现|到了|到)",
    ),
    (
        r"invisib|unseen|vanish|隐身|隐形|匿形",
        r"\b(?:faded|vanished|melted|winked) (?:from (?:sight|view)|out of sight|into (?:thin )?air)\b|\bturned "
        r"invisible\b|"
        r"(?:身形|身影|整个人|人影)[^。]{0,8}(?:淡|隐|消)(?:去|没|失|了)|隐去(?:了)?身形",
    ),
    (
        r"pyro|fire|flame|控火|御火|引火|火[诀术法球]|点火",
        r"\b(?:flame|fire)s? (?:leapt|sprang|bloomed|rose|danced|ran) (?:from|in|on|at|up from|between|along) "
        r"(?:his|her) "
        r"(?:\w+ )?(?:hands?|palms?|fingers?|fingertips?)\b|(?:指尖|掌心|手心|指间|手里)[^。]{0,10}(?:火苗|火焰|"
        r"火球|一团火|一簇火)",
    ),
    (
        r"frost|ice|cryo|冰|霜|寒",
        r"\bfrost (?:spread|ran|crept|bloomed) (?:from|under|out from) (?:his|her) (?:\w+ )?(?:hands?|palms?|"
        r"fingers?|feet)\b|"
        r"(?:指尖|掌心|手|脚下)[^。]{0,12}(?:结(?:出|了|起|成)[^。]{0,4}[冰霜]|凝(?:出|成)[^。]{0,4}[冰霜])",
    ),
    (
        r"fly|flight|levitat|御剑|飞行|御风|腾云|轻功|失重|踏[浪雪水波]|水上漂",
        r"\b(?:rose|lifted|drifted|soared) (?:off|from|above|over|into) the (?:ground|floor|deck|air|roofs?)\b|"
        r"(?:御剑|踏剑|腾空|凌空|驾着?云)[^。]{0,10}(?:飞|掠|升|去)|剑[^。]{0,14}(?:脚下|足下)[^。]{0,10}(?:扶摇|"
        r"升|飞|掠|腾)|踏着?(?:浪尖|水面|湖面|雪面|水|浪|"
        r"波)[^。]{0,12}(?:掠|走|飞|行|奔)",
    ),
    (
        r"swim|泅水|游泳|水性|潜水|凫水|闭气|diving",
        r"\b(?:swam|dived|dove|struck out for)\b|(?:游(?:到|了|过|向|出|上)|潜(?:入|到|下)|扎进水|凫(?:到|过)|"
        r"泅(?:到|过|渡))",
    ),
    (
        r"voice.?throwing|ventriloqu|mimic|口技|变声|腹语",
        r"\b(?:his|her) lips (?:\w+ )?(?:still|closed|unmoving)\b[^.]{0,80}\bvoice\b|\bvoice (?:came|rose|called|"
        r"spoke) from (?:the|under|"
        r"behind|inside)\b[^.]{0,40}\blips\b|嘴唇(?:没|不)动[^。]{0,20}声音",
    ),
    (
        r"shape.?(?:shift|chang)|skin.?chang|变身|化形|变化之术|易容",
        r"\b(?:turned|changed|melted|shrank|folded) into (?:a|an) (?:\w+ )?(?:wolf|fox|crow|raven|owl|cat|hawk|"
        r"bear|hare|bird|seal|swan|stag|"
        r"hound|dog|mouse|bat|snake)\b|(?:化作|化成|变成|变作)(?:了)?一[只条头匹尾]",
    ),
    (
        r"animal|beast|bird|bees?|horse|御兽|驭兽|兽语|鸟语|通灵",
        r"\b(?:asked|told|answered|spoke to|thanked) the (?:\w+ )?(?:wolf|fox|crow|ravens?|owl|cat|hawk|bear|"
        r"hare|birds?|bees?|horse|mare|dogs?|"
        r"rats?|gulls?)\b[^.]{0,30}\bin (?:its|their) own (?:tongue|language|speech)\b|用(?:鸟|兽|狼|狐)语",
    ),
    (
        r"archery|bow|连珠箭|箭术|射术|箭法",
        r"\b(?:two|three|four) (?:arrows|shafts) (?:in|from|on) (?:one|the same|a single)\b|[三四五连]箭(?:连|"
        r"齐)发|一弦[两三四五]箭",
    ),
    (
        r"dealing|card|出千|牌技",
        r"\bdealt (?:\w+ )?(?:seconds|from the bottom|off the bottom)\b|(?:从牌底|发第二张|换了?牌)",
    ),
    (
        r"hypno|mesmeri|催眠|摄魂|迷魂|魅惑",
        r"\beyes (?:glazed|went (?:dull|blank|glassy))\b|(?:眼神|目光|双目)[^。]{0,6}(?:涣散|呆滞|空洞|发直)",
    ),
    (
        r"waltz|dancing|舞",
        r"\b(?:danc|waltz|whirl|spin|spun|twirl)\w* (?:down|round|around|across|about|"
        r"through)\b[^.]{0,24}\b(?:room|floor|gallery|hall)\b|"
        r"(?:翩翩|旋身|舒展?广袖)[^。]{0,8}(?:起舞|旋转|舞)",
    ),
    (
        r"disguise|乔装|改扮",
        r"\b(?:walked|went|came) in as (?:a|an|the)\b",
    ),
)
"""Names of abilities that many books have, and how a draft tells that one is used."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_LEAST_OF_LORE = 2
_LEAST_OF_CHAPTER = 3
"""How many words of one text about an ability a sentence must have to show it."""


class Effects:
    """How the abilities of a book show in a sentence without their names."""

    def __init__(self, known: Known, lore: Sequence[LoreEntry]) -> None:
        self._known = known
        self._lore = lore
        self._common: dict[str, tuple[re.Pattern[str], ...]] = {}
        self._words: dict[str, list[tuple[frozenset[str], int]]] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._named: dict[str, set[str]] = {}
        self._text, self._told = "", frozenset[str]()

    def shown(self, ability: Entity, text: str) -> int | None:
        """Where a text shows an ability, None when it does not."""
        for pattern in self._patterns(ability):
            found = pattern.search(text)
            if found is not None:
                return found.start()
        name, told = self._name(ability), self._terms_of(text)
        if len(name) > 1 and name <= told:
            return _first_of(text, name)
        if not _does(text):
            return None
        sources = self._sources(ability)
        return next((_first_of(text, words) for words, least in sources if _apart(text, words & told) >= least), None)

    def _terms_of(self, text: str) -> frozenset[str]:
        """The content of a text, of which all abilities are asked one after another."""
        if text != self._text:
            self._text, self._told = text, terms(text.replace("-", " "))
        return self._told

    def _patterns(self, ability: Entity) -> tuple[re.Pattern[str], ...]:
        if ability.id not in self._common:
            names = " ".join((ability.name, *ability.aliases))
            self._common[ability.id] = tuple(
                re.compile(effect) for name, effect in _COMMON if re.search(name, names, re.IGNORECASE)
            )
        return self._common[ability.id]

    def _name(self, ability: Entity) -> frozenset[str]:
        """The words of its name, none for a Chinese one."""
        if ability.id not in self._names:
            plain = not _HAN.search(ability.name)
            self._names[ability.id] = terms(ability.name.replace("-", " ")) if plain else frozenset()
        return self._names[ability.id]

    def _sources(self, ability: Entity) -> list[tuple[frozenset[str], int]]:
        """The words of what the book says of it, each with how many of them must be told."""
        if ability.id not in self._words:
            told = [(each, _LEAST_OF_LORE) for each in self._of_lore(ability)]
            told += [(each, _LEAST_OF_CHAPTER) for each in self._of_chapters(ability)]
            rare = ((self._rare(each, ability), least) for each, least in told)
            self._words[ability.id] = [(words, least) for words, least in rare if words]
        return self._words[ability.id]

    def _of_lore(self, ability: Entity) -> Iterator[str]:
        bare = _bare(ability.name)
        for entry in self._lore:
            if bare in _bare(entry.key) or (len(entry.key) > 3 and _bare(entry.key) in bare):
                yield entry.text
            elif bare in entry.text.casefold():
                yield from (each for each in re.split(r"[,;.，；。：:]", entry.text) if bare in each.casefold())

    def _of_chapters(self, ability: Entity) -> Iterator[str]:
        bare = _bare(ability.name)
        for chapter in dict.fromkeys(fact.since for fact in self._known.told(ability)):
            yield from (each for each in self._known.sentences(chapter) if bare in each.casefold())

    def _rare(self, text: str, ability: Entity) -> frozenset[str]:
        """The content of a text without names and everyday words."""
        if not self._named:
            for each in self._known.entities:
                for term in terms(each.name):
                    self._named.setdefault(term, set()).add(each.id)
        only = {ability.id}
        words = terms(text.replace("-", " ")) - _EVERYDAY
        return frozenset(word for word in words if self._named.get(word, only) == only)


def _apart(text: str, found: frozenset[str]) -> int:
    """How many words that are, pairs of characters that overlap in a text taken as one."""
    han = {text.find(term) for term in found if _HAN.match(term)}
    runs = sum(later - sooner > 2 for sooner, later in pairwise(sorted(han))) + bool(han)
    return min(runs, len(found)) if han else len(found)


def _does(text: str) -> bool:
    """Whether more is told than that somebody sees, has or hands on what the words are of."""
    if _HAN.search(text):
        return True
    return any(is_act(word) and word.casefold() not in _IDLE for word in re.findall(r"[A-Za-z]+", text))


def _bare(name: str) -> str:
    return re.sub(r"^(?:the|a|an|art of|reading)\s+", "", name.casefold())


def _first_of(text: str, words: frozenset[str]) -> int:
    for found in re.finditer(r"[A-Za-z]+|[\u3400-\u9fff]{2}", text):
        if set(index_tokens(found.group())[:1]) & words or found.group() in words:
            return found.end()
    return 0


_IDLE = frozenset(
    "looked saw stared watched gazed drew set put took held laid handed showed opened closed folded carried "
    "turned said asked "
    "thought heard sat stood kept told spoke pointed touched noticed passed mentioned".split()
)
_EVERYDAY = frozenset(
    term
    for word in (
        "one two three first second third last next time day night year man woman people someone hand eye head "
        "face foot "
        "word name way thing other go come take give get make know see look say tell ask answer want need can "
        "must may use "
        "find keep hold put set turn try learn teach show old young new little great good long whole half still "
        "now again "
        "never always ever only even just more most much many few back away down over under before after hour "
        "week month "
        "begin stop stand sit lie walk run leave bring carry open close shut begin end call hear feel think mean "
        "seem house "
        "room door window table light dark water air fire life world boy girl child nobody everyone each every"
    ).split()
    for term in index_tokens(word)
) | frozenset(
    "看见 听见 知道 时候 自己 什么 一个 没有 起来 出来 下来 可以 不能 不是 已经 只能 只有 一次 之后 以后 之前 "
    "过来 过去 身上 手里 眼睛 眼前 "
    "心里 一样 这样 那样 这个 那个 他们 她们 我们 你们 东西 地方 有人 所有 任何 别人 能力 需要 每次 十分 分钟 "
    "小时 半天 一天 一声 一句 一眼 "
    "一下 一点 学会 学过 本事 功夫 只要 如果 因为 所以 但是 可是 就是 还是 也是 都是 才能 使用".split()
)
