"""What a text is about: its title or heading, its speaker, and the subject of its first sentence."""

import re
from collections.abc import Iterator

from amb_core.text.chinese_about import chinese_subjects
from amb_core.text.common_words import is_common, is_opener
from amb_core.text.dialogue import dialogue_speaker
from amb_core.text.language import detect_language
from amb_core.text.names import LETTER, UPPER, name_key

__all__ = ["about"]

_WINDOW = 2_000
_MOST = 3
_LABEL = re.compile(r"\s*(?:title|subject|topic|name|page|article|标题|题目|主题|名称|词条)\s*[:：]\s*(\S[^\n]{0,150})", re.IGNORECASE)
_JSON = re.compile(r"\s*[\[{].{0,200}?\"(?:title|name|topic|subject)\"\s*:\s*\"([^\"\n]{1,150})\"", re.DOTALL)
_HEADING = re.compile(r"\s*#{1,6}[ \t]+(\S[^\n]{0,150})")
_ENDS_SENTENCE = (".", "!", "?", "。", "！", "？", "，", ",", "；", ";", "：", ":")

_ADVERBIAL = re.compile(
    r"(?:In|On|At|According to|Since|During|For|As|By|After|Before|When|While|Until|From|Under|Within|Every|Among|With|To|"
    r"Throughout|Although|Though|Despite|Because|Originally|Today|Currently|Historically|However|Also)\b[^,.]{0,120}"
    r"(?:, \d[^,.]{0,40})?, "
)
_PARENTHESIS = re.compile(r"\s*[(（]((?:[^()（）]|[(（][^()（）]*[)）]){0,300})[)）]")
_VERB = re.compile(
    r" (?:is|was|are|were|has|had|have|refers?|means?|consists?|consisted|became|becomes|began|took|takes|contains?|"
    r"contained|includes?|included|represent(?:s|ed)?|participated|competed|serves?|served|features?|featured|lies|lay|"
    r"stands?|stood|comprises?|comprised|describes?|described|occurs?|occurred|covers?|covered|can|may|might|will|would|"
    r"could|should|must|do|does|did|dates?|made|makes?|won|plays?|played|bears?|encompass(?:es)?|remains?|remained|"
    r"originated|began|begins|hosts?|hosted|said|says|announced|launched|released|publish(?:es|ed)|joined|founded|got|"
    r"gets?|went|goes|came|comes|wrote|writes|led|leads|uses?|used|supports?|supported|provides?|provided|works?|worked|"
    r"offers?|offered|runs?|ran|signed|died|lived|lives|moved|grew|rose|fell|reached|reaches|reported|reports|opened|"
    r"opens|closed|started|starts|ended|ends|appears?|appeared|involves?|involved|denotes?|belongs?|forms?|formed|"
    r"operates?|operated|produces?|produced|developed|develops|acquired|bought|sold|sells|employs|measures|weighs|costs?|"
    r"located|situated|also|currently|formerly|originally|usually|often|commonly|sometimes)(?=[\s,.])"
)
_DEFINES = re.compile(r" (?:is|was|are|were) (?:an?|the|any|one)\b| refers? to| means?\b| denotes?\b| consists?\b| occurs? when")
_ALIAS = re.compile(
    r"\b(?:(?:also|better|best|formerly|originally|commonly|generally|often|sometimes|usually|simply|previously|widely|"
    r"popularly|professionally|officially|locally|now|later|informally|colloquially|alternatively) )?"
    r"(?:known|called|named|nicknamed|abbreviated|titled|entitled|stylized|stylised|credited|billed|spelled|published|"
    r"referred to|marketed|branded|rendered|written|born|formerly|officially|originally|or)"
    r"(?: (?:professionally|simply|commonly|mononymously|collectively|by|as|to|in|his|her|their|its|the|stage|pen|ring|"
    r"birth|full|screen|nick|name|English|initials|acronym|mononym|moniker|title|under)){0,7},? "
)
_NAME_HERE = re.compile(
    rf"[\"“']?((?:The |the )?[{UPPER}\d][^\s,;()\"“”]*(?: (?:(?:of|the|and|de|la|von|van|for|in|on|&) ){{0,2}}[{UPPER}\d][^\s,;()\"“”]*){{0,7}})"
)
_BARE = re.compile(rf"[{UPPER}][^\s,;:()]*(?: (?:(?:of|the|and|de|for|in|&) ){{0,2}}[{UPPER}\d][^\s,;:()]*){{0,5}}")
_LIFE = re.compile(r"\b(?:born|died|c\.|circa|née|\d{4}\s?[–—-]|b\.|d\.)|\d{4}\s*$")
_NICKNAME = re.compile(r"\s?[\"“]([^\"”]{1,25})[\"”]\s?")
_SUFFIX = re.compile(r",? (?:Jr|Sr|II|III|IV|PhD|Ph\.D|MD|AM|OBE|MBE|CBE|KBE|O\.F\.M)\.?$")
_RANK = re.compile(
    r"(?:Sir|Dame|Lord|Lady|Captain|Major|General|Colonel|Lieutenant|Dr\.|Prof\.|Professor|Mr\.|Mrs\.|Ms\.|President|Saint|"
    r"St\.|Rev\.|Reverend|King|Queen|Prince|Princess|Sayyid|Sheikh|Admiral|Commander|Sergeant|Senator|Doctor) "
)


