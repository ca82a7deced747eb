"""What a text is about: its title or heading, its speaker, and the subject of its first sentence."""

import re

from amb_core.text.chinese_about import chinese_subjects
from amb_core.text.dialogue import dialogue_speaker
from amb_core.text.english_subjects import english_subjects
from amb_core.text.language import detect_language
from amb_core.text.names import name_key
from amb_core.text.pure_cache import remembered

__all__ = ["about"]

_WINDOW = 2_000
_MOST = 3
_LABEL = re.compile(
    r"\s*(?:title|subject|topic|name|page|article|标题|题目|主题|名称|词条)\s*[:：]\s*(\S[^\n]{0,150})", re.IGNORECASE
)
_JSON = re.compile(r"\s*[\[{].{0,200}?\"(?:title|name|topic|subject)\"\s*:\s*\"([^\"\n]{1,150})\"", re.DOTALL)
_HEADING = re.compile(r"\s*#{1,6}[ \t]+(\S[^\n]{0,150})")
_COLON_IN_NAME = re.compile(
    r"([^:\n]{1,60}: (?:The |A |An )?[A-Z][\w'’-]*(?: (?:of|the|a|and|in|for|to|&|[A-Z\d][\w'’-]*))+)(?= \(| (?:is|was) (?:an?|the|\d))"
    r"|([^，。（(是：\n]{2,12}：[^，。（(是：\n]{2,16})(?=[（(])"
)
_ENDS_SENTENCE = tuple(".!?。！？，,；;：:")
_LONGEST_TITLE = 100


def _title(body: str) -> tuple[str | None, str]:
    """The title a text carries above or before its prose, and the text after it."""
    for pattern in (_LABEL, _HEADING):
        if found := pattern.match(body):
            return found[1].strip(" #*\t\r"), body[found.end() :]
    if found := _JSON.match(body[:600]):
        return found[1], ""
    first, _, rest = body.partition("\n")
    line = first.strip().strip("*_= ")
    if not rest.strip() or not 0 < len(line) <= _LONGEST_TITLE or line.endswith(_ENDS_SENTENCE):
        return None, body
    if line[0] in "-*|<{[(>" or len(line.split()) > 14 or dialogue_speaker(line):
        return None, body
    return line, rest


@remembered(most=64, longest=20_000)
def about(text: str) -> tuple[str, ...]:
    """Names the text is about, best first, at most three; each is written as the text writes it."""
    body = text.lstrip("\ufeff \t\r\n")[:_WINDOW]
    title, rest = _title(body)
    names = [title] if title else []
    speaker = None if title else dialogue_speaker(body)
    if speaker:
        whole = _COLON_IN_NAME.match(body)
        names.extend([speaker, whole[1] or whole[2]] if whole else [speaker])
        rest = body[body.find(speaker) + len(speaker) + 1 :]
    if detect_language(rest[:200]) == "zh":
        names.extend(chinese_subjects(rest.lstrip()))
    else:
        names.extend(english_subjects(rest, spoken=speaker is not None))
    unique: dict[str, str] = {}
    for name in names:
        if (key := name_key(name)) and len(name) > 1:
            unique.setdefault(key, name)
    return tuple(unique.values())[:_MOST]
