"""Which names a node is about and which it mentions, by their folded keys."""

from dataclasses import dataclass

from amb_core.text import about, entities, name_key
from amb_core.text.proper_names import core_names
from amb_core.text.pure_cache import text_cache

__all__ = ["Names", "names_of"]

_CACHED_TEXTS = 4_096
_CALENDAR = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday".split()
)


@dataclass(frozen=True, slots=True)
class Names:
    """Folded key → name as written, in order of appearance; `mentioned` includes what the node is about."""

    about: dict[str, str]
    mentioned: dict[str, str]

    @staticmethod
    def is_telling(key: str) -> bool:
        """Whether sharing this name alone says something: no calendar word, no single short word."""
        return key not in _CALENDAR and not key.isdigit() and (" " in key or not key.isascii() or len(key) >= 5)


@text_cache(most=_CACHED_TEXTS)
def names_of(text: str, topic: str = "") -> Names:
    """The names in `text`; `topic` is the node's topic sentence."""
    told: dict[str, str] = {}
    for name in (*about(text), *(entity.name for entity in entities(topic))):
        key = name_key(name)
        if key and len(name) <= 80:
            told.setdefault(key, name)
    mentioned = dict(told)
    for entity in core_names(text):
        key = name_key(entity.name)
        if key and key not in _CALENDAR:
            mentioned.setdefault(key, entity.name)
    return Names(told, mentioned)
