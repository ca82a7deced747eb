"""Whether an author asks how it is in the book, or wants something invented."""

from __future__ import annotations

import re

from amb_core.rendering import strip_block

__all__ = ["asks_how_it_is"]

_LONGEST = 200
_ENGLISH = re.compile(
    r"^(?:and |but |so )?(?:who|whose|whom|where|when|which|is|are|was|were|does|do|did|has|have|had)\b[^?\n]*\?$",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"^[^？?\n]*(?:谁|哪里|哪儿|在哪|哪一章|第几章|何时|什么时候|是不是|是否|有没有|吗)[^？?\n]*[？?]$"
)
_OPEN = re.compile(
    r"\b(?:could|might|should|would|can|may|shall|will|if|else|better|best|next|write|suggest|ideas?|options?|ways?)\b"
    r"|可以|可能|应该|应当|如果|要是|如何|怎么|怎样|更好|接下来|写|建议|方案|办法|会不会|能不能|会|能",
    re.IGNORECASE,
)


def asks_how_it_is(message: str) -> bool:
    """Whether a message is one short question for facts: where several answers would only be one in other words."""
    said = strip_block(message).strip()
    if len(said) > _LONGEST or _OPEN.search(said):
        return False
    return bool(_ENGLISH.match(said) or _CHINESE.match(said))
