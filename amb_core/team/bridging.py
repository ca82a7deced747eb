"""The entity over which the next hop goes, and what to ask next."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from amb_core.team.question_type_words import HEADS
from amb_core.team.question_types import compared
from amb_core.team.reading import Mention, Sentence, closeness
from amb_core.team.relation_words import RELATIONS
from amb_core.text import index_tokens, name_key
from amb_core.text.mentions import core_names
from amb_core.text.places import REGIONS

__all__ = ["bridge_of", "next_queries"]

_MOST_QUERIES = 3
_STATED = 1.5
_LATER = 0.12
_PARTS = (
    (
        re.compile(r"所在的?城市|哪个城市|哪座城市"),
        re.compile(r"(?:[\u4e00-\u9fff]{2,3}省)?(?P<part>[\u4e00-\u9fff]{2,4}?)市"),
    ),
    (re.compile(r"所在的?省"), re.compile(r"(?P<part>[\u4e00-\u9fff]{2,3}省)")),
)
_PLACE = 0.8
_BESIDE = 0.8
_WORD_BEFORE = re.compile(r"(?P<word>[a-z][a-z-]{2,24}) [\"“]?$")
_LONE = 0.3


def bridge_of(
    mentions: Sequence[Mention],
    sentences: Sequence[Sentence],
    counts: Mapping[str, float],
    *,
    task: str,
    title: str,
    stated: Sequence[str] = (),
) -> str | None:
    """The name that the question describes without naming it: new, close to the question's words, early in the text.

    `stated` are values of relations that the question asks for; for a question about two things the other of the two.
    """
    two = compared(task)
    if len(two) == 2:
        others = [
            name for name in two if name_key(name) not in name_key(title) and name_key(title) not in name_key(name)
        ]
        if len(others) == 1:
            return others[0]
    asked, about, known = name_key(task), name_key(title), [name_key(value) for value in stated]
    task_terms = frozenset(counts)
    scored: dict[str, tuple[float, str]] = {}
    for mention in (*mentions, *_where(stated, sentences, task)):
        key = name_key(mention.text)
        if len(key) < 2 or key in asked or key in about or about in key:
            continue
        sentence = sentences[mention.at]
        score = closeness(mention, sentence, counts) + 0.5 * sentence.weight - _LATER * mention.at
        score += (
            _STATED * (key in known) - _PLACE * (mention.text in REGIONS) - _LONE * (" " not in key and key.isascii())
        )
        score += _BESIDE * _described(mention, sentence, task_terms)
        if score > scored.get(key, (float("-inf"), ""))[0]:
            scored[key] = (score, mention.text)
    return max(scored.values(), key=lambda each: each[0])[1] if scored else None


def _described(mention: Mention, sentence: Sentence, terms: Container[str]) -> bool:
    """Whether a noun of the question stands right before a name and says what it is: painter Jo Hale, for a painter."""
    word = _WORD_BEFORE.search(sentence.text[max(0, mention.start - 30) : mention.start])
    return word is not None and word["word"] in HEADS and any(term in terms for term in index_tokens(word["word"]))


def _where(stated: Sequence[str], sentences: Sequence[Sentence], task: str) -> Iterator[Mention]:
    for value in stated:
        value = _part_of_place(value, task)
        for at, sentence in enumerate(sentences):
            if (start := sentence.text.find(value)) >= 0:
                yield Mention(value, at, start, start + len(value))
                break


def _part_of_place(value: str, task: str) -> str:
    """The city or the province of a Chinese place that the question means."""
    for asked, pattern in _PARTS:
        if asked.search(task) and (found := pattern.match(value)):
            return found["part"]
    return value


def next_queries(task: str, *, bridge: str | None, stated: Sequence[str], asked: Sequence[str]) -> tuple[str, ...]:
    """What to ask next, best first: the bridge, it with what is still to be found, names not asked about yet."""
    done = {" ".join(index_tokens(query)) for query in asked}
    wanted = [each for each in RELATIONS if each.asked.search(task) and each.name not in stated]
    words = [match.group() for each in wanted if (match := each.asked.search(task))]
    queries = [bridge, *(f"{bridge} {word}" for word in words[:1])] if bridge else []
    queries += [entity.name for entity in core_names(task)]
    fresh = [query for query in dict.fromkeys(queries) if query and " ".join(index_tokens(query)) not in done]
    return tuple(fresh[:_MOST_QUERIES])
