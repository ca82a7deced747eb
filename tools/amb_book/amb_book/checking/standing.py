"""Where a draft plays, sentence by sentence, and who is told to have come there."""

from __future__ import annotations

import re

from amb_book.checking.naming import Named
from amb_book.checking.scene import Scene
from amb_book.entities import Entity

__all__ = ["Standing"]

_PLACED = {
    "en": re.compile(
        r"\b(?:in|at|on|inside|within|aboard|upon|beneath|under|outside|before|through|across|along|around|over|atop|"
        r"throughout|by|into|onto|reached|entered|regained|boarded)\s+"
        r"(?:(?:the|a|an|old)\s+)?(?:(?:[\w’'-]+\s+){1,3}(?:of|in|at|on)\s+)?(?:the\s+)?(?:\w+\s+)?$",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(?:在|于|到|进|入|回|抵|赴|登上|守|住|待|留|达)(?:了)?$"),
}
_TO = re.compile(
    r"\b(?:came|went|walked|ran|drove|rode|sailed|flew|returned|hurried|climbed|crossed|got|led|strode|back|home|moved|"
    r"marched|made \w+ way|took \w+|brought \w+)\b[^.;:]{0,60}?\bto\s+(?:the\s+)?(?:\w+\s+)?$"
)
_COMES = {
    "en": re.compile(
        rf"{_TO.pattern}|\b(?:into|onto|reached|entered|regained|boarded)\s+"
        r"(?:the\s+)?(?:\w+\s+)?$"
    ),
    "zh": re.compile(r"[到进回入抵赴返](?:了)?$"),
}
_ABOUT = {
    "en": re.compile(
        r"\b(?:towards?|from|for|about|beyond|past|than|like|without|left|leaving|between|(?:smells?|news|word|maps?|"
        r"names?|thoughts?|memor(?:y|ies)|stor(?:y|ies)|rumou?rs?|talk|lights?|sight|view|mention|people|lord|lady|"
        r"king|queen|master|captain|road|roads|way|north|south|east|west|out|plans?|fall|siege|day|days)\s+(?:of|"
        r"to))\s+"
        r"(?:the\s+)?$",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:往|向|从|自|去|离|离开|出|望|朝|对|说|说起|想|想起|提|提起|关于|不在|没在|来自|像|和|与|比|是|叫|过|着)$"
    ),
}
_TOPIC = {
    "en": re.compile(r"(?:^|[;:—”\"]\s*|,\s+|\b(?:and|but|while|as)\s+)(?:[Tt]he\s+|[Aa]ll\s+)?$"),
    "zh": re.compile(r"(?:^|[，。！？；：”—\s])(?:[^，。！？；：“”]{0,4}[夜晚晨早午日天时候后]|整个|如今|眼下)?$"),
}
_TOPIC_AFTER = {
    "en": re.compile(
        r"^(?:['’]s\s|\s+(?:was|were|is|had|lay|stood|smel\w+|reeked|looked|slept|felt|creaked|hummed|held|ran|never|"
        r"at|"
        r"in|after|by|on)\b)"
    ),
    "zh": re.compile(
        r"^(?!人(?!声|山|来|满|头|潮|影|去|烟)|派|弟子|的(?:人|事|消息|规矩|名声|名字|路|信|方向|主人|案子))"
    ),
}
_AFTER_ZH = re.compile(
    r"^(?:的)?(?:城头|城楼|城墙|城门|门口|门前|校场|大堂|前堂|后院|后山|山门|山顶|崖顶|崖边|湖边|河边|江边|岸边|渡口|"
    r"码头|里|内|中|上|下|外|前|边|旁|脚下|深处|街头|街上|药庐|帅帐|殿|院|门|走廊|办公室|房|屋|堂|厅|廊|阶)"
)
_TIME = {
    "en": re.compile(
        r"\b(?:(?:\w+ )?(?:days?|weeks?|months?|years?|fortnight|nights?|hours?) (?:later|after|afterwards|on|passed|"
        r"went by|had passed|had gone)|(?:the )?(?:next|following) (?:day|morning|evening|night|week|afternoon)|"
        r"the morning after|that (?:evening|night|afternoon|week|same|autumn|winter|spring|summer)|by the time|"
        r"the (?:second|third|fourth|fifth|sixth|seventh|tenth) (?:day|morning|night|evening)|"
        r"(?:at|by|for) (?:the end of|last)|since (?:\w+ )?(?:came|come|return\w*|arriv\w*)|"
        r"back (?:at|in|on|from|home|among))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"[一二三四五六七八九十几数两半]+(?:个)?(?:日|天|夜|月|年|旬|周|星期|小时|时辰)(?:后|之后|以后|过去|过后)|"
        r"次日|翌日|第[二三四五六七八九十]+[天日夜]|隔[天日]|转[天日]|不日|几天|数日|多日|这[天日夜晚年]|那[天日夜晚]|"
        r"开春|入[冬秋夏春]|转眼|过了[^，。]{1,4}[天日月年]|[后明]天一早|回到|归来|回来"
    ),
}
_WAY = {
    "en": re.compile(
        r"\b(?:arriv\w+|return\w*|travel\w*|journey\w*|sail(?:ed|ing)|drove|driven|rode|ridden|flew|flown|marched|fled|"
        r"escap\w+|land(?:ed|ing)|rowed|swam|boarded|disembark\w*|dismount\w*|alight\w*|parked|summon\w*|"
        r"fetch\w+|smuggl\w*|set (?:out|off)|[Oo]n the way|way (?:to|from|back|home|in|across)|"
        r"slipped (?:away|out|in|into|through)|"
        r"(?:put|set) \w+ (?:down|ashore)|"
        r"(?:came|come|coming|went|gone|going|got|walk\w+|ran|running|hurr\w+|climb\w+|crept|stepp\w+|strode|"
        r"stumbl\w+|limp\w+|slip\w+|burst|rush\w+|shuffl\w+|wander\w+|brought|carried|taken|took|sent|led|followed|"
        r"let|shown|dragged|cross\w+) "
        r"(?:\w+ ){0,2}?(?:back|home|over|across|ashore|aboard|down from|up from|out from|from|in|into|to|through|"
        r"round|inside|off|out of|down to|up to)\b(?! (?:the|a|his|her|their|its) (?:window|table|desk|bed|fire|hearth|"
        r"edge|floor|wall|rail|chair|sink|stove|shelf|hand|hands|arms?|face|mouth|lips|head|feet|cup|glass|pocket|page)"
        r"s?\b)"
        r"|(?:train|tram|bus|taxi|cab|ferry|launch|shuttle|tender|coach|carriage|plane|van|lift) (?:to|from|down|over|"
        r"up|out|across|had|put|took|brought|dropped))\b",
    ),
    "zh": re.compile(
        r"赶[到来回往了至]|回了|[过进赶归回]来了?|到了[^，。第几]{1,6}[里上中前边家城镇村山寺府宫院站口]|来到|回到|"
        r"回来|归来|返回|折返|抵达|到达|动身|启程|出发|上路|赶路|一路[走赶来奔行回上下颠跋风跑骑]|连夜|"
        r"进[城宫京门山村府镇站了]|"
        r"入[城宫京山府]|出[城宫京山关]|下[山车船马轿]|上[山岸]|走[进到来回出]|跑[进到来回]|走了|跨进|跨过门|闯进|推门|"
        r"推开[^，。]{0,8}门|掀帘|掀[开起][^，。]{0,3}帘|溜[进到回]|潜[入回进]|混[入进]|逃|离开|辞[别了行]|奉[旨召命]|"
        r"召[^，。]{0,4}[来进入]|"
        r"被[^，。]{0,6}(?:带|送|押|抬|接|请|召)|送[到回进来]|带[到回进来]|抬[到回进来]|押[到回进来]|接[到回进来]|"
        r"搭[了上]|"
        r"坐[车船轿]|乘[车船轿]|骑[马着]|驱车|开车|打车|坐着[^，。]{0,4}[车船轿]|策马|打马|御剑|飞[到回来]|瞬移|传送|"
        r"告假|请假|放假|出院|调[回到来]|搬[到回来进]|迁|跟着[^，。]{1,8}[来进到回]|随[^，。]{1,8}[来进到回]|"
        r"到[^，。]{1,6}时|刚到|又到|来[看找见接喝参赴探拜]|[走跑爬登奔]上|[进回过上]来"
    ),
}
_AFAR = {
    "en": re.compile(
        r"\b(?:telephone\w*|phone\w*|line|receiver|radio\w*|wireless|intercom|speaker|channel|screen|monitor|projector|"
        r"holo\w*|image|call(?:ed)? from|rang from|wrote from|letter|telegram|message|signal\w*|video|mirror)\b"
    ),
    "zh": re.compile(
        r"电话|手机|视频|屏幕|话筒|听筒|对讲机|传音|水镜|来信|信里|电报|短信|微信|投影|影像|千里镜|玉简|监控|消息"
    ),
}
_THEY = {"en": re.compile(r"\b(?:he|she|they|He|She|They)\b"), "zh": re.compile(r"[他她]们?|两人|二人|一行|众人")}

