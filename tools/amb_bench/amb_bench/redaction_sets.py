"""Sentences with personal data marked in them: Chinese ones of our own, and English ones of the Presidio project.

Ours are in `redaction_sentences.jsonl`, half to develop with and half held out, half of them without personal data but
with what looks like it; `{{phone|139…}}` marks what has to go. All numbers are made up, check digits computed.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from amb_bench.datasets import data_folder
from amb_core.errors import UnreadableSource
from amb_redaction import RedactionKind

__all__ = ["MarkedText", "Part", "chinese_sentences", "load_presidio_sentences", "marked_text"]

Part = Literal["development", "held-out"]

_FILE = Path(__file__).with_name("redaction_sentences.jsonl")
_MARKED = re.compile(r"\{\{([a-z-]+)\|(.*?)\}\}", re.DOTALL)
_KIND_OF = {
    "EMAIL_ADDRESS": RedactionKind.EMAIL,
    "PHONE_NUMBER": RedactionKind.PHONE,
    "US_SSN": RedactionKind.ID_CARD,
    "US_DRIVER_LICENSE": RedactionKind.ID_CARD,
    "CREDIT_CARD": RedactionKind.BANK_CARD,
    "IBAN_CODE": RedactionKind.IBAN,
    "IP_ADDRESS": RedactionKind.IP,
}


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A text and what has to be taken out of it: kind, start and end, in order of place."""

    text: str
    gold: tuple[tuple[RedactionKind, int, int], ...] = ()


def marked_text(source: str) -> MarkedText:
    """The text without the marks `{{kind|value}}`, and where the values stand."""
    text, gold, done = "", [], 0
    for match in _MARKED.finditer(source):
        text += source[done : match.start()]
        gold.append((RedactionKind(match[1]), len(text), len(text) + len(match[2])))
        text += match[2]
        done = match.end()
    return MarkedText(text + source[done:], tuple(gold))


@lru_cache(maxsize=4)
def chinese_sentences(part: Part | None = None) -> tuple[MarkedText, ...]:
    """The Chinese sentences of one part, or all."""
    rows = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]
    return tuple(marked_text(row["text"]) for row in rows if part in (None, row["part"]))


def load_presidio_sentences(*, folder: str | os.PathLike[str] | None = None) -> tuple[MarkedText, ...]:
    """1,500 English sentences with generated data, gold for the kinds that AMB claims; UnreadableSource if missing."""
    path = data_folder(folder) / "pii" / "synth_dataset_v2.json"
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnreadableSource(
            f"cannot read {path} ({type(error).__name__}): it is data/synth_dataset_v2.json of the repository "
            "microsoft/presidio-research; fetch it, or name another folder with --data."
        ) from None
    return tuple(MarkedText(row["full_text"], _gold(row["spans"])) for row in rows)


def _gold(spans: list[dict[str, str | int]]) -> tuple[tuple[RedactionKind, int, int], ...]:
    known = [span for span in spans if span["entity_type"] in _KIND_OF]
    found = [(_KIND_OF[str(s["entity_type"])], int(s["start_position"]), int(s["end_position"])) for s in known]
    return tuple(sorted(found, key=lambda thing: thing[1]))
