"""Whether a thing has something: "there is a helipad on the roof" against "the hospital has no helipad"."""

import re
from collections.abc import Iterator

from amb_core.agents.clauses import frame_tokens
from amb_core.agents.statement import Sentence, Statement
from amb_core.agents.topics import Topic

__all__ = ["existence_statements"]

_WHOLE = (
    r"(?:[Tt]here (?:is|are)|(?:[Tt]he|[Tt]his) (?:hospital|school|museum|yard|station|airport|dam|hotel|library)"
    r" has|[Ii]t has)"
)
_HAS = re.compile(rf"\b{_WHOLE} an? (?P<what>[a-z-]{{4,}})(?= (?:on|in|at|beside|near|behind) |[.,;])")
_LACKS = re.compile(rf"\b{_WHOLE} no (?P<what>[a-z-]{{4,}})(?=[.,;]|$)")
_EITHER = re.compile(r"\b(?:has|is|are) (?:an?|no) ")
_TIMED = re.compile(r"\d{4}|\b(?:longer|yet|until|then|now|planned|if|was|were|had)\b")


def existence_statements(within: Sentence, topic: Topic) -> Iterator[Statement]:
    """Statements that what an English text is about has something, or has none of it at all."""
    if within.chinese or not topic.keys or not _EITHER.search(within.text) or _TIMED.search(within.text):
        return
    for pattern, said in ((_HAS, True), (_LACKS, False)):
        for found in pattern.finditer(within.text):
            words = frame_tokens([found["what"]])
            if words:
                yield _statement(within, topic, words | {"@exists"}, found["what"], said=said)


def _statement(within: Sentence, topic: Topic, words: frozenset[str], what: str, *, said: bool) -> Statement:
    return Statement(
        subject=topic.name,
        wording=what,
        value=within.text,
        kind="polarity",
        polarity=said,
        within=within,
        slot=None,
        subjects=topic.keys,
        named=True,
        pointing="named",
        frame=words,
        words=words,
    )
