"""Which sentences tell what has happened, and which only plan, wish, ask, guess, deny, compare or dream."""

from __future__ import annotations

import re

from amb_book.extraction.ages import number_of
from amb_book.extraction.passages import Passage

__all__ = ["decided", "is_planned", "is_real", "is_request", "looks_back"]

_PLANNED = {
    "en": re.compile(
        r"\b(?:(?:I|we|you)(?:['’](?:d|ll|m|re))?\s+(?:\w+ly\s+)?(?:want|would like|like|plan|intend|am "
        r"going|are going|think|hope|might|could|"
        r"will|shall|should|need|am thinking|are thinking|was thinking)\b|I['’]d like|I['’]ll|we['’]ll|"
        r"(?:is|are|am|was|were) (?:going|supposed|meant|due|about|to be) (?:to\b|\w+ed\b)|going to\b|will "
        r"(?:\w+ )?\w+|['’]ll\b|shall\b|"
        r"plan(?:s|ned|ning)? (?:to|for|is|that)|intend(?:s|ed)? to|(?:the|my|our|first|next|new|rough) "
        r"(?:plan|idea|outline|draft)\b|planned\b|"
        r"(?:in|for|by|until) (?:the )?(?:next|coming|following|later|last|final) (?:chapters?|books?|"
        r"volumes?|parts?|arcs?)|next (?:chapter|arc|volume|book)\b|"
        r"later (?:on|in the (?:book|story))|eventually|someday|one day\b|tomorrow|ought to|has to\b|have to\b|"
        r"needs? to\b|should\b|must\b|"
        r"let['’]?s\b|let us\b|what if|how about|maybe|perhaps|possibly|brainstorm|TODO)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"打算|计划|准备(?:让|写|在|把)|将会|将要|即将|就要|快要|会在|会被|会死|会去|会成|想让|想要|想写|"
        r"希望|要让|应该|应当|得让|必须|下一?章|后面(?:会|再|要|的章)|之后(?:会|再|要)|"
        r"以后(?:会|再|要)|将来|未来|接下来|最终(?:会|要|将)|最后(?:会|要|将)|迟早|早晚|总有一天|有朝一日|"
        r"明日|明天|来年|待到|等到|届时|到时候|预计|预定|拟|大纲|构思|设想|"
        r"要不要|不如|让我们|我们让|我想|我要|考虑|(?:^|[，。；])(?:让|请|安排|写(?!在))"
    ),
}
_CHAPTER = re.compile(
    r"\b[Cc]hapter (\d{1,5}|[a-z]+(?:-[a-z]+)?)\b|第([一二三四五六七八九十百零两]{1,7}|\d{1,5})[章回]"
)
_REQUEST = {
    "en": re.compile(
        r"^\W*(?:please\s+)?(?:write|draft|outline|give|show|tell|continue|make|suggest|help|list|describe|"
        r"add|rewrite|revise|expand|check|remind|imagine|suppose|"
        r"consider|summari[sz]e|can you|could you|would you)\b(?!.*\b(?:said|asked)\b)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"^\W*(?:请|帮|写(?!在)|给我|续写|描述|列出|告诉|假设|假如|想象一下|检查|修改|扩写)|(?:怎么样|好不好|"
        r"行不行|可以吗|如何)[？?。]?$"
    ),
}
_UNREAL = {
    "en": re.compile(
        r"\b(?:if|unless|whether|would|could|might|may|can|cannot|must|never|not|no longer|nobody|no one|nor|"
        r"neither|without|"
        r"as if|as though|like|seem(?:ed|s)?|almost|nearly|dream(?:s|ed|t|ing)?|imagin\w*|pretend\w*|"
        r"remember\w*|rumou?r\w*|"
        r"wish\w*|hop(?:e|es|ed|ing)|fear(?:s|ed)?|thought|think|thinks|believ\w*|suppos\w*|wonder\w*|"
        r"claim\w*|swore to|promis\w*|vow(?:s|ed)?|offered|"
        r"want(?:s|ed)? to|wanted|tr(?:y|ies|ied|ying) to|mean[st]? to|in order to|nearly|perhaps|maybe|"
        r"probably|likely|whenever|until|before|as soon as|the moment|"
        r"refus\w*|fail(?:s|ed)? to|threaten\w*|legend|story went|they sa(?:y|id)|it was said|people said|"
        r"supposedly|allegedly|used to|once upon)\b|n['’]t\b|^\W*(?:had|should|were) (?!been\b)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"若是|如果|倘若|假如|假若|即使|即便|哪怕|就算|纵使|要是|假使|万一|除非|仿佛|好像|好象|好似|似乎|宛如|如同|犹如|就像|恍惚|梦|以为|据说|"
        r"听说|传说|传闻|相传|谣|都说|想起|记得|忆起|回忆|想象|脑海|"
        r"谎称|冒充|假装|恨不得|但愿|也许|或许|恐怕|大概|可能|会不会|难道|莫非|差点|险些|几乎|未曾|不曾|从未|"
        r"从没|还没|没有|没能|并未|并没|尚未|未能|不是|不会|不能|不肯|不愿|绝不|"
        r"未必|要去|想去|欲|试图|企图|想把|要把|要回|要到|誓要|发誓要|答应"
    ),
}
_FLASHBACK = {
    "en": re.compile(
        r"\b(?:had|years ago|long ago|once|formerly|in those days|when (?:he|she|they) w(?:as|ere) (?:a |an "
        r")?(?:boy|girl|child|young)|ago)\b"
    ),
    "zh": re.compile(r"年前|当年|从前|昔年|那年|往年|曾经|曾在|小时候|生前|早年|原先|原本|本来|当初"),
}
_CLAUSE = {
    "en": re.compile(r"[,;:—.!?“”\"\x01]|\b(?:but|while|when|and then|so)\b"),
    "zh": re.compile(r"[，。；：！？“”—\x01]"),
}
_AGREED = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|agreed|decided|settled|confirmed|canon|fact|facts|so|yes|good|fine|final|note|"
    r"let['’]?s say|let us say|it is settled)"
    r"(?:\s*[,:.\-—]\s*|\s+(?:that\s+)?)(?:(?:then|so)\s*,?\s*)?|(?:好的?|定了|就这么定|决定|敲定|确认|设定|"
    r"已定|事实|同意|记住|记下|最终)[，。：:、！\s]+)+",
    re.IGNORECASE,
)


