"""Whether a sentence looks back on something as done: not as planned, wished, dreamt, rumoured, tried or untrue."""

from __future__ import annotations

import re
from collections.abc import Sequence

from amb_book.checking.draft import QUOTED, Sentence

__all__ = ["looks_back", "only_planned", "only_said", "staged"]

_ADVERB = r"(?:\w+ly |now |at last |long |been |already )*"
_DONE = {
    "en": re.compile(
        rf"\b(?:had(?:n['’]t)? {_ADVERB}(?!(?:the|an?|no|his|her|their|its|to|not|only|two|three|never|seen|heard|"
        r"read|tried|proposed|suggested|wanted|hoped|asked|begged|offered)\b)\w+|"
        r"(?i:since|after) (?:the|his|her|their|[A-Z]\w+|we|you|I|he|she|they|it|that)|"
        r"(?:days?|weeks?|months?|nights?|years?|morning|hours?) (?:after|since|ago)|"
        r"yesterday|last (?:night|week|month|year|spring|summer|autumn|winter)|"
        r"(?:was|were) (?:over|already)|[Nn]ow that|[Bb]y then|"
        rf"ha(?:s|ve|d)(?:n['’]t)? {_ADVERB}been|already|having \w+|"
        r"the (?:day|night|morning|week) (?:after|that|when|[A-Z]\w+ (?:had|was))|once the|"
        rf"(?:ha(?:s|ve)|['’](?:s|ve|d)) {_ADVERB}\w+(?:ed|en|wn|ung|ught)|"
        r"in the (?:days|weeks|months) (?:after|since)|ever since|when [^,.]{3,40} (?:was|were) \w+(?:ed|en|wn|ung))\b"
    ),
    "zh": re.compile(
        r"已经|(?:^|[，。；：“])[^，。]{0,12}已[^，。]{1,3}|自从|自打|打从|自[^，。己]{2,12}(?:后|来)|打那|之后|"
        r"过后|以后|以来|那[天日夜晚年时]|前几[日天]|几[日天]前|[一二三四五六七八九十数半两几]个?[天日月年](?:以)?前|"
        r"才[一二三四五六七八九十数半两几]个?[天日月]|日前|上个?月|上旬|去年|昨[天日夜晚儿]|前[天日晚夜]|既然|早已|"
        r"早就|刚刚?|如今[^，。]{0,10}(?:成了|只剩|已)|上(?:个?星期|周|个?礼拜)|"
        r"(?:[一二三四五六七八九十两几]个?|半)(?:小时|钟头|星期|礼拜|月|时辰)前|"
        r"[\u4e00-\u9fff]{2}[已才都了后]?(?:整整|快|将近)?[一二三四五六七八九十半两几数]+个?多?[年月天日]"
    ),
}
_REPORTED = {
    "en": re.compile(
        r"\b(?:was|were) (?:found|tried|taken|made|won|shot|hung|sunk|sold|\w+ed)\b|\b(?:have|has) been\b|"
        r"\b(?:[A-Z]\w+|he|she|they|we|you|I|who|and) (?:\w+ly |all |both )?"
        r"(?:\w{2,}ed|won|took|fell|broke|burnt|stole|"
        r"found|shot|sank|sold|swore|wed|gave|told|led|fled|left|struck|built|woke|died|got|went|came)\b"
    ),
    "zh": re.compile(r"过了|的那[天日夜晚]"),
}
_PLANNED = {
    "en": re.compile(
        r"\b(?:if|would|will|shall|should|could|might|may|must|going to|plan(?:ned|ning)|plans? (?:to|was|for)|"
        r"hop(?:e|es|ed|ing)|wish\w*|dream\w*|dreamt|imagin\w*|intend\w*|mean[st]? to|"
        r"meant|until|till|not yet|before (?:he|she|they|it) (?:is|was|were|could|would)|"
        r"(?:when|once|as soon as|after) (?:the \w+|you|I|we|they|he|she|[A-Z]\w+) (?:comes?|is|are|has|have)|one "
        r"day|tomorrow|promis\w*|had(?:n['’]t| not| never)|(?:did|do|does)(?:n['’]t| not)|(?:was|were)(?: "
        r"not|n['’]t)|never|as if|as though|false|lie[sd]?|lying|wrongly|mistaken|song|story|tale|play|stage|"
        r"pretend\w*|"
        r"wait\w*|want\w*|to be|whether|think|suppose\w*|unless|ready to|about to|yet to|was to|were to)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"如果|若|倘|假如|要是|(?<![敌主大名副兵上老女小])将(?![军士领帅门])|(?<![机宴集相])会(?![合师面])|"
        r"想(?!起|着那|到|来)|打算|准备|计划|盘算|等到|等|希望|盼|但愿|梦|仿佛|好像|以为|谣|传言|传闻|听说|据说|假|"
        r"骗|谎|未|没(?!有一[个人]不)|(?<!个)不(?=[曾能会要想必]|到时)|还差|总有一天|明[天日]|后[天日]|"
        r"日后|将来|有朝一日|戏|说书|故事里|发誓|答应|(?<![盟和条契密违赴])约(?!束)|预备|商量|何时|什么时候|莫非|"
        r"难道|能否|万一|设想|推演|沙盘|纸上|本该|差点|险些|从[未不来]"
    ),
}
_SAID = {
    "en": re.compile(
        r"(?i:\b(?:rumou?r\w*|gossip\w*|according to|it was said|(?:they|people|some|everybody|everyone|word) "
        r"(?:sa(?:y|id|ys)|had it|has it)|the story went|forg(?:ed|ery|eries)|alleg\w+|claim(?:ed|s|ing)?|"
        r"(?:propos|suggest|attempt|rehears|practi[sc])\w*|(?:tried|trying|try|tries) to|would have|"
        r"in (?:the|a|his|her) (?:play|dream|nightmare|song|story|game)|(?:it was|was|were) only|"
        r"imposs\w+|newspapers? (?:of|from) (?:next|the future)|"
        r"already (?:saw|imagined|pictured))\b)|^\W*Had [A-Z]?\w+",
    ),
    "zh": re.compile(
        r"(?:有人|人们|人家|大家|都|皆|坊间|街上|城里|村里)说[^道着]|谣|风传|讹传|传说|演练|排练|彩排|演习|伪造|"
        r"冒充|提议|建议|主张|企图|试图|"
        r"曾想|本想|原来(?:只|不过)是?|一[\u4e00-\u9fff]{2,4}，?(?:就|便)|只当|只道"
    ),
}
_STAGED = {
    "en": re.compile(
        r"\b(?:simulat\w+|rehears\w+|dress run|scripts?|screenplay|novel|scenario|war ?games?|exercise|drill|"
        r"prophe[ct]\w*|"
        r"foretold|predict\w+|horoscope|visions?|bluff\w*|invent(?:ed|ing)|made (?:it|that|this) up|fak(?:e|ed|ing)|"
        r"hallucinat\w+|delir\w+|raving|in (?:his|her) fever|crystal ball|s[eé]ance|trance|spirits?|dummy run|"
        r"mock(?:ed)? up|"
        r"sand ?table|model of|game of|for the cameras?|trick|decoy|false (?:report|news|telegram))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"模拟|演习|演练|排练|彩排|预演|推演|沙盘|剧本|话本|小说里|编(?:的|了|造|排)|瞎编|诈(?!尸)|诱敌|假情报|"
        r"假消息|假电报|"
        r"放出风声|放风|吹嘘|幻觉|幻象|幻境|预言|预知|卦|占卜|算命|托梦|呓语|胡话|发烧|高烧|扶乩|做戏|演戏|替身|"
        r"障眼法|圈套"
    ),
}
_AROUND = (4, 12)
"""How many sentences of a passage before one, and how many after it, may say that it is only played or invented."""


def staged(sentences: Sequence[Sentence], number: int, *, begins: int) -> bool:
    """Whether a draft says near a sentence, whose passage begins at another, that what it tells is only played,
    foretold, raved of or invented.
    """
    before, after = _AROUND
    near = sentences[max(begins, number - before) : number + after]
    return any(_STAGED[each.language].search(each.text) for each in near)


def looks_back(sentence: Sentence) -> bool:
    """Whether a sentence tells of something as done before, or somebody in it says that it was done."""
    if _DONE[sentence.language].search(sentence.text):
        return True
    said = "".join(raw for raw, told in zip(sentence.text, sentence.told, strict=True) if told == QUOTED)
    return _REPORTED[sentence.language].search(said) is not None and not said.rstrip('”"」').endswith(("?", "？"))


def only_planned(clauses: str, *, language: str) -> bool:
    """Whether clauses tell something as planned, wished, dreamt, denied or asked."""
    return _PLANNED[language].search(clauses) is not None


def only_said(sentence: Sentence) -> bool:
    """Whether a sentence as a whole tells a rumour, a claim, an attempt, a rehearsal, a condition that did not hold."""
    return _SAID[sentence.language].search(sentence.text) is not None
