"""Names as slots: the bare name inside what surrounds it, lists of names."""

import re
from dataclasses import replace

from amb_core.agents.attribute_words import ZH_CONCEPTS
from amb_core.agents.quantities import Slot
from amb_core.text import Value, index_tokens, name_key

__all__ = ["join_names", "name_slot", "without_date"]

_JOINT = re.compile(r"(?:,? (?:and|&|or) (?:the )?|, |/|、|和|与|及|以及)")
_AND = re.compile(r" (?:and|&) ")
_LEADING = re.compile(
    r"^(?:According to|Starring|Featuring|Including|Following|Besides|Unlike|Like) (?:the )?(?=[A-Z])"
    r"|^(?:CEO|CTO|CFO|COO|Mayor|Chairman|Chairwoman|Professor|Prof\.?|Dr\.?|Mr\.?|Mrs\.?|Ms\.?) (?=[A-Z])"
)
_TRAILING_ZH = re.compile(
    rf"(?<=[\u4e00-\u9fff]{{2}})(?:(?:{ZH_CONCEPTS.pattern})|设计|主演|[所现已共曾仍均将于在是有为的])+$"
)
_CJK = re.compile(r"[\u4e00-\u9fff]")
_DATED = re.compile(r" (?:in|on|at|by|from|to|and|for|a|until|since|of) \d.*$")
_NAME_WORD = r"(?:[A-Z0-9&\"“][\w'’.&-]*|[a-zà-ÿ]{1,3}|over|upon|under)"
_LOWER_TAIL = re.compile(rf"^({_NAME_WORD}(?: {_NAME_WORD})*) [a-z]{{4,}}\b")
_POSSESSIVE = re.compile(r"['’]s(?= |$)|(?<=s)['’](?= |$)")
_OFFICES = frozenset(
    term
    for word in (
        "ceo cto cfo president chairman chairwoman mayor king queen capital director author founder owner editor coach "
        "captain governor chancellor principal population height length area history mother father wife husband"
    ).split()
    for term in index_tokens(word)
)
_OFFICE_OF = re.compile(r"^(?P<office>[A-Za-z]+) of (?:the )?(?=[A-Z])")


def name_slot(value: Value, text: str) -> Slot | None:
    """The slot of a name value without verbs, dates, possessives and offices that got into it; None if none is left."""
    start, surface = value.start, value.surface
    for opening in (_LEADING.match(surface), _office(surface)):
        if opening is not None:
            start, surface = start + opening.end(), surface[opening.end() :]
    if _CJK.search(surface):
        surface = _TRAILING_ZH.sub("", re.sub(r"\d{2,4}年.*$", "", surface))
    else:
        surface = _DATED.sub("", surface)
    if tail := _LOWER_TAIL.match(surface):
        surface = re.sub(r"(?: [a-z]+)+$", "", tail[1])
    if owner := _POSSESSIVE.search(surface):
        surface = surface[: owner.start()]
    key = name_key(surface)
    if not key or not re.search(r"[^\W\d_]", surface):
        return None
    end = start + len(surface)
    part = bool(re.search(r"\w_$", text[max(0, start - 2) : start])) or text[end : end + 1] == "_"
    keys = frozenset(filter(None, map(name_key, _AND.split(surface)))) | {key}
    return Slot("name", surface, start, end, "name", keys=keys, fixed=part)


def _office(surface: str) -> re.Match[str] | None:
    """ "CEO of " in "CEO of Acme"."""
    found = _OFFICE_OF.match(surface)
    return found if found is not None and _OFFICES.issuperset(index_tokens(found["office"])) else None


def without_date(slot: Slot, start: int, text: str) -> Slot:
    """The part of a name after the date it begins with ("1936 Winter Olympics")."""
    surface = text[start : slot.end]
    start += len(surface) - len(surface.lstrip())
    key = name_key(surface)
    return replace(slot, surface=surface.strip(), start=start, keys=frozenset([key]) if key else slot.keys)


def join_names(last: Slot, slot: Slot, text: str) -> Slot | None:
    """Two names with nothing but a comma or "and" between them are a list."""
    if not _JOINT.fullmatch(text[last.end : slot.start]):
        return None
    return replace(last, surface=text[last.start : slot.end], end=slot.end, keys=last.keys | slot.keys)
