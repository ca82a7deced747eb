"""What a text is about: its title or heading, its speaker, and the subject of its first sentence."""

import re
from collections.abc import Iterator

from amb_core.text.chinese_names import chinese_subjects
from amb_core.text.common_words import is_common, is_opener
from amb_core.text.english_vocabulary import NICKNAMES, is_date_like
from amb_core.text.language import detect_language
from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.names import LETTER, UPPER, name_key
from amb_core.text.pure_cache import remembered
from amb_core.text.text_spans import dialogue_speaker, first_sentence

__all__ = ["about"]

_OPENING = 1_200
_LONGEST_PHRASE = 160
_ASIDE = lazy_pattern(r"\s*(?:[(（]((?:[^()（）]|[(（][^()（）]*[)）]){0,300})[)）]|\{[^{}\n]{0,80}\})")
_VERB = lazy_pattern(
    r" (?:is|was|are|were|has|had|have|refers?|means?|consists?|consisted|becomes?|became|begins?|began|takes?|took|"
    r"contains?|contained|includes?|included|represent(?:s|ed)?|participated|competed|serves?|served|features?|featured|"
    r"lies|lay|stands?|stood|comprises?|comprised|describes?|described|occurs?|occurred|covers?|covered|can|may|might|"
    r"will|would|could|should|must|do|does|did|dates?|made|makes?|won|plays?|played|bears?|encompass(?:es)?|remains?|"
    r"remained|originate[sd]|hosts?|hosted|said|says|announced|launched|released|publish(?:es|ed)|joined|founded|gets?|"
    r"got|goes|went|comes?|came|wrote|writes|leads?|led|uses?|used|supports?|supported|provides?|provided|works?|worked|"
    r"offers?|offered|runs?|ran|signed|died|lives?|lived|moved|grew|rose|fell|reached|reaches|reports?|reported|opened|"
    r"opens|closed|starts?|started|ends?|ended|appears?|appeared|involves?|involved|denotes?|belongs?|forms?|formed|"
    r"operates?|operated|produces?|produced|developed|develops|acquired|bought|sold|sells|employs|measures|weighs|"
    r"costs?|allows?|allowed|located|situated|teaches|taught|aired|premiered|focuses|explores|aims|seeks|shows|"
    r"(?<!, )(?:also|currently|formerly|originally|usually|often|commonly|sometimes|generally)|"
    r"[a-z]{2,12}ed(?= (?:for|to|by|in|on|at|the|an?|its|his|her|their|that|from|with|as|into|over|about|against|up|down)\b))"
    r"(?=[\s,.])"
)
_DEFINES = lazy_pattern(
    r" (?:is|was|are|were) (?:an?|the|any|one|defined|\d)\b| refers? to| means?\b| denotes?\b| consists?\b| occurs? when"
)
_NEVER = frozenset(
    "it he she they we you i this that these those there here what who which his her its their our your my what's it's "
    "following".split()
)
_NAMED = (
    r"(?:(?:also|better|best|formerly|originally|commonly|generally|often|sometimes|usually|simply|previously|widely|"
    r"popularly|professionally|officially|locally|now|later|informally|colloquially|alternatively|variously) )?"
    r"(?:known|called|named|nicknamed|abbreviated|titled|entitled|stylized|stylised|credited|billed|spelled|published|"
    r"referred to|marketed|branded|rendered|written|born|formerly|officially|originally|doing business|trading|aka|a\.k\.a\.|née|or)"
    r"(?: (?:professionally|simply|commonly|mononymously|collectively|by|as|to|in|his|her|their|its|the|stage|pen|ring|"
    r"birth|full|screen|nick|name|English|initials|acronym|mononym|moniker|title|under)){0,7},? "
)
_ALIAS = lazy_pattern(rf"\b{_NAMED}")
_TOKEN = r"[^\s,;()\"“”]*[^\s,;()\"“”.]\.?"
_LINK = r"(?:(?:of|the|and|de|la|von|van|for|in|on|&) ){0,2}"
_NAME_HERE = lazy_pattern(rf"[\"“']?((?:[Tt]he )?[{UPPER}](?:{_TOKEN})?(?: {_LINK}[{UPPER}\d](?:{_TOKEN})?){{0,7}})")
_BARE = lazy_pattern(rf"[{UPPER}][^\s,;:()]*(?: {_LINK}[{UPPER}\d][^\s,;:()]*){{0,7}}")
_RUN_ENDS = lazy_pattern(r" [a-z]|,|$")
_LEADING_RUN = lazy_pattern(
    rf"(?:The )?[{UPPER}][^\s,;:()]*(?: (?:of |& )?[{UPPER}\d][^\s,;:()]*){{1,7}}(?= (?:of the|against|for|from|at|in) )"
)
_TRAILING_RUN = lazy_pattern(
    rf" (?!(?:of|the|in|for|by|at|on|from|to|against|and|or|with) )[a-z][\w-]* "
    rf"([{UPPER}][^\s,;:()]*(?: {_LINK}[{UPPER}\d][^\s,;:()]*){{0,5}})$"
)
_LIFE = lazy_pattern(r"\b(?:born|died|c\.|circa|née|\d{4}\s?[–—-]|b\.|d\.)|\d{4}\s*$")
_NICKNAME = lazy_pattern(rf"(?<=[\w.]) [\"“]([^\"”]{{1,25}})[\"”] (?=[{UPPER}])")
_SUFFIX = lazy_pattern(
    r",? (?:Jr|Sr|[IVX]{2,4}|PhD|Ph\.D|MD|AM|OD|OBE|MBE|CBE|KBE|CMG|QC|MP|O\.F\.M|Inc|Ltd|LLC|Corp|Co|PLC|plc|GmbH|S\.A)\.?(?=,|$)"
)
_PARTICLES = frozenset(["of", "de", "the", "van", "von", "and", "in", "for", "&", "del", "da"])


