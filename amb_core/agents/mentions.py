"""Which names a node is about and which it mentions, by their folded keys."""

from dataclasses import dataclass

from amb_core.agents.readings import read
from amb_core.text import entities, name_key
from amb_core.text.remembering import text_cache

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
    reading = read(text)
    told: dict[str, str] = {}
    for name in (*reading.about, *(entity.name for entity in entities(topic))):
        key = name_key(name)
        if key and len(name) <= 80:
            told.setdefault(key, name)
    mentioned = dict(told)
    for value in reading.values:
        if value.kind == "name" and value.key not in _CALENDAR:
            mentioned.setdefault(value.key, value.surface)
    return Names(told, mentioned)
