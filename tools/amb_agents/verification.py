"""What a sentence says about two values that cannot both hold, and which of them a verification supports."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

from amb_core.text import index_tokens
from amb_core.text.wordings import find_wording
from amb_values import sentence_spans, sentences, values

__all__ = ["Question", "Weighing", "ask_about", "fold_sentence", "weigh"]

# What stands directly after one of these is what was wrong.
_WRONG_BEFORE = re.compile(
    r"(?:\b(?:not|rather than|instead of|wrongly|erroneously|mistakenly|incorrectly|misreported|misstated|earlier"
    r"|previous(?:ly)?|originally|contrary to)\b[^.;,]{0,40}"
    r"|(?:并非|不是|而非|而不是|误(?:写|作|报|称|记)?(?:成|为|作)?|原(?:来|先|写|报)?)[^，。；]{0,12})$",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?:\bfrom\b[^.;,]{0,40}|[由从][^，。；]{0,12})$", re.IGNORECASE)
_CHANGED_TO = re.compile(r"^[^.;，。；]{0,40}?(?:\bto\b|[改变更调升降增减至到])", re.IGNORECASE)
_WRONG_AFTER = re.compile(
    r"^[^.;,]{0,30}\b(?:(?:is|was|were|are) (?:wrong|incorrect|mistaken|an error|a misprint|outdated|false)|in error)\b"
    r"|^[^，。；]{0,10}(?:有误|是错误的|系误|不实|错误|不准确)",
    re.IGNORECASE,
)
_RIGHT_BEFORE = re.compile(
    r"(?:\bto\b|\bbut\b|\bis\b|更正为|应为|实为|改为|而是|确认为|为|是)[^.;,，。；]{0,12}$", re.IGNORECASE
)
_MORE = r"[a-z0-9〇零一二两三四五六七八九十百千万亿]"
_GOES_ON = re.compile(_MORE)
_NO_FIGURE_BEFORE, _NO_FIGURE_AFTER = re.compile(r"(?<!\d[.,])"), re.compile(r"(?![.,]\d)")
_FREE_BEFORE, _FREE_AFTER = re.compile(rf"(?<!{_MORE})(?<!\d[.,])"), re.compile(rf"(?!{_MORE}|[.,]\d)")
"""What would make another value of one that it stands directly before or after."""
_STEM = 4
_DIGIT = re.compile(r"[0-9]")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[,.\u00a0\u202f' ](?=\d)")
_BEFORE = 2_000
"""So many characters before a sentence may name what it is about."""
_SHARED = 0.6
"""The share of the words both sides have in common that a sentence about the matter has as well."""


_SENSES = {
    "founded": r"found(?:ed|er|ing)\b|establish|\bset up\b|\bstarted\b|\bcreated\b|launch|成立|创办|创立|创建|组建",
    "born": r"\bborn\b|\bnative of\b|\bbirth|出生|生于|生在|诞生",
    "died": r"\bdied\b|\bdeath\b|去世|逝世|卒于|病逝",
    "written": r"\bwrote\b|\bwritten\b|\bauthor|\bwriter|\bfinished\b|作者|写|著|创作|长篇|小说",
    "seat": r"headquarter|\bhead office\b|\bseat\b|\bbased\b|总部",
    "located": r"\blocated\b|\blies\b|\bsituated\b|位于|地处|坐落",
    "length": r"\blong\b|\blength\b|长",
    "height": r"\bhigh\b|\bheight\b|\btall\b|\brises\b|\belevation\b|海拔|高",
    "depth": r"\bdeep\b|\bdepth\b|深",
    "width": r"\bwide\b|\bwidth\b|宽",
    "area": r"\barea\b|\bsquare\b|面积|平方",
    "capacity": r"\bcapacity\b|\bholds?\b|库容|容量|装机",
    "opened": r"\bopen(?:ed|s|ing)?\b|\bbegan service\b|\binaugurat|开通|通车|启用|开放",
    "built": r"\bbuilt\b|\bconstruct|\bcomplet|建成|竣工|建于|修建",
    "people": r"\bpopulation\b|\binhabitants\b|\bresidents\b|人口|居民",
    "cost": r"\bcosts?\b|\bprice\b|\bfee\b|价|费",
    "post": r"\bdirector\b|\bchief\b|\bhead of\b|\bleads?\b|\bled\b|负责|职务|职位|担任",
}
"""Words by which one thing is told in two ways; of a sentence that has one of each kind both are meant."""
_SENSE = {name: re.compile(told, re.IGNORECASE) for name, told in _SENSES.items()}
_PART = re.compile(
    r"\b(?:main|central|side|longest|north|south|east|west|upper|lower) (?:\w+ )?(?:span|tower|part|wing|side)\b"
    r"|主跨|主塔|引桥长|跨径|北塔|南塔|一期|二期|东段|西段|南段|北段"
)


def _senses(text: str, *, but: Sequence[str]) -> frozenset[str]:
    """In which senses a text tells something, in other words than names that are values; a unit is one."""
    for value in (each for each in but if not _DIGIT.search(each)):
        text = text.replace(value, " ")
    return frozenset(name for name, told in _SENSE.items() if told.search(text))


@dataclass(frozen=True, slots=True)
class Weighing:
    """Which value a verification supports.

    `winner` is 0 or 1 for the first or second value, None when nothing is settled; `sentence` is the first that says
    so; `support` counts the different sentences for each value.
    """

    winner: int | None
    sentence: str = ""
    support: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Question:
    """What two texts disagree about: the subject, the two values, and the sentences that state them."""

    subject: str
    values: tuple[str, str]
    said: tuple[str, str]

    @cached_property
    def _names(self) -> list[frozenset[str]]:
        """The words of each name that both sentences have, or that the subject has where they share none."""
        first, second = ({v.key for v in values(text) if v.kind == "name"} for text in self.said)
        of_values = {v.key for text in self.values for v in values(text) if v.kind == "name"}
        shared = (first & second) or {v.key for v in values(self.subject) if v.kind == "name"}
        return [frozenset(index_tokens(key)) for key in sorted(shared - of_values)]

    @cached_property
    def _chinese_name(self) -> str:
        """The first word of the subject, where both sentences have it: not all Chinese names are known by form."""
        first = next(iter(self.subject.split()), "")
        return first if not first.isascii() and all(first in text for text in self.said) else ""

    @cached_property
    def _words(self) -> frozenset[str]:
        """What both sentences have in common but the values; the words of the subject where that is nothing."""
        first, second = (set(index_tokens(text)) for text in self.said)
        given = {word for value in self.values for word in index_tokens(value)}
        return frozenset((first & second) - given) or frozenset(index_tokens(self.subject)) - given

    def side(self, sentence: str, before: str = "") -> int | None:
        """0 or 1 for the value a sentence states of the matter, None for neither or both; `before` may name it.

        Of two values one is stated when the other is called wrong.
        """
        folded = fold_sentence(sentence)
        for side, said in enumerate(self.said):
            if said and folded == fold_sentence(said):
                return side
        stated = self._stated(sentence)
        if _PART.search(sentence) and not any(map(_PART.search, self.said)):
            return None
        about = stated and self._is_about(sentence, before, corrects=len(stated) == 2)
        if not about and not (len(stated) == 1 and self._in_other_words(sentence)):
            return None
        right = [side for side in stated if not self._is_wrong(side, sentence)]
        return right[0] if len(right) == 1 else None

    def may_state(self, sentence: str) -> bool:
        """Whether it is worth the time to read a sentence: it has digits of a value, and a beginning of a word."""
        folded = sentence.casefold()
        if _DIGIT.search(sentence) and all(self._digits):
            plain = _BETWEEN_DIGITS.sub("", sentence)
            if not any(digits in plain for digits in self._digits):
                return False
        return any(word[:_STEM] in folded for word in self._words)

    @cached_property
    def _digits(self) -> list[str]:
        """The longest run of digits of each value, without what a thousand may shorten; "" for a value without any."""
        runs = (_BETWEEN_DIGITS.sub("", value) for value in self.values)
        longest = (max(re.findall(r"\d+", run), key=len, default="") for run in runs)
        return [run.rstrip("0") or run for run in longest]

    def _stated(self, sentence: str) -> list[int]:
        stated = [side for side, value in enumerate(self.values) if _says(sentence, value)]
        if len(stated) == 2:  # "not approved" holds "approved"
            first, second = (fold_sentence(value) for value in self.values)
            if first != second and (first in second or second in first):
                return [int(len(second) > len(first))]
        return stated

    def _is_about(self, sentence: str, before: str, *, corrects: bool) -> bool:
        words = set(index_tokens(sentence))
        common = words & self._words
        if corrects:
            return bool(common)
        if self._chinese_name not in f"{before}{sentence}":
            return False
        rest = self._words.difference(*self._names)
        if all(name <= words for name in self._names):
            return len(common) >= _SHARED * len(self._words) and len(common & rest) * 2 >= len(rest)
        told = words | set(index_tokens(before))
        return bool(rest) and all(name <= told for name in self._names) and rest <= words

    def _in_other_words(self, sentence: str) -> bool:
        """Whether a sentence names the same thing and tells the same of it by another word of that sense."""
        words = set(index_tokens(sentence))
        chinese = reduce(lambda name, told: told.sub("", name) or name, _SENSE.values(), self._chinese_name)
        named = chinese in sentence if chinese else bool(self._names) and all(name <= words for name in self._names)
        if not named:
            return False
        first, second, found = (_senses(text, but=self.values) for text in (*self.said, sentence))
        return bool(first & second & found)

    def _is_wrong(self, side: int, sentence: str) -> bool:
        start, end = _place(sentence, self.values[side])
        left, right = sentence[:start], sentence[end:]
        if _WRONG_AFTER.search(right):
            return True
        wrong, right_cue = _WRONG_BEFORE.search(left[-80:]), _RIGHT_BEFORE.search(left[-80:])
        if wrong is None and _CHANGED_TO.search(right):
            wrong = _FROM.search(left[-80:])
        return wrong is not None and (right_cue is None or right_cue.start() <= wrong.start())


def ask_about(subject: str, said: Sequence[str], texts: Sequence[str]) -> Question | None:
    """What two texts disagree about, by the two values that were found in them; None unless there are two values.

    Of several sentences with a value, the one that has most words of the subject and of the other text counts.
    """
    if len(said) != 2 or len(texts) != 2 or not all(value.strip() for value in said) or said[0] == said[1]:
        return None
    chosen = []
    for value, text, other in zip(said, texts, reversed(texts), strict=True):
        wanted, near = set(index_tokens(subject)), set(index_tokens(other[:4_000]))
        fitting = [s for s in sentences(text) if _says(s, value)]
        words = {s: set(index_tokens(s)) for s in fitting}
        chosen.append(max(fitting, key=lambda s: (len(words[s] & wanted), len(words[s] & near)), default=""))
    return Question(subject, (said[0], said[1]), (chosen[0], chosen[1]))


def weigh(question: Question, verification: str) -> Weighing:
    """What `verification` says about the two values: the one that more of its different sentences state."""
    said: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for start, end in sentence_spans(verification):
        sentence = verification[start:end]
        side = question.side(sentence, verification[max(0, start - _BEFORE) : start])
        if side is not None:
            said[side].setdefault(fold_sentence(sentence), sentence)
    support = (len(said[0]), len(said[1]))
    if support[0] == support[1]:
        return Weighing(None, support=support)
    winner = int(support[1] > support[0])
    return Weighing(winner, next(iter(said[winner].values())), support)


def _says(sentence: str, value: str) -> bool:
    """Whether a sentence has a value: as written, or its numbers and dates in the same unit if it names one."""
    written = fold_sentence(value).strip(" .。")
    if not written:
        return False
    before = _FREE_BEFORE if _GOES_ON.match(written[0]) else _NO_FIGURE_BEFORE
    after = _FREE_AFTER if _GOES_ON.match(written[-1]) else _NO_FIGURE_AFTER
    if any(find_wording(fold_sentence(sentence), (written,), before=before, after=after)):
        return True
    wanted = values(value)
    figures = {v.key for v in wanted if v.kind in ("number", "date")}
    found = values(sentence) if figures else ()
    units, there = ({v.key for v in some if v.kind == "unit"} for some in (wanted, found))
    return bool(figures) and figures <= {v.key for v in found} and (units <= there or not there)


def _place(sentence: str, value: str) -> tuple[int, int]:
    """Where a value stands in a sentence, as written or else by its first figure."""
    start = sentence.casefold().find(value.casefold())
    if start >= 0:
        return start, start + len(value)
    keys = {v.key for v in values(value) if v.kind in ("number", "date")}
    found = next((v for v in values(sentence) if v.key in keys), None)
    return (found.start, found.end) if found else (0, 0)


def fold_sentence(sentence: str) -> str:
    """A sentence without differences of case and white space."""
    return " ".join(sentence.casefold().split())