def _tidy(phrase: str) -> str:
    return phrase.strip(" \t\r\n\"“”'‘’,;:*_-–—")


def _is_name(phrase: str, *, defined: bool) -> bool:
    """True when the noun phrase names something: written with capitals, quoted, or defined by its sentence."""
    if phrase[:1] in '"“' and len(phrase) > 3:
        return True
    words = re.findall(rf"{LETTER}[^\s]*", phrase)
    if not words or len(words) > 14 or _NEVER & {words[0].lower(), phrase.lower().split()[-1]}:
        return defined and len(words) > 1 and words[-1][0].isupper()
    if is_opener(words[0]) and words[0].lower() not in ("the", "a", "an"):
        return defined and (len(words) == 1 or words[-1][0].isupper())
    if any(word[0].isupper() for word in words[1:]):
        return True
    return defined or not is_common(words[0]) or any(char.isupper() or char.isdigit() for char in phrase[1:])


def _person_forms(name: str) -> list[str]:
    """Shorter forms a person's full name is usually mentioned by, the usual one first."""
    nickname = _NICKNAME.search(name)
    plain = _NICKNAME.sub(" ", name).strip()
    while (shorter := _SUFFIX.sub("", plain)) != plain:
        plain = shorter
    words = plain.split()
    forms = [f"{nickname[1].rstrip(',')} {words[-1]}"] if nickname and len(words) > 1 else []
    if nick := NICKNAMES.get(words[0]) if len(words) > 1 else None:
        forms.append(f"{nick} {words[-1]}")
    if 2 < len(words) <= 5 and not _PARTICLES & set(words):
        return [f"{words[0]} {words[-1]}", *forms, f"{words[1]} {words[-1]}"]
    return [plain, *forms] if plain != name else forms


def _forms(main: str, *, is_person: bool) -> tuple[list[str], list[str]]:
    """The subject as written with the likeliest short form, and the less likely ones."""
    choices = main.split(" or ")
    if len(choices) == 2 and all(choice and _is_name(choice, defined=True) for choice in choices):
        return choices, []
    if is_person or _SUFFIX.search(main):
        forms = _person_forms(main)
        return [main, *forms[:1]], forms[1:]
    parts = [found[1]] if (found := _TRAILING_RUN.search(main, 1)) else []
    _, mark, owned = main.partition("'s ")
    if mark and len(owned.split()) > 1:
        parts.append(owned)
    if run := _LEADING_RUN.match(main):
        parts.append(run.group())
    return [main, *parts], []


