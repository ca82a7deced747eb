"""Words of an English sentence: which are verbs, and which carry its meaning."""

from collections.abc import Iterable

from amb_core.agents.attribute_words import CONCEPTS, NEUTRAL, VERBS
from amb_core.text import index_tokens
from amb_core.text.remembering import text_cache

__all__ = ["frame_token", "frame_tokens", "is_verb"]

_NOT_PARTICIPLES = frozenset("hundred speed need indeed seed feed breed exceed united unlimited limited allied".split())
_ENDINGS = (("ies", "y"), ("es", ""), ("es", "e"), ("s", ""))


@text_cache(most=16_384)
def frame_token(word: str) -> str:
    """The frame token of one English word: its concept, its stem, or "" when it carries no attribute."""
    lower = word.lower().replace("’", "'").removesuffix("'s")
    terms = index_tokens(lower)
    if not terms:
        return ""
    stem = "-".join(terms)
    return "" if stem in NEUTRAL else CONCEPTS.get(stem, stem)


def frame_tokens(words: Iterable[str]) -> frozenset[str]:
    """The frame tokens of English words."""
    return frozenset(filter(None, map(frame_token, words)))


@text_cache(most=16_384)
def is_verb(word: str) -> bool:
    """Whether an English word is (probably) a finite verb or a participle; case does not matter."""
    word = word.lower()
    if word in VERBS or word.endswith(("n't", "n’t")):
        return True
    if any(word.endswith(ending) and word.removesuffix(ending) + rest in VERBS for ending, rest in _ENDINGS):
        return True
    return len(word) >= 5 and word.endswith("ed") and word not in _NOT_PARTICIPLES
