"""What a piece of text is called: its headings, else the start of the sentence that introduces it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amb_core.agents.cohesion import continues
from amb_core.agents.text_lines import BARE_LEVEL, plain
from amb_core.agents.text_units import Unit
from amb_core.text import dialogue_speaker, index_tokens, keywords
from amb_core.text.language import Language

__all__ = ["HeadingPath", "Piece", "piece_keywords", "topic_of"]

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


def piece_keywords(content: str, *, goal: str = "") -> tuple[str, ...]:
    """Up to eight keywords of a text, those first that the goal names."""
    asked = goal.lower()
    return tuple(sorted(keywords(content, limit=_KEYWORDS), key=lambda word: word.lower() not in asked))


def topic_of(text: str, piece: Piece, words: Sequence[str], *, language: Language, goal: str = "") -> str:
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
