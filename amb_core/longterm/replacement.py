"""What a text changes: whether it says so itself, and which earlier text it takes the place of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from amb_core.longterm.change_words import CHANGED, ENDED, INSTEAD, ONE_VALUED, UNSURE
from amb_core.longterm.sameness import other_values
from amb_core.text import index_tokens, sentences, values
from amb_core.text.chinese_words import CHINESE_CHARS

__all__ = ["attributes", "content_terms", "of_one_attribute", "replaces", "tells_of_change"]

_CLAUSE = re.compile(r"[,;，；]\s*|\s+(?:and|but)\s+")
_WHO = re.compile(r"\b(?:you|your|he|she|they|his|her|their|it)\b|[你您他她它]")
_SELF = frozenset({"user", "我", "们", "用", "户", "本", "人"})
_RUN = re.compile(r"[\u3400-\u9fff]+")
_FUNCTION = re.compile(f"[{''.join(sorted(CHINESE_CHARS))}我]|用户")
_READ, _MOST_SENTENCES = 2_000, 6
"""How much of a text is looked at: one that tells of a change is short."""
_AROUND = 3
"""What ended is all of an earlier sentence but this many words to each of its own ("every morning")."""


def tells_of_change(text: str) -> bool:
    """Whether a sentence of a text says that something is otherwise than before."""
    return any(map(_is_change, _said(text)))


def replaces(new: str, old: str) -> bool:
    """Whether a sentence of `new` says that what the sentence `old` says is over: that it has ended, that something
    came instead of it, or that something which holds one value has another one now."""
    before = " ".join(old[:_READ].split())
    if before.endswith(("?", "？", "吗", "吗。")):
        return False
    return any(_replaces(said, before) for said in _said(new) if _is_change(said))


def attributes(text: str) -> tuple[str, ...]:
    """Which attributes that hold one value a text names, as index terms such as `~home`."""
    return tuple(dict.fromkeys(f"~{name.split()[0]}" for name, _ in _named(text)))


def of_one_attribute(one: str, other: str) -> bool:
    """Whether two texts name the same attribute of the same person or thing."""
    return not set(_named(one)).isdisjoint(_named(other))


def content_terms(text: str) -> frozenset[str]:
    """What a text speaks of: stems of English words and single Chinese characters, without function words and "I"."""
    return frozenset(term for term in index_tokens(text) if len(term) == 1 or not _RUN.match(term)) - _SELF


def _said(text: str) -> list[str]:
    return sentences(" ".join(text[:_READ].split()))[:_MOST_SENTENCES]


def _is_change(sentence: str) -> bool:
    if not CHANGED.search(sentence) or UNSURE.search(sentence):
        return False
    denied = any(value.kind == "negation" for value in values(sentence))
    return not denied or any(cue.search(sentence) for cue in (ENDED, INSTEAD))


def _replaces(said: str, old: str) -> bool:
    if other_values(_without_cues(said), _without_cues(old)) or of_one_attribute(said, old):
        return True
    before = content_terms(old)
    for clause in _CLAUSE.split(said):
        ended = content_terms(_without_cues(clause)) if ENDED.search(clause) and not ENDED.search(old) else ()
        is_all = _holds(old, _without_cues(clause)) and len(before) - len(ended) <= _AROUND * len(ended)
        if ended and is_all and _who(clause) == _who(old):
            return True
    for found in INSTEAD.finditer(said):
        given_up = next(filter(None, found.groups()), "")
        rest = content_terms(_without_cues(said)) - content_terms(given_up)
        if content_terms(given_up) and _holds(old, given_up) and rest & before:
            return True
    return False


def _holds(old: str, words: str) -> bool:
    """Whether a text has all the words that say something, Chinese ones as they stand in a row."""
    runs = _RUN.findall(_FUNCTION.sub(" ", words))
    return content_terms(words) <= content_terms(old) and all(run in old for run in runs)


def _without_cues(text: str) -> str:
    return CHANGED.sub(" ", text).strip(" ,，.。")


def _who(text: str) -> frozenset[str]:
    return frozenset(_WHO.findall(text.lower()))


def _named(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """The attributes a text names, each with the words that say whose it is."""
    read = " ".join(text[:_READ].split())
    for name, pattern in _patterns().items():
        if found := pattern.search(read):
            noun = next(filter(None, found.groupdict().values()), "")
            before = _without_cues(read[: found.start()])
            yield f"{name} {noun.lower()}".strip(), content_terms(before) - CHINESE_CHARS | _who(before)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in ONE_VALUED.items()}
