"""Chinese names in running text, without a dictionary: marked titles, transliterations, and names by their last word."""

import re
from collections.abc import Iterator

from amb_core.text.names import Entity

__all__ = ["chinese_entities"]

_MARKED = re.compile(
    r"《([^《》\n]{1,40})》|「([^「」\n]{2,20})」|“([^“”\n]{2,20})”|『([^『』\n]{2,20})』|〈([^〈〉\n]{1,40})〉"
)
_HAN = "\u4e00-\u9fff"
_FOREIGN = re.compile(rf"[{_HAN}]{{1,8}}(?:[·‧・•][{_HAN}A-Z.]{{1,8}}){{1,4}}")


def chinese_entities(text: str) -> Iterator[Entity]:
    """Mentions in no particular order; spans may nest."""
    for match in _MARKED.finditer(text):
        group = match.lastindex or 1
        yield Entity(match[group], match.start(group), match.end(group))
    for match in _FOREIGN.finditer(text):
        yield Entity(match.group(), match.start(), match.end())
