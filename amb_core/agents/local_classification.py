"""Splitting a text into topics without a model, and what each is called.

Where to cut is said by lexical cohesion, how sentences open, and the visible structure. What a text says more than once
is read once, and long runs of records in large groups. A topic is called by its headings, else by the start of the
sentence that introduces it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from amb_core.agent_io import ClassificationAnswer, ClassificationRequest, Cluster
from amb_core.agents.chunking import chunk_spans, chunk_tokens
from amb_core.agents.segmentation import SIZES, continues, grouped
from amb_core.agents.text_units import BARE_LEVEL, Unit, is_json, lay_out, plain
from amb_core.settings import Settings
from amb_core.text import detect_language, dialogue_speaker, index_tokens, keywords
from amb_core.text.language import Language

__all__ = ["LocalClassification"]

_LARGEST_CHUNK = 8_000
_JSON_UNITS = 400
"""Members that are put in topics at once."""


class LocalClassification:
    """A ClassificationAgent that needs no model: deterministic, and linear in the length of the text.

    A text of up to about 200 words without search results in it is one cluster. Longer ones give clusters of roughly
    600–2,000 characters (250–900 in Chinese), cut where the words change, never over 2,500 (1,100). Each result of a
    result list is a cluster of its own. Long runs of records (rows, members, log lines) are put in groups of up to
    16,000 characters. What comes again in the same text, a paragraph or more of it, is left out there. Text over the
    window (`agent_window` × `chunk_ratio`, at most 8,000 tokens) is taken chunk by chunk; headings carry over.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._limit = min(chunk_tokens(settings or Settings()), _LARGEST_CHUNK)

    def classify(self, request: ClassificationRequest) -> ClassificationAnswer:
        """The topics of the text in order; a blank text has none."""
        text, goal = request.text, request.task_goal
        language = detect_language(text)
        pieces = list(self._pieces(text))
        spans = [_spans(text, piece.units) for piece in pieces]
        contents = ["\n\n".join(text[start:end] for start, end in parts) for parts in spans]
        words = [_piece_keywords(content, goal=goal) for content in contents]
        clusters = tuple(
            Cluster(
                cluster_id=f"t{number}",
                context=_topic_of(text, piece, words[number - 1], language=language, goal=goal),
                content=contents[number - 1],
                keywords=words[number - 1],
                spans=spans[number - 1],
            )
            for number, piece in enumerate(pieces, start=1)
        )
        return ClassificationAnswer(should_cluster=len(clusters) > 1, clusters=clusters)

    def _pieces(self, text: str) -> Iterator[Piece]:
        path = HeadingPath()
        repeats = Repeats(language=detect_language(text))
        for batch in self._batches(text):
            units = list(_in_groups(text, repeats.fresh(text, batch)))
            if not units:
                continue
            language = detect_language(text[units[0].start : units[-1].end])
            for group in grouped(text, units, language=language):
                yield Piece(tuple(group), _titles(path, group), midway=not group[0].title)

    def _batches(self, text: str) -> Iterator[list[Unit]]:
        """Units of one chunk after the other; JSON is taken apart as a whole, because no sentence ends in it."""
        if is_json(text, 0, len(text)):
            units = lay_out(text, 0, len(text), limit=SIZES[detect_language(text)].hard)
            yield from (units[at : at + _JSON_UNITS] for at in range(0, len(units), _JSON_UNITS))
            return
        for start, end in chunk_spans(text, limit=self._limit):
            limit = SIZES[detect_language(text[start:end])].hard
            if units := lay_out(text, start, end, limit=limit):
                yield units


def _titles(path: HeadingPath, group: list[Unit]) -> tuple[str, ...]:
    """The headings over the first unit that is none; the path moves on to the end of the group."""
    titles: tuple[str, ...] | None = None
    for unit in group:
        if unit.title:
            path.enter(unit)
        if titles is None and unit.kind != "heading":
            titles = path.titles
    return path.titles if titles is None else titles


def _spans(text: str, units: Sequence[Unit]) -> tuple[tuple[int, int], ...]:
    """The stretches of text under the units: one, unless a repeat was left out between them."""
    spans: list[tuple[int, int]] = []
    for unit in units:
        if spans and not text[spans[-1][1] : unit.start].strip():
            spans[-1] = (spans[-1][0], unit.end)
        else:
            spans.append((unit.start, unit.end))
    return tuple(spans)