def _label(body: str) -> tuple[str | None, str]:
    """The title a text carries above or before its prose, and the text after it."""
    for pattern in (_LABEL, _HEADING):
        if found := pattern.match(body):
            return found[1].strip(" #*\t\r"), body[found.end() :]
    if found := _JSON.match(body[:600]):
        return found[1], ""
    first, _, rest = body.lstrip().partition("\n")
    line = first.strip().strip("*_= ")
    if not rest.strip() or not 0 < len(line) <= 100 or line.endswith(_ENDS_SENTENCE) or line[0] in "-*|<{[(0123456789":
        return None, body
    if len(line.split()) > 14 or _VERB.search(line.rstrip()) is not None:
        return None, body
    return line, rest


def _person(name: str) -> Iterator[str]:
    """Shorter forms a person's full name is usually mentioned by."""
    nickname = _NICKNAME.search(name)
    plain = _RANK.sub("", _SUFFIX.sub("", _NICKNAME.sub(" ", name).strip()), count=1)
    words = plain.split()
    if nickname and len(words) > 1:
        yield f"{nickname[1].rstrip(',')} {words[-1]}"
    if 2 < len(words) <= 5 and not {"of", "de", "the", "van", "von"} & set(words):
        yield f"{words[0]} {words[-1]}"
        yield f"{words[1]} {words[-1]}"
    elif plain != name:
        yield plain


def _is_name(phrase: str, *, defined: bool) -> bool:
    words = re.findall(rf"{LETTER}[^\s]*", phrase)
    if not words or len(words) > 14 or (is_opener(words[0]) and words[0].lower() not in ("the", "a", "an")):
        return False
    if any(word[0].isupper() for word in words[1:]) or phrase[0] in "\"“":
        return True
    return defined or not is_common(words[0]) or any(char.isupper() or char.isdigit() for char in phrase[1:])


def _tidy(phrase: str) -> str:
    return phrase.strip(" \t\r\n\"“”'‘’,;:*_-–—").removesuffix("'s")


def _subject(sentence: str) -> Iterator[str]:
    """Names in the noun phrase before the verb of an English sentence, the most complete first."""
    asides = [found for found in _PARENTHESIS.finditer(sentence[:600])]
    flat = _PARENTHESIS.sub("", sentence[:900])
    verb = _VERB.search(flat)
    phrase = flat[: verb.start()] if verb else ""
    if not phrase or len(phrase) > 160 or "\n" in phrase:
        start = _BARE.match(flat.removeprefix("The "))
        phrase = start.group() if start else ""
    defined = bool(verb and _DEFINES.match(flat, verb.start()))
    main, *others = phrase.split(", ")
    if not main or not _is_name(main, defined=defined):
        return
    yield from _forms(main, is_person=any(_LIFE.search(aside[1]) for aside in asides[:2]) or bool(_NICKNAME.search(main)))
    if others and all(part and (part[0].isupper() or part[0].isdigit() or part.startswith(("the ", "and ", "or "))) for part in others):
        if not _ALIAS.match(others[0] + " "):
            yield _tidy(phrase)
    yield from _aliases(phrase, flat, [aside[1] for aside in asides[:3]])


def _forms(main: str, *, is_person: bool) -> Iterator[str]:
    choices = main.split(" or ")
    if len(choices) == 2 and all(choice and _is_name(choice, defined=True) for choice in choices):
        yield from (_tidy(choice) for choice in choices)
        return
    yield _tidy(main)
    if is_person or _RANK.match(main) or _SUFFIX.search(main):
        yield from (_tidy(form) for form in _person(main))


def _aliases(phrase: str, flat: str, asides: list[str]) -> Iterator[str]:
    for source in (*asides, flat[:400]):
        for found in _ALIAS.finditer(source):
            if name := _NAME_HERE.match(source, found.end()):
                yield _tidy(name[1])
    for aside in asides:
        bare = _BARE.fullmatch(aside.strip().strip("\"“”"))
        if bare and not _LIFE.search(aside):
            yield _tidy(bare.group())


def _english_subjects(body: str) -> Iterator[str]:
    sentence = body.lstrip(" \t\r\n*_>#-•")[:1_200]
    for _ in range(2):
        if skipped := _ADVERBIAL.match(sentence):
            sentence = sentence[skipped.end() :]
    yield from _subject(sentence)


def about(text: str) -> tuple[str, ...]:
    """Names the text is about, best first, at most three; a name is written as the text writes it."""
    body = text.lstrip("\ufeff \t\r\n")[:_WINDOW]
    names: list[str] = []
    title, rest = _label(body)
    if title:
        names.append(title)
    elif speaker := dialogue_speaker(body):
        names.append(speaker)
        rest = body[body.find(speaker) + len(speaker) + 1 :]
    subjects = chinese_subjects if detect_language(rest[:200]) == "zh" else _english_subjects
    names.extend(subjects(rest.lstrip()))
    unique: dict[str, str] = {}
    for name in names:
        if (key := name_key(name)) and len(name) > 1:
            unique.setdefault(key, name)
    return tuple(unique.values())[:_MOST]