def decided(passage: Passage) -> int:
    """Where what was agreed begins, behind words like "Agreed:"; 0 when there are none."""
    found = _AGREED.match(passage.told)
    return found.end() if found is not None and found.end() < len(passage.told) else 0


def is_planned(passage: Passage, *, chapter: int = 0) -> bool:
    """Whether a sentence speaks of what is to come after a chapter, or of what its author wants."""
    if passage.question:
        return False
    numbers = [number_of(found[1] or found[2]) for found in _CHAPTER.finditer(passage.told)]
    if chapter and any(number is not None and number > chapter for number in numbers):
        return True
    return _PLANNED[passage.language].search(passage.told[decided(passage) :]) is not None


def is_request(passage: Passage) -> bool:
    """Whether a sentence asks for something."""
    return passage.question or _REQUEST[passage.language].search(passage.told) is not None


def is_real(passage: Passage, start: int, end: int, *, now: bool = False, planned: bool = False) -> bool:
    """Whether the part `start:end` of what a sentence tells is told as a fact; `now`: as one that holds at present.

    With `planned` it may also be told as a plan, which nobody has looked for in the whole sentence.

    Looked at are the clause the part begins in, up to the part's end, and what governs the whole sentence.
    """
    language = passage.language
    before = passage.told[:start]
    heads = list(_CLAUSE[language].finditer(before))
    clause = passage.told[heads[-1].end() if heads else 0 : end]
    if _UNREAL[language].search(clause) or (now and _FLASHBACK[language].search(clause)):
        return False
    if planned and (passage.question or _PLANNED[language].search(clause)):
        return False
    governing = _GOVERNS[language].search(before)
    return governing is None


def looks_back(passage: Passage) -> bool:
    """Whether a sentence tells of what was before."""
    return _FLASHBACK[passage.language].search(passage.told) is not None


_GOVERNS = {
    "en": re.compile(
        r"\b(?:if|unless|as if|as though|dream(?:s|ed|t|ing)?|imagin\w*|pretend\w*|rumou?r\w*|they sa(?:y|"
        r"id)|it was said|people said|legend|wish\w*|until|supposedly)\b|^\W*(?:had|should|were) (?!been\b)",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"若是|如果|倘若|假如|假若|即使|即便|哪怕|就算|纵使|要是|假使|万一|除非|仿佛|好像|似乎|梦见|看见自己|梦里|以为|据说|听说|传说|传闻|相传|"
        r"都说|想象|但愿|谎称"
    ),
}
