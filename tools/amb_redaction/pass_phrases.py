"""Pass phrases: several words, or Chinese ones, behind a word that names a password and a mark or verb that gives it.

What is said *about* a password stands at the same place ("is stored in the vault", 密码是由字母组成的). It has words of
grammar or of the form of passwords in it, and a phrase that was made up to be remembered has none.
"""

from __future__ import annotations

import re

__all__ = ["OF_PHRASES", "pass_phrase"]

OF_PHRASES = frozenset("password passphrase passcode passwort 密码 密碼 口令 密语 暗号".split())
"""The names that several words may follow."""
_GIVEN = re.compile(
    r"s?(?:[ _]?\d)?[\"'”’)\]]{0,2}(?P<whose>\s(?:for|of|to|on|at)\s(?:[\w'’-]{1,20}\s){1,4}?)?"
    r"\s{0,2}(?:(?P<mark>[:=]|=>|:=)|(?<=\s)(?:is|was)(?=\s)|(?:已?(?:改|换|设|设置)?(?:为|成)|就?是)\s?:?)\s{0,2}"
)
_QUOTED = re.compile(r"\"([^\"\n]{5,120})\"|'([^'\n]{5,120})'|[“「『]([^”」』\n]{4,80})[”」』]")
_WORD = r"[A-Za-z0-9][A-Za-z0-9'’!-]{0,23}"
_WORDS = re.compile(rf"{_WORD}(?: {_WORD}){{1,8}}(?![\w:/=({{])")
_HAN = re.compile(
    r"[\u4e00-\u9fffA-Za-z0-9]{1,20}(?: [\u4e00-\u9fffA-Za-z0-9]{1,12}){0,7}(?=\s*(?:[,，。；;！!、\n]|\Z))"
)
_HAN_CHAR = re.compile(r"[\u4e00-\u9fff]")
_FEWEST_HAN, _FEWEST_WORDS, _MOST_WORDS = 4, 2, 8
_GRAMMAR = frozenset(
    (
        "a an the this that these those it its is are was were be been being am do does did has have had will "
        "would can could may might must shall should to of in on at by for from with without as if when where "
        "which who what how why than then and or but nor not no yes so too very only just also please you your "
        "yours we our i my me he his she her they their there here any all each every some both into onto over "
        "under before after again once until while via per"
    ).split()
)
_OF_FORM = frozenset(
    (
        "password passwords passphrase passphrases pass passwd string text field input word words character "
        "characters char chars letter letters digit digits symbol symbols number numbers length long short "
        "minimum maximum least case sensitive required optional missing empty blank none null unknown invalid "
        "valid incorrect wrong expired reset changed change stored saved encrypted encryption hashed hash hidden "
        "protected enter enters entered type choose set see use used add added new old default support manager "
        "login user users account page prompt dialog option options file policy error failed failure accepted "
        "rejected click forgot forgotten strength weak strong check test tests fix remove handling authentication "
        "auth key keys token value example placeholder"
    ).split()
)
_HAN_GRAMMAR = re.compile(
    r"[的了吗呢么由被不没必须请可要会在和或与等错已将应该需能无有未至从把给让它您你一]|为空|什么|长度|位数|字符|字母|数字|符号|大小写|强度"
    r"|正确|修改|重置|过期|保存|加密|填写|填入|输入|找回|忘记|设置|登录|成功|失败|管理|保护|验证|密码|口令|执行|默认"
)


def pass_phrase(text: str, at: int) -> tuple[int, str] | None:
    """Where the phrase that is given behind a name ending at `at` begins, and the phrase; None for anything else."""
    given = _GIVEN.match(text, at)
    if given is None:
        return None
    quoted = _QUOTED.match(text, given.end())
    if quoted is not None:
        phrase, start = quoted[quoted.lastindex or 0], quoted.start(quoted.lastindex or 0)
        is_one = _is_of_words(phrase.split(" "), least=_FEWEST_WORDS) or _is_of_han(phrase)
        return (start, phrase) if is_one else None
    han = _HAN.match(text, given.end())
    if han is not None and _is_of_han(han[0]):
        return han.start(), han[0]
    words = _WORDS.match(text, given.end())
    if words is None or given["whose"]:
        return None
    listed = words[0].split(" ")
    until = next((n for n, word in enumerate(listed) if word.casefold() in _GRAMMAR), len(listed))
    least = _FEWEST_WORDS if given["mark"] else _FEWEST_WORDS + 1
    if not listed[0].isalpha() or not _is_of_words(listed[:until], least=least):
        return None
    return words.start(), " ".join(listed[:until])


def _is_of_words(words: list[str], *, least: int) -> bool:
    """Whether so many words say nothing about a password; "correct" may be one of three."""
    plain = [word.casefold().strip("'’!-") for word in words]
    if not least <= len(plain) <= _MOST_WORDS or not all(re.fullmatch(_WORD, word) for word in words):
        return False
    return not any(word in _GRAMMAR or word in _OF_FORM for word in plain) and any(len(word) > 2 for word in plain)


def _is_of_han(phrase: str) -> bool:
    """Whether a Chinese phrase says nothing about a password."""
    return len(_HAN_CHAR.findall(phrase)) >= _FEWEST_HAN and _HAN_GRAMMAR.search(phrase) is None
