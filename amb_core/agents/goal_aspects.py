"""What a goal asks about, and whether memory already says something about it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amb_core.agent_io import NodeView
from amb_core.agents.planning_phrases import Phrases
from amb_core.text import NameFinder, entities, index_tokens, name_key

__all__ = ["Aspect", "aspects_of", "is_covered"]

_MAX_ASPECTS = 6
_MAX_TERMS = 8
_ASKING = frozenset(
    index
    for word in "find tell list explain compare choose give name describe many much know please question answer want need kind type "
    "happen think make use get work good better best different difference similar".split()
    for index in index_tokens(word)
)
_ZH_ASKING = re.compile(
    r"请问|请|什么|哪[些个一种里位年座]?|谁|多少|多大|多高|多长|怎么样?|怎样|如何|是否|有没有|为什么|为何|几[个位年次种]?|吗|呢|了解|告诉我?|说明|比较|列出|找出|查明"
    r"|应该|应当|可以|需要|我们|我|你|选择|它们?|他们?|她们?|以及|[？?。，、；：！“”《》的是在有和与及了从到对于为被把]"
)
_ENGLISH_WORD = re.compile(r"[A-Za-z][\w'’-]*|\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing to find out: a name (may be empty) and the index terms asked of it."""

    label: str
    name: str
    terms: frozenset[str]


def aspects_of(goal: str, phrases: Phrases, *, chinese: bool) -> tuple[Aspect, ...]:
    """The aspects of a goal in its order: one a name, with what is asked of it; one altogether when it names nothing."""
    names: dict[str, str] = {}
    rest = goal
    for entity in sorted(entities(goal), key=lambda found: (found.start, -found.end)):
        key = name_key(entity.name)
        if key and not any(key in known for known in names):
            names[key] = entity.name
        rest = rest.replace(entity.name, " ")
    words = _asked(rest, chinese=chinese)
    terms = frozenset(term for word in words for term in index_tokens(word))
    phrase = (phrases.joint if chinese else " ").join(words)
    if not names:
        return (Aspect(phrase, "", terms),) if words else ()
    found = list(names.values())[:_MAX_ASPECTS]
    return tuple(
        Aspect(phrases.aspect.format(name=name, terms=phrase) if phrase else name, name, terms) for name in found
    )


def _asked(text: str, *, chinese: bool) -> list[str]:
    if chinese:
        words = [word.strip() for word in _ZH_ASKING.sub(" ", text).split()]
        return list(dict.fromkeys(word for word in words if len(word) > 1 or word.isascii()))[:_MAX_TERMS]
    words = [
        word for word in _ENGLISH_WORD.findall(text) if (terms := index_tokens(word)) and not _ASKING.issuperset(terms)
    ]
    return list(dict.fromkeys(words))[:_MAX_TERMS]


def is_covered(aspect: Aspect, nodes: Sequence[NodeView]) -> bool:
    """Whether nodes that name the aspect's subject say at least something of what is asked."""
    about = [node for node in nodes if not aspect.name or _names(node, aspect.name)]
    if not about:
        return False
    if not aspect.terms:
        return True
    needed = 1 if aspect.name else (len(aspect.terms) + 1) // 2
    found = (aspect.terms & _terms(node) for node in about)
    return any(len(shared) >= needed for shared in found)


def _parts(node: NodeView) -> Iterable[str]:
    return (node.text or node.summary, node.summary, node.context, *node.keywords)


def _names(node: NodeView, name: str) -> bool:
    finder = NameFinder([name])
    return any(finder.find(part) for part in _parts(node))


def _terms(node: NodeView) -> frozenset[str]:
    return frozenset(term for part in _parts(node) for term in index_tokens(part))