def _aliases(phrase: str, asides: list[str]) -> Iterator[str]:
    """Other names given in the noun phrase: "also known as …", "(or …)", "(ABC)"."""
    for source in (*asides, phrase + " "):
        for found in _ALIAS.finditer(source):
            if name := _NAME_HERE.match(source, found.end()):
                yield name[1]
    for aside in asides:
        bare = _BARE.fullmatch(aside.strip().strip('"“”'))
        if bare and not _LIFE.search(aside):
            yield bare.group()


def _main_verb(flat: str) -> re.Match[str] | None:
    """The first verb outside a leading quotation."""
    closing = {'"': '"', "“": "”"}.get(flat[:1])
    return _VERB.search(flat, max(1, flat.find(closing, 1)) if closing else 1)


def _noun_phrase(flat: str, *, spoken: bool) -> tuple[str, bool]:
    """The words before the verb, and whether the verb defines them ("X is a …")."""
    verb = _main_verb(flat)
    phrase = re.split(r"[;\n(]| [—–] ", flat[: verb.start()], maxsplit=1)[0] if verb else ""
    if phrase and len(phrase) <= _LONGEST_PHRASE:
        return phrase.strip(), bool(verb and _DEFINES.match(flat, verb.start()))
    run = None if spoken else _BARE.match(flat.removeprefix("The "))
    if run is None or not _RUN_ENDS.match(flat.removeprefix("The "), run.end()):
        return "", False
    if " " not in run.group() and re.match(r" [a-z]+(?<!s)(?<!ed) ", flat.removeprefix("The ")[run.end() :]):
        return "", False
    return run.group(), False


def _candidates(sentence: str, *, spoken: bool) -> Iterator[str]:
    found = list(_ASIDE.finditer(sentence[:600]))
    flat = first_sentence(_ASIDE.sub("", sentence[:900]))
    phrase, defined = _noun_phrase(flat, spoken=spoken)
    reach = len(phrase) + sum(len(aside.group()) for aside in found[:3]) + 3
    asides = [aside[1] for aside in found[:3] if aside[1] and aside.start() <= reach]
    main, *others = _SUFFIX.sub(lambda suffix: suffix.group().replace(",", "", 1), phrase).split(", ")
    main = main.split(" who ", 1)[0]
    if not main or not _is_name(main, defined=defined):
        if run := _TRAILING_RUN.search(f" {main}"):
            yield run[1]
        return
    is_person = any(_LIFE.search(aside) for aside in asides[:2]) or bool(_NICKNAME.search(main))
    likely, unlikely = _forms(main, is_person=is_person)
    yield from likely
    if others and not _ALIAS.match(others[0] + " "):
        starts = [part.removeprefix("and ").removeprefix("or ").removeprefix("the ")[:1] for part in others]
        if all(start.isupper() or start.isdigit() for start in starts):
            yield phrase
    yield from _aliases(phrase, asides)
    yield from unlikely


def _english_subjects(body: str, *, spoken: bool = False) -> Iterator[str]:
    """Names of the first sentence's subject, the surest first; nothing when its subject is no name.

    In `spoken` text, which starts with calls and exclamations, only the subject of a verb counts.
    """
    sentence = body.lstrip(" \t\r\n*_>#-•")[:_OPENING].replace("**", "").replace("'''", "")
    for name in _candidates(sentence, spoken=spoken):
        tidy = _tidy(name)
        if tidy and not is_date_like(tidy):
            yield tidy


_WINDOW = 2_000
_MOST = 3
_LABEL = re.compile(
    r"\s*(?:title|subject|topic|name|page|article|标题|题目|主题|名称|词条)\s*[:：]\s*(\S[^\n]{0,150})", re.IGNORECASE
)
_JSON = re.compile(r"\s*[\[{].{0,200}?\"(?:title|name|topic|subject)\"\s*:\s*\"([^\"\n]{1,150})\"", re.DOTALL)
_HEADING = re.compile(r"\s*#{1,6}[ \t]+(\S[^\n]{0,150})")
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
        names.append(speaker)
        rest = body[body.find(speaker) + len(speaker) + 1 :]
    if detect_language(rest[:200]) == "zh":
        names.extend(chinese_subjects(rest.lstrip()))
    else:
        names.extend(_english_subjects(rest, spoken=speaker is not None))
    unique: dict[str, str] = {}
    for name in names:
        if (key := name_key(name)) and len(name) > 1:
            unique.setdefault(key, name)
    return tuple(unique.values())[:_MOST]
