"""Whether a sentence opens as one that goes on with what was said before: a pronoun, a connective, half a clause."""

import re

from amb_core.text.language import Language
from amb_core.text.lazy_patterns import lazy_pattern

__all__ = ["goes_on"]

_ENGLISH = (
    "he she it they his her hers its their him them this these those that such both neither another others who which "
    "however but and or so yet nor also too thus therefore hence moreover furthermore nevertheless instead otherwise "
    "meanwhile similarly likewise consequently additionally finally eventually subsequently afterwards later then now "
    "today currently recently originally initially previously soon again still even although though while whereas "
    "because since when after before during following despite if unless until once we our us you your my i there here"
)
_OPENING = {
    "en": lazy_pattern(
        rf"(?:{'|'.join(_ENGLISH.split())}|in (?:addition|fact|contrast|turn|this|that|\d{{4}})|"
        r"for (?:example|instance)|as a result|on the other hand|"
        r"the (?:former|latter|same|others?|first|second|third|last|rest))\b",
        re.IGNORECASE,
    ),
    "zh": lazy_pattern(
        "[他她它其该此这那本我你]|两者|前者|后者|双方|同时|随后|后来|之后|最后|最终|最初|目前|现在?|当时?|直到|以及?|除|但|因|由于|所以|"
        r"而|并|且|或|虽|然|不过|接着|从|进而|例如|比如|另外|即|则|却|还|也|又|更|至|再|若|如|在|自|于|由|对|为|将|被|向|与|和|有|是|主要|"
        r"每|各|多|另|首|[\d一二三四五六七八九十]+[年月日]|同年|次年|翌年|第[一二三四五六七八九十\d]"
    ),
}


def goes_on(sentence: str, *, language: Language) -> bool:
    """Whether the sentence leans on the one before it."""
    return sentence[:1].islower() or _OPENING[language].match(sentence) is not None
