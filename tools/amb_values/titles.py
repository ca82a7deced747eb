"""What a text is about: its title or heading, its speaker, and the subject of its first sentence."""

import re
from collections.abc import Iterator

from amb_core.text.language import detect_language
from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import remembered
from amb_values.capital_runs import UPPER
from amb_values.common_words import is_common, is_opener
from amb_values.english_data import is_date_like
from amb_values.names import name_key
from amb_values.speakers import dialogue_speaker
from amb_values.text_parts import first_sentence

__all__ = ["about", "is_plain_phrase"]

_WINDOW, _OPENING, _MOST = 2_000, 900, 3
_LONGEST_TITLE, _LONGEST_SUBJECT = 100, 100
_LABEL = lazy_pattern(
    r"\s*(?:(?:title|subject|topic|name|page|article|标题|题目|主题|名称|词条)\s*[:：]\s*|#{1,6}[ \t]+)(\S[^\n]{0,150})",
    re.IGNORECASE,
)
_JSON = lazy_pattern(r"\s*[\[{].{0,200}?\"(?:title|name|topic|subject)\"\s*:\s*\"([^\"\n]{1,150})\"", re.DOTALL)
_ENDS_SENTENCE = tuple(".!?。！？，,；;：:")
_ASIDE = lazy_pattern(r"\s*(?:[(（]((?:[^()（）\n]|[(（][^()（）\n]*[)）]){0,300})[)）]|\{[^{}\n]{0,80}\})")
_DEFINES = r"(?:is|was|are|were|means?|refers?)"
_VERB = lazy_pattern(
    rf" (?:{_DEFINES}|has|had|have|may|can|will|became|began|took|lies|stands|contains?|includes?|consists?)(?=[\s,.])"
    r"|, (?:also|better|formerly|originally|who|which) "
)
_OTHER_VERB = lazy_pattern(r" (?:[a-z]{2,12}ed|[a-z]{3,13}[^s\W]s)(?=[\s,.])")
_GOES_ON = lazy_pattern(rf", (?:the )?[{UPPER}\d][^,]*$")
_NEVER = frozenset(
    "it he she they we you i this that these those there here what who which its his her their our my".split()
)
_NAME = rf"(?:The )?[{UPPER}\d][^\s,;:()]*(?: (?:(?:of|the|and|de|la|von|van|for|in|&) ){{0,2}}[{UPPER}\d][^\s,;:()]*){{0,7}}"
_ALIAS = lazy_pattern(
    r"(?:known|called|named|name was|titled|abbreviated|spelled|referred to|credited|billed|nicknamed|or|born|aka)"
    rf"(?: (?:as|to|by|[a-z]{{3,12}}ly|h(?:is|er)|the|[a-z]+ name)){{0,5}},? [\"“]?({_NAME})"
)
_BARE = lazy_pattern(_NAME)
_NICKNAME = lazy_pattern(rf" [\"“]([^\"”]{{1,25}})[\"”] (?=[{UPPER}])")
_LIFE = lazy_pattern(r"\b(?:born|died|c\.)|\d{4}\s?[–—-]|[–—-]\s?\d{4}|\d{4}$")
_EDGES = " \t\r\n\"“”'‘’「」『』《》,;:*_#-–—"


def _title(body: str) -> tuple[str, str]:
    """The title a text carries above or before its prose, and the text after it."""
    if found := _LABEL.match(body):
        return found[1].strip(_EDGES), body[found.end() :]
    if found := _JSON.match(body[:600]):
        return found[1], ""
    first, _, rest = body.partition("\n")
    line = first.strip().strip("*_= ")
    if not rest.strip() or not 0 < len(line) <= _LONGEST_TITLE or line.endswith(_ENDS_SENTENCE):
        return "", body
    if line[0] in "-*|<{[(>" or len(line.split()) > 14 or dialogue_speaker(line):
        return "", body
    return line, rest


def _english_subjects(body: str) -> Iterator[str]:
    """The words before the first verb where they are a name, its short form, and other names given beside it."""
    opening = body.lstrip(" \t\r\n*_>#-•")[:_OPENING].replace("**", "")
    asides = _ASIDE.findall(opening[:400])
    flat = first_sentence(_ASIDE.sub("", opening))
    quoted = max(1, flat.find('"', 1)) if flat[:1] == '"' else 1
    verb = _VERB.search(flat, quoted, quoted + _LONGEST_SUBJECT) or _OTHER_VERB.search(flat, quoted)
    phrase = flat[: verb.start()] if verb else ""
    names = [part.strip(_EDGES) for part in phrase.split(", ")[0].split(" or ")]
    defined = verb is not None and re.match(rf" {_DEFINES} (?:an?|the)\b", flat[verb.start() :]) is not None
    names = [name for name in names if phrase[:1] in '"“' or _is_name(name, defined=defined)]
    yield from names
    if names and _GOES_ON.search(phrase):
        yield phrase
    for name in names[:1]:
        yield from _short_forms(name, is_person=any(map(_LIFE.search, asides[:2])))
    reach = len(phrase) + 80
    for source in (*asides[:2], flat[:reach]) if names else ():
        yield from (found[1] for found in _ALIAS.finditer(source))
    yield from (aside for aside in asides[:2] if phrase and _BARE.fullmatch(aside) and not _LIFE.search(aside))
    if not names and len(phrase) <= _LONGEST_SUBJECT and phrase.replace(" ", "").isalnum():
        runs = [run.group() for run in _BARE.finditer(phrase)]
        yield from (run for run in reversed(runs) if not is_opener(run.split()[0]) or " " in run)


