"""The sentences of a text that state something: whole ones, in prose, that hold whoever said them when."""

import re
from collections import defaultdict
from dataclasses import dataclass

from amb_core.reading import prose_spans
from amb_core.text import dialogue_speaker, sentence_spans
from amb_core.text.lazy_patterns import lazy_pattern
from amb_core.text.pure_cache import text_cache

__all__ = ["Sentence", "Sentences", "is_chinese", "sentences_of"]

_CACHED_TEXTS = 4_096
_LONGEST = 700
_EDGE, _ZH_EDGE = 8, 3
"""Characters that two sentences which differ in one value share at their beginning or at their end."""
_CJK = re.compile(r"[\u3400-\u9fff]")
_ENDS = re.compile(r"[.!。！…][\"'”’」』）)\]]*$")
_LABEL = lazy_pattern(r"\s*(?:[\[(（【][^\])）】\n]{1,60}[\])）】]\s*)?[^:：\n]{1,60}[:：]\s*")
_NUMBERED = lazy_pattern(
    r"\s*(?:[-*•#]+\s+|\(?\d{1,3}[.)、]\s*|\[\d{1,3}\]\s*|[（(]\d{1,3}[）)]\s*|第\S{1,4}[章节条][:：、\s]\s*)"
)
_WORD = re.compile(r"\w+")
_MOMENT = frozenset("today yesterday tomorrow tonight ago recently lately soon".split())
_UNSURE = frozenset(
    "may would could might should shall will if If unless Unless suppose Suppose example Example either perhaps "
    "Perhaps probably Probably possibly Possibly expected predicted planned wish hope want".split()
)
_POINTING = frozenset(("this", "last", "next"))
_POINTED = lazy_pattern(
    r"\b(?:this (?:morning|week|month|year|weekend|afternoon|evening)|"
    r"(?:last|next) (?:week|month|year|night|weekend|time|summer|winter|spring|fall))\b",
    re.IGNORECASE,
)
_CHINESE = lazy_pattern(
    "今天|昨天|明天|今晚|昨晚|今早|上周|下周|上个月|下个月|去年|明年|今年|刚才|刚刚|最近|前天|后天"
    "|如果|假如|假设|可能|或许|也许|应该|应当|建议|预计|预测|计划|据传|传闻|例如|比如|希望|将会"
)
"""What says in Chinese that a sentence holds for a moment, or perhaps."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and where it stands in its text, without the label or number of its line."""

    text: str
    start: int

    @property
    def edges(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """How it begins and how it ends."""
        size, folded = _ZH_EDGE if is_chinese(self.text) else _EDGE, self.text.casefold()
        return ("begins", folded[:size]), ("ends", folded[-size:])


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of one text in order, and by how they begin and end."""

    all: tuple[Sentence, ...]
    by_edge: dict[tuple[str, str], list[Sentence]]


def is_chinese(sentence: str) -> bool:
    """Whether a sentence is in Chinese for a third or more."""
    return len(_CJK.findall(sentence)) * 3 >= len(sentence.replace(" ", "")) > 0


@text_cache(most=_CACHED_TEXTS)
def sentences_of(text: str) -> Sentences:
    """The sentences of a text that state something; machine data, questions, guesses and headings are left out."""
    found: list[Sentence] = []
    for left, right in prose_spans(text):
        for start, end in sentence_spans(text[left:right]):
            whole = text[left + start : left + end]
            label = _label(whole)
            if _states(whole[label:], alone="\n" not in text.strip()):
                found.append(Sentence(whole[label:], left + start + label))
    by_edge: defaultdict[tuple[str, str], list[Sentence]] = defaultdict(list)
    for sentence in found:
        for edge in sentence.edges:
            by_edge[edge].append(sentence)
    return Sentences(tuple(found), dict(by_edge))


def _label(sentence: str) -> int:
    """How many characters are the label or the number of the line."""
    numbered = _NUMBERED.match(sentence)
    at = numbered.end() if numbered else 0
    spoken = _LABEL.match(sentence, at) if dialogue_speaker(sentence[at:]) else None
    return spoken.end() if spoken else at


def _states(sentence: str, *, alone: bool) -> bool:
    """Whether a sentence states something for good; on a line of several it must end like one, as no heading does."""
    if not 6 <= len(sentence) <= _LONGEST or sentence.rstrip("\"'”’」』）) ").endswith(("?", "？")):
        return False
    if not alone and not _ENDS.search(sentence):
        return False
    return not _is_passing(sentence)


def _is_passing(sentence: str) -> bool:
    """Whether a sentence holds for a moment only, or is a guess, a wish, a plan or an example."""
    if not sentence.isascii() and _CHINESE.search(sentence):
        return True
    written = set(_WORD.findall(sentence))
    if not _UNSURE.isdisjoint(written) or ({"e", "g"} <= written and "e.g" in sentence):
        return True
    words = {word.lower() for word in written}
    return not _MOMENT.isdisjoint(words) or (not _POINTING.isdisjoint(words) and bool(_POINTED.search(sentence)))
