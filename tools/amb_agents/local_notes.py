"""Notes without a model are a view on passages: each is a stretch of them, named by its heading or its first words.

What a note says is the text under its spans; its summary, topic and keywords only help to find that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from amb_agents.key_terms import keywords
from amb_core.agent_io import (
    ClassificationAnswer,
    ClassificationRequest,
    Cluster,
    StructureAnswer,
    StructureRequest,
)
from amb_core.reading import Layout, detect_layout
from amb_core.reading.layout_passages import PassageSpan, read_passages
from amb_core.text import detect_language, index_tokens
from amb_values import sentence_spans

__all__ = ["LocalClassification", "LocalStructure"]

_LONG = {"en": 1_300, "zh": 550}
"""Characters of the stretch that is one note; machine data have four times as many, since their records are many."""
_LEAST_REPEAT = {"en": 40, "zh": 10}
"""A passage of so many characters that comes again in its text is left out there."""
_TOPIC_CHARS = {"en": 120, "zh": 60}
_EDGES = " \t\n.,;:!?。，；：！？、–—-*_#>|=`"
_HEADING = re.compile(r"#{1,6}[ \t]+(\S[^\n]*)")
_RESULT = re.compile(
    r"^(?:[^\w\[\n]|\d){0,12}"
    r"(?:\[([^\]\n]{1,200})\]\(\s*<?https?://\S+|(?:Title|标题)[ \t]*[:：][ \t]*(\S[^\n]{0,200}))",
    re.MULTILINE,
)
_BODY_CHARS = 60
_MARKUP = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)|\*\*|__|`+|</?[a-zA-Z][^<>\n]{0,80}>|^\W*\d{1,3}[.)、]\s")
_WHOLE = {"en": 300, "zh": 120}
"""Characters up to which the summary of a note is its text."""
_FEW, _FEW_CHARS = 3, 500
"""So many sentences are kept whole, too."""


class LocalClassification:
    """A ClassificationAgent that needs no model: deterministic, and linear in the length of the text.

    A cluster is a stretch of passages of up to 1,300 characters, 550 in Chinese, of machine data four times that.
    A heading begins another one, as does each result of a list of search results. What comes again is left out there.
    """

    def classify(self, request: ClassificationRequest) -> ClassificationAnswer:
        """The topics of the text in order; a blank text has none."""
        text = request.text
        clusters = tuple(
            Cluster(
                cluster_id=f"t{number}",
                context=_topic(content := "\n\n".join(text[a:b] for a, b in spans), title),
                content=content,
                keywords=keywords(content),
                spans=spans,
            )
            for number, (spans, title) in enumerate(_stretches(text), start=1)
        )
        return ClassificationAnswer(should_cluster=len(clusters) > 1, clusters=clusters)


def _stretches(text: str) -> Iterator[tuple[tuple[tuple[int, int], ...], str]]:
    """The spans of each stretch, and the headings or the search result that it stands under."""
    language = detect_language(text)
    most = _LONG[language] * (1 if detect_layout(text) in (Layout.PROSE, Layout.LISTING) else 4)
    results, seen = dict(_results(text)), set[str]()
    spans: list[tuple[int, int]] = []
    place = title = name = ""
    for passage in _whole(read_passages(text), results):
        content = text[passage.start : passage.end]
        said = {content[a:b] for a, b in sentence_spans(content)}
        if said <= seen and len(content) >= _LEAST_REPEAT[language]:
            continue
        seen |= said
        heading = passage.path if passage.path.startswith("#") else ""
        begins = passage.start in results or not heading.startswith(place)
        if spans and (begins or passage.end - spans[0][0] > most):
            yield tuple(spans), title or name
            spans = []
        if passage.start in results:
            title = results[passage.start]
        name, place = name if spans else heading, heading
        if spans and not text[spans[-1][1] : passage.start].strip():
            spans[-1] = (spans[-1][0], passage.end)
        else:
            spans.append((passage.start, passage.end))
    if spans:
        yield tuple(spans), title or name


def _whole(passages: Sequence[PassageSpan], starts: Collection[int]) -> Iterator[PassageSpan]:
    """The passages, parted where a result begins inside one."""
    for passage in passages:
        inside = [start for start in starts if passage.start < start < passage.end]
        for begin, end in pairwise([passage.start, *inside, passage.end]):
            yield PassageSpan(begin, end, passage.path)


def _results(text: str) -> list[tuple[int, str]]:
    """Where each result of a list of search results begins, with its title; none where most have no body."""
    found = list(_RESULT.finditer(text))
    stops = [*(match.start() for match in found[1:]), len(text)]
    bodies = sum(stop - match.end() >= _BODY_CHARS for match, stop in zip(found, stops, strict=False))
    if len(found) < 2 or 2 * bodies < len(found):
        return []
    first, *others = [(match.start(), match[1] or match[2]) for match in found]
    return [(0, first[1]), *others]


def _topic(content: str, path: str) -> str:
    """One line of at most 120 characters (60 in Chinese): its headings, or its first sentence."""
    most = _TOPIC_CHARS[detect_language(content)]
    parts = [*path.split(" > "), *(found[1] for found in _HEADING.finditer(content[:400]))]
    headings = dict.fromkeys(filter(None, map(_plain, parts)))
    mark = "：" if most == _TOPIC_CHARS["zh"] else ": "
    first = next((content[a:b] for a, b in sentence_spans(content[: 4 * most])), content)
    topic = mark.join(headings) or _plain(first)
    return (topic if len(topic) <= most else topic[: most - 1].rstrip(_EDGES) + "…") or "…"


def _plain(text: str) -> str:
    """A text without markup, on one line."""
    bare = _MARKUP.sub(lambda found: found[1] or "", text)
    return " ".join("".join(char if char.isprintable() else " " for char in bare).split()).strip(_EDGES)


class LocalStructure:
    """A StructureAgent that needs no model: sentences with words of the goal, each with the one before, then the first.

    The summary has at most half of the characters. Content of up to 300 characters (120 in Chinese) is kept whole.
    """

    def structure(self, request: StructureRequest) -> StructureAnswer:
        """The summary of one cluster; that of a blank one is empty."""
        body = request.content.strip()
        if len(body) <= _WHOLE[detect_language(body)]:
            return StructureAnswer(summary=body)
        wanted = set(index_tokens(request.task_goal))
        spans = sentence_spans(body)
        if len(spans) <= _FEW and len(body) <= _FEW_CHARS:
            return StructureAnswer(summary=body)
        match = [len(wanted.intersection(index_tokens(body[a:b]))) if wanted else 0 for a, b in spans]
        asked = list(map(max, match, [*(each - 0.5 for each in match[1:]), 0]))  # "he" needs the one before
        order = sorted(range(len(spans)), key=lambda at: (-asked[at], at))
        kept, left = [], len(body) // 2
        for at in order:
            start, end = spans[at]
            if end - start < left:
                kept.append(spans[at])
                left -= end - start + 1
        summary = _joined(body, sorted(kept))
        return StructureAnswer(summary=summary if 4 * len(summary) >= len(body) else f"{body[: len(body) // 2]}…")


def _joined(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Sentences as one text, verbatim; what was next to each other stays as it stood."""
    joined, done = "", 0
    for start, end in spans:
        between = text[done:start] if joined else ""
        joined += f"{between if between.isspace() or not between else ' '}{text[start:end]}"
        done = end
    return joined
