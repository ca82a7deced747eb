"""Whether two sentences are about the same: by a name in them, or by what their documents are about."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from amb_core.agents.slots import Slot
from amb_core.agents.swaps import is_verb
from amb_core.text import about, entities, name_key, values
from amb_core.text.language import HAN
from amb_core.text.pure_cache import text_cache

__all__ = ["Document", "document_of", "named_subject", "same_subject"]

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_HEAD = 200
_ENDS = (".", "。", "!", "！", "?", "？", ":", "：", ";", "；")
_SHORTEST_CHINESE, _LONGEST_CHINESE = 3, 14
_DATED = re.compile(r"^\d|\d年|\d月|^[一二三四五六七八九十]+年")
_ARTICLE = re.compile(r"(?:The|An?) ")
_SHOWN = re.compile(r"(?:The|An?) ([A-Z][\w’'-]*(?: [A-Z\d][\w’'-]*)*)|([A-Z][\w’'-]*(?: [A-Z\d][\w’'-]*)+)")
_WORD = re.compile(r"[A-Za-z'’]+")
_LOWER = re.compile(r"\b[a-z]+\b")
_POINTING = re.compile(
    r"(?:It|Its|He|His|She|Her|They|Their|This|That|These|Those)\b|[他她它该此这那其本]|公司|会议|工厂|学校|医院"
)


@dataclass(frozen=True, slots=True)
class Document:
    """What a text is about: its title, its names as written and folded, those of its title, and the title's years."""

    title: str
    names: tuple[str, ...]
    keys: frozenset[str]
    titles: frozenset[str]
    years: frozenset[str]


@text_cache(most=4_096)
def document_of(text: str, topic: str = "") -> Document:
    """The document of a text; `topic` names it where its own words do not."""
    first, _, rest = text.strip().partition("\n")
    title = first if rest and len(first) <= _HEAD and not first.rstrip().endswith(_ENDS) else ""
    told = tuple(filter(_is_name, about(text)))
    given = tuple(filter(_is_name, (entity.name for entity in entities(topic))))
    heading = (*given, *(name for name in told if name in title))
    return Document(
        " ".join(title.casefold().split()),
        (*told, *given),
        _keys((*told, *given)),
        _keys(heading),
        frozenset(_YEAR.findall(title)),
    )


def _keys(names: Iterable[str]) -> frozenset[str]:
    return frozenset(filter(None, map(name_key, names)))


@text_cache(most=4_096)
def named_subject(sentence: str, before: int) -> str:
    """The name of whom a sentence is about, when it stands before a place in it and before any verb; "" for none."""
    if _POINTING.match(sentence):
        return ""
    found = ((sentence.find(name), name) for name in about(sentence) if _is_name(name))
    at, name = min(((at, name) for at, name in found if 0 <= at < before), default=(0, ""))
    if not name and (shown := _SHOWN.match(sentence)):
        return shown[1] or shown[2]
    return "" if any(map(is_verb, _WORD.findall(sentence[:at]))) else name


def same_subject(
    a: str, b: str, slots: tuple[Slot, Slot], documents: tuple[Document, Document], *, same_topic: bool = False
) -> bool | None:
    """Whether two sentences are about the same; None where neither they nor their documents say it.

    A name that a sentence begins with is enough; one further inside has to be what one of the documents is about, or
    both have to be about the same.
    """
    left, right = documents
    if left.years and right.years and left.years.isdisjoint(right.years):
        return False
    told = name_key(a)  # what only the sentence itself tells says nothing about its text
    shared = same_topic or bool(left.titles & right.titles) or any(key not in told for key in left.keys & right.keys)
    names = named_subject(a, slots[0].start), named_subject(b, slots[1].start)
    if all(names):
        key = name_key(names[0])
        if key != name_key(names[1]) or _of_other_names(key, left, right):
            return False
        begins = _begins(a, names[0])
        about = left.titles | right.titles if left.titles and right.titles else left.keys | right.keys
        if begins or shared or any(key in one or one in key for one in about):
            return True
    if same_topic or (left.keys and right.keys):
        return shared
    return left.title == right.title if left.title and right.title else None


def _begins(sentence: str, name: str) -> bool:
    """Whether a sentence begins with the name: a capital after the article, or a Chinese name that its form shows."""
    bare = _ARTICLE.sub("", name)
    if HAN.search(bare):
        return any(value.kind == "name" and value.start <= 1 for value in values(sentence[: len(name) + 1]))
    return bare[:1].isupper() and _ARTICLE.sub("", sentence).startswith(bare)


def _is_name(name: str) -> bool:
    """Whether what a text is said to be about is a name: with a capital beside the article, or short Chinese."""
    bare = _ARTICLE.sub("", name)
    if HAN.search(bare):
        return _SHORTEST_CHINESE <= len(bare) <= _LONGEST_CHINESE and not _DATED.search(bare)
    return any(map(str.isupper, bare)) and not any(map(is_verb, _LOWER.findall(bare)))


def _of_other_names(key: str, left: Document, right: Document) -> bool:
    """Whether a name is short for one thing in one text and for another one in the other."""
    mine, theirs = (
        {whole for whole in document.keys if whole != key and set(key.split()) < set(whole.split())}
        for document in (left, right)
    )
    return bool(mine and theirs) and mine.isdisjoint(theirs)
