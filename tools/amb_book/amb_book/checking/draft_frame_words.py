"""Words by which a draft says that what it tells is not happening here and now."""

from __future__ import annotations

import re

__all__ = [
    "CLAUSES",
    "DOUBT",
    "GOVERNS",
    "MEMORY",
    "OPENS",
    "PICTURE",
    "PLAYED",
    "RETURNS",
    "SAID_ZH",
    "SCENE_OF_OLD",
    "SEEN",
    "SLEEPS",
    "TEXT",
    "THINKS",
    "WAKES",
    "WHEN",
]

_WHEN_EN = (
    r"(?:^|\b(?:when|[Tt]hat (?:winter|summer|spring|autumn|year|day|night|morning)|[Tt]he (?:winter|"
    r"summer|spring|autumn|year|day|night|morning)) )\W*(?!There|These|Those)(?:[Ss]he|[Hh]e|[Tt]hey|[A-Z]\w+) "
    r"(?:was|were|had been) (?:then |only |just |not yet |barely |still )?(?:\w+teen|twenty|thirty|five|"
    r"six|seven|eight|nine|ten|eleven|twelve|a (?:girl|boy|child)|small|young|little)\b|"
    r"^\W*(?:It|That|There|This) had been\b|"
    r"\b(?:(?:[Yy]ears?|[Mm]onths?|[Ww]inters?|[Ss]ummers?|lifetime|[Ll]ong|autumns?|springs?|weeks?|nights?|"
    r"days?)\s+(?:ago|before|"
    r"earlier)\b|[Ii]n (?:those|the old|older|better) days|"
    r"^\W*Once,|[Ww]hen (?:he|she|they|[A-Z]\w+(?: [A-Z]\w+)?) (?:was|were) (?:still )?(?:alive|living|"
    r"young|a (?:boy|girl|child))|"
    r"in (?:his|her) lifetime|before (?:he|she|they) died|before (?:his|her|their) death|on the (?:day|"
    r"night|morning|eve) (?:he|she|[A-Z]\w+) died|"
    r"while (?:he|she) lived|in life\b)"
)
_WHEN_ZH = (
    r"(?:^|(?<=[，。；：！？”]))[^，。；像和跟同与]{0,3}(?:[一二三四五六七八九十百几数多两半](?:年|月|"
    r"个月|载)(?:以)?前|当年|当初|那年|那一年|昔年|昔日|往年|往日|早年|从前(?![山门面院边后头排厅殿街])|"
    r"生前|在世|小时候|幼时|儿时|"
    r"曾经|旧年|去年|前年)|"
    r"生前|在世|临终|临死|死前|还活着的时候|活着的时候|还在的时候|还在时|上一?回|上次|头一回见|遗言|"
    r"遗训|说过|教过|讲过|留下的?话"
)
_DOUBT_EN = (
    r"\b(?:as if|as though|like|seem(?:ed|s) (?:to|that)|remember(?:ed|s|ing)?|recall(?:ed|s|ing)?|"
    r"thought (?:back|of)|dream(?:s|ed|t|ing)?(?: of| that)?|"
    r"imagin\w*|pretend\w*|fanc(?:y|ied)|supposed?|would have|could have|might have|wish\w*|if only|in "
    r"(?:his|her|their) mind|expected|"
    r"almost (?:heard|saw|see|hear)|could (?:almost )?(?:hear|see)|rumou?r\w*|they sa(?:y|id)|it was "
    r"said|people said|some said|story went|legend|"
    r"claimed|lied|falsely|that|which|whom|what|than|the way|how|why|nobody|no one|not|never|neither|"
    r"nor|without|if|unless|would|should|perhaps|maybe|might|will|"
    r"going to|plann?ed to|hop(?:e|es|ed|ing)|mean[st]? to|intend\w*|one day|tomorrow|until|in case|whether)\b"
)
_DOUBT_ZH = (
    r"想起|记得|记起|忆起|回忆|回想|追忆|梦|仿佛|好像|好似|似乎|宛如|如同|犹如|就像|恍惚|幻|若是|如果|"
    r"倘若|假如|要是|假使|万一|以为|据说|听说|传说|传闻|谣|相传|"
    r"想象|设想|脑海|心里浮|眼前浮|耳边又?响|耳畔又?响|编造|撒谎|谎称|骗|恨不得|巴不得|但愿|盼|"
    r"像(?!是要)|将来|日后|等到|总有一天|有朝一日|打算|准备|希望|本该|本可|"
    r"会不会|大概|也许|或许|恐怕|可能|明日|明天|不知|没有人|谁也没|从来没|难道|莫非|不是"
)
_SEEN_EN = (
    r"\b(?:[Ii]n (?:her|his) (?:head|mind|ears?)|last words?|learnt by heart|by heart|"
    r"threw (?:her|his) voice|(?:in|with) the voice of|"
    r"in [A-Z]\w+(?: [A-Z]\w+)?['’]s (?:own )?(?:voice|tones?|manner)|rehears\w*|charade|once upon|"
    r"(?<!sweet )dream(?:ed|t|ing)?|in dreams|dreams (?:of|that)|nightmare\w*|hallucinat\w*|ghosts?|ghostly|(?:a|"
    r"the) shade|spect(?:re|er)s?|phantoms?|"
    r"apparitions?|haunt\w*|the dead (?:may|can|speak|answer|walk|come)|seance|séance|medium['’]s|"
    r"trick of the light|"
    r"only (?:the|a) (?:cat|wind|coat|shadow|scarecrow|draught)|fever(?:ish)?|deliri\w+|"
    r"visions?|"
    r"a way of seeing|scarecrow|holograms?|projector|projection|play(?:ed|s|ing)? the part|"
    r"mummer\w*|masque|understudy|mimic\w*|imitat\w*|impersonat\w*|impostor|imposter|disguis\w*|"
    r"pretend\w*(?! not to \w| to (?:be \w{2,}ing|(?!be|hear|see|speak|talk|answer|call|listen)\w+)\b)|"
    r"christened|namesake|same name|no relation|mistook|mistaken for|took (?:him|her) for|look-?alike|"
    r"as (?:she|he) had (?:done )?(?:every|each) night|what (?:she|he) had done (?:every|each) night)\b"
)
_TEXT_EN = (
    r"\b(?:(?:letters?|packet|diary|diaries|journal|notebook|memoirs?|manuscript|testament|chronicle) (?:said|read|"
    r"began|"
    r"ran|told|was|were|from|of|spoke|described)|(?:in|from|of|read|reading|opened|re-?read|quoted) (?:the|a|his|her|"
    r"this|"
    r"that|[A-Z]\w+['’]s) (?:\w+ )?(?:letters?|packet|diary|diaries|journal|notebook|memoirs?|manuscript|testament)|"
    r"handwriting|(?:two|three|last|old|loose) pages|unfolded|"
    r"(?:his|her|the) (?:hand|writing) (?:sloped|slanted)|margins|in (?:brown|black|red|blue|his|her|faded) ink|"
    r"the (?:tale|story|song|ballad|legend|saying|rhyme|play|film|novel)|echo(?:ed|es)|gave back|"
    r"out of the (?:metal|bronze|bell|stone|shell|wall)|aged \w+|fingernail|recit\w*|"
    r"read (?:it )?(?:aloud|out)|reading (?:it )?(?:aloud|out))\b"
)
_PICTURE_EN = (
    r"\b(?:in the (?:dark )?(?:mirror|looking-glass|glass)|(?:was|were) (?:quite |suddenly )?empty|"
    r"nobody (?:was )?there|no one (?:was )?there|statues?|portraits?|paintings?|pictures?|prints?|photographs?|"
    r"photos?|snapshots?|posters?|calendars?|"
    r"murals?|"
    r"tapestry|effigy|busts?|stained glass|sketch(?:es)?|framed|(?:gilt|gold|oak|ornate|black|his|her|its|"
    r"the) frame|canvas|waxworks?|"
    r"film|on (?:the|a|her|his) screen|full face)\b"
)
_PLAYED_EN = (
    r"\b(?:recordings?|tapes?|reels?|footage|voicemail|playback|gramophone|answering machine|simulat(?:or|ion)s?|"
    r"puppet\w*|"
    r"on (?:the )?stage|actors?|actress|there was a play)\b"
)
_PLAYED_ZH = (
    r"录音(?!笔|机)|录像(?!机)|磁带|唱片|唱机|监控里|[屏荧]幕[里上中]|镜头里|画面[里中]|武生|戏台|台下(?:轰|一片|"
    r"叫好|喝彩|掌声)|皮影|傀儡|"
    r"木偶|戏台|戏文|戏里|"
    r"唱戏|看戏|说书|幕布|"
    r"闹钟|录[下好]|模拟器|模拟舱|虚拟"
)
_SEEN_ZH = (
    r"耳边|耳畔|脑海|脑子里|心里(?:响|浮|又)|眼前(?:浮|又|仿佛|闪)|回荡|回响|回声|绘声绘色|有声有色|"
    r"那时(?:候)?|那会儿|还小|才[一二三四五六七八九十]+岁|刚满|"
    r"(?<![打装])扮(?!相)|眼前一花|一眨眼|眼花|[再又][^，。]{0,6}(?:看|眨眼|睁眼|回头|定睛)[^。]{0,8}(?:空|没|不见)|"
    r"烧得|烧糊涂|发[高着]?烧|高烧|退了烧|说胡话|"
    r"神志不清|走近一看|定睛|"
    r"草人|梦|鬼魂|阴魂|亡魂|亡灵|灯影|的影子(?:低|说|开|散|淡|渐|浮)|浮出一?个|残影|残魂|幽灵|显灵|附身|"
    r"托梦|"
    r"扮作|扮成|扮演|假扮|装成|装作|乔装|易容|冒充|假冒|"
    r"学着|模仿|口技|腔调|同名|重名|同姓|也姓|人皮面具|认错|错认|看错|听错|幻象|幻影|幻觉|幻境|恍惚|"
    r"留影|留声|投影(?!仪|机|幕)|影像|全息|水镜|背诵|复述"
)
_TEXT_ZH = (
    r"故事里|话本|讲到|[纸笺碑]上(?:说|写|道)|信上|信里|信中|遗信|(?:信|字条|纸条|便笺|家书)[上里]?(?:写|说|是)|"
    r"笔迹|字迹|遗书|落款|手札|日记|手稿|念着.{0,4}留下|(?:读|念|看)[了着完过]?[^，。]{0,4}信"
)
_PICTURE_ZH = (
    r"画像|画中|画里|镜[中里]|照片|相片|合影|遗像|相框|遗照|海报|牌位|灵位|灵前|塑像|雕像|泥像|石像|铜像|蜡像|"
    r"半身像|浮雕|一[座尊幅张]像"
)
CLAUSES = {
    "en": re.compile(r"[,;:—.!?”\"]|\b(?:and|but|when|while|until|so)\b(?! that)"),
    "zh": re.compile(r"[，。；：！？”—]"),
}
GOVERNS = {
    "en": re.compile(
        r"\b(?:as if|as though|remember(?:ed|s|ing)?|recall(?:ed|s|ing)?|dream(?:s|ed|t|ing)?|imagin\w*|"
        r"pretend\w*|wish\w*|if|unless|rumou?r\w*|they sa(?:y|id)|"
        r"it was said|legend|would|could (?:almost )?(?:hear|see)|in (?:his|her) mind|thought)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"想起|记得|记起|忆起|回忆|梦|仿佛|好像|若|如果|倘|假如|要是|以为|据说|听说|传说|传闻|相传|想象|"
        r"等到|但愿|说起|谈起|讲起|盼"
    ),
}
SLEEPS = {
    "en": re.compile(
        r"\b(?:fell asleep|dozed|drifted off|nodded off|closed (?:his|her) eyes|(?:his|her) eyes (?:closed|shut))\b"
    ),
    "zh": re.compile(r"睡了过去|睡着|睡去|入睡|闭上[了]?眼|合上[了]?眼|迷迷糊糊|昏昏沉沉"),
}
WAKES = {
    "en": re.compile(
        r"\b(?:awoke|woke|waking|awakened|opened (?:his|her) eyes|sat up in bed|came to (?:him|her)self)\b"
    ),
    "zh": re.compile(r"惊醒|醒来|醒了|醒过来|醒转|睁开了?眼|回过神|一下子醒"),
}
MEMORY = {
    "en": re.compile(
        r"\b(?:remember(?:ed|s|ing)?|recall(?:ed|s|ing)?|(?:the|a|his|her|that|old) memor(?:y|ies)|memories|"
        r"never forg[eo]t|"
        r"(?:could|would) not forget|told it (?:again|as)|as (?:he|she|they) told it|an old story|stories (?:about|of)|"
        r"used to|thought (?:back|of)|(?:back )?in those days|back then)\b(?! to \w+ (?:the|a|his|her)\b)"
    ),
    "zh": re.compile(r"回忆|想起|记得|忆起|往事|旧事|忘不[了掉]|(?<![比像])从前(?![山门面院边后头排厅殿街])"),
}
WHEN = {"en": re.compile(_WHEN_EN), "zh": re.compile(_WHEN_ZH)}
DOUBT = {"en": re.compile(_DOUBT_EN, re.IGNORECASE), "zh": re.compile(_DOUBT_ZH)}
THINKS = re.compile(
    r"\b(?:said|told \w+|thought|knew|believed|swore|claimed|wrote|explained|heard|reported|reckoned|supposed|"
    r"understood|felt|guessed|insisted|admitted|confessed|agreed) (?:the |old |poor )?$"
)
"""Before a name, and after no speech: what follows is what somebody says or thinks."""
SAID_ZH = re.compile(
    r"(?:说|讲|告诉[^，。：]{0,6}|提起|讲起|说起|答|写道|叙述|复述|听说|[说讲]了[^，。：]{0,4}|[说讲]到|心想|寻思|"
    r"暗想)[：，]"
)
"""After it, what is told is what somebody says."""
SEEN = {"en": re.compile(_SEEN_EN), "zh": re.compile(_SEEN_ZH)}
TEXT = {"en": re.compile(_TEXT_EN), "zh": re.compile(_TEXT_ZH)}
PLAYED = {"en": re.compile(_PLAYED_EN), "zh": re.compile(_PLAYED_ZH)}
PICTURE = {"en": re.compile(_PICTURE_EN), "zh": re.compile(_PICTURE_ZH)}
OPENS = {
    "en": re.compile(
        r"\b(?:she|he) was (?:again )?(?:\w+teen|twenty|nine|ten|eleven|twelve|eight|seven|six)(?: again| "
        r"years old)?(?=[.,;]| and)|"
        r"^(?:\W*)(?:(?:[\w-]+ )?(?:[\w-]+ )?(?:[Yy]ears?|[Mm]onths?|[Ww]inters?|[Ss]ummers?) (?:ago|before|earlier)|"
        r"That night,? (?:she|he) dreamt|Once,|Long ago|"
        r"In (?:the|her|his|a) dream|In (?:those|the old|the early|better|his|her) days|It (?:was|had been) (?:the|a|"
        r"that) [^.]{0,40}(?:years?|winters?|"
        r"summers?) (?:ago|before|earlier)|"
        r"(?:She|He|[A-Z]\w+) (?:dreamt|dreamed|remembered|thought back|read (?:aloud|the letter|it)|"
        r"unfolded|fell asleep)|The (?:letter|story|dream|memory|ballad|play)\b)"
        r"|\b(?:she|he|they) (?:dreamt|dreamed|remembered|closed (?:her|his) eyes)\b"
    ),
    "zh": re.compile(
        r"^\W*[^，。]{0,6}(?:年前|那年|当年|从前(?![山门面院边后头排厅殿街])|小时候|昔年|梦里|梦中|梦见|"
        r"信上|信中|信里|信是)|"
        r"想起了?(?:那|从前(?![山门面院边后头排厅殿街])|当年|多年|小时)|做了(?:一)?个[^，。]{0,4}梦|"
        r"梦见|展开[^，。]{0,4}信|拆开[^，。]{0,4}信|回忆|戏台上|说书(?:人|先生)|往事|睡着了|迷迷糊糊|闭上眼|合上眼"
    ),
}
SCENE_OF_OLD = {
    "en": re.compile(
        r"^\W*(?:It|That|There|This) had been\b|^\W*(?!There|These|Those)(?:[Ss]he|[Hh]e|[Tt]hey|[A-Z]\w+) "
        r"(?:was|were|had been) "
        r"(?:then |only |just |not yet |barely |still )?"
        r"(?:\w+teen|twenty|thirty|five|six|seven|eight|nine|ten|eleven|twelve|a (?:girl|boy|child)|small|"
        r"young|little)\b"
    ),
    "zh": re.compile(
        r"^\W*(?:那是|那还是|那一年|那年|那个|那一[夜天晚日]|那时)|^[^，。]{0,4}(?:还小|"
        r"才[一二三四五六七八九十]+岁|刚满)"
    ),
}
RETURNS = {
    "en": re.compile(
        r"\b(?:woke|awoke|waking|[Nn]ow\b|opened (?:her|his) eyes|came back to|came to (?:her|him)self|the "
        r"present|shook (?:her|his) head|folded the (?:letter|page)|"
        r"put (?:the letter|it) (?:down|away)|when (?:she|he) looked up|[Tt]his (?:morning|evening|night))\b"
    ),
    "zh": re.compile(r"醒来|惊醒|醒了|回过神|如今|眼下|此刻|现在|睁开眼|收回思绪|定了定神|合上信|折好信|把信|眼前的"),
}
