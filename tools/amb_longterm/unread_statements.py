"""What is kept of a message in a language that nothing here reads: each sentence that can be a statement, as it is.

English and Chinese are read for what a sentence does. In any other language only its form tells: a question, a
greeting, code and what is handed on are left out, and so is a request that says please; the rest is kept, and stands
behind what was read.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from amb_core.text import sentences
from amb_core.text.english_vocabulary import ENGLISH_STOP

__all__ = ["UNREAD", "is_of_himself", "is_read", "unread_sentences"]

UNREAD = "unread"
"""The tag of what was kept unread and does not say in a known way that it is of the user."""
_KANA, _HAN = re.compile("[\u3040-\u30ff]"), re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"\b[^\W\d_]+(?:['’][^\W\d_]+)*\b")
_ENDS = re.compile(r"(?<=[.!?。！？؟।۔…])\s+|\n+|(?<=[。！？؟।۔])")
_ELSEWHERE = frozenset(
    "a am an as at be by do he her his i if in is it let me most no not of on or over per so to was we were us has had "
    "here all any are can even down like may mine more now once out own same some still such than then those through "
    "too up very s t d ll m o re ve".split()
)
"""English words that other languages have as well, or nearly so."""
_STRONG, _KNOWN, _KNOWN_BARE, _SHORT = 0.1, 0.6, 0.4, 4
"""The share of English function words, or of words that are listened for, of a text that is English, also of one that
does not say "I" in another language; one of fewer words than the last number is taken for English then."""
_MOST, _LONGEST, _LEAST_WORDS, _LEAST_CHARS = 4, 300, 3, 7
_FORM = re.compile(
    r"[?？؟`{}<>|=]|https?:|\w\.[a-z]{2,4}\b(?!\s)|\w_\w|\w\(\)|(?:か|かな|の|ですか|ますか)[。.]?$|[:：]\s*$"
)
_HANDED_ON = re.compile(r"[:：]\s*\n")
_ASKS = re.compile(
    r"(?i)\b(?:bitte|por favor|s['’]il (?:vous|te) pla[iî]t|svp|stp|per favore|per piacere|alsjeblieft|alstublieft"
    r"|prosz[eę]|prosím|lütfen|tolong|vänligen|snälla|vennligst|venligst|ole hyvä|kérem|kérlek"
    r"|пожалуйста|будь ласка|молим|xin hãy|làm ơn)\b"
    r"|من فضلك|لو سمحت|رجاء|ください|下さい|お願い|教えて|して[。!！]?$|主세요|주세요|해\s?줘|알려\s?줘|कृपया|โปรด|กรุณา"
)
_OF_HIMSELF = re.compile(
    r"(?i)\b(?:ich|mein\w{0,2}|wir|unser\w{0,2}|yo|mi|mis|nosotr[oa]s|nuestr[oa]s?|je|j['’]\w+|mon|ma|mes|nous|notre|nos"
    r"|io|mio|mia|miei|mie|noi|nostr[oaie]|eu|meus?|minhas?|nós|noss[oa]s?|ik|mijn|wij|ons|onze|jag|mitt|mina|vår|jeg|mit|mine|vores|vi|minä|minun"
    r"|mój|moja|moje|mam|jestem|můj|jsem|ben|benim|biz|bizim|saya|aku|kami|tôi|eu|meu"
    r"|\w+(?:yorum|ıyım|iyim|uyum|üyüm|dım|dim|dum|düm|tım|tim)|я|мой|моя|моё|мои|мы|наш\w{0,2}|мен|менің|мій|ја|мој)\b"
    r"|^\W*(?:\w+[^aeiou\W]o|vivo|soy|estoy|sono|ho|sou|estou)\b|^\W*أ\w+|\bأنا\b|\b(?:لدي|عندي|لي)\b|私|僕|俺|わたし|ぼく|うちの|我が|(?:ています|ました|です|だ|たい|ない|好き)。?$"
    r"|(?:^|\s)(?:나|난|나는|내|내가|저|저는|제|제가|우리)(?=\s|[은는이가의도])|मैं|मेर[ाीे]|ฉัน|ผม"
)
"""What says in some larger languages that a sentence is about who speaks; those without it are kept too, behind those
that have it."""
_BEGIN = re.compile(r"(?:\S+\s+){0,2}\S+")


@cache
def _listened_for() -> frozenset[str]:
    """The English words that the cues and lists of this package have, and the function words."""
    place = files("amb_longterm")
    text = "".join(place.joinpath(name).read_text("utf-8") for name in ("routing_cues.txt", "everyday_words.txt"))
    return frozenset(re.findall(r"(?<![a-z\\])[a-z]{3,}", text)) | ENGLISH_STOP


def is_read(text: str) -> bool:
    """Whether a text is in a language whose statements are told from requests: English or Chinese."""
    words = [word.casefold().partition("’")[0].partition("'")[0] for word in _WORD.findall(text)]
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    if kana:
        return 8 * kana < han
    latin = [word for word in words if all(ord(letter) < 0x250 for letter in word)]
    if han:
        return han >= len(latin) / 4 or is_read(_HAN.sub(" ", text))
    if not words or len(latin) < len(words) / 2:
        return not words
    strong = sum(word in ENGLISH_STOP and word not in _ELSEWHERE for word in words)
    known = sum(word in _listened_for() for word in words)
    if len(words) < _SHORT and not is_of_himself(text):
        return all(word.isascii() for word in words)
    known_enough = _KNOWN if is_of_himself(text) else _KNOWN_BARE
    return strong >= _STRONG * len(words) or known >= known_enough * len(words)


def is_of_himself(text: str) -> bool:
    """Whether a sentence in some other language says "I" or "my", as far as that is known."""
    begin = _BEGIN.match(text)
    return _OF_HIMSELF.search(begin[0] if begin and text[:1].isalpha() and not _KANA.search(text) else text) is not None


def unread_sentences(talk: str) -> list[str]:
    """The sentences of a user's own words that may be statements, at most four."""
    own = _HANDED_ON.split(talk)[0]
    parts = [part.strip() for sentence in sentences(own) for part in _ENDS.split(sentence) if part.strip()]
    return [part for part in parts if _may_state(part)][:_MOST]


def _may_state(part: str) -> bool:
    if len(part) > _LONGEST or _FORM.search(part) or _ASKS.search(part):
        return False
    if not is_of_himself(part.partition(":")[0]) and ": " in part:
        return False  # what stands behind it is handed on
    words, is_his = _WORD.findall(part), is_of_himself(part)
    if _KANA.search(part) or _HAN.search(part):
        return len(part) >= (_LEAST_CHARS if is_his else 2 * _LEAST_CHARS)
    is_latin = all(ord(letter) < 0x250 for letter in part)
    return len(words) >= _LEAST_WORDS + 2 * (part.endswith(("!", "！")) or (is_latin and not is_his))
