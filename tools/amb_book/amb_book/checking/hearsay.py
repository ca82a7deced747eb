"""What people in a draft say of the dead as of the living: he wants it tonight, 他方才还叫我来请您."""

from __future__ import annotations

import re
from collections.abc import Iterator

from amb_book.checking.draft import QUOTED
from amb_book.checking.name_index import Named
from amb_book.checking.scene import Scene, either

__all__ = ["reported_doings"]

_LATELY = {
    "en": re.compile(
        r"\b(?:just now|a (?:minute|moment) ago|minutes? (?:ago|since|back)|hours? (?:ago|since)|this (?:morning|"
        r"evening|"
        r"afternoon|very \w+)|tonight|last night|yesterday|today|right now|at this (?:moment|very)|till \w+ (?:this|"
        r"last)|"
        r"is (?:waiting|coming|asking|downstairs|upstairs|outside|on (?:the|his|her) way|at the \w+|expecting|"
        r"in the \w+)|"
        r"wants (?:you|me|us|to|a|the|it|them|his|her)|sends (?:his|her|you|word)|asks (?:you|if|for|that)|"
        r"(?:he|she) (?:wants|says|thinks|expects|needs|is waiting)|would (?:be obliged|like a word)|"
        r"will (?:see|be down|meet|want|not be long))\b"
    ),
    "zh": re.compile(
        r"刚才|方才|刚刚|适才|昨夜|昨晚|昨日|昨天|昨儿|今早|今晨|今儿|今日|今天|今晚|正在|正等|等着[你您咱我]|"
        r"[叫让请][你您]|[叫让]我来|刚[从到进回去来把给说]|"
        r"吩咐[我你小奴]|托我|捎话|带话|这就来|在(?:外头|楼下|门口|里屋|前厅)等|还等着"
    ),
}
_NOT_SO = {
    "en": re.compile(
        r"\b(?:dead|died|death|dies|buried|funeral|grave|killed|murder\w*|body|corpse|ghost|would have|used to|once|"
        r"always|"
        r"never|if|will says|dream\w*|anniversary|years|remember\w*|memory|like|named|portrait|letter)\b|\?"
    ),
    "zh": re.compile(
        r"死|亡|葬|坟|墓|祭|忌|灵|尸|鬼|魂|梦|要是|若|如果|生前|当年|从前|那年|遗|记得|像|名|画|信|？|[吗么]"
    ),
}
_DOES_NOW = re.compile(
    r"^['’]s\s+(?:just |already |still |only |now )?(?!lying|being|dying|rotting|resting|going|sleeping|watching|"
    r"smiling|looking|haunting|missing|buried)(?:\w{2,}ing (?:the|a|an|his|her|my|your|our|it|you|us|me|them|to|in|on|"
    r"for|up|down|out|over|at|round|back|now)|(?:back|here|outside|downstairs|upstairs|in) (?:now|again|already))\b"
)
"""After a name in speech: what that somebody is doing, not what is theirs."""
_TIME_ZH = re.compile(
    r"(?:刚才|方才|刚刚|适才|昨[夜晚日天儿]|昨儿夜里|今[早晨儿日天晚]|今儿早上|今天[早一]?[上早]|刚|这会儿|眼下)[，]?$"
)
_QUOTE = re.compile(f"{QUOTED}+")


def reported_doings(scene: Scene, number: int) -> Iterator[Named]:
    """Those of whom somebody in a sentence says what they do now, or did today."""
    sentence = scene.draft.sentences[number]
    grammar, language = either(sentence), sentence.language
    said = "".join(sentence.text[one.start() : one.end()] for one in _QUOTE.finditer(sentence.told))
    if _NOT_SO[language].search(said):
        return
    for each in scene.names[number]:
        start, end = each.start - sentence.start, each.end - sentence.start
        quote = next((one for one in _QUOTE.finditer(sentence.told) if one.start() <= start < one.end()), None)
        if quote is None or not any(one.kind == "character" for one in each.entities):
            continue
        before, after = sentence.text[quote.start() : start], sentence.text[end : quote.end()]
        now = language == "en" and _DOES_NOW.search(after) is not None
        subject = grammar.is_subject(_TIME_ZH.sub("", before), f" is{after[2:]}" if now else after)
        if subject and (now or _LATELY[language].search(said)):
            yield each
