"""A candidate answer: what stands in an observation, is of the kind asked for, and is close to the question's words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from amb_bench.hotpotqa.rules.answer_words import (
    ADJECTIVE,
    COMPLEMENT,
    CONTINENTS,
    NATIONALITY_HEADS,
    NO_PERSON,
    ORGANISATION,
    PLACE_AFTER,
    PROFESSION_HEADS,
)
from amb_bench.hotpotqa.rules.question_reader import Mention, Sentence, closeness, named, stated_values
from amb_bench.hotpotqa.rules.question_type_words import HEADS
from amb_bench.hotpotqa.rules.question_types import Focus
from amb_bench.hotpotqa.rules.relation_words import ROLES
from amb_bench.hotpotqa.rules.whole_answers import whole
from amb_core.text import index_tokens, name_key
from amb_core.text.english_vocabulary import REGIONS
from amb_core.text.pure_cache import remembered

__all__ = ["Guess", "guesses"]

_YEAR = re.compile(r"(?<!\d)(?:1\d|20)\d{2}(?!\d)年?")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_FROM_THERE = re.compile(
    r"(?:^|[，。；、（(]|出生于|生于|是)(?P<place>[\u4e00-\u9fff]{2,8})(?<![诗商军工艺文始持责承言选主名成达猎])人(?=[，。；、）)]|$)"
)
_FROM_LAND = re.compile(
    r"(?:^|[，。、；（是])(?P<place>[\u4e00-\u9fff]{1,4}国)(?=籍|[\u4e00-\u9fff]{0,8}[家员人手师生者])"
)
_CAPITAL_OF = frozenset("省会 首都 首府".split())
_CHINESE_ROLE = re.compile(
    r"[\u4e00-\u9fff]{0,6}?(?:演员|导演|作家|歌手|画家|诗人|摄影师|作曲家|企业家|教授|将军|总兵|知府|学者|工程师|科学家|主持人"
    r"|编剧|医生|律师|记者|运动员|院士)(?=[\u4e00-\u9fff·]{2,4}$)"
)
_ERA_YEAR = re.compile(r"(?<![\u4e00-\u9fff])?[\u4e00-\u9fff]{2}(?:元|[一二三四五六七八九十]{1,3})年")
_HAN_VALUE = re.compile(
    rf"(?:是|为|叫做?|：|有)?{ROLES}(?P<value>[\u4e00-\u9fffA-Za-z·\d.]{{1,16}}?)(?=[，。；、（(,;.]|$|和[^，。]{{0,6}}[（(]|也是|等)"
)
_LIFE = re.compile(r"[(（](?P<born>[^()（）–—－-]{0,160})[–—－-](?P<died>[^()（）]{0,60})[)）]")
_BORN = re.compile(r"\b(?:born|birth|birthday)\b|出生|生于|诞生")
_BORN_NEAR = re.compile(r"\bborn\b|生于|出生")
_DIED = re.compile(r"\b(?:die|died|death|dies|killed)\b|去世|逝世|死")
_PHRASE = re.compile(
    r"\b(?:known (?:for|as)|called|named(?: after)?|depictions? of|famous for|as an?|as the|is an?|was an?|are|into"
    r"|plays?|the) (?P<value>(?:[\w-]{1,24} ){0,3}[\w-]{1,24})"
    r"(?=[,.;:)]| (?:for|of|in|at|on|by|and|who|that|which|with|from|to|known|is|was|born|during)\b)"
)
_ORIGIN_AFTER = re.compile(r"(?:[a-z-]+ ){1,3}(?P<origin>[A-Z][a-z]{2,20})\s+(?=[a-z])")
_SENTENCES, _LONGEST = 128, 16_000
"""Sentences, and their characters, of which is kept what every name in them is judged by."""
_STATED = 1.5
_TYPE = 1.2
_HEAD, _HAS_HEAD = 1.0, 2.2
_LATER = 0.06
_IS_ASKED = 1.0
_VALUE_FIT = 0.6
_SAID_BESIDE = frozenset("river lake mountain sea ocean capital island bay bridge".split())
"""A text that names one of these says so: the capital is Kinshasa, the river Isar."""
_PERSONS = frozenset(word for word, kind in HEADS.items() if kind == "person")
_IN = re.compile(r"\b(?:in|at|near|from)(?: the)? $")
_BY = re.compile(r"\b(?:by|starring|stars|featuring|and|with) $")


@dataclass(frozen=True, slots=True)
class Guess:
    """Something that may be the answer, as it stands in the text, what speaks for it, and how well it fits the kind."""

    text: str
    score: float
    fit: float = 0.0


def guesses(
    focus: Focus,
    sentences: Sequence[Sentence],
    counts: Mapping[str, float],
    *,
    subject: str,
    task: str,
    stated: Sequence[str] = (),
) -> list[Guess]:
    """What may be the answer, best first; nothing that the task names itself.

    `subject` is what the text is about, `stated` are values of relations that the question asks for.
    """
    asked = name_key(task)
    known = [name_key(value) for value in stated]
    found = []
    is_origin = focus.head in ("籍贯", "国籍")
    of_city = "市" in focus.asked and focus.head not in _CAPITAL_OF
    stated_so = _mentions(focus, sentences) if is_origin else () if of_city else _of_head(focus, sentences)
    sure = {name_key(mention.text) for mention in stated_so}
    for mention in (*_mentions(focus, sentences), *_stated_mentions(focus, stated, sentences)):
        named_at = _cut_to(focus, mention)
        said = name_key(named_at.text)
        is_stated = said in known or (focus.kind == "date" and any(said in value for value in known))
        mention = whole(focus, named_at, sentences, task, is_stated=is_stated)
        sentence = sentences[mention.at]
        key = name_key(mention.text)
        if not key or f" {key} " in f" {asked} " or (len(key) > 1 and _HAN.search(key) and key in asked):
            continue
        score = closeness(named_at, sentence, counts) + sentence.weight - _LATER * mention.at
        fit = 1.0 if key in sure else _fit(focus, named_at, sentence)
        score += _TYPE * fit + _HEAD * _beside(focus.head, mention, sentence)
        score += _STATED * (is_stated + (key in sure)) + _life_fit(mention, sentence, task)
        if key == name_key(subject) or key in name_key(subject):
            score += _as_subject(focus, sentences, counts)
        found.append(Guess(mention.text, score, fit))
    return sorted(found, key=lambda guess: -guess.score)


def _stated_mentions(focus: Focus, stated: Sequence[str], sentences: Sequence[Sentence]) -> Iterator[Mention]:
    """Values of relations, where they may be of the kind asked for."""
    if focus.kind in ("date", "number"):
        return
    for value in stated:
        for at, sentence in enumerate(sentences):
            if (start := sentence.text.find(value)) >= 0:
                yield Mention(value, at, start, start + len(value))
                break


def _cut_to(focus: Focus, mention: Mention) -> Mention:
    """A person without what they are of, and without the role before a Chinese name."""
    if focus.kind == "person" and " of " in mention.text:
        text = mention.text.partition(" of ")[0]
        return Mention(text, mention.at, mention.start, mention.start + len(text))
    if focus.kind == "person" and (role := _CHINESE_ROLE.match(mention.text)):
        return Mention(mention.text[role.end() :], mention.at, mention.start + role.end(), mention.end)
    return mention


# --- what there is ---------------------------------------------------------------------------------------------------


def _mentions(focus: Focus, sentences: Sequence[Sentence]) -> Iterator[Mention]:
    """Everything of the kind that is asked for."""
    if focus.kind == "date":
        yield from _dates(focus, sentences)
    elif focus.kind == "number":
        yield from stated_values(sentences, "number")
    elif focus.head in ("籍贯", "国籍"):
        yield from _matches(_FROM_THERE if focus.head == "籍贯" else _FROM_LAND, sentences, "place")
    elif focus.head in NATIONALITY_HEADS or focus.head in PROFESSION_HEADS:
        yield from _described(focus, sentences)
    elif focus.kind in ("person", "place", "organisation", "work"):
        yield from named(sentences)
        yield from _of_head(focus, sentences)
    else:
        yield from _of_head(focus, sentences)
        yield from named(sentences)
        yield from _phrases(sentences)
        if not focus.head:
            yield from stated_values(sentences, "number")


def _dates(focus: Focus, sentences: Sequence[Sentence]) -> Iterator[Mention]:
    of_year = focus.head in ("year", "years") or (bool(_HAN.search(focus.asked)) and focus.asked.endswith("年"))
    for mention in stated_values(sentences, "date"):
        year = _YEAR.search(mention.text)
        if not of_year:
            yield mention
        elif year:
            start = mention.start + year.start()
            yield Mention(year.group(), mention.at, start, start + len(year.group()))
    yield from _matches(_ERA_YEAR, sentences)


def _matches(pattern: re.Pattern[str], sentences: Sequence[Sentence], group: int | str = 0) -> Iterator[Mention]:
    for at, sentence in enumerate(sentences):
        for match in pattern.finditer(sentence.text):
            if match[group]:
                yield Mention(match[group], at, match.start(group), match.end(group))


def _described(focus: Focus, sentences: Sequence[Sentence]) -> Iterator[Mention]:
    """What somebody is said to be: the adjective of origin, or the profession."""
    of_origin = focus.head in NATIONALITY_HEADS
    for mention in _matches(COMPLEMENT, sentences, "value"):
        origin = ADJECTIVE.match(mention.text)
        if of_origin and origin:
            yield Mention(origin["origin"], mention.at, mention.start, mention.start + len(origin["origin"]))
        elif not of_origin:
            origin = origin or _ORIGIN_AFTER.match(mention.text)
            skip = origin.end() if origin else 0
            yield Mention(mention.text[skip:], mention.at, mention.start + skip, mention.end)


def _of_head(focus: Focus, sentences: Sequence[Sentence]) -> Iterator[Mention]:
    """What follows the noun that is asked for: 别称春城, for 别称."""
    head = focus.head
    if not _HAN.search(head):
        return
    for size in range(min(len(head), 4), 0, -1):
        noun = head[-size:]
        found = False
        for at, sentence in enumerate(sentences):
            place = sentence.text.find(noun)
            while place >= 0:
                start = place + size
                match = _HAN_VALUE.match(sentence.text, start)
                if match and (size > 1 or sentence.text[place - 1 : place] in ("，", "。", "")):
                    found = True
                    yield Mention(match["value"], at, match.start("value"), match.end("value"))
                place = sentence.text.find(noun, start)
        if found:
            return


def _phrases(sentences: Sequence[Sentence]) -> Iterator[Mention]:
    yield from _matches(_PHRASE, sentences, "value")


# --- how well it fits ------------------------------------------------------------------------------------------------


def _fit(focus: Focus, mention: Mention, sentence: Sentence) -> float:
    """How far a mention looks like the kind asked for, from -1 to 1."""
    text, before = mention.text, sentence.text[max(0, mention.start - 16) : mention.start]
    words = text.split()
    is_region = text in REGIONS
    is_organisation = bool(ORGANISATION.search(text))
    if focus.kind in ("date", "number"):
        return _VALUE_FIT
    is_place = is_region or bool(PLACE_AFTER.search(before))
    if focus.kind == "person":
        if _HAN.search(text):
            return 1.0 if len(text) in (2, 3) or "·" in text else -0.5
        quoted = before.removesuffix("The ")[-1:] in ('"', "“", "‘", "'")
        if is_region or is_organisation or quoted or NO_PERSON.search(text) or _IN.search(before):
            return -1.0
        if (len(words) == 1 and text.isupper()) or any(char.isdigit() for char in text):
            return -1.0
        return 1.0 if len(words) in (2, 3, 4) else 0.0
    if focus.kind == "place":
        if focus.head in ("籍贯", "国籍") or "省" in focus.asked:
            return 1.0
        if focus.head == "continent":
            return 1.0 if name_key(text) in CONTINENTS else -0.5
        if focus.head in _SAID_BESIDE:
            near = sentence.text[max(0, mention.start - 40) : mention.end + 25].lower()
            return 1.0 if focus.head in near else -0.5
        if focus.head in ("country", "state", "province", "国家"):
            return 1.0 if is_region else 0.0
        if is_organisation and _HAN.search(text):
            return -1.0
        return 0.2 if is_region and focus.head == "city" else 1.0 if is_place else -0.5
    if focus.kind == "organisation":
        return 1.0 if is_organisation else 0.0
    if focus.kind == "work":
        quoted = sentence.text[mention.start - 1 : mention.start] in ('"', "“", "《")
        return 1.0 if quoted else -0.5 if _BY.search(before) else 0.0
    return float(focus.head in NATIONALITY_HEADS or focus.head in PROFESSION_HEADS)


@remembered(most=_SENTENCES, longest=_LONGEST)
def _life(sentence: str) -> re.Match[str] | None:
    return _LIFE.search(sentence)


@remembered(most=_SENTENCES, longest=_LONGEST)
def _complement(sentence: str) -> re.Match[str] | None:
    return COMPLEMENT.search(sentence)


def _life_fit(mention: Mention, sentence: Sentence, task: str) -> float:
    """2 for the one of two dates of a life (1900 – 1980) that the task asks for, -1 for the other."""
    near = sentence.text[max(0, mention.start - 12) : mention.end + 16]
    cue = (
        1.0
        if any(asks.search(task) and says.search(near) for asks, says in ((_BORN, _BORN_NEAR), (_DIED, _DIED)))
        else 0.0
    )
    life = _life(sentence.text)
    if life is None or not life.start() <= mention.start < life.end():
        return cue
    first = mention.start < life.end("born")
    if _DIED.search(task):
        return -1.0 if first else 2.0
    return 0.0 if not _BORN.search(task) else 2.0 if first else -1.0


def _beside(head: str, mention: Mention, sentence: Sentence) -> float:
    """1 when the noun asked for stands right before the mention or right behind it, or is part of it."""
    if not head:
        return 0.0
    wanted = set(index_tokens(head)) or {head}
    if wanted & set(index_tokens(mention.text)):
        return _HAS_HEAD
    if _adjoins(head, mention, sentence):
        return _HAS_HEAD
    around = sentence.text[max(0, mention.start - 25) : mention.end + 25]
    return 1.0 if wanted & set(index_tokens(around)) else 0.0


def _adjoins(head: str, mention: Mention, sentence: Sentence) -> bool:
    """Whether a place has the noun asked for right beside it: the river Isar, the Salzach river."""
    if HEADS.get(head) != "place":
        return False
    before = (f"{head} ", f"{head} of ", f"{head} of the ")
    return sentence.text.endswith(before, 0, mention.start) or sentence.text.startswith(f" {head}", mention.end)


def _as_subject(focus: Focus, sentences: Sequence[Sentence], counts: Mapping[str, float]) -> float:
    """What speaks for or against the text's own subject: it is said to be what is asked for, as the question says."""
    complement = _complement(sentences[0].text) if sentences else None
    if complement is None or focus.kind in ("date", "number") or (focus.kind == "place" and focus.head not in HEADS):
        return -2.0
    said = index_tokens(complement.group())
    head = set(index_tokens(focus.head))
    if focus.head and not head & set(said):
        return -1.5
    if not focus.head and not (focus.kind == "person" and _PERSONS & {*complement.group().split()}):
        return -1.5
    rest = sum(counts.get(term, 0.0) for term in dict.fromkeys(said) if term not in head)
    return (_IS_ASKED if focus.head else -1.0) + rest