def _is_name(phrase: str, *, defined: bool) -> bool:
    """Whether the words before a verb name something: written with capitals, or defined by their sentence."""
    words = phrase.split()
    if not words or len(phrase) > _LONGEST_SUBJECT or {words[0].lower(), words[-1].lower()} & _NEVER:
        return False
    if words[0].lower() not in ("the", "a", "an") and is_opener(words[0]) and not defined:
        return False
    return defined or any(word[0].isupper() for word in words[1:]) or not is_common(words[0])


def _short_forms(name: str, *, is_person: bool) -> Iterator[str]:
    nickname = _NICKNAME.search(name)
    words = _NICKNAME.sub(" ", name).split()
    if nickname:
        yield f"{nickname[1]} {words[-1]}"
    if is_person and len(words) > 2:
        yield from (f"{words[0]} {words[-1]}", f"{words[1]} {words[-1]}")


_CHINESE_WHEN = lazy_pattern(
    r"(?:[在于自当]|由于|根据|随着)[^，。]{1,25}?[中时后前上下里内年月日来]，|\d{2,4}年[^，。]{0,8}，"
)
_CHINESE_ENDS = lazy_pattern(
    r"[（(，。；：！？、\n已将会可不能]|[是为指在于](?=[\u4e00-\u9fff（(\d])|有(?![限机色线])|位[于处]|坐落|又[名称]|简称|即(?!将)|[周今昨明][一二三四五六日天年]|"
    r"表示|宣布|认为|指出|通常|达到|超过|获得|推出|成立|拥有|包[括含]|由(?=[\u4e00-\u9fff])|的(?=[\u4e00-\u9fff])"
)
_CHINESE_ALIAS = lazy_pattern(
    r"(?:又[名称译作]为?|也[叫称]|简称为?|别[名称]|俗称|原名|全名|本名|艺名|英文名?)[:：为是]?([^，。；、（）()\n]{2,30})"
)
_PRONOUN = lazy_pattern(r"[他她它我你您这那此该本其有各某每]|目前|现在|今天|昨天|但|如果|因为|所以|虽然|一[个种位名]")


def _chinese_subjects(body: str) -> Iterator[str]:
    """The words before the first verb or mark of a Chinese text, and other names given in its first sentence."""
    sentence = re.split(r"[。\n]", body.lstrip()[:500], maxsplit=1)[0]
    when = _CHINESE_WHEN.match(sentence)
    start = when.end() if when else 0
    if titled := re.match(r"[《〈]([^》〉]{1,40})[》〉]", sentence[start:]):
        head, start = titled[1], start + titled.end()
    else:
        ends = _CHINESE_ENDS.search(sentence, start + 2, start + 80)
        head = sentence[start : ends.start()].strip(_EDGES) if ends else ""
        start += len(head)
    if not 2 <= len(head) <= 40 or _PRONOUN.match(head):
        return
    yield head
    parts = head.split("·")
    if len(parts) > 2:
        yield f"{parts[0]}·{parts[-1]}"
    if (short := re.sub(r"(?:股份|控股)?(?:有限)?(?:责任)?公司$", "", head, count=1)) != head and short:
        yield short
    yield from (found[1].strip(_EDGES) for found in _CHINESE_ALIAS.finditer(sentence, start))
    if latin := re.match(r"[（(]([A-Za-zÀ-ɏ][\wÀ-ɏ.'’ -]{1,60}[\w.])", sentence[start:]):
        yield latin[1]


def is_plain_phrase(words: str) -> bool:
    """Whether Chinese words have no verb or mark among them: a thing, and what of it is told (海燕水库坝高)."""
    return len(words) > 1 and not _CHINESE_ENDS.search(f"{words}0", 2) and not _PRONOUN.match(words)


@remembered(most=64, longest=20_000)
def about(text: str) -> tuple[str, ...]:
    """Names the text is about, best first, at most three; each is written as the text writes it."""
    body = text.lstrip("\ufeff \t\r\n")[:_WINDOW]
    title, rest = _title(body)
    speaker = "" if title else dialogue_speaker(body) or ""
    names = [title or speaker]
    if not speaker:
        chinese = detect_language(rest[:200]) == "zh"
        names.extend(_chinese_subjects(rest) if chinese else _english_subjects(rest))
    unique: dict[str, str] = {}
    for name in names:
        if (key := name_key(name)) and len(name) > 1 and not is_date_like(name):
            unique.setdefault(key, name)
    return tuple(unique.values())[:_MOST]
