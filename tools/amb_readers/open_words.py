"""What a question of several hops still asks: its words but for names, and for what has been found of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from amb_core.text import detect_language, index_tokens

__all__ = ["OpenWord", "open_words", "wanted"]

_LONGEST = 1_000
_PLACE = "\x00"
"""Stands for a name."""
_WORD = re.compile(r"\x00|[^\W\d_][\w'’-]*")
_KIND = re.compile(r"\b(?:which|what)\s+(?:(?:kind|type|sort)\s+of\s+)?(?P<kind>\w+)", re.IGNORECASE)
_HEAD = re.compile(r"\b(?P<of>\w+) of (?:the )?(?:\w+ )?\x00|\x00['’]s (?P<has>\w+)")
_ZH_ASKS = r"哪[一些里个种位座所家国儿]?|什么|多少|几[个位次]?"
_ZH_GRAMMAR = re.compile(
    rf"请问|{_ZH_ASKS}|谁|何时|何地|怎么|如何|是否|还是|[是的了吗呢于在由有为与和或被得，。？?！、；：\s《》“”]"
)
_ZH_KIND = re.compile(rf"(?:{_ZH_ASKS})(?P<kind>[\u4e00-\u9fff]{{2,4}})")
_ZH_WHO = "者人师家员"
_STEM = 5
"""Letters that two words of one stem begin with: inventor and invented."""
_MOST = 2


@dataclass(frozen=True, slots=True)
class OpenWord:
    """A word that nothing has answered; `is_kind` where it only says what the answer is, such as a city or a year.

    `far` is how many words it stands from the nearest name.
    """

    text: str
    far: int
    is_kind: bool = False


def open_words(
    task: str, *, names: Sequence[str], told: str = "", resolved: Collection[str] = (), found: bool = False
) -> list[OpenWord]:
    """The words of a task that say what is asked, in its order, without its `names` and what is `told`.

    `resolved` are words of it that something told answers in other words; `found` says that what its name is said to
    have ("the director of Titanic") is known.
    """
    text = task[:_LONGEST]
    named = [name for name in names if name.strip() and not re.search(rf"(?:{_ZH_ASKS}){re.escape(name)}", text)]
    for name in sorted(named, key=len, reverse=True):
        text = re.sub(re.escape(name), _PLACE, text, flags=re.IGNORECASE)
    if detect_language(task) == "zh":
        return _chinese(text, told, resolved)
    known = set(index_tokens(told)) | set(index_tokens(" ".join(resolved)))
    if found:
        known |= {term for match in _HEAD.finditer(text) for term in index_tokens(match["of"] or match["has"])}
    stems = {term[:_STEM] for term in known}
    kinds = {match["kind"].casefold() for match in _KIND.finditer(text)}
    words = _WORD.findall(text)
    places = [at for at, word in enumerate(words) if word == _PLACE] or [len(words)]
    open_ones = []
    for at, word in enumerate(words):
        terms = set(index_tokens(word))
        if word != _PLACE and terms and not {term[:_STEM] for term in terms} <= stems:
            open_ones.append(OpenWord(word, min(abs(at - place) for place in places), word.casefold() in kinds))
    return open_ones


def _chinese(text: str, told: str, resolved: Collection[str]) -> list[OpenWord]:
    kinds = {match["kind"] for match in _ZH_KIND.finditer(text)}
    open_ones = []
    for at, chunk in enumerate(_ZH_GRAMMAR.split(text.rpartition(_PLACE)[2])):
        left = chunk
        for word in resolved:
            left = left.replace(word, " ")
        for size in range(len(left), 1, -1):
            for start in range(len(left) - size + 1):
                if left[start : start + size] in told:
                    left = left[:start] + " " * size + left[start + size :]
        if left.startswith(" ") and left.lstrip()[:1] in _ZH_WHO:
            left = left.lstrip()[1:]
        left = max(left.split(), key=len, default="")
        if len(left) > 1:
            open_ones.append(OpenWord(left, at, any(kind.startswith(left) or left == kind for kind in kinds)))
    return open_ones


def wanted(words: Sequence[OpenWord]) -> str:
    """What to ask of a name next: the words nearest to where it stands, in their order."""
    nearest = sorted(words, key=lambda word: word.far)[:_MOST]
    return " ".join(dict.fromkeys(word.text for word in words if word in nearest))
