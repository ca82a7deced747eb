"""The parts of a text: its sentences, as far as finding and showing passages need them, and turns of a dialogue.

`amb_values.text_parts` knows more; no figure of finding was better by it.
"""

import re
from itertools import pairwise

from amb_core.text.chinese_words import COMPOUND_SURNAMES, SURNAMES
from amb_core.text.english_vocabulary import ENGLISH, word_set
from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import remembered

__all__ = ["GAP", "PEOPLE", "asks", "known_text", "likely_speaker", "plain_sentences"]

GAP = "[…]"
"""What stands for what is left out of a text."""

_END = re.compile(
    r"(?<!\b[A-Z])(?<!\b(?:Mr|Dr|St|vs|No))(?<!\b(?:Mrs|etc|Inc|e\.g|i\.e))[.!?…]+[\"'”’)\]]*(?=\s|$)|[!?…]+[\"'”’)\]]*(?=\s|$)"
    r"|[。！？；]+[”’」』）\"')]*|\n+"
)


def known_text(text: str) -> str:
    """What a text is known again by: hosts add or strip blanks at its ends and at those of its lines, and other signs."""
    lines = text.lstrip("\ufeff").strip().split("\n")
    return "\n".join(map(str.rstrip, lines))


@remembered(most=64, longest=20_000)
def plain_sentences(text: str) -> tuple[tuple[int, int], ...]:
    """(start, end) of every sentence or line, English and Chinese, without the blanks around it."""
    edges = [0, *(found.end() for found in _END.finditer(text)), len(text)]
    spans = ((start + len(text[start:end]) - len(text[start:end].lstrip()), end) for start, end in pairwise(edges))
    return tuple((start, start + len(text[start:end].rstrip())) for start, end in spans if text[start:end].strip())


def asks(text: str) -> bool:
    """Whether a text ends as a question does."""
    return text.rstrip().endswith(("?", "？"))


# --- turns of a dialogue ---------------------------------------------------------------------------------------------

_STAMP = r"(?:[\[(（【<][^\])）】>\n]{1,60}[\])）】>]|\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?|\d{4}[-/年][\d\-/月日 :]{4,20})"
_TURN = lazy_pattern(
    rf"\s*(?:{_STAMP}\s*[-–—]?\s*){{0,2}}(?:\*\*|__)?"
    r"(?P<name>[A-Z\u00c0-\u00de][\w.'’-]{0,30}(?: [A-Z\u00c0-\u00de][\w.'’-]{0,30}){0,3}|[\u4e00-\u9fff·]{1,12}(?:\s?[A-Za-z]{1,12})?"
    r"|user|assistant|system|human|tool|ai|speaker[ _]?\w{1,3})"
    r"(?:\s?[(（][^()（）\n]{1,40}[)）])?(?:\*\*|__)?\s?[:：](?:\*\*|__)?(?=\s|[^\s/\d\\])(?=[^\n]{0,80}?[^\W\d_])"
)
_LABELS = word_set(
    "title subject topic name page article note notes warning example examples source sources date time abstract summary",
    "question answer error result results output input url http https step figure table chapter section see ps re fwd to",
    "from cc attention important update tip returns raises args parameters arguments author authors keywords conclusion",
    "background introduction methods discussion references status version description type value key id hint",
)
PEOPLE = word_set(
    "joy faith hope grace angel art dean king major coach doctor teacher student agent customer user host guest judge mother",
    "father mom dad nurse player client officer reporter interviewer patient boss manager clerk driver waiter will may assistant system human tool ai bot",
)
_HAN_PEOPLE = lazy_pattern(
    r"客服|系统|[小老阿大].{1,2}$|.{1,3}[生师员长者人理客户手官警]$|[爸妈爷奶哥姐弟妹叔姨舅姑]{1,2}$|.*·|[甲乙丙丁]方?$|.*[哥姐叔姨总]$"
)
_HAN_LABELS = lazy_pattern(
    r".*(?:[题称址期间因果论法例下括是为说点性率量度式格项容能注意源码型料图表]|文章|内容|人员|方法)$"
)
_WINDOW = 200


def likely_speaker(text: str) -> str | None:
    """The name before the colon of a turn such as "[10:03] Caroline: Hey" or "小王：你好"; None when it is no turn."""
    found = _TURN.match(text[:_WINDOW])
    if found is None:
        return None
    name = found["name"]
    return name if _may_speak(name) else None


def _may_speak(name: str) -> bool:
    """False for labels and nouns that stand before a colon as well ("Note:", "Cycle Life:", "价格：")."""
    if name[0] > "\u2e80":
        if name[0] in SURNAMES or name[:2] in COMPOUND_SURNAMES:
            return len(name) <= 6 and not (_HAN_LABELS.match(name) and len(name) > 3)
        return bool(_HAN_PEOPLE.match(name)) and not _HAN_LABELS.match(name)
    words = name.lower().split()
    if words[0] in PEOPLE:
        return True
    return words[0] not in _LABELS and words[0] not in ENGLISH