# --- what a text says more than once, and records of one kind ---------------------------------------------------------

_LEAST = {"en": 200, "zh": 80}
_RECORD_KINDS = frozenset({"table", "json", "code"})
_MANY_CHARS = 6_000
_GROUP_CHARS = 16_000


class Repeats:
    """Remembers the units of one text and says which of the following say the same once more."""

    def __init__(self, *, language: Language) -> None:
        self._seen: set[str] = set()
        self._least = _LEAST[language]

    def fresh(self, text: str, units: Sequence[Unit]) -> list[Unit]:
        """The units without stretches of at least 200 characters (80 in Chinese) all of which was there before.

        A unit alone that comes back (a greeting, a heading, a row) stays.
        """
        kept: list[Unit] = []
        run: list[Unit] = []
        for unit in units:
            key = text[unit.start : unit.end]
            if key in self._seen:
                run.append(unit)
                continue
            self._seen.add(key)
            kept.extend(self._short(run))
            run = []
            kept.append(unit)
        kept.extend(self._short(run))
        return kept

    def _short(self, run: Sequence[Unit]) -> Sequence[Unit]:
        return run if sum(unit.end - unit.start for unit in run) < self._least else ()


def _in_groups(text: str, units: Sequence[Unit]) -> Iterator[Unit]:
    """Units with long runs of rows, members or program lines made groups of up to 16,000 characters.

    Records of one kind tell no topics apart; a table of a few rows is left as it is.
    """
    at = 0
    while at < len(units):
        stop = at + 1
        while stop < len(units) and _goes_with(units[at], units[stop]):
            stop += 1
        if units[stop - 1].end - units[at].start > _MANY_CHARS and units[at].kind in _RECORD_KINDS:
            yield from _groups(text, units[at:stop])
        else:
            yield from units[at:stop]
        at = stop


def _goes_with(first: Unit, unit: Unit) -> bool:
    return first.kind == unit.kind and not unit.opens and not unit.title


