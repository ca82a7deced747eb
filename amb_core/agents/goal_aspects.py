"""What a goal asks, part by part, and whether memory already says something on it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from amb_core.agent_io import NodeView
from amb_core.agents.attribute_words import ZH_CONCEPTS
from amb_core.agents.planning_phrases import Phrases
from amb_core.text import NameFinder, entities, index_tokens, name_key

__all__ = ["Aspect", "aspects_of", "is_covered", "is_touched"]

_MAX_ASPECTS = 8
_MAX_WORDS = 8
_ASKING = frozenset(
    term
    for word in (
        "find tell list explain compare choose give describe summarise summarize answer please know want need many "
        "much question kind type decide determine identify show"
    ).split()
    for term in index_tokens(word)
)
_PART_END = re.compile(
    r"[,;?!:]\s|\.\s|[，；？。！：、]|\band (?=(?:who|what|when|where|which|why|how|whose|in which|is|are|was|were|does"
    r"|did)\b)"
)
_ZH_ASKING = re.compile(
    r"请问|请|什么|哪(?:一|些)?[些个种里位年座所家条只部本]?|谁|多少|有多(?=[大高长重深宽久])|怎么样?|怎样|如何|是否|有没有|为什么|为何|几[个位年次种]?"
    r"|吗|呢|了解|告诉我?|说明|比较|列出|找出|查明|应该|应当|可以|需要|我们|我|你|选择|它们?|他们?|她们?|以及|更(?=[大高长重深宽久])"
    r"|[“”《》的是在有和与及了从到对于为被把]"
)
_ENGLISH_WORD = re.compile(r"[A-Za-z][\w'’-]*|\d[\d.,]*")
_JOINED_NAMES = re.compile(r" (?:and|or|&) |[和与及]")
_ZH_VERB = re.compile(r"^(?:验证|核实|比较|查找|说明|介绍|总结|分析|请问)")
_DATED = re.compile(r" (?:in|on|at|of|from|since) \d.*$")


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing to find out: of whom (`name`, may be empty), the index terms asked, and how it is called in a step."""

    label: str
    name: str
    terms: frozenset[str]


def aspects_of(goal: str, phrases: Phrases, *, chinese: bool) -> tuple[Aspect, ...]:
    """The aspects of a goal in its order: each name with what is asked of it; no name, then what is asked alone."""
    found: dict[tuple[str, frozenset[str]], Aspect] = {}
    names: list[str] = []
    for part in _parts(goal):
        names = _names(part) or names
        words = _asked(part, names, chinese=chinese)
        terms = _terms(words, chinese=chinese)
        if not words and (found or not names):
            continue
        phrase = (phrases.joint if chinese else " ").join(words)
        for name in names or [""]:
            label = phrases.aspect.format(name=name, terms=phrase) if name and phrase else name or phrase
            found.setdefault((name_key(name), terms), Aspect(label, name, terms))
    return tuple(found.values())[:_MAX_ASPECTS]


def _parts(goal: str) -> Iterator[str]:
    """The goal's questions; a part that asks nothing by itself goes with the next one."""
    kept = ""
    for part in _PART_END.split(goal):
        kept = f"{kept} {part or ''}".strip()
        if len(index_tokens(kept)) >= 2:
            yield kept
            kept = ""
    if kept:
        yield kept


def _names(part: str) -> list[str]:
    names: dict[str, str] = {}
    for entity in entities(part):
        for name in _JOINED_NAMES.split(_ZH_VERB.sub("", _DATED.sub("", entity.name))):
            key = "" if ZH_CONCEPTS.fullmatch(name) else name_key(name)
            if key and not _ASKING.issuperset(index_tokens(name)) and not any(key in known for known in names):
                names[key] = name
    return list(names.values())


def _asked(part: str, names: Sequence[str], *, chinese: bool) -> list[str]:
    for name in names:
        part = part.replace(name, " ")
    if chinese:
        words = [word.strip() for word in _ZH_ASKING.sub(" ", part).split()]
        kept = [word for word in words if any(char.isalnum() for char in word)]
    else:
        kept = [w for w in _ENGLISH_WORD.findall(part) if not _ASKING.issuperset(index_tokens(w))]
    return list(dict.fromkeys(kept))[:_MAX_WORDS]


def _terms(words: Iterable[str], *, chinese: bool) -> frozenset[str]:
    """Index terms; of Chinese words of several characters only the pairs, single characters occur everywhere."""
    return frozenset(
        term for word in words for term in index_tokens(word) if not chinese or len(term) > 1 or len(word) == 1
    )


def is_touched(aspect: Aspect, nodes: Sequence[NodeView]) -> bool:
    """Whether a node names whom the aspect is about; without a name, whether it has a word of what is asked."""
    wanted = frozenset(index_tokens(aspect.name)) or aspect.terms
    return any(not wanted.isdisjoint(index_tokens(f"{node.context}\n{node.text or node.summary}")) for node in nodes)


def is_covered(aspect: Aspect, nodes: Sequence[NodeView]) -> bool:
    """Whether a node names whom the aspect is about and has half of what is asked."""
    finder = NameFinder([aspect.name] if aspect.name else [])
    needed = (len(aspect.terms) + 1) // 2
    for node in nodes:
        parts = (node.text or node.summary, node.summary, node.context, *node.keywords)
        if aspect.name and not any(finder.find(part) for part in parts):
            continue
        said = {term for part in parts for term in index_tokens(part)}
        if len(aspect.terms & said) >= needed:
            return True
    return False
