"""Labelled cases of the roles that a model plays, how an answer to one is scored, and answers that are kept."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amb_chat import RecordingChatModel
from amb_core.chat_io import ChatReply, ChatRequest
from amb_core.errors import ModelRefused, UnreadableSource
from amb_core.protocols import ChatModel

__all__ = ["ROLES", "KeptAnswers", "Outcome", "Score", "found", "overlap", "read_cases", "says"]

ROLES = ("judge", "update", "extract", "curate", "check", "settle", "condense", "topics")
_FOLDER = Path(__file__).with_name("role_cases")
_NINETY = 1.645
_NO_SIGN = re.compile(r"\W+")
_PARTS = re.compile(r"\d+(?:[.:]\d+)*|[^\W\d_]+")
_THOUSANDS = re.compile(r"(?<=\d)[,’' ](?=\d{3}(?!\d))")


def read_cases(role: str, language: str, *, folder: Path | None = None) -> list[dict[str, Any]]:
    """The cases of a role, from `folder` or those that come with the bench; UnreadableSource where there are none."""
    file = (folder or _FOLDER) / f"{role}.{language}.jsonl"
    try:
        return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise UnreadableSource(f"{file} holds no cases, one JSON object a line ({type(error).__name__})") from None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One case: how many things were said rightly and wrongly, and how many were to be said."""

    hits: int
    false: int
    wanted: int
    refused: bool = False

    @property
    def whole(self) -> bool:
        """Whether nothing is missing and nothing is false."""
        return not self.refused and self.hits >= self.wanted and not self.false


@dataclass(frozen=True, slots=True)
class Score:
    """The outcomes of one role in one language."""

    outcomes: Sequence[Outcome]

    @property
    def precision(self) -> float | None:
        """The share of what was said that is right; None where nothing was said."""
        said = sum(one.hits + one.false for one in self.outcomes)
        return sum(one.hits for one in self.outcomes) / said if said else None

    @property
    def recall(self) -> float | None:
        """The share of what was to be said that was; None where nothing was to be said."""
        wanted = sum(one.wanted for one in self.outcomes)
        return sum(one.hits for one in self.outcomes) / wanted if wanted else None

    @property
    def whole(self) -> float:
        """The share of cases that are wholly right."""
        return sum(one.whole for one in self.outcomes) / len(self.outcomes)

    @property
    def interval(self) -> tuple[float, float]:
        """The 90 % interval of `whole`, by Wilson's score (1927)."""
        n, p, z = len(self.outcomes), self.whole, _NINETY
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(middle - half, 0.0), min(middle + half, 1.0)

    @property
    def refused(self) -> int:
        """In how many cases the model gave no answer that can be used."""
        return sum(one.refused for one in self.outcomes)


def _bare(text: str) -> str:
    """A text without case and signs, so that 1,200 and 1200 are one."""
    return _NO_SIGN.sub("", text.casefold())


def says(text: str, value: str) -> bool:
    """Whether a text has a value, whatever signs are in it; 18 does not stand in 180, nor in 1.18."""
    parts = _PARTS.findall(_plain(value))
    if not parts:
        return False
    before = r"(?<!\d)(?<!\d\.)" if parts[0][0].isdigit() else "(?<![a-z])" if parts[0][0].isascii() else ""
    behind = r"(?!\.?\d)" if parts[-1][-1].isdigit() else ""
    return re.search(before + r"[\W_]*".join(map(re.escape, parts)) + behind, _plain(text)) is not None


def _plain(text: str) -> str:
    return _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).casefold())


def overlap(said: str, gold: str) -> bool:
    """Whether one is the larger part of the other, or they share half of the words (characters in Chinese)."""
    one, other = _bare(said), _bare(gold)
    if not one or not other:
        return False
    if one in other or other in one:
        return min(len(one), len(other)) >= max(len(one), len(other)) / 3
    words, wanted = _units(said), _units(gold)
    return len(words & wanted) >= max(len(words), len(wanted)) / 2


def _units(text: str) -> set[str]:
    words = set(re.findall(r"[a-z0-9]+", text.casefold()))
    return words | {text[at : at + 2] for at in range(len(text) - 1) if text[at] > "⺀" < text[at + 1]}


class KeptAnswers:
    """A chat model whose answers are kept in a folder: what was answered before is not asked again.

    Without a `chat` only the kept answers are given, and a request that is not among them is a ModelRefused.
    """

    def __init__(self, folder: Path, *, chat: ChatModel | None = None) -> None:
        files = sorted(folder.glob("answers-*.jsonl"))
        if chat is None and not files:
            raise UnreadableSource(f"{folder} holds no kept answers; name a model to ask")
        folder.mkdir(parents=True, exist_ok=True)
        for file in files:
            _cut_torn(file)
        self._kept = [RecordingChatModel(file) for file in files]
        new = folder / f"answers-{len(files) + 1:03}.jsonl"
        self._new = None if chat is None else RecordingChatModel(new, chat=chat)
        self._seen: list[Mapping[str, Any]] = []
        self.repairs = 0

    @property
    def model(self) -> str:
        """The name of the model that answers, or answered."""
        named = [self._new] if self._new is not None else self._kept
        return named[0].model if named else "none"

    @property
    def endpoint(self) -> str:
        """Where it is, or the word `record`."""
        return self._new.endpoint if self._new is not None else "record"

    def begin_case(self) -> None:
        """From here on, asking again what was asked since is a repair."""
        self._seen = []

    def complete(self, request: ChatRequest) -> ChatReply:
        """The kept answer, else a new one."""
        question = [each for each in request.messages if each.get("role") == "user"][:1]
        self.repairs += question[0] in self._seen if question else 0
        self._seen += question
        for kept in self._kept:
            try:
                return kept.complete(request)
            except ModelRefused:
                continue
        if self._new is None:
            raise ModelRefused("this request is not among the kept answers; name a model to ask")
        return self._new.complete(request)


def _cut_torn(file: Path) -> None:
    """Take away an answer that a killed run wrote half."""
    text = file.read_bytes()
    whole = text.rfind(b"\n") + 1
    if whole < len(text):
        with file.open("r+b") as torn:
            torn.truncate(whole)


def found(said: Iterable[str], gold: Iterable[str]) -> int:
    """How many of the golden texts are among what was said, whole or for the larger part."""
    texts = list(said)
    return sum(any(overlap(text, wanted) for text in texts) for wanted in gold)