_FAR = 1
"""For how many paragraphs a draft plays on in a place that it does not name again."""


class Standing:
    """Where each sentence of a draft plays, as far as settled places are named."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._places: list[Named | None] = []
        last: Named | None = None
        named = -1
        for number, sentence in enumerate(scene.draft.sentences):
            here = self._named_here(number)
            if here is not None:
                last, named = here, sentence.paragraph
            elif sentence.paragraph - named > _FAR:
                last = None
            self._places.append(last)

    def _unreal(self, number: int) -> bool:
        return self._scene.frames.unreal(number) or self._scene.frames.explained(number)

    def place(self, number: int) -> Named | None:
        """The place in which the draft plays at a sentence, None when it named none so far."""
        return self._places[number]

    def _named_here(self, number: int) -> Named | None:
        found = [each for each in self._scene.told(number, "location") if each.sole and self.plays(number, each)]
        return found[-1] if found else None

    def plays(self, number: int, named: Named) -> bool:
        """Whether a sentence plays in a place it names: somebody or something is or comes there, or it is about it."""
        if self._unreal(number):
            return False
        sentence = self._scene.draft.sentences[number]
        language = sentence.language
        before, after = self._scene.around(sentence, named)
        if _ABOUT[language].search(before) or self._scene.frames.doubted(sentence, named.start - sentence.start):
            return False
        if _PLACED[language].search(before) or (language == "zh" and _AFTER_ZH.search(after)):
            return True
        if language == "en" and _TO.search(before):
            return True
        return bool(_TOPIC[language].search(before) and _TOPIC_AFTER[language].search(after))

    def passed(self, number: int) -> bool:
        """Whether time is told to have passed up to a sentence, so that anybody may have come."""
        sentences = self._scene.draft.sentences[: number + 1]
        return any(_TIME[each.language].search(each.told) for each in sentences)

    def came(self, number: int, entity: Entity) -> bool:
        """Whether somebody is told to come, go or be brought, up to the end of the paragraph of a sentence."""
        paragraph = self._scene.draft.sentences[number].paragraph
        return any(
            (_WAY[each.language].search(each.told) or self._arrives(other)) and self._concerns(other, entity)
            for other, each in enumerate(self._scene.draft.sentences)
            if each.paragraph <= paragraph
        )

    def _arrives(self, number: int) -> bool:
        """Whether somebody comes to a settled place in a sentence."""
        sentence = self._scene.draft.sentences[number]
        return any(
            _COMES[sentence.language].search(self._scene.around(sentence, each)[0])
            for each in self._scene.told(number, "location")
        )

    def _concerns(self, number: int, entity: Entity) -> bool:
        """Whether a sentence may tell of somebody: it names them, or has a pronoun and nobody else's name."""
        people = [each for each in self._scene.names[number] if any(one.kind == "character" for one in each.entities)]
        if any(entity in each.entities for each in people):
            return True
        sentence = self._scene.draft.sentences[number]
        if _THEY[sentence.language].search(sentence.told):
            return True
        before = self._scene.names[number - 1] if number else []
        return not people and any(entity in each.entities for each in before)

    def afar(self, number: int) -> bool:
        """Whether somebody may be heard or seen from afar: by telephone, letter or picture."""
        return any(
            _AFAR[each.language].search(each.told)
            for each in self._scene.draft.sentences[max(0, number - 1) : number + 2]
        )
