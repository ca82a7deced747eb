"""Splitting a text into topics without a model, and what each is called.

Where to cut is said by lexical cohesion and by the layout that `reading` finds. What a text says more than once is read
once. A topic is called by its headings or its record, else by the start of the sentence that introduces it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from amb_core.agent_io import ClassificationAnswer, ClassificationRequest, Cluster
from amb_core.agents.segmentation import Part, group_parts, leans, read_parts
from amb_core.text import detect_language, index_tokens, keywords
from amb_core.text.language import Language

__all__ = ["LocalClassification"]

_AT_ONCE = 400
"""Parts that are put in topics at once."""
_LEAST_REPEAT = {"en": 200, "zh": 80}
_TOPIC_CHARS = {"en": 120, "zh": 60}
_FEWEST_CHARS = {"en": 30, "zh": 10}
_LEADS = 3
_KEYWORDS = 8
_COLON = {"en": ": ", "zh": "："}
_COMMA = {"en": ", ", "zh": "、"}
_EDGES = " \t\n.,;:!?。，；：！？、–—-*_#>|=`"
_RESULT = re.compile(r"(?:\W|\d)*(?:\[([^\]\n]{1,200})\]\(\s*<?https?://\S+|(?:Title|标题)\s*[:：]\s*(\S[^\n]{0,200}))")
_BODY_CHARS, _LONGEST_TITLE = 60, 80
_INTRODUCTION = 300
"""So many characters before the first result go with it."""
_MARKUP = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)|\*\*|__|`+|</?[a-zA-Z][^<>\n]{0,80}>|^\W*\d{1,3}[.)、]\s")
_NAMED = re.compile(r"\[\d+ (?:title|name)=([^\]]+)\]")


class LocalClassification:
    """A ClassificationAgent that needs no model: deterministic, and linear in the length of the text.

    A text of up to about 200 words without headings or search results is one cluster. Longer ones give clusters of
    roughly 600–2,000 characters (250–900 in Chinese), cut where the words change, never over 2,500 (1,100); records in
    groups of up to 16,000. Each result of a result list is a cluster of its own. What comes again in the same text, a
    paragraph or more of it, is left out there.
    """

    def classify(self, request: ClassificationRequest) -> ClassificationAnswer:
        """The topics of the text in order; a blank text has none."""
        clusters = tuple(self._clusters(request.text, request.task_goal))
        return ClassificationAnswer(should_cluster=len(clusters) > 1, clusters=clusters)

    def _clusters(self, text: str, goal: str) -> Iterator[Cluster]:
        parts = _fresh(text, read_parts(text))
        results = _results(text, parts)
        introduced = {start for start in results if start - parts[0].start <= _INTRODUCTION}
        opening = frozenset(results) - {min(introduced, default=-1)}
        groups = (
            group
            for at in range(0, len(parts), _AT_ONCE)
            for group in group_parts(text, parts[at : at + _AT_ONCE], opening=opening)
        )
        for number, group in enumerate(groups, start=1):
            spans = _spans(text, group)
            content = "\n\n".join(text[start:end] for start, end in spans)
            words = _keywords(content, goal)
            topic = next((results[part.start] for part in group if part.start in results), "")
            yield Cluster(
                cluster_id=f"t{number}",
                context=topic or _topic(text, group, words, goal),
                content=content,
                keywords=words,
                spans=spans,
            )


def _fresh(text: str, parts: Sequence[Part]) -> list[Part]:
    """The parts without stretches of a paragraph or more all of which was there before.

    A part alone that comes back (a greeting, a heading, a row) stays.
    """
    least = _LEAST_REPEAT[detect_language(text)]
    seen: set[str] = set()
    kept: list[Part] = []
    run: list[Part] = []
    for part in parts:
        key = text[part.start : part.end]
        if key in seen:
            run.append(part)
            continue
        seen.add(key)
        kept += [*_short(run, least), part]
        run = []
    return kept + _short(run, least)


def _short(run: list[Part], least: int) -> list[Part]:
    return run if sum(part.end - part.start for part in run) < least else []


def _results(text: str, parts: Sequence[Part]) -> Mapping[int, str]:
    """Where each result of a list of search results begins, with its title; none where most have no body."""
    found = [(part.start, match) for part in parts if part.gap and (match := _RESULT.match(text, part.start, part.end))]
    stops = [*(start for start, _ in found), len(text)][1:]
    bodies = sum(stop - match.end() >= _BODY_CHARS for (_, match), stop in zip(found, stops, strict=False))
    if len(found) < 2 or bodies < 0.6 * len(found):
        return {}
    return {start: _plain(match[1] or match[2]) for start, match in found}


def _spans(text: str, parts: Sequence[Part]) -> tuple[tuple[int, int], ...]:
    """The stretches of text under the parts: one, unless a repeat was left out between them."""
    spans: list[tuple[int, int]] = []
    for part in parts:
        if spans and not text[spans[-1][1] : part.start].strip():
            spans[-1] = (spans[-1][0], part.end)
        else:
            spans.append((part.start, part.end))
    return tuple(spans)


# --- what a topic is called -------------------------------------------------------------------------------------------


def _keywords(content: str, goal: str) -> tuple[str, ...]:
    """Up to eight keywords of a text, those first that the goal names."""
    asked = goal.lower()
    return tuple(sorted(keywords(content, limit=_KEYWORDS), key=lambda word: word.lower() not in asked))


def _topic(text: str, parts: Sequence[Part], words: Sequence[str], goal: str) -> str:
    """One line of at most 120 characters (60 in Chinese) that says what a piece is about, in the text's own words."""
    language = detect_language(text[parts[0].start : parts[-1].end])
    most = _TOPIC_CHARS[language]
    title = _title(text, parts)
    place = _place(parts) or title
    named = _NAMED.search(place)
    head = _COLON[language].join(map(_plain, [named[1]] if named else filter(None, place.split(" > "))))
    midway = not head or (parts[0].is_prose and not title and not _is_heading(text, parts[0]))
    lead = _lead(text, parts, words, language, goal) if midway else ""
    topic = _COLON[language].join(part for part in (_clipped(head, most // 2 if lead else most), lead) if part)
    return _clipped(topic, most) or _start_of(text[parts[0].start :][: 2 * most], most)


def _place(parts: Sequence[Part]) -> str:
    """The heading or record that most of the parts stand under; what stands above it does not count."""
    sizes: Counter[str] = Counter()
    for part in parts:
        sizes[part.place] += part.end - part.start
    deepest = [place for place in sizes if not any(other != place and other.startswith(place) for other in sizes)]
    return max(deepest, key=lambda place: sizes[place])


def _title(text: str, parts: Sequence[Part]) -> str:
    """The first heading, else the first line where it is a title: short, by itself, and without an end."""
    heading = next((part for part in parts if part.is_prose and text.startswith("#", part.start)), None)
    if heading is not None:
        return text[heading.start : heading.end]
    first = text[parts[0].start : parts[0].end]
    alone = parts[0].is_prose and parts[0].gap and len(parts) > 1 and parts[1].gap
    return first if alone and len(first) <= _LONGEST_TITLE and (first[-1].isalnum() or first[-1] in ")）") else ""


def _is_heading(text: str, part: Part) -> bool:
    return text[part.start] in "#=" or text[part.start : part.end] in part.place


def _lead(text: str, parts: Sequence[Part], words: Sequence[str], language: Language, goal: str) -> str:
    """The first sentence that can stand alone, else the best keywords in front of the first sentence."""
    prose = (part for part in parts if part.is_prose and not _is_heading(text, part))
    leads = [
        _plain(text[part.start : min(part.end, part.start + 400)])
        for part, _ in zip(prose, range(_LEADS), strict=False)
    ]
    if not any(leads):
        return _COMMA[language].join(words[:5])
    fresh = [lead for lead in leads if lead and not (lead[0].islower() or leans(lead, language))]
    if not fresh:
        return _COMMA[language].join(words[:2]) + _COLON[language] + leads[0]
    wanted = set(index_tokens(goal))

    def worth(lead: str) -> float:
        return (len(lead) >= _FEWEST_CHARS[language]) + 0.1 * len(wanted.intersection(index_tokens(lead)))

    return max(fresh, key=worth)


def _plain(text: str) -> str:
    """A text without markup, on one line."""
    return _start_of(_MARKUP.sub(lambda found: found[1] or "", text)).strip(_EDGES)


def _clipped(name: str, most: int) -> str:
    """The name within `most` characters, cut at a word and marked with an ellipsis then."""
    name = name.strip(_EDGES)
    if len(name) <= most:
        return name
    space = name.rfind(" ", most // 3, most - 1)
    return name[: space if space > 0 else most - 1].rstrip(_EDGES) + "…"


def _start_of(text: str, most: int | None = None) -> str:
    """What is readable of a text, on one line."""
    readable = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return readable[:most].rstrip() or "…"