def _groups(text: str, run: Sequence[Unit]) -> Iterator[Unit]:
    """Groups of about equal size."""
    length = run[-1].end - run[0].start
    wanted = length / -(-length // _GROUP_CHARS)
    group = run[0]
    for unit in run[1:]:
        if group.end - group.start >= wanted or text[group.end : unit.start].strip():
            yield group
            group = unit
        else:
            group = group._replace(end=unit.end)
    yield group


# --- what a topic is called -------------------------------------------------------------------------------------------

_TOPIC_CHARS = {"en": 120, "zh": 60}
_FEWEST_CHARS = {"en": 30, "zh": 10}
_LEADS = 3
_KEYWORDS = 8
_BRACKETS = re.compile(r"\s*(?:\([^()]*\)(?![A-Za-z0-9])|（[^（）]*）)")
_CLAUSE = re.compile(r"[;；。！？]|[.!?](?=\s|$)|,(?=\s)|，|\s[–—-]\s|——|:\s|：")
_EDGES = " \t\n.,;:!?。，；：！？、–—-*_#>|"
_ITEM = re.compile(r"^(?:[-*+•·▪◦‣–—]\s|\d{1,3}[.)、]\s?|[（(]\d{1,3}[)）]|\[\d{1,3}\])\s*")
_DEFINED = re.compile(
    r"^(?:(?:export|default|public|private|static|async|abstract|final|pub) )*"
    r"((?:class|def|function|func|fn|interface|struct|enum|trait|impl) \w+)",
    re.MULTILINE,
)
_COLON = {"en": ": ", "zh": "："}
_COMMA = {"en": ", ", "zh": "、"}


class HeadingPath:
    """The headings a reader is under while going through a document."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []
        self._titled = False

    def enter(self, unit: Unit) -> None:
        """Go under a heading: those as deep or deeper are left."""
        while self._open and self._open[-1][0] >= unit.level:
            if len(self._open) == 1 and self._titled and unit.level < BARE_LEVEL:
                break
            self._open.pop()
        self._titled = self._titled or (unit.start == 0 and unit.level == BARE_LEVEL)
        self._open.append((unit.level, unit.title))

    @property
    def titles(self) -> tuple[str, ...]:
        """From the document's title to the innermost heading."""
        return tuple(title for _, title in self._open if title)


@dataclass(frozen=True, slots=True)
class Piece:
    """Units of one topic, the headings they stand under, and whether the piece begins in the midst of a section."""

    units: tuple[Unit, ...]
    titles: tuple[str, ...]
    midway: bool

    @property
    def start(self) -> int:
        """Where the piece begins in its text."""
        return self.units[0].start


def _piece_keywords(content: str, *, goal: str = "") -> tuple[str, ...]:
    """Up to eight keywords of a text, those first that the goal names."""
    asked = goal.lower()
    return tuple(sorted(keywords(content, limit=_KEYWORDS), key=lambda word: word.lower() not in asked))


def _topic_of(text: str, piece: Piece, words: Sequence[str], *, language: Language, goal: str = "") -> str:
    """One line of at most 120 characters (60 in Chinese) that says what the piece is about, in the text's own words."""
    most = _TOPIC_CHARS[language]
    section = _section(piece, language)
    lead = "" if section and not piece.midway else _lead(text, piece.units, words, language, goal)
    own = _COLON[language].join(part for part in (_clipped(section, most // 2 if lead else most), lead) if part)
    own = _clipped(own, most) or _start_of(text[piece.start : piece.start + 2 * most], most)
    document = piece.titles[0] if len(piece.titles) > 1 else ""
    room = most - len(own) - len(_COLON[language])
    return _clipped(document, room) + _COLON[language] + own if document and room >= most // 4 else own


def _start_of(text: str, most: int) -> str:
    """What is readable of a text without words, as it stands."""
    readable = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return readable[:most].rstrip() or "…"


def _section(piece: Piece, language: Language) -> str:
    """The innermost heading; sections side by side in one piece are named one by one."""
    inner = [unit.title for unit in piece.units if unit.kind == "heading" and unit.title]
    if not piece.titles:
        return ""
    last = piece.titles[-1]
    if piece.midway or last not in inner:
        return last
    return _COMMA[language].join(_distinct(inner[inner.index(last) :]))


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _lead(text: str, units: Sequence[Unit], words: Sequence[str], language: Language, goal: str) -> str:
    """The first sentence that can stand alone, else the best keywords in front of the first sentence."""
    body = [unit for unit in units if unit.kind != "heading"]
    if body and body[0].kind == "turn":
        return _dialogue_topic(text, body, words, language)
    if body and body[0].kind == "code" and (names := _definitions(text, body)):
        return ", ".join(names[:4])
    leads = [lead for unit in body[:_LEADS] if unit.kind in ("prose", "item") and (lead := _sentence(text, unit))]
    if not leads:
        return _COMMA[language].join(words[:5])
    fresh = [lead for lead in leads if not (lead[0].islower() or continues(lead, language=language))]
    if not fresh:
        return _COMMA[language].join(words[:2]) + _COLON[language] + leads[0]
    wanted = set(index_tokens(goal))

    def worth(lead: str) -> float:
        return (len(lead) >= _FEWEST_CHARS[language]) + 0.1 * len(wanted.intersection(index_tokens(lead)))

    return max(fresh, key=worth)


def _definitions(text: str, body: Sequence[Unit]) -> list[str]:
    return _distinct(found[1] for unit in body for found in _DEFINED.finditer(text, unit.start, unit.end))


def _dialogue_topic(text: str, turns: Sequence[Unit], words: Sequence[str], language: Language) -> str:
    speakers = _distinct(name for unit in turns if (name := dialogue_speaker(text[unit.start : unit.end])))
    topics = [word for word in words if word not in speakers][:5]
    return _COMMA[language].join(speakers[:4]) + _COLON[language] + _COMMA[language].join(topics)


def _sentence(text: str, unit: Unit) -> str:
    return _BRACKETS.sub("", _ITEM.sub("", plain(text[unit.start : min(unit.end, unit.start + 400)]))).strip(_EDGES)


def _clipped(name: str, most: int) -> str:
    """The name within `most` characters: cut after a clause, else at a word, and marked with an ellipsis then."""
    name = name.strip(_EDGES)
    if len(name) > most:
        name = _BRACKETS.sub("", name).strip(_EDGES)
    if len(name) <= most:
        return name
    marks = [found.start() for found in _CLAUSE.finditer(name, most // 3, most)]
    if marks:
        return name[: marks[-1]].strip(_EDGES)
    space = name.rfind(" ", most // 3, most - 1)
    return name[: space if space > 0 else most - 1].rstrip(_EDGES) + "…"
